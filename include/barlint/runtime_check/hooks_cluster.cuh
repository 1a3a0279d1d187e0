// Hooks of the cluster's barrier and of fences; faults that have no barrier of their own: the grid's
// without a workspace, copies that were not committed. Part of device.cuh.

// Lanes of a warp execute barrier.cluster.arrive or .wait: those of `lanes` that `ask`, each by its own
// record; all of `lanes` are here. Returns those that have to wait; what this one broke is added to
// `*mine`.
BARLINT_RT_INLINE uint32_t barlint_rt_cluster_lanes(const struct barlint_rt_here *here, uint32_t op,
                                                    uint32_t lanes, bool asks,
                                                    struct barlint_violations *mine)
{
    uint32_t leader = barlint_rt_first(lanes);
    bool arrives = op == BARLINT_RT_CLUSTER_ARRIVE, first = here->lane == leader;
    struct barlint_effect effect = barlint_effect_none();
    // It does not end without those that are to arrive in it.
    uint32_t phase = first ? barlint_rt_load(&here->block->cluster->machine.phase) : 0;
    phase = __shfl_sync(lanes, phase, (int)leader);
    effect.passed = true;
    if (asks) {
        effect = arrives ? barlint_cluster_thread_arrives(&here->thread->cluster, phase)
                         : barlint_cluster_thread_waits(&here->thread->cluster, phase);
    }
    barlint_violations_merge(mine, effect.violations);
    if (arrives) {
        uint32_t counted = __ballot_sync(lanes, asks && effect.passed);
        if (first && counted != 0) {
            barlint_rt_come_to_cluster(here->block, __popc(counted));
        }
    }
    return __ballot_sync(lanes, !effect.passed);
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

// Waits until the cluster's barrier lets `waiting` lanes go on. By all of `here.lanes`; returns false
// when the block has been ended instead.
BARLINT_RT_INLINE bool barlint_rt_await_cluster(const struct barlint_rt_here *here, uint32_t op,
                                                uint32_t waiting)
{
    struct barlint_violations again = barlint_violations_none();
    uint32_t all = waiting, leader = barlint_rt_first(here->lanes), over = 0;
    uint64_t begun = barlint_rt_cycles();
    bool first = here->lane == leader, blocked = false;
    while (waiting != 0) {
        __nanosleep(200);
        if (first) {
            // Of a block that is being ended the cluster's entry may be another's.
            over = barlint_rt_load(&here->block->ended);
            if (blocked) {
                over |= barlint_rt_consider(here);
            } else if (barlint_rt_cycles() - begun > BARLINT_RT_PATIENCE) {
                barlint_rt_block_lanes(here, all, BARLINT_RT_CLUSTER_BARRIER, 0,
                                       here->thread->cluster.phase);
                blocked = true;
            }
        }
        if (__shfl_sync(here->lanes, over, (int)leader)) {
            return false;
        }
        waiting = barlint_rt_cluster_lanes(here, op, here->lanes, waiting >> here->lane & 1u, &again);
    }
    if (blocked) {
        barlint_rt_unblock_lanes(here, all);
    }
    return true;
}

// Lanes have passed the cluster's barrier. Had threads ended that did not come to it? Unless they are
// known to have gone past it, they may have left before.
BARLINT_RT_INLINE void barlint_rt_tell_absent(const struct barlint_rt_here *here, uint32_t flags)
{
    uint32_t lacked = barlint_rt_load(&here->block->cluster->lacked);
    struct barlint_violations violations = barlint_violations_none();
    if (lacked != 0 && (int32_t)(here->thread->cluster.phase + 1u - lacked) >= 0) {
        barlint_violations_add(&violations, BARLINT_CLUSTER_DIVERGENT);
    }
    struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_CLUSTER_BARRIER, 0);
    about.kind = flags & BARLINT_RT_BYPASSED           ? BARLINT_RT_EVENT
                 : flags & BARLINT_RT_PERHAPS_BYPASSED ? BARLINT_RT_HINT
                                                       : BARLINT_RT_NOTE;
    barlint_rt_report_group(here, here->lanes, violations, about);
}

// Do all these lanes of a warp, each in barlint_rt_gather_warp(), stand at this place?
BARLINT_RT_INLINE bool barlint_rt_at_one_place(const struct barlint_rt_here *here, uint32_t lanes)
{
    const struct barlint_rt_warp *warp = &here->block->warp[here->warp];
    for (; lanes != 0; lanes &= lanes - 1u) {
        uint32_t lane = barlint_rt_first(lanes);
        const volatile struct barlint_rt_thread *t = &here->records->thread[lane];
        if (barlint_rt_site_of(warp, lane, t->site) != here->site) {
            return false;
        }
    }
    return true;
}

