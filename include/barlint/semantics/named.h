// The 16 named barriers of a CTA: bar and barrier, and with them __syncthreads (barrier 0, all
// threads). (PTX ISA 9.1, 9.7.13.1; Guide 5.4.4.1.)
//
// The hardware counts warps: a warp adds 32 threads once all its live lanes have executed an
// operation on the barrier. Two levels follow: struct barlint_named_slot counts whole warps;
// struct barlint_named_warp gathers the lanes of one warp for one barrier. struct barlint_cta ties
// both together for callers that follow single threads.
#ifndef BARLINT_SEMANTICS_NAMED_H
#define BARLINT_SEMANTICS_NAMED_H

#include "effect.h"

#define BARLINT_NAMED_SLOTS 16u

enum barlint_named_kind {
    BARLINT_NAMED_SYNC,
    BARLINT_NAMED_ARRIVE,
    BARLINT_NAMED_RED,
};

// One bar or barrier instruction with its operands.
struct barlint_named_op {
    uint32_t id;
    uint32_t count; // threads; 0: all threads of the CTA
    uint32_t site;  // the caller's name for the place in the text; 0: not known
    uint8_t kind;   // enum barlint_named_kind
    bool aligned;   // every bar; barrier with .aligned. On sm_6x and older every form is
};

// The threads of a CTA. `live` loses bits as threads exit; callers maintain it.
struct barlint_block {
    uint32_t threads; // as launched, 1 to 1024
    uint32_t live[BARLINT_MAX_WARPS];
};

// One barrier, counted by warps. All zero: idle.
struct barlint_named_slot {
    uint32_t generation; // generations completed
    uint32_t arrived;    // warps counted in the open generation
    uint32_t sleeping;   // those that sleep until it completes
    uint32_t arrivals;   // as the hardware counts: a warp that arrives twice counts twice
    uint32_t count;      // of the operation that opened it: threads, 0 for all
    uint32_t site;       // of the same
    bool open;
    bool red;     // the kind of the same
    bool aligned; // some operation of the generation was aligned
};

// The lanes of one warp at one barrier. All zero: none.
struct barlint_named_warp {
    uint32_t lanes;    // executed the operation that the warp has yet to be counted for
    uint32_t sleepers; // of sync and red among them, and those asleep since the warp was counted
    struct barlint_named_op op; // the first one's
    bool split; // they execute operations that do not make up one: the warp is never counted
};

// Lanes that warp `warp` of the CTA was launched with: the last one may be partial.
BARLINT_HD static inline uint32_t barlint_block_lanes(uint32_t threads, uint32_t warp)
{
    uint32_t first = warp * BARLINT_WARP_SIZE;
    return threads <= first                       ? 0
           : threads - first >= BARLINT_WARP_SIZE ? 0xffffffffu
                                                  : (1u << (threads - first)) - 1u;
}

BARLINT_HD static inline void barlint_block_start(struct barlint_block *block, uint32_t threads)
{
    block->threads = threads;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < BARLINT_MAX_WARPS; w++) {
        block->live[w] = barlint_block_lanes(threads, w);
    }
}

BARLINT_HD static inline uint32_t barlint_block_warps(const struct barlint_block *block)
{
    return (block->threads + BARLINT_WARP_SIZE - 1u) / BARLINT_WARP_SIZE;
}

// The warps that have a live lane, as a bitmap.
BARLINT_HD static inline uint32_t barlint_block_live_warps(const struct barlint_block *block)
{
    uint32_t warps = 0;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < BARLINT_MAX_WARPS; w++) {
        warps |= (block->live[w] != 0 ? 1u : 0u) << w;
    }
    return warps;
}

// Has any thread of the CTA exited?
BARLINT_HD static inline bool barlint_block_has_exits(const struct barlint_block *block)
{
    BARLINT_ROLLED
    for (uint32_t w = 0; w < BARLINT_MAX_WARPS; w++) {
        if (block->live[w] != barlint_block_lanes(block->threads, w)) {
            return true;
        }
    }
    return false;
}

BARLINT_HD static inline void barlint_named_slot_clear(struct barlint_named_slot *slot)
{
    slot->generation = 0;
    slot->arrived = 0;
    slot->sleeping = 0;
    slot->arrivals = 0;
    slot->count = 0;
    slot->site = 0;
    slot->open = false;
    slot->red = false;
    slot->aligned = false;
}

BARLINT_HD static inline void barlint_named_warp_clear(struct barlint_named_warp *lanes)
{
    lanes->lanes = 0;
    lanes->sleepers = 0;
    lanes->op.id = 0;
    lanes->op.count = 0;
    lanes->op.site = 0;
    lanes->op.kind = BARLINT_NAMED_SYNC;
    lanes->op.aligned = false;
    lanes->split = false;
}

