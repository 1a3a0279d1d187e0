// Threads that wait, and how it is found out that nothing in a block can go on. Part of device.cuh.

// Is a wait of a blocked thread over, by what the hardware says, or the cluster's state? Then the block
// moves.
BARLINT_RT_INLINE bool barlint_rt_some_wait_over(const struct barlint_rt_here *here,
                                                 bool *out_may_land)
{
    struct barlint_rt_block *b = here->block;
    *out_may_land = false;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < BARLINT_RT_WARPS; w++) {
        uint32_t lanes = b->block.live[w] & barlint_rt_blocked(b, w);
        while (lanes != 0) {
            uint32_t lane = barlint_rt_first(lanes);
            lanes &= lanes - 1u;
            const volatile struct barlint_rt_thread *t =
                &b->warp[w].records->thread[lane];
            if (t->waits_at == BARLINT_RT_CLUSTER_BARRIER && b->cluster &&
                barlint_rt_load(&b->cluster->machine.phase) != t->phase) {
                return true;
            }
            if (t->waits_at != BARLINT_RT_MBARRIER) {
                continue;
            }
            struct barlint_rt_object *o = &b->object[t->object];
            if (barlint_rt_hardware_done(o->address, t->phase)) {
                return true;
            }
            *out_may_land = *out_may_land || barlint_rt_may_land(&o->m); // plain ones never
        }
    }
    return false;
}

// Reports every barrier that holds somebody. The lock is held.
static __device__ __noinline__ void barlint_rt_report_hang(const struct barlint_rt_here *here)
{
    struct barlint_rt_block *b = here->block;
    uint32_t room = b->room, total = room + BARLINT_NAMED_SLOTS + BARLINT_RT_WARPS + 1u;
    BARLINT_ROLLED
    for (uint32_t i = 0; i < total; i++) {
        struct barlint_rt_cause cause;
        uint32_t n = i;
        bool found = false;
        struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_NO_SUBJECT, 0);
        if (n < room) {
            found = b->object[n].address != BARLINT_RT_NONE &&
                    barlint_rt_cause_mbarrier(b, n, &cause);
            about.object = &b->object[n];
        } else if ((n -= room) < BARLINT_NAMED_SLOTS) {
            found = barlint_rt_cause_named(b, n, &cause);
            about.slot = &b->slot[n];
        } else if ((n -= BARLINT_NAMED_SLOTS) < BARLINT_RT_WARPS) {
            found = barlint_rt_cause_warp(b, n, &cause);
        } else {
            found = barlint_rt_cause_cluster(b, &cause);
        }
        if (!found) {
            continue;
        }
        about.kind = BARLINT_RT_HANG;
        about.subject = cause.subject;
        about.number = cause.number;
        about.site = cause.site;
        about.lanes = cause.lanes;
        for (uint32_t v = barlint_violations_next(cause.violations, 0);
             v < BARLINT_VIOLATION_COUNT_; v = barlint_violations_next(cause.violations, v + 1u)) {
            barlint_rt_report(here, v, &about);
        }
    }
}

#include "ends.cuh"
#include "go_on.cuh"

