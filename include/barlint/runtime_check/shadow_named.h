// The shadow of named barriers: what coming, leaving and waking does to it, and who sleeps. Plain functions
// like those of shadow.h.
#ifndef BARLINT_RUNTIME_CHECK_SHADOW_NAMED_H
#define BARLINT_RUNTIME_CHECK_SHADOW_NAMED_H

#include "shadow.h"

// After a generation of slot `s`, whose gate is shut, completed: marks the lanes that wake. The
// hardware wakes sleepers.
BARLINT_HD static inline void barlint_rt_wake(struct barlint_rt_block *b, uint32_t s,
                                              uint32_t count, uint32_t released)
{
    struct barlint_rt_gate *gate = &b->gate[s];
    barlint_rt_completed(b); // first: who wakes has seen the new sequence
    gate->ended_at = barlint_rt_load(&b->sequence);
    gate->ended_with = count;
    gate->members = released;
    b->ended_site = b->slot_site[s];
    BARLINT_ROLLED
    for (uint32_t w = 0; w < BARLINT_RT_WARPS; w++) {
        if (((released >> w) & 1u) && b->warp[w].slot == s) {
            b->warp[w].woken |= barlint_named_wake(&b->warp[w].named);
        }
    }
    barlint_rt_store(&gate->word, b->slot[s].generation * BARLINT_RT_GATE_NEXT | BARLINT_RT_GATE_SHUT |
                                      barlint_rt_part(b, count));
}

// Remembers a warp that waits where it has arrived, for when the generation has ended.
BARLINT_HD static inline void barlint_rt_keep_twice(struct barlint_rt_block *b, uint32_t warp,
                                                    uint32_t lanes,
                                                    const struct barlint_named_op *op,
                                                    uint64_t site)
{
    uint32_t s = barlint_named_slot_of(op->id);
    bool more = b->twice.open && b->twice.slot == s;
    b->twice.again = (more ? b->twice.again : 0) | 1u << warp;
    b->twice.site = site;
    b->twice.slot = s;
    b->twice.count = op->count;
    b->twice.warp = warp;
    b->twice.lanes = lanes;
    b->twice.open = 1;
    b->twice.warps = 0;
}

// Was the warp, which comes to a slot, to be waited for when another counted twice there? Where all did
// they gave themselves the first turn, and who only arrives then gives them the next one; so does one
// that has passed a barrier since, `synced_at`, and knows that turn to be over. That is asked once.
BARLINT_HD static inline bool barlint_rt_was_left_out(struct barlint_rt_block *b, uint32_t warp,
                                                      const struct barlint_named_op *op,
                                                      uint32_t synced_at)
{
    if (b->twice.warps == 0 || b->twice.slot != barlint_named_slot_of(op->id) ||
        b->twice.count != op->count || (b->twice.warps >> warp & 1u)) {
        return false;
    }
    b->twice.warps = 0;
    return op->kind != BARLINT_NAMED_ARRIVE ||
           (b->twice.all == 0 && synced_at <= b->twice.ended_at);
}

// `lanes` of warp `warp` come to a named barrier together. The rest of the warp may come in other
// groups, also to an aligned operation: the compiler may part them for a while. Those that never
// come are found when nothing can go on. Lanes of the warp that are gathered for another barrier
// stay as they are: the hardware aborts, and the two operations are reported. An operation that the
// hardware aborts for wakes nobody and changes nothing: others that it would wake would go on to a
// barrier in the hardware that this warp, being ended, never comes to.
BARLINT_HD static inline struct barlint_effect
barlint_rt_join(struct barlint_rt_block *b, uint32_t warp, uint32_t lanes,
                const struct barlint_named_op *op, uint64_t site)
{
    uint32_t s = barlint_named_slot_of(op->id);
    struct barlint_rt_warp *w = &b->warp[warp];
    struct barlint_named_slot *slot = &b->slot[s];
    struct barlint_effect effect = barlint_effect_none();
    if (w->named.lanes != 0 && w->slot != s) {
        barlint_effect_add(&effect, BARLINT_NAMED_WARP_SPLIT, BARLINT_TRAPS);
        effect.passed = true;
        return effect;
    }
    struct barlint_named_slot slot_before = *slot;
    uint32_t arrived = slot->arrived | 1u << warp;
    struct barlint_named_warp warp_before = w->named;
    w->slot = s;
    if (!slot->open) {
        b->slot_site[s] = site;
    }
    barlint_named_check(slot, &b->block, op, &effect);
    if (w->named.lanes == 0) {
        w->named.op = *op;
        w->named.split = false;
    } else {
        barlint_named_check_warp(&w->named, op, &effect);
    }
    w->named.lanes |= lanes;
    if (op->kind != BARLINT_NAMED_ARRIVE) {
        w->named.sleepers |= lanes;
    }
    barlint_named_gather(slot, &w->named, &b->block, warp, &effect);
    if (effect.hardware == BARLINT_TRAPS) {
        *slot = slot_before;
        w->named = warp_before;
        effect.completed = false;
        effect.passed = true;
        return effect;
    }
    if (op->kind != BARLINT_NAMED_ARRIVE &&
        barlint_violations_has(effect.violations, BARLINT_NAMED_DOUBLE_ARRIVE)) {
        barlint_violations_drop(&effect.violations, BARLINT_NAMED_DOUBLE_ARRIVE);
        barlint_rt_keep_twice(b, warp, lanes, op, site);
    }
    if (effect.completed && b->twice.open && b->twice.slot == s) {
        b->twice.open = 0;
        b->twice.warps = arrived;
        b->twice.all = b->twice.again == arrived;
        b->twice.ended_at = barlint_rt_load(&b->sequence) + 1u; // which barlint_rt_wake() makes it
    }
    effect.passed = op->kind == BARLINT_NAMED_ARRIVE && effect.counted;
    if (effect.completed) {
        effect.passed = effect.passed || ((effect.released >> warp) & 1u);
        barlint_rt_wake(b, s, op->count, effect.released);
        b->gave[s] = arrived & ~effect.released;
        b->gave_until[s] = b->gate[s].ended_at;
        w->woken &= ~(effect.passed ? lanes : 0);
    } else {
        barlint_rt_moved(b);
    }
    return effect;
}

