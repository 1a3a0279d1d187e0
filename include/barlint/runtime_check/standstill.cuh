// Threads that wait, and how it is found out that nothing in a block can go on. Part of device.cuh.

// What blocked threads wait for that comes from outside of the block.
struct barlint_rt_from_outside {
    bool may_land; // copies, or asynchronous arrivals
    bool grid;     // other blocks, at the grid's barrier
};

// Is a wait of a blocked thread over, by what the hardware says, or the cluster's or the grid's state?
// Then the block moves.
BARLINT_RT_INLINE bool barlint_rt_some_wait_over(const struct barlint_rt_here *here,
                                                 struct barlint_rt_from_outside *out)
{
    struct barlint_rt_block *b = here->block;
    out->may_land = false;
    out->grid = false;
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
            if (t->waits_at == BARLINT_RT_GRID_BARRIER) {
                out->grid = true;
                if (barlint_rt_grid_generation(here->state) != t->phase) {
                    return true;
                }
            }
            if (t->waits_at != BARLINT_RT_MBARRIER) {
                continue;
            }
            struct barlint_rt_object *o = &b->object[t->object];
            if (barlint_rt_hardware_done(o->address, t->phase)) {
                return true;
            }
            out->may_land = out->may_land || barlint_rt_may_land(&o->m); // plain ones never
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

// For how many nanoseconds has nobody been seen to be able to go on, and nothing moved? Begins to count
// where that is new. One word says both: somebody else who asks may change it at any time.
BARLINT_RT_INLINE uint64_t barlint_rt_quiet_for(struct barlint_rt_block *b, uint32_t moves,
                                                uint64_t now)
{
    uint64_t seen = barlint_rt_load64(&b->quiet), own = now / BARLINT_RT_QUIET_UNIT;
    if (seen == 0 || (uint32_t)(seen >> 32) != moves) {
        *(volatile uint64_t *)&b->quiet = (uint64_t)moves << 32 | (uint32_t)own;
        return 0;
    }
    uint32_t units = (uint32_t)own - (uint32_t)seen;
    return (int32_t)units > 0 ? (units - 1ull) * BARLINT_RT_QUIET_UNIT : 0; // at least
}

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
    struct barlint_rt_from_outside outside;
    struct barlint_rt_doubts doubts;
    // Where ends are not told of, who is not seen to wait may be gone.
    bool missing = !barlint_rt_all_blocked(b, &doubts);
    bool doubtful = doubts.lanes ||
                    (BARLINT_RT_ENDS_UNSEEN && (missing || barlint_rt_cluster_size() > 1u));
    if ((missing && !BARLINT_RT_ENDS_UNSEEN) || barlint_rt_some_wait_over(here, &outside)) {
        *(volatile uint64_t *)&b->quiet = 0;
        return false;
    }
    uint64_t now = barlint_rt_now(), quiet = barlint_rt_quiet_for(b, moves, now);
    uint64_t stuck = (uint64_t)here->state->stuck_ms * 1000000ull;
    uint64_t patience = doubtful                         ? stuck * BARLINT_RT_DOUBT
                        : outside.may_land || doubts.due ? stuck
                                                         : BARLINT_RT_QUIET;
    // Its cluster is told that the block stands still once it would believe so itself.
    if (quiet < BARLINT_RT_QUIET || quiet < patience ||
        !barlint_rt_cluster_quiet(here, now, outside.grid) || outside.grid ||
        (b->cluster && quiet < BARLINT_RT_QUIET_CLUSTER) || atomicCAS(&b->lock, 0u, 1u) != 0u) {
        return false;
    }
    __threadfence();
    // A wait that has just come to its end moves nothing before the thread asks again.
    bool still = !barlint_rt_load(&b->ended) && barlint_rt_moves(b) == moves &&
                 !barlint_rt_some_wait_over(here, &outside);
    bool ends = still && barlint_rt_all_blocked(b, &doubts);
    if (BARLINT_RT_ENDS_UNSEEN && still && (doubts.lanes || !ends)) {
        struct barlint_violations violations = barlint_rt_end_unaccounted(b);
        barlint_rt_unlock(b);
        barlint_rt_report_ends(here, violations, 1u << here->lane, here->site);
        *(volatile uint64_t *)&b->quiet = 0; // then for whoever is left
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
