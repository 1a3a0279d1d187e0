// Hooks of named barriers, and what lanes that ended have gone past. Part of device.cuh.

// Do all warps that live sleep in the hardware? `or_due`: or are on their way out of a barrier with a
// count there, as it seems. (Out of one of all threads they may wait for those that end.)
BARLINT_RT_INLINE bool barlint_rt_all_asleep(const struct barlint_rt_block *b, bool or_due)
{
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        uint32_t stands = barlint_rt_load(&b->stands[w]);
        if (stands != BARLINT_RT_GONE && stands != BARLINT_RT_ABSENT && !barlint_rt_is_asleep(b, w) &&
            !(or_due && (b->warp[w].count & BARLINT_RT_GATE_COUNT) != 0 &&
              barlint_rt_is_overdue(b, w))) {
            return false;
        }
    }
    return true;
}

// This warp is asleep as all the others, but for the hardware's barrier: it looks whether somebody
// comes after all, a copy's end having woken them, until its generation has ended or the block is.
// `or_due`: or until one of those is back that are due, and sees to it in its turn.
static __device__ __noinline__ void barlint_rt_watch(uint32_t s, uint64_t site, bool or_due)
{
    struct barlint_rt_here here;
    bool asleep = barlint_rt_all_asleep(barlint_rt_own_shadow(), or_due); // each lane: all the same
    if (!__all_sync(0xffffffffu, asleep) ||
        !barlint_rt_begin(&here, site, barlint_rt_together(site), true)) {
        return; // some have been let go
    }
    uint64_t begun = barlint_rt_cycles();
    while (here.lane == 0 && barlint_rt_stands_at(here.block, here.warp, s) &&
           !(or_due && !barlint_rt_all_asleep(here.block, true))) {
        if (barlint_rt_cycles() - begun > BARLINT_RT_PATIENCE && barlint_rt_consider(&here)) {
            break;
        }
        __nanosleep(500);
    }
    __syncwarp();
    if (barlint_rt_load(&here.block->ended)) {
        barlint_rt_end_thread();
    }
}

// The lanes of this warp that have come to the slot's aligned barrier no longer wait for the rest.
static __device__ __noinline__ void barlint_rt_leave_rest(const struct barlint_rt_here *here,
                                                          uint32_t slot)
{
    struct barlint_rt_block *b = here->block;
    struct barlint_rt_warp *w = &b->warp[here->warp];
    if (atomicCAS(&b->lock, 0u, 1u) != 0u) {
        return;
    }
    __threadfence_block();
    struct barlint_violations violations = barlint_violations_none();
    uint32_t lanes = w->named.lanes;
    if (b->by_rounds && (lanes >> here->lane & 1u)) {
        barlint_violations_add(&violations, BARLINT_SYNC_DIVERGENT);
        barlint_rt_round_count(b, here->warp);
    } else if (!b->by_rounds) {
        violations = barlint_rt_shut_gate(b, slot);
        lanes = w->named.lanes;
        if (lanes >> here->lane & 1u) {
            barlint_violations_merge(&violations,
                                     barlint_rt_take_as_whole(b, here->warp).violations);
        }
        barlint_rt_free_gate(b, slot);
    }
    barlint_rt_unlock(b);
    struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_NAMED, slot);
    about.warp_lanes = lanes;
    BARLINT_ROLLED
    for (uint32_t v = barlint_violations_next(violations, 0); v < BARLINT_VIOLATION_COUNT_;
         v = barlint_violations_next(violations, v + 1u)) {
        barlint_rt_report(here, v, &about);
    }
}