// Checks the operands. Measured: a number of 16 and more uses its low four bits, a count that is no
// multiple of 32 aborts the kernel, a count above the block hangs. Where warps arrive without
// waiting it may be made up all the same: who comes once more, to wait, is counted twice.
BARLINT_HD static inline void barlint_named_check(const struct barlint_named_slot *slot,
                                                  const struct barlint_block *block,
                                                  const struct barlint_named_op *op,
                                                  struct barlint_effect *effect)
{
    bool twice = op->kind == BARLINT_NAMED_ARRIVE || (slot->arrived & ~slot->sleeping) != 0;
    if (op->id >= BARLINT_NAMED_SLOTS) {
        barlint_effect_add(effect, BARLINT_NAMED_ID_RANGE, BARLINT_CONTINUES);
    }
    if (op->count % BARLINT_WARP_SIZE != 0) {
        barlint_effect_add(effect, BARLINT_NAMED_COUNT_MULTIPLE, BARLINT_TRAPS);
    }
    if (op->count == 0 && op->kind == BARLINT_NAMED_ARRIVE) {
        barlint_effect_add(effect, BARLINT_NAMED_COUNT_ZERO, BARLINT_TRAPS);
    }
    if (!twice && op->count > BARLINT_WARP_SIZE * barlint_block_warps(block)) {
        barlint_effect_add(effect, BARLINT_NAMED_COUNT_BLOCK, BARLINT_HANGS);
    }
}

// The slot that an operation works on, whatever its number.
BARLINT_HD static inline uint32_t barlint_named_slot_of(uint32_t id)
{
    return id % BARLINT_NAMED_SLOTS;
}

// Ends the generation if enough warps are counted. The form with a count wants count / 32 arrivals;
// the form without wants every live warp, exited ones being forgiven (9.7.12.7).
BARLINT_HD static inline void barlint_named_try_complete(struct barlint_named_slot *slot,
                                                         const struct barlint_block *block,
                                                         struct barlint_effect *effect)
{
    if (!slot->open) {
        return;
    }
    if (slot->count != 0 ? (uint64_t)slot->arrivals * BARLINT_WARP_SIZE < slot->count
                         : (barlint_block_live_warps(block) & ~slot->arrived) != 0) {
        return;
    }
    if (slot->count == 0 && barlint_block_has_exits(block)) {
        barlint_effect_add(effect, BARLINT_EXIT_BEFORE_SYNC, BARLINT_CONTINUES);
    }
    effect->completed = true;
    effect->released = slot->sleeping;
    uint32_t generation = slot->generation + 1u;
    barlint_named_slot_clear(slot);
    slot->generation = generation;
}

// A count that the hardware refuses is rounded up to warps, so that a simulation can go on.
BARLINT_HD static inline uint32_t barlint_named_round(uint32_t count)
{
    uint32_t whole = count / BARLINT_WARP_SIZE + (count % BARLINT_WARP_SIZE != 0 ? 1u : 0u);
    return whole > UINT32_MAX / BARLINT_WARP_SIZE ? count / BARLINT_WARP_SIZE * BARLINT_WARP_SIZE
                                                  : whole * BARLINT_WARP_SIZE;
}

// Checks an operation against the generation it joins.
BARLINT_HD static inline void barlint_named_check_open(const struct barlint_named_slot *slot,
                                                       uint32_t warp,
                                                       const struct barlint_named_op *op,
                                                       struct barlint_effect *effect)
{
    if (barlint_named_round(op->count) != slot->count) {
        // Measured, also where the count is that of the whole block.
        barlint_effect_add(effect, BARLINT_NAMED_COUNT_MISMATCH, BARLINT_TRAPS);
        if (op->count == 0 || slot->count == 0) {
            barlint_effect_add(effect, BARLINT_NAMED_ID_CONFLICT, BARLINT_TRAPS);
        }
    }
    if ((op->kind == BARLINT_NAMED_RED) != slot->red) {
        barlint_effect_add(effect, BARLINT_NAMED_RED_MIX, BARLINT_TRAPS);
    }
    if ((slot->arrived >> warp) & 1u) {
        barlint_effect_add(effect, BARLINT_NAMED_DOUBLE_ARRIVE, BARLINT_CONTINUES);
    }
    if (slot->count == 0 && op->count == 0 && op->site != 0 && slot->site != 0 &&
        op->site != slot->site && (op->aligned || slot->aligned)) {
        barlint_effect_add(effect, BARLINT_SYNC_TWO_SITES, BARLINT_CONTINUES);
    }
}