// A blocked thread asks whether anything in the block can go on. Returns true when the block has
// been ended: if nothing can go on, and has not for a while, the hang is reported and it is. A wait
// is only believed to be for ever by the state: time serves to let things on their way arrive.
static __device__ __noinline__ bool barlint_rt_consider(const struct barlint_rt_here *here)
{
    struct barlint_rt_block *b = here->block;
    if (barlint_rt_load(&b->ended)) {
        return true;
    }
    uint32_t moves = barlint_rt_moves(b);
    bool may_land;
    struct barlint_rt_doubts doubts;
    volatile uint64_t *since = &b->quiet_since;
    // Where ends are not told of, who is not seen to wait may be gone.
    bool missing = !barlint_rt_all_blocked(b, &doubts);
    bool doubtful = doubts.lanes ||
                    (BARLINT_RT_ENDS_UNSEEN && (missing || barlint_rt_cluster_size() > 1u));
    if ((missing && !BARLINT_RT_ENDS_UNSEEN) || barlint_rt_some_wait_over(here, &may_land)) {
        *since = 0;
        return false;
    }
    uint64_t now = barlint_rt_now();
    if (*since == 0 || barlint_rt_load(&b->quiet_at) != moves) {
        barlint_rt_store(&b->quiet_at, moves);
        *since = now;
        return false;
    }
    uint64_t stuck = (uint64_t)here->state->stuck_ms * 1000000ull;
    uint64_t patience = doubtful                 ? stuck * BARLINT_RT_DOUBT
                        : may_land || doubts.due ? stuck
                        : b->cluster             ? BARLINT_RT_QUIET_CLUSTER
                                                 : BARLINT_RT_QUIET;
    if (now < *since + BARLINT_RT_QUIET || !barlint_rt_cluster_quiet(here, now) ||
        now < *since + patience || atomicCAS(&b->lock, 0u, 1u) != 0u) {
        return false;
    }
    __threadfence();
    bool still = !barlint_rt_load(&b->ended) && barlint_rt_moves(b) == moves;
    bool ends = still && barlint_rt_all_blocked(b, &doubts);
    if (BARLINT_RT_ENDS_UNSEEN && still && (doubts.lanes || !ends)) {
        struct barlint_violations violations = barlint_rt_end_unaccounted(b);
        barlint_rt_unlock(b);
        barlint_rt_report_ends(here, violations);
        *since = 0; // then for whoever is left
        return false;
    }
    if (ends) {
        (void)barlint_rt_shut_gates(b);
        barlint_rt_record_sleepers(b, here->state);
        BARLINT_ROLLED
        for (uint32_t i = 0; i < b->room; i++) {
            if (b->object[i].address != BARLINT_RT_NONE) {
                barlint_rt_open_object(&b->object[i]);
                (void)barlint_rt_catch_up(b, i);
                barlint_rt_finish_object(&b->object[i]);
                barlint_rt_land_copies(&b->object[i]);
            }
        }
        barlint_rt_report_hang(here);
        ends = !(here->state->options & BARLINT_RT_CONTINUE) || !barlint_rt_go_on(b);
    }
    if (ends) {
        barlint_rt_note_end(here->state);
        barlint_rt_end_all(here);
    }
    barlint_rt_unlock(b);
    return ends || barlint_rt_load(&b->ended);
}

// `lanes` of this warp wait at a barrier from now on. By one lane of them.
BARLINT_RT_INLINE void barlint_rt_block_lanes(const struct barlint_rt_here *here, uint32_t lanes,
                                              uint32_t subject, uint32_t object, uint32_t phase)
{
    for (uint32_t left = lanes; left != 0; left &= left - 1u) {
        volatile struct barlint_rt_thread *t = &here->records->thread[barlint_rt_first(left)];
        t->site = here->site;
        t->waits_at = subject;
        t->object = object;
        t->phase = phase;
    }
    __threadfence();
    here->block->warp[here->warp].blocked_in = barlint_rt_round_number(here->block, here->warp);
    atomicOr(&here->block->warp[here->warp].blocked, lanes);
}

// Waits until this lane is woken. The hang, should it be one, ends the thread here.
BARLINT_RT_INLINE void barlint_rt_sleep(const struct barlint_rt_here *here, uint32_t *woken)
{
    uint32_t bit = 1u << here->lane;
    uint64_t begun = barlint_rt_cycles();
    while (!(barlint_rt_load(woken) & bit)) {
        bool long_since = barlint_rt_cycles() - begun > BARLINT_RT_PATIENCE;
        // Who has been woken goes on: others wait for it in the hardware.
        if (long_since && barlint_rt_consider(here) && !(barlint_rt_load(woken) & bit)) {
            barlint_rt_end_thread();
        }
        // Lanes of the same warp that run get no turn while others do not sleep.
        __nanosleep(long_since ? 10000 : 100);
    }
    __threadfence_block();
    atomicAnd(woken, ~bit);
}
