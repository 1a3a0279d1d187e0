// A value is the same for all threads when it comes from parameters, constants and the block's
// place in the grid by arithmetic, in code that all threads execute. A branch by any other value
// divides the threads up to the branch's immediate postdominator: what is computed there is not the
// same for all. Found as a fixed point, from below: nothing varies but what must.
#include "instrument/spread.h"

#include <string.h>

#include "base/vec.h"
#include "instrument/flags.h"
#include "instrument/lanes.h"
#include "instrument/operand.h"

// Special registers that are the same for all threads of a block.
static bool is_of_block(const char *name)
{
    static const char *const names[] = {"%ntid",
                                        "%ctaid",
                                        "%nctaid",
                                        "%gridid",
                                        "%nsmid",
                                        "%nwarpid",
                                        "%clusterid",
                                        "%nclusterid",
                                        "%cluster_ctaid",
                                        "%cluster_nctaid",
                                        "%cluster_ctarank",
                                        "%cluster_nctarank",
                                        "%dynamic_smem_size",
                                        "%total_smem_size",
                                        "%aggr_smem_size"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static enum flow_spread larger(enum flow_spread a, enum flow_spread b)
{
    return a > b ? a : b;
}

// --- The fixed point -----------------------------------------------------------------------------

struct search {
    struct flow *flow;
    bool in_line;
    enum flow_spread
        *most; // stb_ds, by step: where what it writes is more alike than what it reads
};

static bool enter(struct flow_node *node, enum flow_spread spread, struct flow_lanes lanes)
{
    struct flow_node old = *node;
    bool agree = old.lanes.first == lanes.first && old.lanes.ballot == lanes.ballot;
    node->spread = larger(node->spread, spread);
    if (spread == FLOW_BY_LANE)
        node->lanes = old.spread < FLOW_BY_LANE || agree ? lanes : (struct flow_lanes){0};
    return node->spread != old.spread || node->lanes.first != old.lanes.first ||
           node->lanes.ballot != old.lanes.ballot;
}

// What threads of a spread, or these lanes, come to.
struct division {
    enum flow_spread spread;
    struct flow_lanes lanes;
    bool changed;
};

static void enter_apart(void *context, struct flow_node *node)
{
    struct division *division = context;
    division->changed |= enter(node, division->spread, division->lanes);
}

// The threads part at the end of `from`, and are together again at its dominator.
static bool divide(struct search *search, ptrdiff_t from, enum flow_spread spread)
{
    struct flow_lanes lanes[2] = {{0}, {0}};
    if (spread == FLOW_BY_LANE)
        lanes_part(search->flow, from, search->in_line, lanes);
    struct division division = {.spread = spread};
    for (int way = 0; way < 2; ++way) {
        division.lanes = lanes[way];
        flow_each_apart(search->flow, from, way, enter_apart, &division);
    }
    return division.changed;
}

static bool vary(struct search *search, const struct flow_node *node, ptrdiff_t at)
{
    struct flow *flow = search->flow;
    const struct flow_step *step = &flow->step[at];
    const ptrdiff_t *name = flow->operand + step->names;
    enum flow_spread spread = step->result == FLOW_VARIES           ? FLOW_BY_LANE
                              : step->result == FLOW_AGREES_IN_WARP ? FLOW_BY_WARP
                                                                    : FLOW_ALIKE;
    for (uint32_t i = 0; step->result == FLOW_COMPUTES && i < step->reads; ++i)
        spread = larger(spread, flow->value[name[step->writes + i]].spread);
    spread = spread < search->most[at] ? spread : search->most[at];
    spread = larger(spread, node->spread);
    if (step->guard >= 0)
        spread = larger(spread, flow->value[step->guard].spread);
    bool changed = false;
    for (uint32_t i = 0; i < step->writes; ++i) {
        changed |= flow->value[name[i]].spread < spread;
        flow->value[name[i]].spread = larger(flow->value[name[i]].spread, spread);
    }
    return changed;
}

static void start(struct search *search)
{
    struct flow *flow = search->flow;
    for (ptrdiff_t i = 0; i < shlen(flow->names); ++i) {
        const char *name = flow->names[i].key;
        struct flow_value *value = &flow->value[flow->names[i].value];
        bool varies = flow_is_register(name) && !value->written && !is_of_block(name);
        value->spread = varies ? FLOW_BY_LANE : FLOW_ALIKE;
    }
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
        flow->node[i].spread = flow->node[i].parts = FLOW_ALIKE;
        flow->node[i].lanes = (struct flow_lanes){0};
    }
    struct flags flags;
    flags_init(&flags, flow);
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        for (ptrdiff_t s = flow->node[i].first; s < flow->node[i].end; ++s)
            arrput(search->most, flags_load(&flags, i, s) ? FLOW_ALIKE
                                 : search->in_line && lanes_by_warp(flow, &flow->step[s])
                                     ? FLOW_BY_WARP
                                     : FLOW_BY_LANE);
    flags_release(&flags);
}

void spread_find(struct flow *flow, bool in_line)
{
    struct search search = {.flow = flow, .in_line = in_line};
    start(&search);
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
            struct flow_node *node = &flow->node[i];
            for (ptrdiff_t s = node->first; s < node->end; ++s)
                changed |= vary(&search, node, s);
            if (node->condition < 0 || node->order == FLOW_NOWHERE)
                continue;
            enum flow_spread spread = flow->value[node->condition].spread;
            if (spread > node->parts) {
                node->parts = spread;
                changed |= divide(&search, i, spread);
            }
        }
    }
    arrfree(search.most);
}

// --- Who comes to a barrier ----------------------------------------------------------------------

static enum flow_spread guard_spread(const struct flow *flow, const struct flow_step *step)
{
    return step->guard < 0 ? FLOW_ALIKE : flow->value[step->guard].spread;
}

bool spread_is_common(const struct flow *flow, const struct flow_node *node,
                      const struct flow_step *step)
{
    return node->spread == FLOW_ALIKE && guard_spread(flow, step) == FLOW_ALIKE;
}

bool spread_fits_mask(struct flow *flow, const struct flow_node *node, const struct flow_step *step)
{
    struct instruction instruction = flow_instruction(flow, step);
    enum flow_spread guard = guard_spread(flow, step);
    bool is_whole = node->spread <= FLOW_BY_WARP && guard <= FLOW_BY_WARP;
    if (!instruction_has(&instruction, "sync"))
        return is_whole;
    const char *operand = instruction.operand[instruction.operand_count - 1];
    struct number mask = operand_number(flow, operand);
    if (is_whole)
        return mask.kind == NUMBER_KNOWN && (uint32_t)mask.value == UINT32_MAX;
    if (node->spread < FLOW_BY_LANE || guard != FLOW_ALIKE)
        return false;
    if (node->lanes.ballot)
        return operand_step(flow, operand_origin(flow, operand)) == node->lanes.ballot;
    return node->lanes.first && mask.kind == NUMBER_KNOWN &&
           (uint32_t)mask.value == (1u << node->lanes.first) - 1;
}