// Waits until this lane, which has come to a barrier that waits, is woken; at an aligned one first for
// the rest of its warp, as the hardware does, though not for ever: when nothing has moved in the block
// for a while, the rest may wait for what these lanes come to later.
static __device__ __noinline__ void barlint_rt_await(const struct barlint_rt_here *here,
                                                     const struct barlint_named_op *op,
                                                     const struct barlint_rt_about *about)
{
    struct barlint_rt_warp *warp = &here->block->warp[here->warp];
    struct barlint_rt_stopwatch watch = barlint_rt_stopwatch();
    uint32_t moves = barlint_rt_moves(here->block), now;
    while (op->aligned && !(barlint_rt_load(&warp->woken) >> here->lane & 1u) &&
           (barlint_rt_load(&warp->named.lanes) >> here->lane & 1u)) {
        if ((now = barlint_rt_moves(here->block)) != moves) {
            moves = now;
            watch = barlint_rt_stopwatch();
        }
        if (barlint_rt_ran_for(&watch) > BARLINT_RT_SPLIT) {
            if (warp->named.split) { // each place would wait for all lanes
                struct barlint_rt_about stuck = *about;
                stuck.kind = BARLINT_RT_HANG;
                barlint_rt_report(here, BARLINT_NAMED_WARP_SPLIT, &stuck);
                barlint_rt_fault(here, barlint_rt_together(here->site));
            }
            barlint_rt_leave_rest(here, barlint_named_slot_of(op->id));
        } else if (barlint_rt_load(&here->block->ended)) {
            barlint_rt_end_thread();
        }
        __nanosleep(1000);
    }
    barlint_rt_sleep(here, &warp->woken);
    barlint_rt_unblock_lanes(here, 1u << here->lane);
}

// Does a warp wait at a counted barrier in the generation after one that it had no part in, without
// having passed any barrier since? Then which warps make up a generation is a matter of chance.
BARLINT_RT_INLINE bool barlint_rt_strays(const struct barlint_rt_block *b,
                                         const struct barlint_rt_warp *warp, uint32_t id,
                                         uint32_t kind, uint32_t count)
{
    return kind == BARLINT_NAMED_SYNC && count != 0 && warp->live == 0xffffffffu &&
           barlint_rt_load(&warp->synced_at) <
               barlint_rt_load(&b->gate[barlint_named_slot_of(id)].ended_at);
}

// The gate is shut. Has the warp been seen in the generation that others still are in? Whoever was
// about to end it, with this warp in it, may have written down when, and found the gate shut.
BARLINT_RT_INLINE bool barlint_rt_was_seen(const struct barlint_rt_block *b, uint32_t s,
                                           uint32_t word)
{
    return (word & BARLINT_RT_STANDS) && barlint_rt_stands_in(word, s, b->gate[s].word);
}

// Was the warp in the generation that ended last, as one of those that it was to wake, or as one that had
// arrived?
BARLINT_RT_INLINE bool barlint_rt_was_in(const struct barlint_rt_block *b, uint32_t number, uint32_t s,
                                         bool arrives)
{
    const struct barlint_rt_gate *gate = &b->gate[s];
    uint32_t ended_at = barlint_rt_load(&gate->ended_at);
    uint32_t givers = barlint_rt_load(&b->gave_until[s]) == ended_at ? barlint_rt_load(&b->gave[s]) : 0;
    return (arrives ? givers : barlint_rt_load(&gate->members)) >> number & 1u;
}

// The gate is shut, so nobody is on the way. Has the generation ended that this warp came to with
// `word`, with the warp in it? It had taken the word back, but somebody else had seen it before.
BARLINT_RT_INLINE bool barlint_rt_was_member(const struct barlint_rt_block *b, uint32_t number,
                                             uint32_t s, uint32_t word, bool arrives)
{
    return (word & BARLINT_RT_STANDS) &&
           barlint_rt_stands_in(word, s, b->gate[s].word - BARLINT_RT_GATE_NEXT) &&
           barlint_rt_was_in(b, number, s, arrives);
}

// A warp has been counted twice, in the place of one that has come now. By one lane.
static __device__ __noinline__ void barlint_rt_report_twice(const struct barlint_rt_here *here,
                                                            const struct barlint_rt_twice *twice)
{
    struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_NAMED, twice->slot);
    about.site = twice->site;
    about.warp = twice->warp;
    about.warp_lanes = twice->lanes;
    barlint_rt_report(here, BARLINT_NAMED_DOUBLE_ARRIVE, &about);
}

// What has come of a group's operation at a barrier.
struct barlint_rt_joined {
    struct barlint_effect effect;
    struct barlint_violations suspected; // what it may have broken
    struct barlint_rt_twice twice;       // where `left_out`: the warp that has been counted in its place
    uint64_t begun_at;                   // where the generation was begun; 0: not known
    bool ended, left_out;                // `ended`: the block is being ended, and nothing was done
};

