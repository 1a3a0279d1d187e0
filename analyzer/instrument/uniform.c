// A value is uniform when it comes from parameters, constants and the block's place in the grid by
// arithmetic, in code that all threads execute (flow.c). What is left to see is that no barrier
// stands where threads are divided, and that the counts of those that have one are right (whole.c).
#include "instrument/uniform.h"

#include "base/vec.h"
#include "instrument/flow.h"
#include "instrument/whole.h"

// One thread initialises an mbarrier, and each tests it as often as it has to.
static bool barriers_are_common(const struct flow *flow)
{
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
        const struct flow_node *node = &flow->node[i];
        for (ptrdiff_t s = node->first; s < node->end; ++s) {
            const struct flow_step *step = &flow->step[s];
            bool is_barrier = step->barrier != FLOW_NO_BARRIER && step->barrier != FLOW_INIT &&
                              step->barrier != FLOW_TEST;
            if (is_barrier && !flow_is_common(flow, node, step))
                return false;
        }
    }
    return true;
}

bool uniform_kernel(const char *text, size_t length, size_t begin,
                    struct uniform_condition *condition)
{
    struct flow flow;
    *condition = (struct uniform_condition){0};
    bool is_uniform = flow_read(&flow, text, length, begin) && barriers_are_common(&flow) &&
                      whole_named(&flow, condition) && whole_mbarriers(&flow, condition);
    flow_release(&flow);
    return is_uniform;
}
