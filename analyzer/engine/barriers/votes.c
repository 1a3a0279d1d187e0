// Votes at barriers of the whole block (__syncthreads_or() and the like): the threads may come in
// several groups, the result is one for all. (PTX ISA 9.1, 9.7.13.1.)
#include "engine/barriers/machines.h"
#include "engine/memory/memory.h"

struct ballot {
    uint32_t generation; // of the barrier
    uint32_t yes, votes; // known ones
    bool unknown;        // somebody's vote is not known
    bool by_block;       // a vote is about what may differ between blocks
    const struct node *result;
};

void votes_cast(struct run *run, struct group *group, const struct model_op *op,
                const struct mask *mask, uint32_t block, uint32_t slot)
{
    struct block_state *state = &run->machines->block[block];
    uint32_t generation = state->cta.slot[slot].generation;
    struct ballot *ballot = state->ballot[slot];
    group->ballot = NULL;
    if (op->kind != MODEL_NAMED_RED || op->predicate == IR_NONE ||
        !mask_subset(run->masks, mask, run->block_mask[block]))
        return;
    if (!ballot || ballot->generation != generation) {
        ballot = state->ballot[slot] = arena_new(&run->arena, struct ballot);
        ballot->generation = generation;
    }
    const struct node *vote = operand_field(run, group, op, &op->predicate);
    ballot->by_block |= grid_differs(run, vote);
    mask_each (run->masks, mask, t) {
        int64_t known = 0;
        if (!node_lane(vote, t, &known))
            ballot->unknown = true;
        ballot->votes += node_lane(vote, t, &known);
        ballot->yes += known != 0;
    }
    group->ballot = ballot;
}

const struct node *votes_result(struct run *run, const struct group *group,
                                const struct model_op *op)
{
    struct ballot *ballot = group->ballot;
    if (ballot && ballot->result)
        return ballot->result;
    const struct node *result = NULL;
    uint32_t threads = run->engine->block_threads;
    bool any = op->warp_op == MODEL_RED_OR, all = op->warp_op == MODEL_RED_AND;
    if (ballot && any && ballot->yes)
        result = node_const(run->nodes, 1);
    else if (ballot && all && ballot->yes < ballot->votes)
        result = run->nodes->zero;
    else if (ballot && !ballot->unknown && (any || all))
        result = node_const(run->nodes, all);
    else if (ballot && !ballot->unknown && op->warp_op == MODEL_RED_POPC)
        result = node_const(run->nodes, ballot->yes);
    else if (ballot && ballot->by_block)
        result = run_of_block(run, "the result of a block-wide vote", 0, threads);
    else
        result = run_fresh(run, "the result of a block-wide vote", SHAPE_UNIFORM, 0, threads);
    if (ballot)
        ballot->result = result;
    return result;
}