// The group comes to a generation that it was in neither by its word nor twice: the gate is shut.
BARLINT_RT_INLINE void barlint_rt_join_group(const struct barlint_rt_here *here, uint32_t group,
                                             const struct barlint_named_op *op, uint32_t word,
                                             struct barlint_rt_joined *out)
{
    struct barlint_rt_block *b = here->block;
    uint32_t slot = barlint_named_slot_of(op->id);
    uint32_t of_warp = barlint_rt_load(&b->warp[here->warp].synced_at);
    uint32_t own = here->thread->synced_at, last = of_warp > own ? of_warp : own;
    out->twice = b->twice;
    out->left_out = barlint_rt_was_left_out(b, here->warp, op, last);
    bool strays = !barlint_rt_was_seen(b, slot, word) &&
                  barlint_rt_strays(b, &b->warp[here->warp], op->id, op->kind, op->count) &&
                  own < barlint_rt_load(&b->gate[slot].ended_at); // what it passed apart from its warp
    bool again = barlint_rt_gives_again(b, here->warp, op);
    bool others = barlint_rt_meets_others(b, here->warp, op, last);
    out->effect = barlint_rt_join(b, here->warp, group, op, here->site);
    if (strays) {
        barlint_violations_add(&out->effect.violations, BARLINT_NAMED_PARTICIPANTS);
    }
    if (again) {
        barlint_violations_add(b->hears_nothing ? &out->effect.violations : &out->suspected,
                               BARLINT_NAMED_DOUBLE_ARRIVE);
    }
    if (others) {
        barlint_violations_add(&out->suspected, BARLINT_NAMED_ID_CONFLICT);
    }
}

// The same under the lock, by the group's first lane.
BARLINT_RT_INLINE void barlint_rt_join_locked(const struct barlint_rt_here *here, uint32_t group,
                                              const struct barlint_named_op *op, uint32_t word,
                                              struct barlint_rt_joined *out)
{
    struct barlint_rt_block *b = here->block;
    uint32_t slot = barlint_named_slot_of(op->id);
    barlint_rt_lock(b);
    out->ended = barlint_rt_load(&b->ended) != 0;
    if (!out->ended) {
        struct barlint_violations shut = barlint_rt_shut_gate(b, slot);
        out->begun_at = b->slot[slot].open ? b->slot_site[slot] : 0;
        out->effect.passed =
            barlint_rt_was_member(b, here->warp, slot, word, op->kind == BARLINT_NAMED_ARRIVE);
        if (!out->effect.passed) {
            barlint_rt_join_group(here, group, op, word, out);
        }
        barlint_violations_merge(&out->effect.violations, shut);
        barlint_rt_tell_exits(b, out->effect.violations);
        // Blocked before the lock is free: nobody sees a state in which they are not.
        if (!out->effect.passed && op->kind != BARLINT_NAMED_ARRIVE) {
            barlint_rt_block_lanes(here, group, BARLINT_RT_NAMED, slot, b->slot[slot].generation);
        }
        barlint_rt_free_gate(b, slot);
    }
    barlint_rt_unlock(b);
}

// Everything that is not ordinary: lanes of a warp that come one by one, arrive, operands that do not
// fit. `word`: what the warp had written as a whole; else 0.
static __device__ __noinline__ void barlint_rt_named_slow(const struct barlint_rt_here *here,
                                                          uint32_t group,
                                                          const struct barlint_named_op *op,
                                                          uint32_t word)
{
    struct barlint_rt_block *b = here->block;
    uint32_t leader = barlint_rt_first(group), slot = barlint_named_slot_of(op->id);
    struct barlint_rt_joined joined;
    joined.effect = barlint_effect_none();
    joined.suspected = barlint_violations_none();
    joined.begun_at = 0;
    joined.ended = joined.left_out = false;
    struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_NAMED, op->id);
    about.slot = &b->slot[slot];
    if (here->lane == leader) {
        barlint_rt_join_locked(here, group, op, word, &joined);
        about.begun_at = joined.begun_at;
    }
    if (joined.left_out) {
        barlint_rt_report_twice(here, &joined.twice);
    }
    if (__any_sync(group, joined.ended)) { // those who have ended already do not come any more
        barlint_rt_end_thread();
    }
    bool passed = __shfl_sync(group, (int)joined.effect.passed, (int)leader) != 0;
    barlint_rt_report_group(here, group, joined.effect.violations, about);
    barlint_rt_note_group(here, group, joined.suspected, about);
    if (__any_sync(group, joined.effect.hardware == BARLINT_TRAPS)) {
        barlint_rt_fault(here, group);
    }
    if (op->kind == BARLINT_NAMED_ARRIVE) {
        while (!passed && (barlint_rt_load(&b->warp[here->warp].named.lanes) >> here->lane & 1u) &&
               !barlint_rt_load(&b->ended)) {
            __nanosleep(100);
        }
        return;
    }
    if (!passed) {
        barlint_rt_await(here, op, &about);
    }
    if (here->lane == leader) { // due back from the hardware
        uint32_t ended_last = barlint_rt_load(&b->gate[slot].word) - BARLINT_RT_GATE_NEXT;
        b->warp[here->warp].count = op->count;
        barlint_rt_store(&b->stands[here->warp],
                         barlint_rt_stand(slot, ended_last, 0) | BARLINT_RT_SURE);
    }
}

