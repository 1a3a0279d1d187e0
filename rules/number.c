#include "rules/number.h"

#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

enum { WARP = 32, SLOTS = 16, MOST_STEPS = 32 };

static const struct ir_loc nowhere;

// --- Where a number is written -------------------------------------------------------------------

// What is stored to a local of the function; IR_NONE when that is not one operation.
static ir_value only_store(const struct ir_function *function, int64_t local)
{
    ir_value stored = IR_NONE;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        const struct ir_op *to =
            op->code == IR_STORE ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
        if (!to || to->code != IR_LOCAL || to->imm != local)
            continue;
        if (stored != IR_NONE)
            return IR_NONE;
        stored = ir_operand(function, op, 1);
    }
    return stored;
}

struct ir_loc number_place(const struct engine_result *result, ir_function_id id, ir_value value,
                           uint32_t chain)
{
    for (int step = 0; step < MOST_STEPS; ++step) {
        const struct ir_function *function = &result->unit->function[id];
        const struct ir_op *op = ir_op_at(function, value);
        if (!op)
            return nowhere;
        switch (op->code) {
        case IR_CONST:
            return op->loc;
        case IR_CAST:
        case IR_LOAD:
            value = ir_operand(function, op, 0);
            break;
        case IR_LOCAL:
            value = only_store(function, op->imm);
            break;
        case IR_PARAM: {
            const struct engine_chain *entry = &result->chain[chain];
            if (entry->parent >= chain || entry->function != id)
                return nowhere;
            ir_value call = engine_call_of(result, entry);
            uint32_t parameter = (uint32_t)op->imm;
            chain = entry->parent;
            id = result->chain[chain].function;
            function = &result->unit->function[id];
            if (call == IR_NONE)
                return nowhere;
            value = ir_operand(function, ir_op_at(function, call), parameter);
            break;
        }
        default:
            return nowhere;
        }
    }
    return nowhere;
}

static struct ir_loc operand_place(const struct engine_result *result,
                                   const struct engine_event *event, ir_value operand)
{
    return number_place(result, event->function, operand, event->chain);
}

const struct engine_event *incident_event(const struct engine_result *result,
                                          const struct engine_incident *incident)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->function == incident->function && event->op == incident->op &&
            event->chain == incident->chain)
            return event;
    }
    return NULL;
}

// --- Named barriers ------------------------------------------------------------------------------

static bool is_slot(const struct engine_event *event, int64_t slot)
{
    return event_is_named(event) && event->id.known && event->id.low == slot &&
           event->id.high == slot;
}

static bool is_counted(const struct engine_event *event)
{
    return event->count.given && event->count.known && event->count.low == event->count.high &&
           event->count.low != 0;
}

// The warps of the block that come to the barrier, as threads; 0 where they are not all known.
static int64_t participants(const struct engine_result *result, int64_t slot)
{
    const struct engine_shape *shape = &result->shape;
    int64_t threads = shape->block[0] * shape->block[1] * shape->block[2], count = 0;
    if (shape->cluster[0] * shape->cluster[1] * shape->cluster[2] != 1)
        return 0;
    for (int64_t warp = 0; warp * WARP < threads; ++warp) {
        bool comes = false;
        for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
            const struct engine_event *event = &result->event[i];
            if (event_is_named(event) && !event->id.known)
                return 0;
            if (is_slot(event, slot) && event->threads.mask)
                comes |= (uint32_t)(event->threads.mask[warp / 2] >> (warp % 2 * WARP)) != 0;
        }
        count += comes ? WARP : 0;
    }
    return count;
}

void fix_named_count(struct rule_report *report, const struct engine_result *result, int64_t slot)
{
    int64_t count = participants(result, slot);
    if (count == 0)
        return;
    struct rule_fix *fix =
        rule_fix(report, false, "count the %lld threads that come to barrier %lld",
                 (long long)count, (long long)slot);
    fix_follows_shape(fix);
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (!is_slot(event, slot) || (is_counted(event) && event->count.low == count))
            continue;
        if (!is_counted(event) || event->count.low < 0 || event->model.flags & MODEL_UNITS_UNKNOWN)
            fix_withdraw(fix);
        else
            fix_number(fix, operand_place(result, event, event->model.count),
                       (uint64_t)event->count.low, (uint64_t)count);
    }
}