// Do these lanes of a warp wait for the rest of it at an aligned barrier of the block?
BARLINT_RT_INLINE bool barlint_rt_are_held(const struct barlint_rt_warp *warp, uint32_t lanes)
{
    return lanes != 0 && (lanes & ~barlint_rt_load(&warp->named.lanes)) == 0 &&
           warp->named.op.aligned;
}

// An aligned form is for all lanes of a warp that live. (PTX ISA 9.1, 9.7.13.3.) The compiler may part
// them for a while, so that those that are here wait for the rest, and `here` has all of them then.
// Where each stands at an aligned operation, but not at the same one, they would wait for ever.
static __device__ __noinline__ void barlint_rt_gather_warp(struct barlint_rt_here *here)
{
    struct barlint_rt_warp *warp = &here->block->warp[here->warp];
    uint32_t bit = 1u << here->lane, live;
    uint64_t begun = barlint_rt_cycles();
    bool blocked = false, held = false;
    __threadfence(); // where it is
    atomicOr(&warp->gathered, bit);
    while (!held && ((live = barlint_rt_load(&warp->live)) & ~barlint_rt_load(&warp->gathered))) {
        if (barlint_rt_load(&here->block->ended) || (blocked && barlint_rt_consider(here))) {
            barlint_rt_end_thread();
        }
        if (!blocked && barlint_rt_cycles() - begun > BARLINT_RT_PATIENCE) {
            barlint_rt_block_lanes(here, bit, BARLINT_RT_NO_SUBJECT, 0, 0);
            blocked = true;
        }
        held = blocked &&
               barlint_rt_are_held(warp, live & ~barlint_rt_load(&warp->gathered));
        __nanosleep(200);
    }
    __threadfence();
    if (held || !barlint_rt_at_one_place(here, live)) {
        struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_CLUSTER_BARRIER, 0);
        struct barlint_violations violations = barlint_cluster_check_aligned(here->lanes, live);
        about.kind = BARLINT_RT_HANG;
        barlint_rt_report_lanes(here, barlint_rt_together(here->site), violations, about);
        barlint_rt_stop(here, barlint_rt_together(here->site));
    }
    if (blocked) {
        barlint_rt_unblock_lanes(here, bit);
    }
    __syncwarp(live);
    if (here->lane == barlint_rt_first(live)) {
        atomicAnd(&warp->gathered, ~live);
    }
    __syncwarp(live);
    here->lanes = live;
}

// Has a thread of the warp initialised an mbarrier of which barlint_rt_release_to_cluster() would tell the
// cluster? By all of it.
BARLINT_RT_INLINE bool barlint_rt_has_news(const struct barlint_rt_block *b, uint32_t warp, uint32_t lane)
{
    uint32_t waits = barlint_rt_warp_load(&b->warp[warp].cluster_at) / 2u;
    bool news = false;
    BARLINT_ROLLED
    for (uint32_t i = lane; i < b->room && barlint_rt_load(&b->objects) != 0; i += BARLINT_WARP_SIZE) {
        const struct barlint_rt_object *o = &b->object[i];
        news = news || (o->address != BARLINT_RT_NONE && !o->m.fenced &&
                        o->m.init_by.cluster_epoch == waits &&
                        o->m.init_by.thread / BARLINT_WARP_SIZE == warp);
    }
    return __any_sync(0xffffffffu, news);
}

// A whole warp arrives, and has waited for all phases before.
BARLINT_RT_INLINE bool barlint_rt_cluster_arrives(struct barlint_rt_block *b, uint32_t number,
                                                  uint32_t lane, uint32_t flags, uint64_t site)
{
    struct barlint_rt_warp *warp = &b->warp[number];
    if (!(flags & BARLINT_RT_CLUSTER_RELAXED) && barlint_rt_has_news(b, number, lane)) {
        return false;
    }
    barlint_rt_warp_store(&warp->cluster_at, barlint_rt_warp_load(&warp->cluster_at) | 1u);
    barlint_rt_warp_store_four(&warp->site, site, 0);
    barlint_rt_in_order();
    if (lane == 0) {
        barlint_rt_come_to_cluster(b, BARLINT_WARP_SIZE);
    }
    return true;
}