// The lanes of a mask that have ended.
BARLINT_RT_INLINE uint32_t barlint_rt_ended_lanes(const struct barlint_rt_block *b, uint32_t warp,
                                                  uint32_t mask)
{
    uint32_t launched = b->block.threads - warp * BARLINT_WARP_SIZE;
    uint32_t lanes = launched < BARLINT_WARP_SIZE ? (1u << launched) - 1u : 0xffffffffu;
    return mask & lanes & ~barlint_rt_load(&b->warp[warp].live);
}

// Lanes that are here together may come to wait: where whoever has ended has gone past? By the two flags.
BARLINT_RT_INLINE void barlint_rt_mark_bypassed(const struct barlint_rt_here *here, uint32_t group,
                                                uint32_t bypass)
{
    if (here->lane == barlint_rt_first(group)) {
        atomicAnd(&here->records->bypassed, ~group);
        atomicOr(&here->records->bypassed, bypass & BARLINT_RT_BYPASSED ? group : 0);
        atomicAnd(&here->records->perhaps, ~group);
        atomicOr(&here->records->perhaps, bypass & BARLINT_RT_PERHAPS_BYPASSED ? group : 0);
    }
}

// Have lanes of the mask gone past already? The group's lanes have one mask.
BARLINT_RT_INLINE void barlint_rt_tell_gone_past(const struct barlint_rt_here *here, uint32_t group,
                                                 uint32_t bypass, uint32_t mask,
                                                 enum barlint_violation violation,
                                                 struct barlint_rt_about about)
{
    struct barlint_violations mine = barlint_violations_none();
    if (bypass != 0 && barlint_rt_ended_lanes(here->block, here->warp, mask) != 0) {
        barlint_violations_add(&mine, violation);
    }
    about.kind = bypass & BARLINT_RT_BYPASSED ? BARLINT_RT_EVENT : BARLINT_RT_HINT;
    barlint_rt_report_group(here, group, mine, about);
}

static __device__ __noinline__ void barlint_rt_named_any(uint32_t kind, uint32_t id, uint32_t count,
                                                         uint32_t flags, uint64_t site,
                                                         uint32_t word)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    uint32_t group = barlint_rt_alike(here.lanes, (uint64_t)id << 32 | count);
    struct barlint_named_op op;
    op.id = id;
    op.count = count;
    op.site = barlint_rt_site_mark(site);
    op.kind = (uint8_t)kind;
    op.aligned = (flags & BARLINT_RT_ALIGNED) != 0;
    uint32_t bypass = flags & (BARLINT_RT_BYPASSED | BARLINT_RT_PERHAPS_BYPASSED);
    barlint_rt_mark_bypassed(&here, group, bypass);
    if (op.aligned && count != 0) {
        barlint_rt_tell_gone_past(&here, group, bypass, 0xffffffffu, BARLINT_NAMED_DIVERGENT,
                                  barlint_rt_about(&here, BARLINT_RT_NAMED, id));
    }
    barlint_rt_named_slow(&here, group, &op, word);
    if (kind != BARLINT_NAMED_ARRIVE) {
        here.thread->synced_at = barlint_rt_load(&here.block->sequence);
    }
    __syncwarp(group);
}

