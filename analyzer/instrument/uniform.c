// What is left to see where it is known what threads share (spread.c): that no barrier stands where
// they are divided, and that the counts of those that have one are right (whole.c).
#include "instrument/uniform.h"

#include "base/vec.h"
#include "instrument/clusters.h"
#include "instrument/flow.h"
#include "instrument/leave.h"
#include "instrument/spread.h"
#include "instrument/whole.h"

enum { WARP = 32 };

// One thread initialises an mbarrier, and each tests it as often as it has to.
static bool fits(struct flow *flow, const struct flow_node *node, const struct flow_step *step)
{
    switch (step->barrier) {
    case FLOW_NO_BARRIER:
    case FLOW_INIT:
    case FLOW_TEST:
    case FLOW_PARITY:
        return true;
    case FLOW_OF_WARP:
        return spread_fits_mask(flow, node, step);
    default:
        return spread_is_common(flow, node, step);
    }
}

static bool barriers_fit(struct flow *flow)
{
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
        const struct flow_node *node = &flow->node[i];
        for (ptrdiff_t s = node->first; s < node->end; ++s)
            if (!fits(flow, node, &flow->step[s]))
                return false;
    }
    return true;
}

static bool has(const struct flow *flow, enum flow_barrier barrier)
{
    for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s)
        if (flow->step[s].barrier == barrier)
            return true;
    return false;
}

static bool is_uniform_in(struct flow *flow, struct uniform_condition *condition, bool in_line)
{
    *condition = (struct uniform_condition){.is_needed = in_line, .in_line = in_line};
    spread_find(flow, in_line);
    if (has(flow, FLOW_OF_WARP)) { // which name lanes that there have to be
        condition->is_needed = true;
        condition->multiple = WARP;
    }
    return barriers_fit(flow) && whole_named(flow, condition) && whole_mbarriers(flow, condition);
}

static bool is_uniform(struct flow *flow, struct uniform_condition *condition)
{
    return is_uniform_in(flow, condition, false) || is_uniform_in(flow, condition, true);
}

// The same, if all threads of a block load the same where they can be asked. As few as will do are.
static bool is_uniform_if_agreed(struct arena *arena, struct flow *flow,
                                 struct uniform_condition *condition)
{
    struct agree_load *loads = agree_take(arena, flow);
    bool result = loads && is_uniform(flow, condition);
    for (ptrdiff_t i = 0; result && i < arrlen(loads);) {
        struct agree_load load = loads[i];
        agree_leave(flow, &load);
        if (is_uniform(flow, condition)) {
            arrdel(loads, i);
        } else {
            flow->step[load.step].result = FLOW_COMPUTES;
            ++i;
        }
    }
    for (ptrdiff_t i = 0; !result && i < arrlen(loads); ++i)
        agree_leave(flow, &loads[i]);
    if (!result) {
        arrfree(loads);
        return false;
    }
    (void)is_uniform(flow, condition);
    condition->is_needed = true;
    condition->agreed = loads;
    return true;
}

// Blocks of a cluster that are in step with each other have no thread that leaves by itself.
static bool has_clusters(const struct flow *flow)
{
    return has(flow, FLOW_CLUSTER_ARRIVE) || has(flow, FLOW_CLUSTER_WAIT);
}

bool uniform_kernel(struct arena *arena, const char *text, size_t length, size_t begin,
                    struct uniform_condition *condition)
{
    struct flow flow;
    *condition = (struct uniform_condition){0};
    bool is_read = flow_read(&flow, text, length, begin) && !has(&flow, FLOW_OTHER);
    bool is_alone = is_read && !has_clusters(&flow);
    is_read = is_read && (is_alone || clusters_fit(&flow));
    bool result = is_read && (is_uniform(&flow, condition) ||
                              (is_alone && is_uniform_if_agreed(arena, &flow, condition)));
    const char *leave = is_alone && !result ? leave_take(arena, &flow) : NULL;
    if (leave) {
        result = is_uniform(&flow, condition) || is_uniform_if_agreed(arena, &flow, condition);
        condition->is_needed = true;
        condition->leave = leave;
    }
    flow_release(&flow);
    return result;
}