// A whole warp waits for the phase in which it has arrived. Returns false where that takes long, or
// there is something to tell.
BARLINT_RT_INLINE bool barlint_rt_cluster_waits_for(struct barlint_rt_block *b, uint32_t number,
                                                    uint32_t lane, uint64_t site)
{
    struct barlint_rt_warp *warp = &b->warp[number];
    const struct barlint_rt_cluster *cluster = b->cluster;
    uint32_t waits = barlint_rt_warp_load(&warp->cluster_at) / 2u, sequence = 0;
    uint64_t begun = barlint_rt_cycles();
    bool over = false, give_up = false;
    while (!over && !give_up) {
        over = barlint_rt_load(&cluster->machine.phase) != waits;
        give_up = barlint_rt_load(&b->ended) != 0 ||
                  barlint_rt_cycles() - begun > BARLINT_RT_PATIENCE;
        over = __any_sync(0xffffffffu, over);
        give_up = __any_sync(0xffffffffu, give_up);
        if (!over) {
            __nanosleep(40);
        }
    }
    if (!over || __any_sync(0xffffffffu, barlint_rt_load(&cluster->lacked) != 0)) {
        return false;
    }
    if (lane == 0) {
        sequence = barlint_rt_shared_add(&b->sequence, 1u) + 1u;
        atomicMax(&b->cluster_knows, waits + 1u);
    }
    sequence = __shfl_sync(0xffffffffu, sequence, 0);
    barlint_rt_warp_store(&warp->cluster_at, 2u * (waits + 1u));
    barlint_rt_warp_store_four(&warp->site, site, 0);
    barlint_rt_warp_store(&warp->synced_at, sequence);
    return true;
}

// A whole warp does what all of it has done so far, each in its turn, and nothing special is up. Returns
// false where there is more to it.
BARLINT_RT_INLINE bool barlint_rt_cluster_quick(uint32_t op, uint32_t flags, uint32_t self,
                                                uint64_t site)
{
    struct barlint_rt_block *b = barlint_rt_block_of_self(self);
    uint32_t thread = barlint_rt_thread_of_self(self);
    uint32_t number = thread / BARLINT_WARP_SIZE, lane = thread % BARLINT_WARP_SIZE;
    const struct barlint_rt_warp *warp = &b->warp[number];
    bool in = barlint_rt_warp_load(&warp->cluster_at) & 1u, arrives = op == BARLINT_RT_CLUSTER_ARRIVE;
    bool fits = barlint_rt_is_ordinary(warp) && b->cluster && in != arrives &&
                barlint_rt_warp_load(&warp->failed_lanes) == 0 &&
                barlint_rt_warp_load(&warp->in_step) == 0xffffffffu;
    if (!__all_sync(0xffffffffu, fits)) {
        return false;
    }
    return arrives ? barlint_rt_cluster_arrives(b, number, lane, flags, site)
                   : barlint_rt_cluster_waits_for(b, number, lane, site);
}

static __device__ __noinline__ void barlint_rt_cluster_any(uint32_t op, uint32_t flags, uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    struct barlint_rt_block *b = here.block;
    if ((flags & BARLINT_RT_CLUSTER_ALIGNED) && // what lives may change meanwhile
        __any_sync(here.lanes, (barlint_rt_load(&b->warp[here.warp].live) & ~here.lanes) != 0)) {
        barlint_rt_gather_warp(&here);
    }
    if (op == BARLINT_RT_CLUSTER_ARRIVE && !(flags & BARLINT_RT_CLUSTER_RELAXED)) {
        barlint_rt_release_to_cluster(&here); // the default arrival is a release
    }
    if (here.lane == barlint_rt_first(here.lanes)) {
        (void)barlint_rt_own_cluster(&here);
    }
    __syncwarp(here.lanes);
    if (!b->cluster) {
        return; // a cluster of one: the operation is the block's, and cannot go wrong alone
    }
    barlint_rt_part_in_cluster(&here);
    struct barlint_violations mine = barlint_violations_none();
    uint32_t waiting = barlint_rt_cluster_lanes(&here, op, here.lanes, true, &mine);
    barlint_rt_report_group(&here, here.lanes, mine,
                            barlint_rt_about(&here, BARLINT_RT_CLUSTER_BARRIER, 0));
    if (!barlint_rt_await_cluster(&here, op, waiting)) {
        barlint_rt_end_thread();
    }
    if (op == BARLINT_RT_CLUSTER_WAIT) {
        barlint_rt_tell_absent(&here, flags);
        struct barlint_rt_warp *warp = &b->warp[here.warp];
        here.thread->cluster_waits++;
        atomicMax(&b->cluster_knows, here.thread->cluster.phase + 1u);
        __threadfence();
        if (here.lane == barlint_rt_first(here.lanes)) {
            uint32_t sequence = atomicAdd(&b->sequence, 1u) + 1u;
            if (barlint_rt_load(&warp->live) == here.lanes) {
                barlint_rt_store(&warp->synced_at, sequence);
            }
        }
        here.thread->synced_at = barlint_rt_load(&b->sequence);
    }
    barlint_rt_join_in_cluster(&here);
    __syncwarp(here.lanes);
}

