#include "driver/unit/facts.h"

#include <stdlib.h>

#include "base/path.h"
#include "base/vec.h"

enum { MOST_FACTS = 20000 }; // of a unit: a template may have thousands of instances

void facts_init(struct facts *facts)
{
    *facts = (struct facts){json_array(), json_array(), json_array(), json_array(), NULL};
    sh_new_strdup(facts->known);
}

void facts_release(struct facts *facts)
{
    json_decref(facts->kernels);
    json_decref(facts->launches);
    json_decref(facts->barriers);
    json_decref(facts->operations);
    shfree(facts->known);
}

// Adds a fact, which is taken over, once. The name of the list keeps facts of different kinds
// apart.
static void put(struct facts *facts, const char *kind, json_t *list, json_t *fact)
{
    struct arena arena;
    arena_init(&arena);
    char *text = json_dumps(fact, JSON_COMPACT);
    char *key = arena_printf(&arena, "%s %s", kind, text ? text : "");
    free(text);
    if (shgeti(facts->known, key) < 0 && shlen(facts->known) < MOST_FACTS) {
        shput(facts->known, key, true);
        json_array_append(list, fact);
    }
    json_decref(fact);
    arena_release(&arena);
}

static json_t *file_of(const struct parsed *parsed, const struct ir_loc *loc)
{
    struct arena arena;
    arena_init(&arena);
    const char *path = parsed->ir.file[loc->file].path;
    json_t *json =
        finding_json_text(*path ? path_absolute(&arena, parsed->translation.directory, path) : "");
    arena_release(&arena);
    return json;
}

static const char *source_name(enum engine_shape_source source)
{
    static const char *const names[] = {
        [ENGINE_SHAPE_LAUNCH] = "launch",   [ENGINE_SHAPE_ATTRIBUTE] = "attribute",
        [ENGINE_SHAPE_COMMENT] = "comment", [ENGINE_SHAPE_CONFIG] = "configuration",
        [ENGINE_SHAPE_GUESS] = "assumed",
    };
    return names[source];
}

void facts_add_kernel(struct facts *facts, const struct parsed *parsed, ir_function_id kernel,
                      const struct engine_shapes *shapes)
{
    const struct ir_function *function = &parsed->ir.function[kernel];
    put(facts, "kernel", facts->kernels,
        json_pack("{s:o, s:o, s:i}", "name", finding_json_text(function->name), "file",
                  file_of(parsed, &function->loc), "line", (int)function->loc.line));
    for (ptrdiff_t i = 0; i < arrlen(shapes->shape); ++i) {
        const struct engine_shape *shape = &shapes->shape[i];
        put(facts, "launch", facts->launches,
            json_pack("{s:o, s:[I, I, I], s:[I, I, I], s:[I, I, I], s:I, s:s, s:o, s:i}", "kernel",
                      finding_json_text(function->name), "block", (json_int_t)shape->block[0],
                      (json_int_t)shape->block[1], (json_int_t)shape->block[2], "grid",
                      (json_int_t)shape->grid[0], (json_int_t)shape->grid[1],
                      (json_int_t)shape->grid[2], "cluster", (json_int_t)shape->cluster[0],
                      (json_int_t)shape->cluster[1], (json_int_t)shape->cluster[2], "shared_bytes",
                      (json_int_t)shape->shared_bytes, "source", source_name(shape->source), "file",
                      file_of(parsed, &shape->loc), "line", (int)shape->loc.line));
    }
}

static const char *memory_name(const struct engine_object *object)
{
    if (object->in_shared)
        return object->is_peer ? "shared, of another block" : "shared";
    return object->space == IR_SPACE_GLOBAL || object->space == IR_SPACE_CONSTANT ? "global" : "";
}

// The expected count that the barrier is initialised with, "" where that is not seen.
static const char *count_of(const struct engine_result *result, uint32_t object)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object == object && event->model.kind == MODEL_MBARRIER_INIT &&
            event->count.given)
            return event->count.text;
    }
    return "";
}

void facts_add_result(struct facts *facts, const struct parsed *parsed,
                      const struct engine_result *result)
{
    const char *kernel = parsed->ir.function[result->kernel].name;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (!model_is_barrier(event->model.kind))
            continue;
        const struct engine_object *object =
            event->object < arrlenu(result->object) ? &result->object[event->object] : NULL;
        put(facts, "operation", facts->operations,
            json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:i, s:i}", "kernel",
                      finding_json_text(kernel), "function",
                      finding_json_text(parsed->ir.function[event->function].name), "operation",
                      model_kind_name(event->model.kind), "spelling",
                      finding_json_text(event->model.spelling), "barrier",
                      finding_json_text(object ? object->name : ""), "threads",
                      finding_json_text(event->threads.text), "file", file_of(parsed, &event->loc),
                      "line", (int)event->loc.line, "column", (int)event->loc.column));
        if (object)
            put(facts, "barrier", facts->barriers,
                json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:i}", "kernel",
                          finding_json_text(kernel), "name", finding_json_text(object->name),
                          "type", finding_json_text(object->type), "memory", memory_name(object),
                          "expected_count", finding_json_text(count_of(result, event->object)),
                          "file", file_of(parsed, &object->loc), "line", (int)object->loc.line));
    }
}

json_t *facts_to_json(const struct facts *facts)
{
    return json_pack("{s:O, s:O, s:O, s:O}", "kernels", facts->kernels, "launches", facts->launches,
                     "barriers", facts->barriers, "operations", facts->operations);
}

void facts_take(struct facts *facts, const json_t *json)
{
    struct {
        const char *kind, *name;
        json_t *list;
    } const lists[] = {
        {"kernel", "kernels", facts->kernels},
        {"launch", "launches", facts->launches},
        {"barrier", "barriers", facts->barriers},
        {"operation", "operations", facts->operations},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        size_t k;
        json_t *fact;
        json_array_foreach (json_object_get(json, lists[i].name), k, fact)
            put(facts, lists[i].kind, lists[i].list, json_incref(fact));
    }
}
