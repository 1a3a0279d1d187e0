#include "rules/facts.h"

#include <stdio.h>
#include <string.h>

#include "barlint/semantics.h"
#include "base/vec.h"

const struct engine_object *event_object(const struct engine_result *result,
                                         const struct engine_event *event)
{
    return event->object < arrlenu(result->object) ? &result->object[event->object] : NULL;
}

bool event_is_named(const struct engine_event *event)
{
    enum model_kind kind = event->model.kind;
    return kind == MODEL_NAMED_SYNC || kind == MODEL_NAMED_ARRIVE || kind == MODEL_NAMED_RED;
}

bool event_is_mbarrier(const struct engine_event *event)
{
    enum model_kind kind = event->model.kind;
    return kind >= MODEL_MBARRIER_INIT && kind <= MODEL_MBARRIER_ASYNC_ARRIVE &&
           kind != MODEL_MBARRIER_PENDING;
}

bool range_known(const struct engine_range *range, struct engine_range *out,
                 enum rule_certainty *certainty)
{
    *out = *range;
    *certainty = range->known ? RULE_CERTAIN : RULE_POSSIBLE;
    if (!range->known) {
        out->low = range->launch_low;
        out->high = range->launch_high;
    }
    return range->given && (range->known || range->at_launch);
}

void event_must_be_launched(struct rule_report *report, const struct engine_event *event)
{
    if (!event->launched)
        rule_pedantic(report);
}

const char *range_text(const struct engine_range *range, char *buffer)
{
    if (range->low == range->high)
        snprintf(buffer, RANGE_TEXT, "%lld", (long long)range->low);
    else
        snprintf(buffer, RANGE_TEXT, "%lld to %lld", (long long)range->low, (long long)range->high);
    return buffer;
}

const char *threads_text(const struct engine_threads *threads)
{
    return threads->text && threads->text[0] ? threads->text : "some threads";
}

const char *event_threads(const struct engine_event *event)
{
    return threads_text(&event->threads);
}

const char *plural_s(int64_t count)
{
    return count == 1 ? "" : "s";
}

const struct engine_incident *incident_next(const struct engine_result *result, const char *rule,
                                            const struct engine_incident *last)
{
    ptrdiff_t from = last ? last - result->incident + 1 : 0;
    for (ptrdiff_t i = from; i < arrlen(result->incident); ++i) {
        if (result->incident[i].rule && strcmp(result->incident[i].rule, rule) == 0)
            return &result->incident[i];
    }
    return NULL;
}

const char *incident_object(const struct engine_result *result,
                            const struct engine_incident *incident)
{
    if (incident->object >= arrlenu(result->object) || !result->object[incident->object].name)
        return "the barrier";
    return result->object[incident->object].name;
}

// Whether the object of another block is this one there: the same place of the same variable.
static bool is_the_same_there(const struct engine_object *peer, const struct engine_object *own)
{
    return peer->is_peer && own && own->offset == peer->offset &&
           memcmp(&own->loc, &peer->loc, sizeof own->loc) == 0;
}

const struct engine_event *incident_initialisation(const struct engine_result *result,
                                                   const struct engine_incident *incident)
{
    const struct engine_event *same = NULL;
    if (incident->object >= arrlenu(result->object))
        return NULL;
    const struct engine_object *object = &result->object[incident->object];
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind != MODEL_MBARRIER_INIT)
            continue;
        if (event->object == incident->object)
            return event;
        if (!same && is_the_same_there(object, event_object(result, event)))
            same = event;
    }
    return same;
}

bool threads_alike(const struct engine_result *result, const struct engine_threads *one,
                   const struct engine_threads *other)
{
    const int64_t *block = result->shape.block, *cluster = result->shape.cluster;
    int64_t threads = block[0] * block[1] * block[2] * cluster[0] * cluster[1] * cluster[2];
    return one->mask && other->mask && one->count == other->count &&
           memcmp(one->mask, other->mask, (size_t)(threads + 63) / 64 * sizeof *one->mask) == 0;
}

bool incident_of_ring(const struct engine_result *result, const struct engine_incident *one,
                      const struct engine_incident *other)
{
    if (one->object == UINT32_MAX || other->object == UINT32_MAX || one->object == other->object)
        return false;
    const char *name = incident_object(result, one);
    size_t ring = strcspn(name, "[");
    if (!name[ring] || strncmp(name, incident_object(result, other), ring + 1) != 0)
        return false;
    const struct ir_loc *a = &result->object[one->object].loc;
    const struct ir_loc *b = &result->object[other->object].loc;
    return a->file == b->file && a->line == b->line && a->column == b->column;
}

