// What the tests of the engine share: kernels read from the text form of the IR, runs of them, and
// questions about what came of it.
//
// The kernels in testdata/engine tell what they see by probes: `bar.arrive ID, VALUE`, where the id
// says which probe it is and the value is no count that a barrier could have.
#ifndef BARLINT_ENGINE_TEST_CASE_H
#define BARLINT_ENGINE_TEST_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "barlint/semantics.h"
#include "base/vec.h"
#include "engine/story/schedule.h"

struct cases {
    struct ir_unit unit;
    struct model *model;
    struct engine_unit *engine;
};

static inline char *case_text(const char *name, size_t *length)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.ir", BARLINT_ENGINE_CASES, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    for (int c; (c = fgetc(file)) != EOF;)
        fputc(c, out);
    fclose(out);
    fclose(file);
    return text;
}

static inline void cases_init(struct cases *cases, const char *name)
{
    size_t length;
    struct error error = {0};
    char *text = case_text(name, &length);
    if (!ir_read_unit(&cases->unit, text, length, &error) || !ir_verify_unit(&cases->unit, &error))
        fail_msg("%s: %s", name, error.text);
    free(text);
    cases->model = model_new();
    cases->engine = engine_unit_new(&cases->unit, cases->model);
}

static inline void cases_release(struct cases *cases)
{
    engine_unit_free(cases->engine);
    model_free(cases->model);
    ir_unit_release(&cases->unit);
}

static inline ir_function_id case_kernel(const struct cases *cases, const char *name)
{
    for (ptrdiff_t i = 0; i < arrlen(cases->unit.function); ++i) {
        if (strcmp(cases->unit.function[i].name, name) == 0)
            return (ir_function_id)i;
    }
    fail_msg("there is no kernel %s", name);
    return IR_NONE;
}

// A launch of one block, or of one cluster, of so many threads along x and y.
static inline struct engine_shape case_shape(int64_t x, int64_t y, int64_t blocks)
{
    return (struct engine_shape){.block = {x, y, 1},
                                 .grid = {blocks, 1, 1},
                                 .cluster = {blocks, 1, 1},
                                 .shared_bytes = 0,
                                 .block_known = true,
                                 .source = ENGINE_SHAPE_LAUNCH,
                                 .launched = true};
}

static inline struct engine_result case_run(const struct cases *cases, const char *kernel,
                                            struct engine_shape shape,
                                            const struct engine_options *options)
{
    struct engine_result result;
    engine_run_kernel(&result, cases->engine, case_kernel(cases, kernel), &shape, options);
    return result;
}

// The probe of that id; NULL where no thread came to it.
static inline const struct engine_event *probe(const struct engine_result *result, int64_t id)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind == MODEL_NAMED_ARRIVE && event->id.known && event->id.low == id &&
            event->id.high == id)
            return event;
    }
    return NULL;
}

#define assert_probe(result, id, words)                                                            \
    do {                                                                                           \
        const struct engine_event *event_ = probe((result), (id));                                 \
        assert_non_null(event_);                                                                   \
        assert_string_equal(event_->threads.text, (words));                                        \
    } while (0)

#define assert_probed_value(result, id, value)                                                     \
    do {                                                                                           \
        const struct engine_event *event_ = probe((result), (id));                                 \
        assert_non_null(event_);                                                                   \
        assert_true(event_->count.known);                                                          \
        assert_int_equal(event_->count.low, (value));                                              \
        assert_int_equal(event_->count.high, (value));                                             \
    } while (0)

// The first incident of the rule; NULL where there is none.
static inline const struct engine_incident *incident_of(const struct engine_result *result,
                                                        const char *rule)
{
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        if (strcmp(result->incident[i].rule, rule) == 0)
            return &result->incident[i];
    }
    return NULL;
}

static inline const struct engine_object *object_of(const struct engine_result *result,
                                                    const char *name)
{
    for (ptrdiff_t i = 0; i < arrlen(result->object); ++i) {
        if (strcmp(result->object[i].name, name) == 0)
            return &result->object[i];
    }
    return NULL;
}

static inline void put_range(FILE *out, const char *name, const struct engine_range *range)
{
    if (range->given)
        fprintf(out, " %s=%d%d[%lld,%lld]%s", name, range->known, range->uniform,
                (long long)range->low, (long long)range->high, range->text ? range->text : "");
}

// All that a result holds, as text, but for the time it took.
static inline char *result_text(const struct engine_result *result)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const struct engine_statistics *statistics = &result->statistics;
    fprintf(out, "%u runs %llu steps cut=%d unknown=%u,%u\n", statistics->runs,
            (unsigned long long)statistics->steps, statistics->cut_short,
            statistics->unknown_operations, statistics->unknown_objects);
    for (ptrdiff_t i = 0; i < arrlen(result->object); ++i)
        fprintf(out, "object %s %lld %d\n", result->object[i].name,
                (long long)result->object[i].offset, result->object[i].completes);
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        fprintf(out, "event %u.%u chain %u object %u, %s, at once %u, runs %u", event->function,
                event->op, event->chain, event->object, event->threads.text, event->most_at_once,
                event->runs);
        put_range(out, "count", &event->count);
        put_range(out, "id", &event->id);
        put_range(out, "parity", &event->parity);
        put_range(out, "bytes", &event->bytes);
        fputc('\n', out);
    }
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        const struct engine_incident *incident = &result->incident[i];
        fprintf(out, "incident %s %d %u.%u, %s, missing %s, runs %u of %u %d%d %s\n",
                incident->rule, incident->kind, incident->function, incident->op,
                incident->threads.text, incident->missing.text ? incident->missing.text : "nobody",
                incident->runs, incident->reached, incident->certain, incident->supported,
                incident->assumption ? incident->assumption : "");
        for (ptrdiff_t k = 0; k < arrlen(incident->step); ++k)
            fprintf(out, "  %u %s\n", incident->step[k].loc.line, incident->step[k].text);
    }
    fclose(out);
    return text;
}

#endif