// Lanes of a warp have waited long at an aligned operation for the rest of it, which may never come:
// it may wait for them where the paths of the warp join. The warp counts, as it does in hardware.
BARLINT_HD static inline struct barlint_effect barlint_rt_take_as_whole(struct barlint_rt_block *b,
                                                                        uint32_t warp)
{
    struct barlint_rt_warp *w = &b->warp[warp];
    struct barlint_named_op op = w->named.op;
    struct barlint_effect effect = barlint_named_count(&b->slot[w->slot], &b->block, warp, &op);
    barlint_effect_add(&effect, op.count == 0 ? BARLINT_SYNC_DIVERGENT : BARLINT_NAMED_DIVERGENT,
                       BARLINT_CONTINUES);
    w->named.lanes = 0;
    if (effect.completed) {
        barlint_rt_wake(b, w->slot, op.count, effect.released);
    } else {
        barlint_rt_moved(b);
    }
    return effect;
}

// Lanes of warp `warp` have ended and count as live no longer. Violations of the barriers that lose
// them are merged.
BARLINT_HD static inline struct barlint_violations barlint_rt_leave(struct barlint_rt_block *b,
                                                                    uint32_t warp)
{
    struct barlint_violations violations = barlint_violations_none();
    if (b->by_rounds) {
        (void)barlint_rt_round_gather(b, warp, &violations);
    }
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS && !b->by_rounds; s++) {
        if (!b->slot[s].open && !(b->warp[warp].named.lanes != 0 && b->warp[warp].slot == s)) {
            continue;
        }
        struct barlint_named_warp *gathered = b->warp[warp].slot == s ? &b->warp[warp].named : 0;
        uint32_t count = b->slot[s].count;
        struct barlint_effect effect = barlint_named_exit(&b->slot[s], gathered, &b->block, warp);
        if (b->slot[s].sleeping == 0) { // nobody waits for the warp, and maybe nobody will
            barlint_violations_drop(&effect.violations, BARLINT_NAMED_EXIT);
        }
        barlint_violations_merge(&violations, effect.violations);
        if (!barlint_violations_empty(effect.violations)) {
            b->lost = s;
        }
        if (effect.completed) {
            barlint_rt_wake(b, s, count, effect.released);
        }
    }
    barlint_rt_moved(b);
    return violations;
}

// The warps that wait in the hardware, as a bitmap.
BARLINT_HD static inline uint32_t barlint_rt_asleep(const struct barlint_rt_block *b)
{
    uint32_t asleep = 0;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        asleep |= (barlint_rt_is_asleep(b, w) ? 1u : 0u) << w;
    }
    return asleep;
}

// Threads that may run although all seem to wait.
struct barlint_rt_doubts {
    bool lanes; // of a warp others of which wait: they may run, or wait where the paths of the warp join
    bool due;   // whole warps that are due back from the hardware: barlint_rt_is_due()
};

// Do all live threads of the block wait, in a hook or in the hardware, but for those in `*out_doubts`?
BARLINT_HD static inline bool barlint_rt_all_blocked(const struct barlint_rt_block *b,
                                                     struct barlint_rt_doubts *out_doubts)
{
    uint32_t any = 0, asleep = barlint_rt_asleep(b);
    out_doubts->lanes = false;
    out_doubts->due = false;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        uint32_t blocked = barlint_rt_blocked(b, w);
        if (!(asleep >> w & 1u) && (b->block.live[w] & ~blocked)) {
            bool due = barlint_rt_is_overdue(b, w);
            if ((b->block.live[w] & blocked) == 0 && !due) {
                return false;
            }
            out_doubts->due = out_doubts->due || due;
            out_doubts->lanes = out_doubts->lanes || !due;
        }
        if (b->warp[w].woken & blocked) {
            return false;
        }
        any |= b->block.live[w];
    }
    return any != 0;
}

#endif