bool incident_repeats(const struct engine_result *result, const struct engine_incident *incident)
{
    for (const struct engine_incident *other = result->incident; other < incident; ++other) {
        if (other->rule && incident->rule && other->object == incident->object &&
            strcmp(other->rule, incident->rule) == 0)
            return true;
    }
    return false;
}

bool incident_out_of_step(const struct engine_result *result,
                          const struct engine_incident *incident)
{
    const struct engine_incident *flip = NULL;
    while ((flip = incident_next(result, "phase-parity-flip", flip))) {
        if (flip->kind == ENGINE_VIOLATION && flip->supported &&
            (flip->object == incident->object || incident->out_of_step))
            return true;
    }
    return incident->out_of_step && incident_is_supported(result, "phase-foreign-token");
}

bool incident_of_new_life(const struct engine_result *result,
                          const struct engine_incident *incident)
{
    const struct engine_incident *anew = NULL;
    while ((anew = incident_next(result, "init-reinit-live", anew))) {
        if (anew->object == incident->object && anew->supported >= incident->supported)
            return true;
    }
    return false;
}

bool incident_lacks_cluster_wait(const struct engine_result *result,
                                 const struct engine_incident *incident)
{
    return incident->between && incident_is_supported(result, "cluster-pairing");
}

bool incident_behind_surplus(const struct engine_result *result,
                             const struct engine_incident *incident, enum engine_surplus surplus)
{
    static const char *const of_phase[] = {"arrive-over", "arrive-granularity",
                                           "init-count-mismatch", NULL};
    static const char *const of_rounds[] = {"phase-parity-lag", NULL};
    const char *const *rule = surplus == ENGINE_SURPLUS_OF_ROUNDS ? of_rounds : of_phase;
    const struct engine_incident *cause = NULL;
    for (; incident->surplus & surplus && *rule; ++rule) {
        while ((cause = incident_next(result, *rule, cause))) {
            bool told = rule == of_rounds || (cause->kind == ENGINE_VIOLATION &&
                                              cause->surplus & ENGINE_SURPLUS_OF_PHASE);
            if (told && cause != incident && cause->supported >= incident->supported)
                return true;
        }
    }
    return false;
}

bool incident_behind_divergence(const struct engine_result *result,
                                const struct engine_incident *incident)
{
    static const char *const rule[] = {"sync-divergent", "sync-divergent-loop"};
    for (size_t i = 0; i < sizeof rule / sizeof *rule && incident->number[0] == 0; ++i) {
        const struct engine_incident *cause = NULL;
        while ((cause = incident_next(result, rule[i], cause))) {
            bool elsewhere = cause->function != incident->function || cause->op != incident->op;
            if (elsewhere && cause->supported >= incident->supported)
                return true;
        }
    }
    return false;
}

uint32_t event_slots(const struct engine_event *event)
{
    uint32_t slots = 0;
    const struct engine_range *id = &event->id;
    for (int64_t slot = id->low; id->given && id->known && slot <= id->high; ++slot)
        slots |= slot < 0 || slot >= BARLINT_NAMED_SLOTS ? 0 : UINT32_C(1) << slot;
    return slots;
}

uint32_t incident_slots(const struct engine_result *result, const struct engine_incident *incident)
{
    uint32_t slots = UINT32_C(1) << (incident->number[0] & (BARLINT_NAMED_SLOTS - 1));
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->function == incident->function && event->op == incident->op &&
            event->chain == incident->chain)
            slots |= event_slots(event);
    }
    return slots;
}

bool incident_behind_arrivals(const struct engine_result *result,
                              const struct engine_incident *incident, uint32_t slots)
{
    static const char *const rule[] = {"named-count-mismatch", "named-double-arrive",
                                       "named-id-conflict", "named-red-mix", "named-divergent"};
    for (size_t i = 0; i < sizeof rule / sizeof *rule; ++i) {
        const struct engine_incident *cause = NULL;
        while ((cause = incident_next(result, rule[i], cause))) {
            if (cause->supported >= incident->supported && incident_slots(result, cause) & slots)
                return true;
        }
    }
    return false;
}

bool incident_at_same(const struct engine_result *result, const char *rule,
                      const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, rule, other))) {
        if (other->function == incident->function && other->op == incident->op &&
            other->chain == incident->chain)
            return true;
    }
    return false;
}

bool incident_is_supported(const struct engine_result *result, const char *rule)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, rule, incident))) {
        if (incident->supported)
            return true;
    }
    return false;
}

bool incident_explained(const struct engine_result *result, const char *rule,
                        const struct engine_incident *incident)
{
    const struct engine_incident *cause = NULL;
    while ((cause = incident_next(result, rule, cause))) {
        if (cause->object == incident->object && cause->supported >= incident->supported)
            return true;
    }
    return false;
}