// Lane by lane what the warp of its number has left at a slot by arriving there.
BARLINT_RT_INLINE uint32_t barlint_rt_given_at(const struct barlint_rt_block *b, uint32_t s,
                                               uint32_t lane)
{
    uint32_t given = barlint_rt_warp_load(&b->given[s][lane % BARLINT_RT_GIVERS_MOST]);
    return lane < BARLINT_RT_GIVERS_MOST ? given : 0;
}

// What a lane has seen of the warp of its number, at a gate for `count` threads.
struct barlint_rt_seen {
    bool here;    // stands there as this operation would, or
    bool gave;    // has arrived so,
    bool strange; // or otherwise, or both
};

// `&` and `|`: a branch would cost more than what it leaves out.
BARLINT_RT_INLINE struct barlint_rt_seen barlint_rt_see(uint32_t s, uint32_t count, uint32_t gate_word,
                                                        uint32_t stand, uint32_t other,
                                                        uint32_t given)
{
    struct barlint_rt_seen seen;
    bool gives = barlint_rt_gave_in(given, gate_word);
    seen.here = ((other ^ stand) & ~BARLINT_RT_SURE) == 0;
    seen.gave =
        ((given ^ barlint_rt_given(gate_word, count)) & ~BARLINT_RT_GIVEN_SURE) == 0;
    seen.strange = (!seen.here & barlint_rt_stands_in(other, s, gate_word)) | (gives & !seen.gave) |
                   (seen.gave & seen.here);
    return seen;
}

// Has somebody else ended the generation that a gate was in when its word was `before`, of which a warp
// has to know before it takes its own word back, with the warp in it? By all lanes together.
BARLINT_RT_INLINE bool barlint_rt_ended_with(const struct barlint_rt_block *b, uint32_t s,
                                             uint32_t number, uint32_t before, uint32_t now,
                                             bool arrives)
{
    bool ended = ((now ^ (before + BARLINT_RT_GATE_NEXT)) & ~BARLINT_RT_GATE_PART) == 0;
    return __all_sync(0xffffffffu, ended && barlint_rt_was_in(b, number, s, arrives));
}

// A whole warp has written its word, `mine`, at a gate whose word was `before` and is `now`, and what
// it has seen of the others is not plain; `other` is the word of the warp of the lane's number.
// Returns whether it goes on into the hardware's barrier.
static __device__ __noinline__ bool barlint_rt_look_closer(uint32_t self, uint32_t count,
                                                           uint64_t site, uint32_t mine,
                                                           uint32_t before, uint32_t now,
                                                           uint32_t other)
{
    struct barlint_rt_block *b = barlint_rt_block_of_self(self);
    uint32_t number = barlint_rt_thread_of_self(self) / BARLINT_WARP_SIZE, s = mine % 16u;
    uint32_t lane = barlint_rt_thread_of_self(self) % BARLINT_WARP_SIZE;
    uint32_t given = count != 0 ? barlint_rt_given_at(b, s, lane) : 0;
    struct barlint_rt_seen seen = barlint_rt_see(s, count, before, mine, other, given);
    bool here = seen.here, absent = other == BARLINT_RT_ABSENT;
    bool strange = now != before || seen.strange;
    uint32_t came = __popc(__ballot_sync(0xffffffffu, here || seen.gave));
    uint32_t wants = count / BARLINT_WARP_SIZE;
    // Warps have ended, and no barrier for all after that has been told of: the last one is to be.
    bool untold = count == 0 && __any_sync(0xffffffffu, other == BARLINT_RT_GONE) &&
                  __all_sync(0xffffffffu, here || absent || other == BARLINT_RT_GONE);
    if (__any_sync(0xffffffffu, strange) || (count != 0 && came > wants) || untold) {
        if (barlint_rt_ended_with(b, s, number, before, now, false)) {
            barlint_rt_warp_store(&b->stands[number], mine | BARLINT_RT_SURE);
            return true;
        }
        barlint_rt_warp_store(&b->stands[number], 0);
        return false;
    }
    barlint_rt_warp_store(&b->stands[number], mine | BARLINT_RT_SURE);
    // Does anybody run? Who has been let go does, or will at once, though its word says otherwise.
    bool due = (other & BARLINT_RT_STANDS) &&
               !barlint_rt_stands_in(other, other % 16u,
                                     barlint_rt_load(&b->gate[other % 16u].word));
    bool any_due = __any_sync(0xffffffffu, due);
    if (!__any_sync(0xffffffffu, other == 0)) {
        barlint_rt_watch(s, site, any_due);
    }
    return true;
}

