// Hooks of the cluster's barrier and of fences; faults that have no barrier of their own: the grid's
// without a workspace, copies that were not committed. Part of device.cuh.

// Lanes of a warp execute barrier.cluster.arrive or .wait, by one of them. Returns those that have to
// wait; those that broke something are added to `*bad`.
BARLINT_RT_INLINE uint32_t barlint_rt_cluster_lanes(const struct barlint_rt_here *here, uint32_t op,
                                                    uint32_t lanes,
                                                    struct barlint_violations *violations,
                                                    uint32_t *bad)
{
    struct barlint_rt_cluster *cluster = here->block->cluster;
    uint32_t *lock = barlint_rt_cluster_lock(here->state, cluster), waiting = 0;
    barlint_rt_acquire(lock);
    for (uint32_t left = lanes; left != 0; left &= left - 1u) {
        uint32_t lane = barlint_rt_first(left);
        struct barlint_cluster_thread *thread = &here->records->thread[lane].cluster;
        struct barlint_effect effect =
            op == BARLINT_RT_CLUSTER_ARRIVE
                ? barlint_cluster_arrive(&cluster->machine, thread, here->block->cta)
                : barlint_cluster_wait(&cluster->machine, thread);
        if (effect.completed) {
            barlint_rt_cluster_over(cluster);
        }
        waiting |= effect.passed ? 0 : 1u << lane;
        *bad |= barlint_violations_empty(effect.violations) ? 0 : 1u << lane;
        barlint_violations_merge(violations, effect.violations);
    }
    barlint_rt_release(lock);
    return waiting;
}

// What this thread has initialised is known to the cluster from the next cluster barrier on.
BARLINT_RT_INLINE void barlint_rt_release_to_cluster(const struct barlint_rt_here *here)
{
    struct barlint_actor actor =
        barlint_rt_actor(here->block, here->thread, here->block->cta, here->number);
    BARLINT_ROLLED
    for (uint32_t i = 0; i < here->block->room; i++) {
        struct barlint_rt_object *o = &here->block->object[i];
        if (o->address != BARLINT_RT_NONE) {
            barlint_mbarrier_fence(&o->m, &actor); // touches nothing that others change
        }
    }
}

// Waits until the cluster's barrier lets `waiting` lanes go on. By the first of `here.lanes`; returns
// false when the block has been ended instead.
BARLINT_RT_INLINE bool barlint_rt_await_cluster(const struct barlint_rt_here *here, uint32_t op,
                                                uint32_t waiting)
{
    struct barlint_violations again = barlint_violations_none();
    uint32_t bad = 0, all = waiting;
    uint64_t begun = barlint_rt_cycles();
    barlint_rt_block_lanes(here, all, BARLINT_RT_CLUSTER_BARRIER, 0,
                           here->block->cluster->machine.phase);
    while ((waiting = barlint_rt_cluster_lanes(here, op, waiting, &again, &bad)) != 0) {
        __nanosleep(200);
        // Of a block that is being ended the cluster's entry may be another's.
        if (barlint_rt_load(&here->block->ended) ||
            (barlint_rt_cycles() - begun > BARLINT_RT_PATIENCE && barlint_rt_consider(here))) {
            return false;
        }
    }
    barlint_rt_unblock_lanes(here, all);
    return true;
}

// Lanes have passed the cluster's barrier. Had threads ended that did not come to it? Whether they had
// left before, or passed it by, is not known here.
BARLINT_RT_INLINE void barlint_rt_note_absent(const struct barlint_rt_here *here)
{
    uint32_t lacked = barlint_rt_load(&here->block->cluster->lacked);
    struct barlint_violations violations = barlint_violations_none();
    if (lacked != 0 && (int32_t)(here->thread->cluster.phase + 1u - lacked) >= 0) {
        barlint_violations_add(&violations, BARLINT_CLUSTER_DIVERGENT);
    }
    struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_CLUSTER_BARRIER, 0);
    about.kind = BARLINT_RT_NOTE;
    barlint_rt_report_group(here, here->lanes, violations, about);
}