bool incident_about(const struct engine_result *result, const char *rule, uint32_t object)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, rule, incident))) {
        if (incident->object == object)
            return true;
    }
    return false;
}

// A flag taken out of a word by a mask ("phases & (1u << stage)") is a truth value whatever its
// magnitude; a parameter of type bool takes it as one.
static bool is_masked_bit(const struct engine_result *result, const struct engine_event *event)
{
    const struct ir_function *function = &result->unit->function[event->function];
    const struct ir_op *op = ir_op_at(function, event->model.parity);
    for (int depth = 0; op && (op->code == IR_CAST || op->code == IR_NE) && depth < 8; ++depth)
        op = ir_op_at(function, ir_operand(function, op, 0));
    return op && op->code == IR_AND;
}

bool event_parity_is_wide(const struct engine_result *result, const struct engine_event *event,
                          struct engine_range *parity, enum rule_certainty *certainty)
{
    if ((event->model.kind != MODEL_MBARRIER_TEST && event->model.kind != MODEL_MBARRIER_WAIT) ||
        !range_known(&event->parity, parity, certainty) || (parity->low >= 0 && parity->high <= 1))
        return false;
    return !(event->model.flags & MODEL_PARITY_BOOL) || !is_masked_bit(result, event);
}

const struct engine_incident *copy_used_early(const struct engine_result *result,
                                              ir_function_id function, ir_value copy)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-read-early", incident))) {
        if (incident->violation == BARLINT_ASYNC_READ_EARLY &&
            incident->number[1] == (int64_t)copy && incident->number[2] == (int64_t)function)
            return incident;
    }
    return NULL;
}

void event_count_limits(const struct engine_result *result, const struct engine_event *event,
                        int64_t *least, int64_t *most)
{
    enum {
        MOST_ARRIVALS = (1 << 20) - 1,  // PTX ISA 9.1, 9.7.13.15.2
        MOST_PRIMITIVE = (1 << 14) - 1, // __mbarrier_init: Programming Guide 13, 5.6.1
        MOST_SOFTWARE = INT32_MAX,      // cuda::barrier::max() outside the block's shared memory
    };
    // A cuda::barrier elsewhere than in shared memory is counted by software.
    const struct engine_object *object = event_object(result, event);
    bool software = event->model.flags & MODEL_LIBRARY_OBJECT && !(object && object->in_shared);
    *least = !software;
    *most = software                               ? MOST_SOFTWARE
            : event->model.flags & MODEL_PRIMITIVE ? MOST_PRIMITIVE
                                                   : MOST_ARRIVALS;
}

bool event_is_never_awaited(const struct engine_event *event)
{
    enum model_kind kind = event->model.kind;
    return (kind == MODEL_CP_ASYNC || kind == MODEL_GROUP_COPY || kind == MODEL_PIPELINE_COPY) &&
           event->left_open && !event->awaited;
}

const struct engine_event *event_tracked_too_early(const struct engine_result *result,
                                                   const struct engine_event *event)
{
    const int64_t *block = result->shape.block;
    int64_t words = (block[0] * block[1] * block[2] + 63) / 64;
    for (ptrdiff_t i = 0; i < arrlen(result->event) && event->threads.mask; ++i) {
        const struct engine_event *arrive = &result->event[i];
        bool all = arrive->model.kind == MODEL_MBARRIER_CP_ASYNC_ARRIVE && arrive->threads.mask;
        for (int64_t word = 0; word < words && all; ++word)
            all = !(event->threads.mask[word] & ~arrive->threads.mask[word]);
        if (all)
            return arrive;
    }
    return NULL;
}

bool event_copies(const struct engine_result *result, const struct engine_incident *incident)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->chain == incident->loc_chain &&
            memcmp(&event->loc, &incident->loc, sizeof event->loc) == 0)
            return event->model.kind == MODEL_BULK_LOAD || event->model.kind == MODEL_ASYNC_STORE ||
                   event->model.kind == MODEL_CLUSTER_LAUNCH_CANCEL;
    }
    return false;
}

uint32_t frame_chain(const struct engine_result *result, const struct ir_frame *frame)
{
    if (!frame || !frame->call)
        return 0;
    uint32_t parent = frame_chain(result, frame->caller);
    for (ptrdiff_t i = 1; i < arrlen(result->chain); ++i) {
        const struct engine_chain *entry = &result->chain[i];
        if (entry->parent == parent && entry->call.file == frame->call->loc.file &&
            entry->call.line == frame->call->loc.line &&
            entry->call.column == frame->call->loc.column &&
            &result->unit->function[entry->function] == frame->function)
            return (uint32_t)i;
    }
    return 0;
}
