#include "lsp/hover.h"

#include <string.h>

#include "base/path.h"
#include "base/vec.h"

enum {
    TEXTS_A_PLACE = 4, // kernels and shapes that a place is told of
    MOST_FACTS = 4000,
    EVENTS_TOLD = 12, // of a barrier
};

void lsp_facts_init(struct lsp_facts *facts)
{
    *facts = (struct lsp_facts){0};
    arena_init(&facts->arena);
}

void lsp_facts_release(struct lsp_facts *facts)
{
    arrfree(facts->fact);
    arena_release(&facts->arena);
}

struct teller {
    struct lsp_facts *facts;
    const struct engine_result *result;
    const char *folder;
};

static void put(struct teller *teller, const struct ir_loc *loc, const char *text)
{
    struct lsp_facts *facts = teller->facts;
    const struct ir_unit *unit = teller->result->unit;
    if (loc->file == 0 || loc->file >= arrlenu(unit->file) || loc->line == 0 ||
        unit->file[loc->file].is_system || arrlen(facts->fact) >= MOST_FACTS)
        return;
    struct lsp_fact fact = {
        {path_absolute(&facts->arena, teller->folder, unit->file[loc->file].path), loc->line,
         loc->column, loc->end_line, loc->end_column},
        text,
    };
    int texts = 0;
    for (ptrdiff_t i = 0; i < arrlen(facts->fact); ++i) {
        const struct lsp_fact *other = &facts->fact[i];
        if (other->place.line != fact.place.line || other->place.column != fact.place.column ||
            strcmp(other->place.file, fact.place.file) != 0)
            continue;
        if (strcmp(other->text, text) == 0 || ++texts >= TEXTS_A_PLACE)
            return;
    }
    arrput(facts->fact, fact);
}

// The operation's place, and the calls of what merely wraps it.
static void put_at_event(struct teller *teller, const struct engine_event *event, const char *text)
{
    const struct engine_result *result = teller->result;
    put(teller, &event->loc, text);
    for (uint32_t at = event->chain; at < arrlenu(result->chain) && result->chain[at].parent < at;
         at = result->chain[at].parent) {
        const struct engine_chain *chain = &result->chain[at];
        put(teller, &chain->call, text);
        if (!chain->wrapper)
            break;
    }
}

static const char *range_text(struct arena *arena, const struct engine_range *range)
{
    if (range->known && range->low == range->high)
        return arena_printf(arena, "%lld", (long long)range->low);
    if (range->known)
        return arena_printf(arena, "%lld to %lld", (long long)range->low, (long long)range->high);
    return range->text ? range->text : "unknown";
}

static const char *operand_text(struct arena *arena, const char *name,
                                const struct engine_range *range)
{
    return range->given ? arena_printf(arena, ", %s %s", name, range_text(arena, range)) : "";
}

static const char *event_text(struct teller *teller, const struct engine_event *event)
{
    struct arena *arena = &teller->facts->arena;
    bool is_init = event->model.kind == MODEL_MBARRIER_INIT;
    return arena_printf(
        arena, "- line %u, `%s`: %s%s%s%s%s", event->loc.line,
        event->model.spelling ? event->model.spelling : model_kind_name(event->model.kind),
        event->threads.text ? event->threads.text : "unknown threads",
        operand_text(arena, is_init ? "expected count" : "count", &event->count),
        operand_text(arena, "bytes", &event->bytes), operand_text(arena, "parity", &event->parity),
        operand_text(arena, "number", &event->id));
}

static const char *launch_text(struct teller *teller)
{
    const struct engine_result *result = teller->result;
    const struct engine_shape *shape = &result->shape;
    return arena_printf(&teller->facts->arena, "in kernel `%s`, block (%lld, %lld, %lld)%s",
                        result->unit->function[result->kernel].name, (long long)shape->block[0],
                        (long long)shape->block[1], (long long)shape->block[2],
                        shape->source == ENGINE_SHAPE_GUESS || !shape->block_known ? ", assumed"
                                                                                   : "");
}

static void tell_object(struct teller *teller, uint32_t index)
{
    const struct engine_result *result = teller->result;
    const struct engine_object *object = &result->object[index];
    struct arena *arena = &teller->facts->arena;
    const char *operations = "", *phases = "";
    int told = 0;
    bool is_mbarrier = false;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object != index || !model_is_barrier(event->model.kind))
            continue;
        is_mbarrier |= event->model.kind == MODEL_MBARRIER_INIT;
        if (++told <= EVENTS_TOLD)
            operations = arena_printf(arena, "%s\n%s", operations, event_text(teller, event));
    }
    if (told == 0)
        return;
    if (told > EVENTS_TOLD)
        operations = arena_printf(arena, "%s\n- and %d more", operations, told - EVENTS_TOLD);
    if (is_mbarrier)
        phases = object->phases == 1
                     ? "\n\nOne phase is seen to complete."
                     : arena_printf(arena, "\n\n%u phases are seen to complete.", object->phases);
    const char *text =
        arena_printf(arena, "**%s**%s%s%s, %s\n%s%s", object->name, object->type ? " (`" : "",
                     object->type ? object->type : "", object->type ? "`)" : "",
                     launch_text(teller), operations, phases);
    put(teller, &object->loc, text);
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        if (result->event[i].object == index && model_is_barrier(result->event[i].model.kind))
            put_at_event(teller, &result->event[i], text);
    }
}

void lsp_facts_add(struct lsp_facts *facts, const struct engine_result *result, const char *folder)
{
    struct teller teller = {facts, result, folder};
    for (ptrdiff_t i = 0; i < arrlen(result->object); ++i)
        tell_object(&teller, (uint32_t)i);
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object >= arrlenu(result->object) && model_is_barrier(event->model.kind))
            put_at_event(&teller, event,
                         arena_printf(&facts->arena, "%s\n\n%s", launch_text(&teller),
                                      event_text(&teller, event)));
    }
}

json_t *lsp_facts_to_json(const struct lsp_facts *facts, const struct lsp_view *view)
{
    json_t *files = json_object();
    for (ptrdiff_t i = 0; i < arrlen(facts->fact); ++i) {
        const struct lsp_fact *fact = &facts->fact[i];
        const struct lsp_document *document = lsp_view_document(view, fact->place.file);
        if (!document)
            continue;
        json_t *list = json_object_get(files, document->uri);
        if (!list) {
            list = json_array();
            json_object_set_new(files, document->uri, list);
        }
        json_array_append_new(list, json_pack("{s:o, s:o}", "range",
                                              lsp_range_to_json(lsp_view_range(view, &fact->place)),
                                              "text", finding_json_text(fact->text)));
    }
    return files;
}