BARLINT_RT_HOOK void barlint_rt_cluster(uint32_t op, uint32_t relaxed, uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    struct barlint_rt_block *b = here.block;
    if (op == BARLINT_RT_CLUSTER_ARRIVE && !relaxed) {
        barlint_rt_release_to_cluster(&here); // the default arrival is a release
    }
    if (!barlint_rt_own_cluster(&here)) {
        return; // a cluster of one: the operation is the block's, and cannot go wrong alone
    }
    uint32_t leader = barlint_rt_first(here.lanes), goes_on = 1;
    __syncwarp(here.lanes);
    if (here.lane == leader) {
        struct barlint_violations violations = barlint_violations_none();
        struct barlint_rt_about about = barlint_rt_about(&here, BARLINT_RT_CLUSTER_BARRIER, 0);
        about.warp_lanes = 0;
        uint32_t waiting =
            barlint_rt_cluster_lanes(&here, op, here.lanes, &violations, &about.warp_lanes);
        BARLINT_ROLLED
        for (uint32_t v = barlint_violations_next(violations, 0); v < BARLINT_VIOLATION_COUNT_;
             v = barlint_violations_next(violations, v + 1u)) {
            barlint_rt_report(&here, v, &about);
        }
        goes_on = waiting == 0 || barlint_rt_await_cluster(&here, op, waiting);
    }
    if (!__shfl_sync(here.lanes, goes_on, (int)leader)) {
        barlint_rt_end_thread();
    }
    if (op == BARLINT_RT_CLUSTER_WAIT) {
        barlint_rt_note_absent(&here);
        struct barlint_rt_warp *warp = &b->warp[here.warp];
        here.thread->cluster_waits++;
        if (here.lane == leader) {
            uint32_t sequence = atomicAdd(&b->sequence, 1u) + 1u;
            if (barlint_rt_load(&warp->live) == here.lanes) {
                barlint_rt_store(&warp->synced_at, sequence);
            }
        }
        here.thread->synced_at = barlint_rt_load(&b->sequence);
    }
    __syncwarp(here.lanes);
}

BARLINT_RT_HOOK void barlint_rt_fence(uint32_t op, uint64_t site)
{
    struct barlint_rt_here here;
    if (op != BARLINT_RT_FENCE_MBARRIER_INIT && barlint_rt_cluster_size() == 1u) {
        return;
    }
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    barlint_rt_release_to_cluster(&here);
}

BARLINT_RT_HOOK void barlint_rt_grid(uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_cooperative() &&
        barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        struct barlint_violations violations = barlint_violations_none();
        barlint_violations_add(&violations, BARLINT_LAUNCH_COOPERATIVE);
        barlint_rt_report_lanes(&here, here.lanes, violations,
                                barlint_rt_about(&here, BARLINT_RT_NO_SUBJECT, 0));
        barlint_rt_fault(&here, here.lanes);
    }
}

BARLINT_RT_HOOK void barlint_rt_transfer(uint64_t to, uint64_t from, uint32_t bytes,
                                         uint64_t barrier, uint32_t target, uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    struct barlint_effect effect =
        bytes != 0 ? barlint_async_check_bulk(to, from, bytes) : barlint_effect_none();
    uint32_t size = barlint_rt_cluster_size();
    if (size > 1u || target >= BARLINT_TARGET_ST_ASYNC) {
        barlint_violations_merge(
            &effect.violations,
            barlint_async_check_target((enum barlint_async_target)target, here.block->cta,
                                       barlint_rt_rank_of((uint32_t)to),
                                       barlint_rt_rank_of((uint32_t)barrier), size));
    }
    if (size > 1u && barlint_rt_has_left(here.block, barlint_rt_rank_of((uint32_t)to))) {
        barlint_effect_add(&effect, BARLINT_CLUSTER_EXIT, BARLINT_TRAPS);
    }
    barlint_rt_report_group(&here, here.lanes, effect.violations,
                            barlint_rt_about(&here, BARLINT_RT_NO_SUBJECT, 0));
    if (__any_sync(here.lanes, effect.hardware == BARLINT_TRAPS)) {
        barlint_rt_fault(&here, here.lanes);
    }
}

// Reports of lanes that are here, that have no barrier.
BARLINT_RT_INLINE void barlint_rt_report_here(enum barlint_violation violation, uint32_t kind,
                                              uint64_t site)
{
    struct barlint_rt_here here;
    if (barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        struct barlint_violations violations = barlint_violations_none();
        struct barlint_rt_about about = barlint_rt_about(&here, BARLINT_RT_NO_SUBJECT, 0);
        about.kind = kind;
        barlint_violations_add(&violations, violation);
        barlint_rt_report_lanes(&here, here.lanes, violations, about);
    }
}

BARLINT_RT_HOOK void barlint_rt_group(uint64_t site)
{
    barlint_rt_report_here(BARLINT_ASYNC_UNCOMMITTED, BARLINT_RT_EVENT, site);
}

BARLINT_RT_HOOK void barlint_rt_open_copies(uint64_t site)
{
    barlint_rt_report_here(BARLINT_ASYNC_COPY_OPEN, BARLINT_RT_NOTE, site);
}