// Warp `warp` counts with `op`: all its live lanes have executed it. `counted` is set; when the
// generation completes, `released` are the warps that wake, the caller's included if it sleeps.
// The operands are not checked here: see barlint_named_join().
BARLINT_HD static inline struct barlint_effect
barlint_named_count(struct barlint_named_slot *slot, const struct barlint_block *block,
                    uint32_t warp, const struct barlint_named_op *op)
{
    struct barlint_effect effect = barlint_effect_none();
    effect.counted = true;
    if (slot->open) {
        barlint_named_check_open(slot, warp, op, &effect);
    } else {
        slot->open = true;
        slot->count = barlint_named_round(op->count);
        slot->red = op->kind == BARLINT_NAMED_RED;
        slot->site = op->site;
    }
    slot->aligned = slot->aligned || op->aligned;
    slot->arrived |= 1u << warp;
    slot->arrivals++;
    if (op->kind != BARLINT_NAMED_ARRIVE) {
        slot->sleeping |= 1u << warp;
    }
    barlint_named_try_complete(slot, block, &effect);
    effect.passed = op->kind == BARLINT_NAMED_ARRIVE || effect.completed;
    return effect;
}

// Counts the warp if its live lanes have all executed their operation; else they go on waiting for
// the rest of the warp.
BARLINT_HD static inline void barlint_named_gather(struct barlint_named_slot *slot,
                                                   struct barlint_named_warp *gathered,
                                                   const struct barlint_block *block, uint32_t warp,
                                                   struct barlint_effect *effect)
{
    if (gathered->lanes == 0 || gathered->split || (block->live[warp] & ~gathered->lanes) != 0) {
        return;
    }
    struct barlint_named_op op = gathered->op;
    struct barlint_effect counted = barlint_named_count(slot, block, warp, &op);
    barlint_violations_merge(&effect->violations, counted.violations);
    if (effect->hardware < counted.hardware) {
        effect->hardware = counted.hardware;
    }
    effect->counted = true;
    effect->completed = counted.completed;
    effect->released = counted.released;
    gathered->lanes = 0;
}

// Checks an operation of some lanes of a warp against that of the lanes which came before.
// Measured: operations of two kinds hang, two counts abort the kernel. Operations at two places in
// the text meet if they are barrier, and hang if they are bar or otherwise aligned: each place
// waits for the whole warp.
BARLINT_HD static inline void barlint_named_check_warp(struct barlint_named_warp *gathered,
                                                       const struct barlint_named_op *op,
                                                       struct barlint_effect *effect)
{
    const struct barlint_named_op *first = &gathered->op;
    if (op->count != first->count) {
        barlint_effect_add(effect, BARLINT_NAMED_COUNT_MISMATCH, BARLINT_TRAPS);
    }
    if (op->kind != first->kind) {
        barlint_effect_add(effect, BARLINT_NAMED_WARP_SPLIT, BARLINT_HANGS);
        gathered->split = true;
    }
    if ((op->aligned || first->aligned) && op->site != 0 && first->site != 0 &&
        op->site != first->site) {
        barlint_effect_add(effect,
                           op->count == 0 && first->count == 0 ? BARLINT_SYNC_TWO_SITES
                                                               : BARLINT_NAMED_WARP_SPLIT,
                           BARLINT_HANGS);
        gathered->split = true;
    }
    gathered->op.aligned = first->aligned || op->aligned;
}

// `lanes` of warp `warp` execute `op` together. For an aligned operation they must be all live
// lanes of the warp; a caller that steps lanes one by one leaves `aligned` false for those that may
// yet follow, and finds lanes that never do when nothing can go on.
//
// `counted`: the warp was counted; its lanes at bar.arrive go on. `completed`: the generation ended
// and the lanes of the warps in `released` wake (barlint_named_wake()). `passed`: `lanes` go on.
BARLINT_HD static inline struct barlint_effect
barlint_named_join(struct barlint_named_slot *slot, struct barlint_named_warp *gathered,
                   const struct barlint_block *block, uint32_t warp, uint32_t lanes,
                   const struct barlint_named_op *op)
{
    struct barlint_effect effect = barlint_effect_none();
    bool all = op->count == 0;
    barlint_named_check(slot, block, op, &effect);
    if (op->aligned && (block->live[warp] & ~lanes) != 0) {
        barlint_effect_add(&effect, all ? BARLINT_SYNC_DIVERGENT : BARLINT_NAMED_DIVERGENT,
                           BARLINT_CONTINUES);
    }
    if (gathered->lanes == 0) {
        gathered->op = *op;
        gathered->split = false;
    } else {
        barlint_named_check_warp(gathered, op, &effect);
    }
    gathered->lanes |= lanes;
    if (op->kind != BARLINT_NAMED_ARRIVE) {
        gathered->sleepers |= lanes;
    }
    barlint_named_gather(slot, gathered, block, warp, &effect);
    effect.passed =
        effect.counted && (op->kind == BARLINT_NAMED_ARRIVE || (effect.released >> warp) & 1u);
    return effect;
}

