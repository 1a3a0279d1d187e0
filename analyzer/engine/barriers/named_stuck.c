// Threads that stand at a named barrier, __syncthreads() among them, and that others leave there:
// who those are, and what is said of it.
#include "base/vec.h"
#include "engine/story/record.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

// The threads of the warps that have not come to the barrier, not even to wait for their warp.
static const struct mask *missing_threads(struct run *run, uint32_t block, uint32_t slot,
                                          uint32_t warps)
{
    const struct block_state *state = &run->machines->block[block];
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    uint32_t base = block * run->engine->block_threads;
    for (uint32_t w = 0; w < BARLINT_MAX_WARPS; ++w) {
        for (uint32_t lane = 0; lane < 32 && warps >> w & 1; ++lane) {
            uint32_t t = base + w * 32 + lane;
            if (t < run->masks->threads && !(state->cta.warp[slot][w].lanes >> lane & 1))
                word[t / 64] |= UINT64_C(1) << (t % 64);
        }
    }
    return mask_and(run->masks, mask_from_words(run->masks, word), run->block_mask[block]);
}

const struct mask *named_lacks(struct run *run, const struct group *group, uint32_t slot,
                               const struct block_state *state)
{
    uint32_t size = run->engine->block_threads;
    uint32_t block = group->mask->first / size;
    const struct barlint_named_slot *at = &state->cta.slot[slot];
    uint64_t *own = arena_array(&run->arena, uint64_t, run->masks->words);
    uint64_t *all = arena_array(&run->arena, uint64_t, run->masks->words);
    for (uint32_t t = block * size; t < (block + 1) * size; ++t) {
        uint32_t w = t % size / 32, lane = t % size % 32;
        const struct barlint_named_warp *warp = &state->cta.warp[slot][w];
        // The lanes of a warp that came by different operations do not make it up.
        uint32_t away = state->cta.block.live[w] & (warp->split ? ~0u : ~warp->lanes);
        if (at->arrived >> w & 1 || !(away >> lane & 1))
            continue;
        all[t / 64] |= UINT64_C(1) << (t % 64);
        if (state->cta.warp[slot][w].lanes)
            own[t / 64] |= UINT64_C(1) << (t % 64);
    }
    const struct mask *anyone = mask_from_words(run->masks, all);
    if (at->count == 0)
        return anyone;
    // Of the warps that could come, those that have used the barrier before, if they suffice.
    const struct mask *lanes = mask_from_words(run->masks, own);
    const struct mask *users = state->slot_users[slot]
                                   ? mask_and(run->masks, anyone, state->slot_users[slot])
                                   : run->masks->none;
    uint64_t wanted = (uint64_t)at->count / 32 - at->arrivals;
    return users->count >= wanted * 32 ? mask_or(run->masks, users, lanes) : anyone;
}

void named_stuck(struct run *run, const struct group *group, uint32_t slot,
                 const struct block_state *state, uint32_t circle, const struct mask *within)
{
    uint32_t block = group->mask->first / run->engine->block_threads;
    struct barlint_named_stuck stuck =
        barlint_named_check_stuck(&state->cta.slot[slot], &state->cta.block);
    enum barlint_violation violation =
        (enum barlint_violation)barlint_violations_next(stuck.violations, 0);
    const struct mask *missing = missing_threads(run, block, slot, stuck.missing | stuck.exited);
    const struct model_op *op = facts_model(run->engine, group->wait_function, group->wait_op);
    struct parting_found found = {0};
    bool told = state->spoiled[slot];
    for (uint32_t w = 0; w < BARLINT_MAX_WARPS; ++w)
        told |= state->cta.warp[slot][w].split;
    if (told)
        return; // told when they came
    if (!stuck.for_ever) {
        // The warp itself is not counted yet: some of its lanes are elsewhere.
        bool all = op->count == IR_NONE && !op->count_constant;
        bool grid = op->kind == MODEL_GRID_SYNC || op->kind == MODEL_GRID_WAIT;
        violation = grid  ? BARLINT_GRID_SKIP
                    : all ? BARLINT_SYNC_DIVERGENT
                          : BARLINT_NAMED_DIVERGENT;
        missing = named_lacks(run, group, slot, state);
    } else if (circle && barlint_popcount(stuck.missing) >= stuck.wanted) {
        // Where too few are left, those that wait elsewhere are not what it takes.
        violation = BARLINT_NAMED_ORDER_CYCLE;
        // Others do not come either, and have no part in it.
        if (mask_overlaps(run->masks, missing, within))
            missing = mask_and(run->masks, missing, within);
    }
    if (missing->count)
        parting_between(run, missing, group->mask, &found);
    if (violation == BARLINT_NAMED_EXIT || violation == BARLINT_NAMED_PARTICIPANTS) {
        // Warps that end without ever having had to come are miscounted; those that a return
        // keeps from coming leave too early.
        const struct mask *gone = mask_and(run->masks, missing, run->exited);
        if (gone->count)
            parting_between(run, gone, group->mask, &found);
        violation = gone->count && found.returns ? BARLINT_NAMED_EXIT : BARLINT_NAMED_PARTICIPANTS;
    }
    struct engine_incident *incident =
        record_incident(run, ENGINE_DEADLOCK, violation, group->wait_function, group->wait_op,
                        group->wait_chain, UINT32_MAX, group->mask);
    if (!incident)
        return;
    incident->number[0] = slot;
    incident->number[1] = violation == BARLINT_NAMED_ORDER_CYCLE
                              ? (int64_t)circle
                              : (int64_t)state->cta.slot[slot].count;
    incident->number[2] = stuck.wanted;
    if (violation == BARLINT_NAMED_EXIT) {
        incident->loc = found.return_loc;
        incident->loc_chain = found.return_chain;
    }
    record_threads(run, &incident->missing, missing);
    record_deeds(run, incident, arena_printf(run->engine->arena, "barrier %u", slot),
                 state->deed[slot], state->deeds[slot]);
    if (!missing->count)
        return;
    if (found.parting)
        record_parting(run, incident, found.parting, missing);
    record_step(run, incident, group->wait_loc, "%s %s", mask_words(run, missing),
                mask_subset(run->masks, missing, run->exited) ? "{has|have} exited"
                                                              : "{does|do} not come");
}

