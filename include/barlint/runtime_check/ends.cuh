// Ends of threads that no hook tells of. A source that only includes <barlint/runtime_check.cuh> has
// none where its kernels end: that a thread is gone is found out when the hardware lets others
// through a barrier that it did not come to, or after a long time in which nothing moves. Part of
// device.cuh.

// Once it has been told that threads ended before a barrier for all, that is not looked for again.
BARLINT_RT_INLINE void barlint_rt_tell_exits(struct barlint_rt_block *b,
                                             struct barlint_violations violations)
{
    if (!barlint_violations_has(violations, BARLINT_EXIT_BEFORE_SYNC)) {
        return;
    }
    barlint_rt_store(&b->exits_told, 1);
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        (void)atomicCAS(&b->stands[w], BARLINT_RT_GONE, BARLINT_RT_ABSENT);
    }
}

// The lanes of `warp` that are not known to wait anywhere.
BARLINT_RT_INLINE uint32_t barlint_rt_unaccounted(const struct barlint_rt_block *b, uint32_t warp)
{
    bool sleeps = barlint_rt_asleep(b) >> warp & 1u;
    return sleeps ? 0 : b->block.live[warp] & ~barlint_rt_load(&b->warp[warp].blocked);
}

// Lanes of a warp count as ended. The lock is held and the gates are shut. Returns what the barriers
// that lose them say.
BARLINT_RT_INLINE struct barlint_violations barlint_rt_end_lanes(struct barlint_rt_block *b,
                                                                 uint32_t warp, uint32_t gone)
{
    struct barlint_rt_warp *w = &b->warp[warp];
    b->block.live[warp] &= ~gone;
    w->live = b->block.live[warp];
    atomicSub(&b->live_lanes, __popc(gone));
    if (w->live == 0) {
        uint32_t told = barlint_rt_load(&b->exits_told);
        barlint_rt_store(&b->stands[warp], told ? BARLINT_RT_ABSENT : BARLINT_RT_GONE);
    }
    struct barlint_violations violations = barlint_rt_leave(b, warp);
    if (w->started == BARLINT_RT_STARTED) {
        struct barlint_effect met = barlint_warp_exit(&w->records->meeting, gone);
        atomicOr(&w->woken, met.released);
    }
    barlint_rt_completed(b);
    barlint_rt_tell_exits(b, violations);
    return violations;
}

// The same for all that are not known to wait. The lock is held.
static __device__ __noinline__ struct barlint_violations
barlint_rt_end_unaccounted(struct barlint_rt_block *b)
{
    struct barlint_violations violations = barlint_rt_shut_gates(b);
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        uint32_t gone = barlint_rt_unaccounted(b, w);
        if (gone != 0) {
            barlint_violations_merge(&violations, barlint_rt_end_lanes(b, w, gone));
        }
    }
    barlint_rt_free_gates(b);
    return violations;
}

// What a barrier says that loses `lanes` of this warp, which end at `site`.
BARLINT_RT_INLINE void barlint_rt_report_ends(const struct barlint_rt_here *here,
                                              struct barlint_violations violations,
                                              uint32_t lanes, uint64_t site)
{
    const struct barlint_rt_block *b = here->block;
    struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_NAMED, b->lost);
    about.slot = b->slot[b->lost].open ? &b->slot[b->lost] : 0;
    about.warp_lanes = lanes;
    about.site = site;
    BARLINT_ROLLED
    for (uint32_t v = barlint_violations_next(violations, 0); v < BARLINT_VIOLATION_COUNT_;
         v = barlint_violations_next(violations, v + 1u)) {
        barlint_rt_report(here, v, &about);
    }
}

// The hardware has let this warp through the barrier of all threads, and the generation is not
// complete: those that are missing have ended.
static __device__ __noinline__ void barlint_rt_let_through(uint64_t site)
{
    struct barlint_rt_here here;
    uint32_t lanes = barlint_rt_together(site);
    if (!barlint_rt_begin(&here, site, lanes, true)) {
        return;
    }
    if (here.lane == barlint_rt_first(lanes)) {
        struct barlint_violations violations = barlint_violations_none();
        barlint_rt_lock(here.block);
        if (barlint_rt_stands_at(here.block, here.warp, 0)) {
            violations = barlint_rt_end_unaccounted(here.block);
        }
        barlint_rt_unlock(here.block);
        barlint_rt_report_ends(&here, violations, 1u << here.lane, site);
    }
    __syncwarp(lanes);
}