// The lanes that wake in a warp named by `released`; call it once for each of them.
BARLINT_HD static inline uint32_t barlint_named_wake(struct barlint_named_warp *gathered)
{
    uint32_t lanes = gathered->sleepers & ~gathered->lanes;
    gathered->sleepers &= gathered->lanes;
    return lanes;
}

// Lanes of warp `warp` have exited and left `block->live` already. Remaining lanes may now make up
// the warp; a barrier for all threads no longer waits for a warp that is gone; a barrier with a
// count does (measured: it hangs, and PTX ISA 9.1, 9.7.12.7 promises otherwise only in its newer
// wording). `gathered` may be NULL where lanes are not followed.
BARLINT_HD static inline struct barlint_effect
barlint_named_exit(struct barlint_named_slot *slot, struct barlint_named_warp *gathered,
                   const struct barlint_block *block, uint32_t warp)
{
    struct barlint_effect effect = barlint_effect_none();
    if (gathered) {
        barlint_named_gather(slot, gathered, block, warp, &effect);
    }
    if (!effect.completed) {
        barlint_named_try_complete(slot, block, &effect);
    }
    if (slot->open && slot->count != 0 && block->live[warp] == 0 &&
        !((slot->arrived >> warp) & 1u)) {
        uint32_t left = barlint_popcount(barlint_block_live_warps(block) & ~slot->arrived);
        if ((uint64_t)slot->count / BARLINT_WARP_SIZE > (uint64_t)slot->arrivals + left) {
            barlint_effect_add(&effect, BARLINT_NAMED_EXIT,
                               slot->sleeping != 0 ? BARLINT_HANGS : BARLINT_CONTINUES);
        }
    }
    return effect;
}

// A barrier at quiescence: nothing can run.
struct barlint_named_stuck {
    bool for_ever;    // warps sleep, or lanes wait for their own warp, and nobody will come
    uint32_t missing; // live warps not counted
    uint32_t exited;  // warps gone that were not counted
    uint32_t wanted;  // arrivals that are still wanted
    struct barlint_violations violations;
};

// What holds the barrier open when nothing can run. Without sleepers an open barrier is what
// bar.arrive left over.
BARLINT_HD static inline struct barlint_named_stuck
barlint_named_check_stuck(const struct barlint_named_slot *slot, const struct barlint_block *block)
{
    struct barlint_named_stuck stuck;
    uint32_t live = barlint_block_live_warps(block);
    stuck.for_ever = slot->open && slot->sleeping != 0;
    stuck.missing = live & ~slot->arrived;
    stuck.exited = 0;
    stuck.wanted = 0;
    stuck.violations = barlint_violations_none();
    if (!slot->open) {
        stuck.missing = 0;
        return stuck;
    }
    for (uint32_t w = 0; w < barlint_block_warps(block); w++) {
        stuck.exited |= (1u << w) & ~live & ~slot->arrived;
    }
    if (slot->count == 0) {
        stuck.wanted = barlint_popcount(stuck.missing);
        barlint_violations_add(&stuck.violations, BARLINT_SYNC_DIVERGENT);
        return stuck;
    }
    stuck.wanted = slot->count / BARLINT_WARP_SIZE - slot->arrivals;
    if (slot->count > BARLINT_WARP_SIZE * barlint_block_warps(block)) {
        barlint_violations_add(&stuck.violations, BARLINT_NAMED_COUNT_BLOCK);
    } else if (!stuck.for_ever) {
        barlint_violations_add(&stuck.violations, BARLINT_NAMED_LEFT_OVER);
    } else if (barlint_popcount(stuck.missing) < stuck.wanted) {
        barlint_violations_add(&stuck.violations, BARLINT_NAMED_EXIT);
    } else {
        barlint_violations_add(&stuck.violations, BARLINT_NAMED_PARTICIPANTS);
    }
    return stuck;
}