BARLINT_RT_HOOK void barlint_rt_cluster(uint32_t op, uint32_t flags, uint64_t who, uint64_t site)
{
    if ((uint32_t)who != 0xffffffffu ||
        !barlint_rt_cluster_quick(op, flags, (uint32_t)(who >> 32), site)) {
        barlint_rt_cluster_any(op, flags, site);
    }
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
    if (size > 1u && barlint_rt_rank_of((uint32_t)to) != here.block->cta &&
        barlint_rt_is_too_early(&here)) {
        barlint_violations_add(&effect.violations, BARLINT_CLUSTER_DSMEM_START);
    }
    uint32_t owner = barlint_rt_rank_of((uint32_t)to);
    (void)barlint_rt_hold_back(here.block, here.lanes, site, owner != here.block->cta, owner);
    if (size > 1u && barlint_rt_has_left(here.block, owner)) {
        barlint_effect_add(&effect, BARLINT_CLUSTER_EXIT, BARLINT_TRAPS);
    }
    barlint_rt_report_group(&here, here.lanes, effect.violations,
                            barlint_rt_about(&here, BARLINT_RT_NO_SUBJECT, 0));
    if (__any_sync(here.lanes, effect.hardware == BARLINT_TRAPS)) {
        barlint_rt_fault(&here, here.lanes);
    }
}

// The same as barlint_rt_begin() for lanes of a block that nobody has entered: where shadows are taken as
// a block begins, it has none. For reports that look at none.
BARLINT_RT_INLINE bool barlint_rt_begin_outside(struct barlint_rt_here *here, uint64_t site,
                                                uint32_t lanes)
{
#if BARLINT_RT_SHADOW_IS_TAKEN
    here->state = barlint_rt_state_now();
    here->block = &barlint_rt_idle;
    here->records = 0;
    here->thread = 0;
    here->number = barlint_rt_thread_number();
    here->warp = here->number / BARLINT_WARP_SIZE;
    here->lane = here->number % BARLINT_WARP_SIZE;
    here->lanes = lanes;
    here->site = site;
    return here->state != 0;
#else
    return barlint_rt_begin(here, site, lanes, false);
#endif
}

// Reports of lanes that are here, that have no barrier.
BARLINT_RT_INLINE void barlint_rt_report_here(enum barlint_violation violation, uint32_t kind,
                                              uint64_t site)
{
    struct barlint_rt_here here;
    bool outside = (site & BARLINT_RT_NOT_ENTERED) != 0;
    site &= ~BARLINT_RT_NOT_ENTERED;
    uint32_t lanes = barlint_rt_together(site);
    if (outside ? barlint_rt_begin_outside(&here, site, lanes)
                : barlint_rt_begin(&here, site, lanes, false)) {
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

// Threads end with that under way. In a kernel that waits for some, they may have no use for it.
BARLINT_RT_INLINE void barlint_rt_report_open(enum barlint_violation violation, uint64_t site)
{
    uint32_t kind = site & BARLINT_RT_NEVER_AWAITED ? BARLINT_RT_EVENT : BARLINT_RT_NOTE;
    barlint_rt_report_here(violation, kind, site & ~BARLINT_RT_NEVER_AWAITED);
}

BARLINT_RT_HOOK void barlint_rt_open_copies(uint64_t site)
{
    barlint_rt_report_open(BARLINT_ASYNC_COPY_OPEN, site);
}

BARLINT_RT_HOOK void barlint_rt_open_stores(uint64_t site)
{
    barlint_rt_report_open(BARLINT_EXIT_INFLIGHT, site);
}