// Whether the threads that wait at the join are about to leave the kernel by a return statement.
static bool returns(const struct run *run, const struct group *blocked, const struct join *join)
{
    const struct frame *frame = blocked->frame;
    while (frame && frame->instance != join->instance)
        frame = frame->parent;
    if (!frame || frame->parent || join->block == IR_NONE)
        return false;
    const struct ir_function *function = &run->engine->unit->function[frame->function];
    const struct ir_block *block = &function->block[join->block];
    const struct ir_op *first = arrlen(block->op) ? ir_op_at(function, block->op[0]) : NULL;
    return first && first->code == IR_RET && !(first->flags & IR_AT_BRACE);
}

// Threads stand at a barrier that others, which split from them at a condition, have passed by.
void named_skipped(struct run *run, struct group *blocked, const struct mask *skipping,
                   const struct join *join)
{
    const struct model_op *op = facts_model(run->engine, blocked->wait_function, blocked->wait_op);
    bool all = op->count == IR_NONE && !op->count_constant;
    // A block barrier does not wait for threads that have ended: exit-before-sync.
    if (all && op->kind == MODEL_NAMED_SYNC && returns(run, blocked, join))
        return;
    enum barlint_violation violation = BARLINT_SYNC_DIVERGENT;
    const struct mask *same_block = run->masks->none;
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        if (mask_overlaps(run->masks, blocked->mask, run->block_mask[b]))
            same_block = mask_or(run->masks, same_block, run->block_mask[b]);
    }
    skipping = mask_and(run->masks, skipping, same_block);
    if (op->kind == MODEL_GRID_SYNC || op->kind == MODEL_GRID_WAIT)
        violation = BARLINT_GRID_SKIP;
    if (!all) {
        // Whole warps may pass by a count-form barrier; parts of a warp may not.
        uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
        uint32_t size = run->engine->block_threads;
        mask_each (run->masks, blocked->mask, t) {
            uint32_t first = warp_of(run, t);
            for (uint32_t lane = first; lane < first + 32 && lane / size == t / size; ++lane)
                word[lane / 64] |= UINT64_C(1) << (lane % 64);
        }
        skipping = mask_and(run->masks, skipping, mask_from_words(run->masks, word));
        violation = BARLINT_NAMED_DIVERGENT;
    }
    if (skipping->count == 0)
        return;
    // A kernel that nothing here launches, and that numbers its warps through the grid, may be one
    // of blocks of one warp: nothing that comes of this way is sure.
    const struct engine_shape *shape = &run->engine->shape;
    if (all && join->by_grid_warp && shape->source == ENGINE_SHAPE_GUESS && !shape->launcher)
        run->weak = run->engine->result->one_warp = true;
    struct engine_incident *incident =
        record_incident(run, ENGINE_SKIPPED, violation, blocked->wait_function, blocked->wait_op,
                        blocked->wait_chain, UINT32_MAX, blocked->mask);
    if (!incident)
        return;
    incident->branch = join->branch;
    if (join->chain == blocked->wait_chain)
        incident->within = join->chain;
    incident->number[0] = named_slot(run, blocked);
    incident->number[1] = join->is_loop;
    record_threads(run, &incident->missing, skipping);
    record_step(run, incident, blocked->wait_loc, "%s {waits|wait} here",
                mask_words(run, blocked->mask));
    record_step(run, incident, join->branch,
                "%s {takes|take} another way here and {passes|pass} the barrier by",
                mask_words(run, skipping));
}