// What is known of the generation that ends has been written down. By one lane.
BARLINT_RT_INLINE void barlint_rt_open_next(struct barlint_rt_block *b, struct barlint_rt_gate *gate,
                                            uint32_t count, uint32_t before)
{
    barlint_rt_in_order();
    barlint_rt_shared_count(&b->sequence);
    (void)atomicCAS(&gate->word, before,
                    (before | barlint_rt_part(b, count)) + BARLINT_RT_GATE_NEXT);
}

// A whole warp comes to a barrier, and nothing special is up: without the lock. It will sleep in the
// hardware, unless it is the last of the generation. `givers`: others may have arrived and gone on. By all
// lanes together. Returns false where there is more to it; `*out_word` is then what it has written and
// taken back.
BARLINT_RT_INLINE bool barlint_rt_named_quick(uint32_t kind, uint32_t id, uint32_t count,
                                              uint32_t flags, uint32_t self, uint64_t site,
                                              bool givers, uint32_t *out_word)
{
    struct barlint_rt_block *b = barlint_rt_block_of_self(self);
    uint32_t thread = barlint_rt_thread_of_self(self);
    uint32_t number = thread / BARLINT_WARP_SIZE, lane = thread % BARLINT_WARP_SIZE;
    struct barlint_rt_warp *warp = barlint_rt_fixed(&b->warp[number]);
    struct barlint_rt_gate *gate = barlint_rt_fixed(&b->gate[id % BARLINT_NAMED_SLOTS]);
    uint32_t *stands = barlint_rt_fixed(&b->stands[number]);
    uint32_t operands = id << 16 | (count & 0xffffu); // of no more than a block's threads
    bool alike = (flags & BARLINT_RT_ALIKE) ||
                 __all_sync(0xffffffffu, operands == __shfl_sync(0xffffffffu, operands, 0));
    struct barlint_rt_lanes of = barlint_rt_lanes_of(barlint_rt_warp_load_four(&warp->blocked));
    uint32_t before = barlint_rt_warp_load(&gate->word);
    uint32_t closed = count == 0 ? BARLINT_RT_GATE_SHUT | BARLINT_RT_GATE_PART : BARLINT_RT_GATE_SHUT;
    // As of an mbarrier (barlint_rt_asked): what is to be 0, and whose upper bit is.
    uint32_t odd = of.blocked | of.failing | of.attention, signs = 0;
    odd |= ~of.live | (before & closed);
    odd |= (id & ~(BARLINT_NAMED_SLOTS - 1u)) | count % BARLINT_WARP_SIZE;
    if (count != 0) { // a block has as many threads, and the warp is not a stray
        uint32_t most = b->warps * BARLINT_WARP_SIZE;
        uint32_t synced_at = barlint_rt_warp_load(&warp->synced_at);
        signs = (most - count) | (synced_at - barlint_rt_warp_load(&gate->ended_at)) | count;
    }
    if (!alike || (odd | (signs & 0x80000000u)) != 0) {
        return false;
    }
    uint32_t way = (flags & BARLINT_RT_ALIGNED ? BARLINT_RT_GATE_ALIGNED : 0) |
                   (kind == BARLINT_NAMED_RED ? BARLINT_RT_GATE_RED : 0);
    uint32_t mine = barlint_rt_stand(id, before, barlint_rt_gate_kind(site, count, way));
    barlint_rt_warp_store(stands, mine);
    barlint_rt_warp_store_four(&warp->site, site, count | way);
    uint32_t other = barlint_rt_warp_load(&b->stands[lane]);
    uint32_t now = barlint_rt_warp_load(&gate->word), came = 0, gave = 0;
    uint32_t differs = other ^ mine;
    bool here = (differs & ~BARLINT_RT_SURE) == 0, complete, plain;
    if (count == 0) {
        // Who runs; also who has been let go from the generation of all before, though its word says
        // otherwise.
        bool runs = other == 0 || ((differs & (BARLINT_RT_STANDS | 15u)) == 0 &&
                                   (differs & BARLINT_RT_PLACE_MASK) != 0);
        bool still = now == before; // the last one to come, for whom all wait, asks but once
        complete = __all_sync(0xffffffffu, still && (here || other == BARLINT_RT_ABSENT));
        plain = complete ||
                __all_sync(0xffffffffu, still && (here || runs || other == BARLINT_RT_ABSENT));
    } else {
        // All are asked at once: what one says comes as late as what all do.
        bool strange = !here && barlint_rt_stands_in(other, id, before);
        came = __ballot_sync(0xffffffffu, here);
        if (givers) {
            uint32_t given = barlint_rt_given_at(b, id, lane);
            struct barlint_rt_seen seen = barlint_rt_see(id, count, before, mine, other, given);
            strange = seen.strange;
            gave = __ballot_sync(0xffffffffu, seen.gave);
        }
        bool clean = __all_sync(0xffffffffu, now == before && !strange);
        bool any_runs = __any_sync(0xffffffffu, other == 0);
        uint32_t counted = __popc(came | gave), wants = count / BARLINT_WARP_SIZE;
        complete = counted == wants;
        plain = clean && (complete || (counted < wants && any_runs));
    }
    *out_word = mine;
    if (!plain) {
        return barlint_rt_look_closer(self, count, site, mine, before, now, other);
    }
    barlint_rt_warp_store(stands, mine | BARLINT_RT_SURE);
    if (!complete) {
        return true; // somebody runs
    }
    came = count != 0 ? came : __ballot_sync(0xffffffffu, here);
    if (lane == 0) {
        barlint_rt_gate_ends(b, gate, id, count, came, gave);
        barlint_rt_open_next(b, gate, count, before);
    }
    return true;
}

