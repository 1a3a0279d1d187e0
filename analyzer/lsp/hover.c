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

static bool same_place(const struct finding_place *a, const struct finding_place *b)
{
    return a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0;
}

static bool same_text(const struct lsp_fact *a, const struct lsp_fact *b)
{
    bool same = strcmp(a->begin, b->begin) == 0 && strcmp(a->end, b->end) == 0 &&
                a->told_count == b->told_count;
    for (size_t i = 0; same && i < a->told_count; ++i)
        same = a->told[i].place.line == b->told[i].place.line &&
               strcmp(a->told[i].text, b->told[i].text) == 0;
    return same;
}

// Adds a fact, whose text is the arena's, unless enough is told of its place.
static void put(struct lsp_facts *facts, const struct lsp_fact *fact)
{
    int texts = 0;
    if (arrlen(facts->fact) >= MOST_FACTS)
        return;
    for (ptrdiff_t i = 0; i < arrlen(facts->fact); ++i) {
        const struct lsp_fact *other = &facts->fact[i];
        if (same_place(&other->place, &fact->place) &&
            (same_text(other, fact) || ++texts >= TEXTS_A_PLACE))
            return;
    }
    arrput(facts->fact, *fact);
}

static struct finding_place place_of(const struct teller *teller, const struct ir_loc *loc)
{
    const char *path = teller->result->unit->file[loc->file].path;
    return (struct finding_place){path_absolute(&teller->facts->arena, teller->folder, path),
                                  loc->line, loc->column, loc->end_line, loc->end_column};
}

static void put_at(struct teller *teller, const struct ir_loc *loc, struct lsp_fact fact)
{
    const struct ir_unit *unit = teller->result->unit;
    if (loc->file == 0 || loc->file >= arrlenu(unit->file) || loc->line == 0 ||
        unit->file[loc->file].is_system)
        return;
    fact.place = place_of(teller, loc);
    put(teller->facts, &fact);
}

// The operation's place, and the calls of what merely wraps it.
static void put_at_event(struct teller *teller, const struct engine_event *event,
                         struct lsp_fact fact)
{
    const struct engine_result *result = teller->result;
    put_at(teller, &event->loc, fact);
    for (uint32_t at = event->chain; at < arrlenu(result->chain) && result->chain[at].parent < at;
         at = result->chain[at].parent) {
        const struct engine_chain *chain = &result->chain[at];
        put_at(teller, &chain->call, fact);
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

static struct lsp_told tell_event(struct teller *teller, const struct engine_event *event)
{
    struct arena *arena = &teller->facts->arena;
    bool is_init = event->model.kind == MODEL_MBARRIER_INIT;
    const char *text = arena_printf(
        arena, "`%s`: %s%s%s%s%s",
        event->model.spelling ? event->model.spelling : model_kind_name(event->model.kind),
        event->threads.text ? event->threads.text : "unknown threads",
        operand_text(arena, is_init ? "expected count" : "count", &event->count),
        operand_text(arena, "bytes", &event->bytes), operand_text(arena, "parity", &event->parity),
        operand_text(arena, "number", &event->id));
    return (struct lsp_told){place_of(teller, &event->loc), text};
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
    struct lsp_told *told = arena_array(arena, struct lsp_told, EVENTS_TOLD);
    size_t count = 0;
    bool is_mbarrier = false;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object != index || !model_is_barrier(event->model.kind))
            continue;
        is_mbarrier |= event->model.kind == MODEL_MBARRIER_INIT;
        if (++count <= EVENTS_TOLD)
            told[count - 1] = tell_event(teller, event);
    }
    if (count == 0)
        return;
    const char *end = "";
    if (count > EVENTS_TOLD)
        end = arena_printf(arena, "\n- and %zu more", count - EVENTS_TOLD);
    if (is_mbarrier && object->phases == 1)
        end = arena_printf(arena, "%s\n\nOne phase is seen to complete.", end);
    else if (is_mbarrier)
        end = arena_printf(arena, "%s\n\n%u phases are seen to complete.", end, object->phases);
    struct lsp_fact fact = {
        .begin = arena_printf(arena, "**%s**%s%s%s, %s\n", object->name, object->type ? " (`" : "",
                              object->type ? object->type : "", object->type ? "`)" : "",
                              launch_text(teller)),
        .told = told,
        .told_count = count < EVENTS_TOLD ? count : EVENTS_TOLD,
        .end = end,
    };
    put_at(teller, &object->loc, fact);
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        if (result->event[i].object == index && model_is_barrier(result->event[i].model.kind))
            put_at_event(teller, &result->event[i], fact);
    }
}

