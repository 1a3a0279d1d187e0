#include "instrument/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "instrument/flow.h"
#include "instrument/operand.h"
#include "instrument/same.h"
#include "instrument/spread.h"

enum { MOST_PARAMETERS = 64 };

typedef bool step_is(void *context, const struct flow_node *node, const struct flow_step *step);

static bool all_barriers(const struct flow *flow, step_is *is, void *context)
{
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        for (ptrdiff_t s = flow->node[i].first; s < flow->node[i].end; ++s)
            if (flow->step[s].barrier != FLOW_NO_BARRIER &&
                !is(context, &flow->node[i], &flow->step[s]))
                return false;
    return true;
}

// --- What barriers are given ---------------------------------------------------------------------

// Is the operand data, which no check asks about: what lanes exchange or vote on, where a copy
// comes from?
static bool is_data(const struct instruction *instruction, enum flow_barrier barrier, uint32_t at)
{
    uint32_t last = instruction->operand_count - 1;
    if (barrier == FLOW_OF_WARP)
        return instruction_has(instruction, "sync") && at != last;
    bool is_barrier = instruction_is(instruction, "bar") || instruction_is(instruction, "barrier");
    if (is_barrier)
        return instruction_has(instruction, "red") && at == last;
    return instruction_has(instruction, "bulk") && at == 1;
}

typedef bool value_is(void *context, ptrdiff_t value);

static bool all_operands(struct flow *flow, const struct flow_step *step, value_is *is,
                         void *context)
{
    struct instruction instruction = flow_instruction(flow, step);
    for (uint32_t i = step->writes ? 1 : 0; i < instruction.operand_count; ++i) {
        size_t length;
        if (is_data(&instruction, step->barrier, i))
            continue;
        for (const char *at = instruction.operand[i]; (length = flow_next_name(&at));
             at += length) {
            ptrdiff_t value = flow_find_at(flow, step, at, length);
            if (value >= 0 && !is(context, value))
                return false;
        }
    }
    return true;
}

// --- The end of an mbarrier's life ---------------------------------------------------------------

static bool ends_life(struct flow *flow, const struct flow_step *step)
{
    if (step->barrier != FLOW_OTHER)
        return false;
    struct instruction instruction = flow_instruction(flow, step);
    return instruction_is(&instruction, "mbarrier.inval");
}

// May it use an mbarrier?
static bool uses_mbarrier(struct flow *flow, const struct flow_step *step)
{
    return step->barrier >= FLOW_INIT && !ends_life(flow, step);
}

// By node: whether mbarriers may be used behind it. Owned by the flow's arena.
static bool *find_used_later(struct flow *flow)
{
    ptrdiff_t count = arrlen(flow->node);
    bool *later = arena_alloc(&flow->arena, (size_t)count * sizeof *later);
    memset(later, 0, (size_t)count * sizeof *later);
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t i = 0; i < 2 * count; ++i) {
            ptrdiff_t from = i / 2, to = flow->node[from].next[i % 2];
            if (to < 0 || later[from])
                continue;
            later[from] = later[to];
            for (ptrdiff_t s = flow->node[to].first; s < flow->node[to].end; ++s)
                later[from] |= uses_mbarrier(flow, &flow->step[s]);
            changed |= later[from];
        }
    }
    return later;
}

// --- What is the same ----------------------------------------------------------------------------

struct sameness {
    struct same same;
    struct same by_turns; // what does not differ but by who comes when
    const bool *used_later;
};

// Does it end an mbarrier's life where the kernel uses none any more? As whoever comes last to the
// end of a `cuda::pipeline` does: who that is, time alone says.
static bool is_left_to_the_last(const struct sameness *sameness, const struct flow_node *node,
                                const struct flow_step *step)
{
    struct flow *flow = sameness->same.flow;
    struct place place;
    if (!ends_life(flow, step) || sameness->used_later[node - flow->node] ||
        !same_reaches(&sameness->by_turns, node, step) ||
        !operand_place(flow, flow_instruction(flow, step).operand[0], &place))
        return false;
    for (const struct flow_step *next = step; next < &flow->step[node->end]; ++next)
        if (uses_mbarrier(flow, next))
            return false;
    return true;
}

static bool value_is_same(void *context, ptrdiff_t value)
{
    return same_value(context, value);
}

static bool step_is_same(void *context, const struct flow_node *node, const struct flow_step *step)
{
    struct sameness *sameness = context;
    struct same *same = &sameness->same;
    return is_left_to_the_last(sameness, node, step) ||
           (same_reaches(same, node, step) && all_operands(same->flow, step, value_is_same, same));
}