// A whole warp arrives at a barrier, goes on, and nothing special is up: without the lock. Whoever is the
// last of the generation ends it here, too. By all lanes together. Returns false where there is more to
// it; `*out_word` then says where it had come to, as if it stood there, and has been taken back.
BARLINT_RT_INLINE bool barlint_rt_given_quick(uint32_t id, uint32_t count, uint32_t flags,
                                              uint32_t self, uint64_t site, uint32_t *out_word)
{
    struct barlint_rt_block *b = barlint_rt_block_of_self(self);
    uint32_t thread = barlint_rt_thread_of_self(self);
    uint32_t number = thread / BARLINT_WARP_SIZE, lane = thread % BARLINT_WARP_SIZE;
    uint32_t s = id % BARLINT_NAMED_SLOTS;
    struct barlint_rt_warp *warp = barlint_rt_fixed(&b->warp[number]);
    struct barlint_rt_gate *gate = barlint_rt_fixed(&b->gate[s]);
    uint32_t operands = id << 16 | (count & 0xffffu); // of no more than a block's threads
    bool alike = (flags & BARLINT_RT_ALIKE) ||
                 __all_sync(0xffffffffu, operands == __shfl_sync(0xffffffffu, operands, 0));
    struct barlint_rt_lanes of = barlint_rt_lanes_of(barlint_rt_warp_load_four(&warp->blocked));
    uint32_t before = barlint_rt_warp_load(&gate->word);
    uint32_t most = b->warps * BARLINT_WARP_SIZE, synced_at = barlint_rt_warp_load(&warp->synced_at);
    uint32_t odd = of.blocked | of.failing | of.attention | ~of.live | (before & BARLINT_RT_GATE_SHUT);
    odd |= (id & ~(BARLINT_NAMED_SLOTS - 1u)) | count % BARLINT_WARP_SIZE;
    odd |= number & ~(BARLINT_RT_GIVERS_MOST - 1u);
    // That it may be too early for the next generation, barlint_rt_gives_again() has to see to.
    uint32_t signs =
        (most - count) | (synced_at - barlint_rt_warp_load(&gate->ended_at)) | count | (count - 1u);
    if (!alike || (odd | (signs & 0x80000000u)) != 0) {
        return false;
    }
    uint32_t *own = barlint_rt_fixed(&b->given[s][number]);
    if (barlint_rt_gave_in(barlint_rt_warp_load(own), before)) {
        return false; // it counts twice
    }
    uint32_t mine = barlint_rt_given(before, count);
    uint32_t stand = barlint_rt_stand(s, before, barlint_rt_gate_kind(site, count, 0));
    barlint_rt_warp_store(&b->has_givers, 1);
    barlint_rt_warp_store(own, mine);
    barlint_rt_warp_store_four(&warp->site, site, 0);
    uint32_t other = barlint_rt_warp_load(&b->stands[lane]);
    uint32_t given = barlint_rt_given_at(b, s, lane), now = barlint_rt_warp_load(&gate->word);
    struct barlint_rt_seen seen = barlint_rt_see(s, count, before, stand, other, given);
    uint32_t came = __ballot_sync(0xffffffffu, seen.here);
    uint32_t gave = __ballot_sync(0xffffffffu, seen.gave);
    bool clean = __all_sync(0xffffffffu, now == before && !seen.strange);
    uint32_t counted = __popc(came | gave), wants = count / BARLINT_WARP_SIZE;
    *out_word = stand;
    if (!clean || counted > wants) {
        bool counts = barlint_rt_ended_with(b, s, number, before, now, true);
        barlint_rt_warp_store(own, counts ? mine | BARLINT_RT_GIVEN_SURE : 0);
        return counts;
    }
    barlint_rt_warp_store(own, mine | BARLINT_RT_GIVEN_SURE);
    if (lane == 0 && counted == 1u) {
        *(volatile uint64_t *)&b->slot_site[s] = site;
    }
    if (lane == 0 && counted == wants) {
        barlint_rt_gate_ends(b, gate, s, count, came, gave);
        barlint_rt_open_next(b, gate, count, before);
    }
    return true;
}