// The lowest number from 1 on that no named barrier of the kernel has; 0 when there is none.
static int64_t free_slot(const struct engine_result *result)
{
    bool used[SLOTS] = {true};
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (!event_is_named(event))
            continue;
        if (!event->id.known)
            return 0;
        for (int64_t id = event->id.low; id <= event->id.high && id - event->id.low < SLOTS; ++id)
            if (id >= 0)
                used[id % SLOTS] = true;
    }
    for (int64_t slot = 1; slot < SLOTS; ++slot) {
        if (!used[slot])
            return slot;
    }
    return 0;
}

void fix_named_slot(struct rule_report *report, const struct engine_result *result, int64_t slot)
{
    int64_t number = free_slot(result);
    if (number == 0 || slot < 0)
        return;
    struct rule_fix *fix =
        rule_fix(report, false, "use barrier %lld, which is free", (long long)number);
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (is_slot(event, slot) && is_counted(event))
            fix_number(fix, operand_place(result, event, event->model.id), (uint64_t)slot,
                       (uint64_t)number);
    }
}

// --- Expected counts -----------------------------------------------------------------------------

void fix_expected_count(struct rule_report *report, const struct engine_result *result,
                        const struct engine_incident *incident, int64_t expected, int64_t arrivals)
{
    const struct engine_event *init = NULL;
    if (arrivals <= 0 || incident->object == UINT32_MAX)
        return;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind != MODEL_MBARRIER_INIT || event->object != incident->object)
            continue;
        if (init)
            return;
        init = event;
    }
    if (!init || expected <= 0)
        return;
    // One init of several barriers: the others may get what it says.
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event != init && event->function == init->function && event->op == init->op)
            return;
    }
    struct rule_fix *fix =
        rule_fix(report, false, "expect the %lld arrivals that come", (long long)arrivals);
    fix_follows_shape(fix);
    fix_number(fix, operand_place(result, init, init->model.count), (uint64_t)expected,
               (uint64_t)arrivals);
}

// --- Masks ---------------------------------------------------------------------------------------

// The lanes that execute the operation, where every warp that does has the same; 0 otherwise.
static uint32_t lanes_of(const struct engine_result *result, const struct engine_event *event)
{
    const struct engine_shape *shape = &result->shape;
    int64_t threads = shape->block[0] * shape->block[1] * shape->block[2];
    uint32_t lanes = 0;
    if (!event->threads.mask || shape->cluster[0] * shape->cluster[1] * shape->cluster[2] != 1)
        return 0;
    for (int64_t warp = 0; warp * WARP < threads; ++warp) {
        uint32_t here = (uint32_t)(event->threads.mask[warp / 2] >> (warp % 2 * WARP));
        if (here && lanes && here != lanes)
            return 0;
        lanes |= here;
    }
    return lanes;
}

void fix_mask(struct rule_report *report, const struct engine_result *result,
              const struct engine_incident *incident)
{
    const struct engine_event *event = incident_event(result, incident);
    enum model_kind kind = event ? event->model.kind : MODEL_NONE;
    // A shuffle may read from a lane that the smaller mask leaves out.
    if (kind != MODEL_WARP_SYNC && kind != MODEL_WARP_VOTE && kind != MODEL_WARP_REDUCE &&
        kind != MODEL_WARP_MATCH)
        return;
    uint32_t lanes = lanes_of(result, event);
    if (!lanes || !incident->certain || event->model.mask == IR_NONE || !event->mask.known)
        return;
    struct rule_fix *fix =
        rule_fix(report, kind == MODEL_WARP_SYNC, "name the lanes that come here, 0x%08x", lanes);
    fix_follows_shape(fix);
    struct ir_loc place = operand_place(result, event, event->model.mask);
    const char *text = fix_text(fix, place);
    size_t length = text ? strlen(text) : 0;
    char mask[16];
    snprintf(mask, sizeof mask, "0x%08xu", lanes);
    // The default argument of __syncwarp() stands where the call stands.
    if (length > 2 && strcmp(text + length - 2, "()") == 0) {
        place.line = place.end_line;
        place.column = place.end_column -= 1;
        fix_replace(fix, place, mask);
    } else if (text) {
        fix_number(fix, place, (uint32_t)event->mask.low, lanes);
    }
}