// `*out_same`: what has been found out; owned by the flow's arena.
static bool is_same_in(struct flow *flow, enum same_in in, struct same *out_same)
{
    struct sameness sameness = {.used_later = find_used_later(flow)};
    same_find(&sameness.same, flow, in, false);
    same_find(&sameness.by_turns, flow, in, true);
    *out_same = sameness.same;
    return all_barriers(flow, step_is_same, &sameness);
}

// Barriers of all threads and of warps are checked in few instructions: a second copy of the kernel
// would take more, for want of registers.
static bool is_cheap(void *context, const struct flow_node *node, const struct flow_step *step)
{
    (void)context, (void)node;
    return step->barrier == FLOW_OF_WARP || step->barrier == FLOW_OF_BLOCK;
}

// --- What can hold a thread ----------------------------------------------------------------------

// Is it an operation of the lanes that are there, which its node has asked for (activemask)?
static bool is_of_those_there(struct flow *flow, const struct flow_node *node,
                              const struct flow_step *step)
{
    struct instruction instruction = flow_instruction(flow, step);
    if (step->barrier != FLOW_OF_WARP || step->guard >= 0 || !instruction_has(&instruction, "sync"))
        return false;
    const char *mask = instruction.operand[instruction.operand_count - 1];
    ptrdiff_t asked = operand_step(flow, operand_origin(flow, mask));
    if (asked < node->first || asked >= step - flow->step || flow->step[asked].guard >= 0)
        return false;
    for (const struct flow_step *between = &flow->step[asked]; between < step; ++between)
        if (between->barrier != FLOW_NO_BARRIER)
            return false;
    instruction = flow_instruction(flow, &flow->step[asked]);
    return instruction_is(&instruction, "activemask");
}

// Does every thread pass the step as soon as the others of the block, or of its warp, do? Of a
// block of any shape, where nothing here is of a warp; else of one dimension and whole warps.
static bool holds_nobody(void *context, const struct flow_node *node, const struct flow_step *step)
{
    static const char *const passed[] = {"mbarrier", "cp", "st", "red", "setmaxnreg", "mapa"};
    struct flow *flow = context;
    if (step->barrier == FLOW_OF_WARP)
        return is_of_those_there(flow, node, step) || spread_fits_mask(flow, node, step);
    if (step->barrier == FLOW_OF_BLOCK)
        return spread_is_common(flow, node, step);
    if (step->barrier == FLOW_COUNTED || step->barrier == FLOW_CLUSTER_ARRIVE ||
        step->barrier == FLOW_CLUSTER_WAIT)
        return false;
    if (step->barrier != FLOW_OTHER)
        return true;
    struct instruction instruction = flow_instruction(flow, step);
    return IS_ANY(instruction.part[0], passed);
}

static bool is_of_no_warp(void *context, const struct flow_node *node, const struct flow_step *step)
{
    (void)context, (void)node;
    return step->barrier != FLOW_OF_WARP;
}

static void find_polls(struct flow *flow, struct repeat *out)
{
    spread_find(flow, false);
    out->polls = all_barriers(flow, is_of_no_warp, NULL) && all_barriers(flow, holds_nobody, flow);
    if (out->polls)
        return;
    spread_find(flow, true);
    out->polls = out->in_line = all_barriers(flow, holds_nobody, flow);
}

// --- The parameters that barriers depend on ------------------------------------------------------

struct slice {
    struct flow *flow;
    const struct same *same;
    bool *matters; // by value
    bool *is_kept; // by step: it stores to a variable that matters
    bool changed;
    bool is_met; // a node in which something matters
};

static void take(struct slice *slice, ptrdiff_t value)
{
    if (value < 0)
        return;
    slice->changed |= !slice->matters[value];
    slice->matters[value] = true;
}

static bool take_value(void *context, ptrdiff_t value)
{
    take(context, value);
    return true;
}

static bool writes_what_matters(const struct slice *slice, const struct flow_step *step)
{
    for (uint32_t i = 0; i < step->writes; ++i)
        if (slice->matters[slice->flow->operand[step->names + i]])
            return true;
    return false;
}

static void meet(void *context, struct flow_node *node)
{
    struct slice *slice = context;
    const struct flow *flow = slice->flow;
    for (ptrdiff_t s = node->first; s < node->end && !slice->is_met; ++s)
        slice->is_met = flow->step[s].barrier != FLOW_NO_BARRIER || slice->is_kept[s] ||
                        writes_what_matters(slice, &flow->step[s]);
}