// Each of these is short enough to be written into a kernel (analyzer/instrument/inline.c).
BARLINT_RT_HOOK void barlint_rt_named(uint32_t kind, uint32_t id, uint32_t count, uint32_t flags,
                                      uint64_t who, uint64_t site)
{
    uint32_t word = 0;
    if ((uint32_t)who != 0xffffffffu || kind == BARLINT_NAMED_ARRIVE ||
        !barlint_rt_named_quick(kind, id, count, flags, (uint32_t)(who >> 32), site, false, &word)) {
        barlint_rt_named_any(kind, id, count, flags, site, word);
    }
}

BARLINT_RT_HOOK void barlint_rt_named_mixed(uint32_t kind, uint32_t id, uint32_t count,
                                            uint32_t flags, uint64_t who, uint64_t site)
{
    uint32_t word = 0;
    if ((uint32_t)who != 0xffffffffu ||
        !barlint_rt_named_quick(kind, id, count, flags, (uint32_t)(who >> 32), site, true, &word)) {
        barlint_rt_named_any(kind, id, count, flags, site, word);
    }
}

BARLINT_RT_HOOK void barlint_rt_named_arrive(uint32_t id, uint32_t count, uint32_t flags, uint64_t who,
                                             uint64_t site)
{
    uint32_t word = 0;
    if ((uint32_t)who != 0xffffffffu ||
        !barlint_rt_given_quick(id, count, flags, (uint32_t)(who >> 32), site, &word)) {
        barlint_rt_named_any(BARLINT_NAMED_ARRIVE, id, count, flags, site, word);
    }
}

// Some lanes of a warp have passed a barrier: the others have, too, or will at once.
static __device__ __noinline__ void barlint_rt_synced_apart(uint32_t lanes)
{
    struct barlint_rt_here here;
    if (barlint_rt_begin(&here, 0, lanes, false)) {
        if (here.lane == barlint_rt_first(lanes)) {
            barlint_rt_store(&here.block->stands[here.warp], 0);
        }
        here.thread->synced_at = barlint_rt_load(&here.block->sequence);
    }
}

BARLINT_RT_HOOK void barlint_rt_synced(uint64_t who)
{
    uint32_t self = (uint32_t)(who >> 32);
    uint32_t number = barlint_rt_thread_of_self(self) / BARLINT_WARP_SIZE;
    struct barlint_rt_block *b = barlint_rt_block_of_self(self);
    if ((uint32_t)who == 0xffffffffu) {
        barlint_rt_warp_store(&b->stands[number], 0);
        struct uint2 now = barlint_rt_warp_load_two(&b->sequence); // and whether it has ended
        if (now.y == 0) {
            barlint_rt_warp_store(&b->warp[number].synced_at, now.x);
            return;
        }
    }
    if (barlint_rt_state_now()) {
        barlint_rt_synced_apart(barlint_rt_together(0));
    }
}
