#include "instrument/clusters.h"

#include <string.h>

#include "base/vec.h"
#include "instrument/same.h"

// Whether a thread has arrived and not waited yet; a set of both says that it may have.
enum { OUT = 1, IN = 2 };

typedef unsigned char states;

static states after_step(const struct flow_step *step, states set)
{
    return step->barrier == FLOW_CLUSTER_ARRIVE ? IN
           : step->barrier == FLOW_CLUSTER_WAIT ? OUT
                                                : set;
}

static bool is_in_turn(const struct flow_step *step, states set)
{
    return step->barrier == FLOW_CLUSTER_ARRIVE ? set == OUT
           : step->barrier == FLOW_CLUSTER_WAIT ? set == IN
                                                : true;
}

static states after_node(const struct flow *flow, const struct flow_node *node, states set)
{
    for (ptrdiff_t s = node->first; s < node->end && set; ++s)
        set = after_step(&flow->step[s], set);
    return set;
}

static void find_states(const struct flow *flow, states *in)
{
    memset(in, 0, arrlenu(flow->node) * sizeof *in);
    in[0] = OUT;
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
            const struct flow_node *node = &flow->node[i];
            states set = after_node(flow, node, in[i]);
            for (int way = 0; way < 2; ++way) {
                ptrdiff_t next = node->next[way];
                if (next >= 0 && (set & ~in[next])) {
                    in[next] |= set;
                    changed = true;
                }
            }
        }
    }
}

static bool node_fits(const struct flow *flow, const struct same *same,
                      const struct flow_node *node, states set)
{
    for (ptrdiff_t s = node->first; s < node->end && set; ++s) {
        const struct flow_step *step = &flow->step[s];
        bool is_cluster =
            step->barrier == FLOW_CLUSTER_ARRIVE || step->barrier == FLOW_CLUSTER_WAIT;
        if (is_cluster &&
            (step->guard >= 0 || !is_in_turn(step, set) || !same_reaches(same, node, step)))
            return false;
        set = after_step(step, set);
    }
    return true;
}

bool clusters_fit(struct flow *flow)
{
    struct same same;
    states *in = arena_alloc(&flow->arena, arrlenu(flow->node) * sizeof *in);
    same_find(&same, flow, SAME_IN_BLOCKS, false);
    find_states(flow, in);
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        if (!node_fits(flow, &same, &flow->node[i], in[i]))
            return false;
    return !(in[arrlen(flow->node) - 1] & IN); // nobody ends between the two
}