static bool take_barrier(void *context, const struct flow_node *node, const struct flow_step *step)
{
    struct slice *slice = context;
    (void)node;
    take(slice, step->guard);
    return all_operands(slice->flow, step, take_value, slice);
}

static void take_step(struct slice *slice, const struct flow_step *step)
{
    take(slice, step->guard);
    for (uint32_t r = 0; r < step->reads; ++r)
        take(slice, slice->flow->operand[step->names + step->writes + r]);
}

// Takes what is stored to a variable of the block's.
static void take_stores(struct slice *slice, const char *variable)
{
    for (ptrdiff_t i = 0; i < slice->same->stores; ++i) {
        const struct same_store *store = &slice->same->store[i];
        if (*store->variable && strcmp(store->variable, variable) != 0)
            continue;
        slice->changed |= !slice->is_kept[store->step];
        slice->is_kept[store->step] = true;
        take_step(slice, &slice->flow->step[store->step]);
    }
}

static void find_slice(struct slice *slice)
{
    struct flow *flow = slice->flow;
    size_t size = arrlenu(flow->value) * sizeof *slice->matters;
    slice->matters = arena_alloc(&flow->arena, size);
    memset(slice->matters, 0, size);
    size = (arrlenu(flow->step) + 1) * sizeof *slice->is_kept;
    slice->is_kept = arena_alloc(&flow->arena, size);
    memset(slice->is_kept, 0, size);
    (void)all_barriers(flow, take_barrier, slice);
    do {
        slice->changed = false;
        for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
            const struct flow_node *node = &flow->node[i];
            for (ptrdiff_t s = node->first; s < node->end; ++s) {
                const struct flow_step *step = &flow->step[s];
                if (!writes_what_matters(slice, step))
                    continue;
                take_step(slice, step);
                if (slice->same->loaded[s])
                    take_stores(slice, slice->same->loaded[s]);
            }
            slice->is_met = node->condition < 0 || slice->matters[node->condition];
            for (int way = 0; way < 2 && !slice->is_met; ++way) {
                flow_each_apart(flow, i, way, meet, slice);
                if (slice->is_met)
                    take(slice, node->condition);
            }
        }
    } while (slice->changed);
}

// Adds what a load of parameters reads. Returns false where that is not plain.
static bool add_parameter(struct arena *arena, struct flow *flow,
                          const struct instruction *instruction, struct repeat *out)
{
    const char *type = instruction->part[instruction->part_count - 1];
    uint32_t bits = (uint32_t)strtoul(type + 1, NULL, 10);
    uint32_t count = instruction_has(instruction, "v2")   ? 2
                     : instruction_has(instruction, "v4") ? 4
                                                          : 1;
    struct place place;
    if ((bits != 8 && bits != 16 && bits != 32 && bits != 64) ||
        !operand_parameter(flow, instruction->operand[1], &place))
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        struct repeat_parameter parameter = {arena_printf(arena, "[%s+%lld]", place.variable,
                                                          (long long)place.offset + i * bits / 8),
                                             bits};
        arrput(out->parameter, parameter);
    }
    return true;
}

static bool find_parameters(struct arena *arena, struct flow *flow, const struct same *same,
                            struct repeat *out)
{
    struct slice slice = {.flow = flow, .same = same};
    find_slice(&slice);
    for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s) {
        if (strncmp(flow->text + flow->step[s].begin, "ld", 2) != 0 ||
            !writes_what_matters(&slice, &flow->step[s]))
            continue;
        struct instruction instruction = flow_instruction(flow, &flow->step[s]);
        if (instruction_has(&instruction, "param") &&
            !add_parameter(arena, flow, &instruction, out))
            return false;
    }
    return arrlen(out->parameter) <= MOST_PARAMETERS;
}

struct repeat repeat_kernel(struct arena *arena, const char *text, size_t length, size_t begin)
{
    struct flow flow;
    struct repeat result = {0};
    if (flow_read(&flow, text, length, begin) && !all_barriers(&flow, is_cheap, NULL)) {
        struct same same;
        result.blocks = is_same_in(&flow, SAME_IN_BLOCKS, &same);
        result.launches = is_same_in(&flow, SAME_IN_LAUNCHES, &same) &&
                          find_parameters(arena, &flow, &same, &result);
        if (result.blocks)
            find_polls(&flow, &result);
    }
    flow_release(&flow);
    return result;
}