// Do lanes of a warp wait for the rest of their warp when nothing can run? Then the violation is
// returned and `*out_missing` is the live lanes that did not come.
BARLINT_HD static inline struct barlint_violations
barlint_named_check_lanes(const struct barlint_named_warp *gathered,
                          const struct barlint_block *block, uint32_t warp, uint32_t *out_missing)
{
    struct barlint_violations violations = barlint_violations_none();
    *out_missing = gathered->lanes != 0 ? block->live[warp] & ~gathered->lanes : 0;
    if (gathered->lanes != 0) {
        barlint_violations_add(&violations, gathered->split           ? BARLINT_NAMED_WARP_SPLIT
                                            : gathered->op.count == 0 ? BARLINT_SYNC_DIVERGENT
                                                                      : BARLINT_NAMED_DIVERGENT);
    }
    return violations;
}

// The CTA ends: arrivals that no generation used (harmless to the hardware).
BARLINT_HD static inline struct barlint_effect
barlint_named_cta_end(const struct barlint_named_slot *slot)
{
    struct barlint_effect effect = barlint_effect_none();
    if (slot->open) {
        barlint_effect_add(&effect, BARLINT_NAMED_LEFT_OVER, BARLINT_CONTINUES);
    }
    return effect;
}

// All named barriers of a CTA with all lanes.
struct barlint_cta {
    struct barlint_block block;
    struct barlint_named_slot slot[BARLINT_NAMED_SLOTS];
    struct barlint_named_warp warp[BARLINT_NAMED_SLOTS][BARLINT_MAX_WARPS];
};

BARLINT_HD static inline void barlint_cta_start(struct barlint_cta *cta, uint32_t threads)
{
    barlint_block_start(&cta->block, threads);
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        barlint_named_slot_clear(&cta->slot[s]);
        BARLINT_ROLLED
        for (uint32_t w = 0; w < BARLINT_MAX_WARPS; w++) {
            barlint_named_warp_clear(&cta->warp[s][w]);
        }
    }
}

// See barlint_named_join(); the slot is that of op->id. Lanes of one warp that wait at two barriers
// abort the kernel (measured).
BARLINT_HD static inline struct barlint_effect barlint_cta_join(struct barlint_cta *cta,
                                                                uint32_t warp, uint32_t lanes,
                                                                const struct barlint_named_op *op)
{
    uint32_t s = barlint_named_slot_of(op->id);
    struct barlint_effect effect =
        barlint_named_join(&cta->slot[s], &cta->warp[s][warp], &cta->block, warp, lanes, op);
    for (uint32_t other = 0; other < BARLINT_NAMED_SLOTS && !effect.counted; other++) {
        if (other != s && cta->warp[other][warp].lanes != 0) {
            barlint_effect_add(&effect, BARLINT_NAMED_WARP_SPLIT, BARLINT_TRAPS);
        }
    }
    return effect;
}

// After a generation of `slot` completed: the lanes of `warp` that wake.
BARLINT_HD static inline uint32_t barlint_cta_wake(struct barlint_cta *cta, uint32_t slot,
                                                   uint32_t warp)
{
    return barlint_named_wake(&cta->warp[slot][warp]);
}

// `lanes` of `warp` exit. The effect on slot s goes to out_effects[s].
BARLINT_HD static inline void barlint_cta_exit(struct barlint_cta *cta, uint32_t warp,
                                               uint32_t lanes, struct barlint_effect out_effects[])
{
    cta->block.live[warp] &= ~lanes;
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        out_effects[s] = barlint_named_exit(&cta->slot[s], &cta->warp[s][warp], &cta->block, warp);
    }
}

// Do warps wait in a circle? At quiescence: the slots that lie on a cycle of "a warp that this slot
// lacks sleeps at that one", as a bitmap; 0 where there is none.
BARLINT_HD static inline uint32_t barlint_named_order_cycle(const struct barlint_named_slot slot[],
                                                            const struct barlint_block *block)
{
    uint32_t reach[BARLINT_NAMED_SLOTS];
    uint32_t cycle = 0;
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        struct barlint_named_stuck stuck = barlint_named_check_stuck(&slot[s], block);
        reach[s] = 0;
        BARLINT_ROLLED
        for (uint32_t t = 0; t < BARLINT_NAMED_SLOTS; t++) {
            bool waits = stuck.for_ever && t != s && (stuck.missing & slot[t].sleeping) != 0;
            reach[s] |= (waits ? 1u : 0u) << t;
        }
    }
    BARLINT_ROLLED
    for (uint32_t via = 0; via < BARLINT_NAMED_SLOTS; via++) {
        BARLINT_ROLLED
        for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
            if ((reach[s] >> via) & 1u) {
                reach[s] |= reach[via];
            }
        }
    }
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        cycle |= reach[s] & (1u << s);
    }
    return cycle;
}

#endif