static void tell_event_alone(struct teller *teller, const struct engine_event *event)
{
    struct arena *arena = &teller->facts->arena;
    struct lsp_told *told = arena_new(arena, struct lsp_told);
    *told = tell_event(teller, event);
    struct lsp_fact fact = {
        .begin = arena_printf(arena, "%s\n", launch_text(teller)),
        .told = told,
        .told_count = 1,
        .end = "",
    };
    put_at_event(teller, event, fact);
}

void lsp_facts_add(struct lsp_facts *facts, const struct engine_result *result, const char *folder)
{
    struct teller teller = {facts, result, folder};
    for (ptrdiff_t i = 0; i < arrlen(result->object); ++i)
        tell_object(&teller, (uint32_t)i);
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object >= arrlenu(result->object) && model_is_barrier(event->model.kind))
            tell_event_alone(&teller, event);
    }
}

// --- As JSON -------------------------------------------------------------------------------------

json_t *lsp_facts_keep(const struct lsp_facts *facts)
{
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(facts->fact); ++i) {
        const struct lsp_fact *fact = &facts->fact[i];
        json_t *told = json_array();
        for (size_t k = 0; k < fact->told_count; ++k) {
            json_t *one = finding_place_to_json(&fact->told[k].place);
            json_object_set_new(one, "text", finding_json_text(fact->told[k].text));
            json_array_append_new(told, one);
        }
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "place",
                                              finding_place_to_json(&fact->place), "begin",
                                              finding_json_text(fact->begin), "told", told, "end",
                                              finding_json_text(fact->end)));
    }
    return list;
}

static bool fact_read(struct arena *arena, const json_t *json, struct lsp_fact *out)
{
    json_t *place, *told, *one;
    const char *begin, *end;
    size_t i;
    if (json_unpack((json_t *)json, "{s:o, s:s, s:o, s:s}", "place", &place, "begin", &begin,
                    "told", &told, "end", &end) != 0 ||
        !finding_place_from_json(arena, place, &out->place))
        return false;
    struct lsp_told *list = arena_array(arena, struct lsp_told, json_array_size(told) + 1);
    json_array_foreach (told, i, one) {
        const char *text = json_string_value(json_object_get(one, "text"));
        if (!text || !finding_place_from_json(arena, one, &list[i].place))
            return false;
        list[i].text = arena_strdup(arena, text);
    }
    out->begin = arena_strdup(arena, begin);
    out->end = arena_strdup(arena, end);
    out->told = list;
    out->told_count = json_array_size(told);
    return true;
}

void lsp_facts_take(struct lsp_facts *facts, const json_t *json)
{
    size_t i;
    json_t *one;
    json_array_foreach ((json_t *)json, i, one) {
        struct lsp_fact fact;
        if (fact_read(&facts->arena, one, &fact))
            put(facts, &fact);
    }
}

static json_t *text_of(const struct lsp_fact *fact)
{
    struct arena arena;
    arena_init(&arena);
    const char *text = fact->begin;
    for (size_t i = 0; i < fact->told_count; ++i)
        text = arena_printf(&arena, "%s\n- line %u, %s", text, fact->told[i].place.line,
                            fact->told[i].text);
    json_t *json = finding_json_text(arena_printf(&arena, "%s%s", text, fact->end));
    arena_release(&arena);
    return json;
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
                                              "text", text_of(fact)));
    }
    return files;
}
