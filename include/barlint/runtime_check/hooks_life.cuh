// Hooks of a thread's beginning and end, and what is left over when a block ends. Part of device.cuh.

BARLINT_RT_HOOK uint32_t barlint_rt_self(void)
{
    return barlint_rt_pack_self(barlint_rt_thread_number(), barlint_rt_own_shadow());
}

// The block is one of a cluster. By all threads.
static __device__ __noinline__ void barlint_rt_enter_cluster(uint64_t site)
{
    struct barlint_rt_here here;
    uint32_t lanes = barlint_rt_together(site);
    if (barlint_rt_begin(&here, site, lanes, false) && here.lane == barlint_rt_first(lanes)) {
        barlint_rt_lock(here.block);
        (void)barlint_rt_own_cluster(&here);
        barlint_rt_unlock(here.block);
    }
    __syncwarp(lanes); // the others are not to run ahead, and look for it themselves
}

BARLINT_RT_INLINE uint32_t barlint_rt_enter_by(uint32_t by_rounds, uint64_t site)
{
    struct barlint_rt_block *b = barlint_rt_take_shadow();
    uint32_t thread = barlint_rt_thread_number(), number = thread / BARLINT_WARP_SIZE;
    if (!barlint_rt_state_now()) {
        b->warp[number].attention = BARLINT_RT_UNWATCHED;
        return barlint_rt_pack_self(thread, b);
    }
    // A place by its file's address (BARLINT_RT_HERE) says nothing of that.
    uint64_t hears_nothing = site >> 63 ? 0 : site & BARLINT_RT_HEARS_NOTHING;
    // All threads of the block are here, so that they can wait for each other.
    uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    barlint_rt_block_start(b, threads, barlint_rt_cluster_rank(), BARLINT_RT_ROOM, thread, threads);
    if (thread == 0) {
        *(volatile uint64_t *)&b->key = barlint_rt_key();
        b->by_rounds = by_rounds;
        b->hears_nothing = hears_nothing != 0;
        b->entered_at = site & ~hears_nothing;
    }
    barlint_rt_store(&b->warp[number].place, barlint_rt_warp_place());
    barlint_rt_await_block();
    if (barlint_rt_cluster_size() > 1u) {
        barlint_rt_enter_cluster(site & ~hears_nothing);
    }
    return barlint_rt_pack_self(thread, b);
}

BARLINT_RT_HOOK uint32_t barlint_rt_enter(uint64_t site)
{
    return barlint_rt_enter_by(0, site);
}

// Has a warp arrived at the slot, in a generation that has not ended and nobody has the lock for?
BARLINT_RT_INLINE bool barlint_rt_has_given(const struct barlint_rt_block *b, uint32_t s)
{
    bool given = false;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps && w < BARLINT_RT_GIVERS_MOST; w++) {
        given = given || barlint_rt_gave_in(barlint_rt_load(&b->given[s][w]),
                                            barlint_rt_load(&b->gate[s].word));
    }
    return given;
}

// The block's last threads end: what is still under way, and what was left over. By all that are
// here, every so many of the objects and slots each.
static __device__ __noinline__ void barlint_rt_end_block(uint64_t site, uint32_t lanes)
{
    struct barlint_rt_block *b = barlint_rt_own_shadow();
    uint32_t first = __popc(lanes & ((1u << barlint_rt_lane_number()) - 1u)), step = __popc(lanes);
    bool remains = false;
    BARLINT_ROLLED
    for (uint32_t i = first; i < b->room; i += step) {
        struct barlint_rt_object *o = &b->object[i];
        if (o->address == BARLINT_RT_NONE || o->m.state != BARLINT_LIVE) {
            continue;
        }
        bool silent = barlint_rt_is_plain(o->word) // no copies, or all threads still to arrive
                          ? !barlint_rt_landed_unseen(o)
                          : barlint_rt_is_counted(o->word) && o->word >> BARLINT_RT_PENDING_SHIFT != 0;
        remains = remains || !silent;
    }
    BARLINT_ROLLED
    for (uint32_t s = first; s < BARLINT_NAMED_SLOTS; s += step) {
        remains = remains || b->slot[s].open || barlint_rt_has_given(b, s);
    }
    __syncwarp(lanes);
    struct barlint_rt_here here;
    if (!__any_sync(lanes, remains) || !barlint_rt_begin(&here, site, lanes, false) ||
        here.lane != barlint_rt_first(lanes)) {
        return;
    }
    if (!b->by_rounds) {
        (void)barlint_rt_shut_gates(b); // nobody comes any more
    }
    BARLINT_ROLLED
    for (uint32_t i = 0; i < b->room; i++) {
        struct barlint_rt_object *o = &b->object[i];
        if (o->address == BARLINT_RT_NONE || o->m.state != BARLINT_LIVE) {
            continue;
        }
        barlint_rt_open_object(o);
        (void)barlint_rt_catch_up(b, i);
        barlint_rt_finish_object(o);
        struct barlint_violations violations = barlint_mbarrier_cta_end(&o->m).violations;
        if (barlint_rt_landed_unseen(o)) {
            barlint_violations_add(&violations, BARLINT_EXIT_INFLIGHT);
        }
        struct barlint_rt_about about = barlint_rt_about(&here, BARLINT_RT_MBARRIER, 0);
        about.object = o;
        for (uint32_t v = barlint_violations_next(violations, 0); v < BARLINT_VIOLATION_COUNT_;
             v = barlint_violations_next(violations, v + 1u)) {
            barlint_rt_report(&here, v, &about);
        }
    }
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        if (b->slot[s].open) {
            struct barlint_rt_about about = barlint_rt_about(&here, BARLINT_RT_NAMED, s);
            about.slot = &b->slot[s];
            about.site = b->slot_site[s];
            barlint_rt_report(&here, BARLINT_NAMED_LEFT_OVER, &about);
        }
    }
}

// A thread ends that went on although its last test of a phase had failed: the phase is over now.
BARLINT_RT_INLINE void barlint_rt_check_failed(const struct barlint_rt_here *here)
{
    struct barlint_rt_block *b = here->block;
    uint32_t at = here->thread->failed_at;
    bool failed = (barlint_rt_load(&b->warp[here->warp].failing) >> here->lane & 1u) &&
                  at < b->room &&
                  barlint_rt_load(&b->object[at].m.phase) != here->thread->failed_phase;
    uint32_t lanes = __ballot_sync(here->lanes, failed);
    if (lanes != 0 && here->lane == barlint_rt_first(lanes)) {
        struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_MBARRIER, 0);
        about.object = &b->object[at];
        about.site = here->thread->failed_site;
        about.warp_lanes = lanes;
        barlint_rt_report(here, BARLINT_PHASE_TRYWAIT_IGNORED, &about);
    }
}

// Lanes of a warp count as live no longer. Returns false where the last ones of a warp end and
// somebody may wait at a barrier. By one group at a time: the lanes are all of the
// warp's, or the lock is held. What this says comes before what it asks: whoever waits for lanes of
// its warp, or for this warp, either can be seen by now, or will see that they are gone.
BARLINT_RT_INLINE bool barlint_rt_leave_gates(struct barlint_rt_block *b, uint32_t number,
                                              uint32_t lane, uint32_t lanes)
{
    struct barlint_rt_warp *warp = &b->warp[number];
    uint32_t leader = barlint_rt_first(lanes), left = 0;
    bool idle = true;
    if (lane == leader) {
        left = warp->live & ~lanes;
        barlint_rt_store(&b->block.live[number], left);
        barlint_rt_store(&warp->live, left);
        if (left == 0) {
            uint32_t told = barlint_rt_load(&b->exits_told);
            barlint_rt_store(&b->stands[number], told ? BARLINT_RT_ABSENT : BARLINT_RT_GONE);
        }
    }
    barlint_rt_in_order();
    if (__shfl_sync(lanes, left, (int)leader) != 0) {
        return true;
    }
    BARLINT_ROLLED
    for (uint32_t w = __popc(lanes & ((1u << lane) - 1u)); w < b->warps; w += __popc(lanes)) {
        uint32_t stands = barlint_rt_load(&b->stands[w]), s = stands % BARLINT_NAMED_SLOTS;
        idle = idle && !barlint_rt_stands_in(stands, s, barlint_rt_load(&b->gate[s].word));
    }
    BARLINT_ROLLED
    for (uint32_t s = __popc(lanes & ((1u << lane) - 1u)); s < BARLINT_NAMED_SLOTS;
         s += __popc(lanes)) {
        idle = idle && !(barlint_rt_load(&b->gate[s].word) & BARLINT_RT_GATE_SHUT);
    }
    return __all_sync(lanes, idle);
}

enum barlint_rt_rest {
    BARLINT_RT_OTHERS_RUN,
    BARLINT_RT_NOBODY_LEFT,
    BARLINT_RT_BLOCK_ENDED, // nothing could go on
};

// The lanes are no longer awaited: is anybody left, and awake? Threads that all sleep in the hardware
// are seen to before this one ends. By one lane.
BARLINT_RT_INLINE enum barlint_rt_rest barlint_rt_be_gone(struct barlint_rt_block *b,
                                                          uint32_t lanes, uint64_t site)
{
    uint32_t count = __popc(lanes), live = atomicSub(&b->live_lanes, count) - count;
    // In the hardware the rest of a warp may wait for the lanes that end.
    bool or_due = barlint_rt_load(&b->block.live[barlint_rt_warp_number()]) == 0;
    while (live != 0 && barlint_rt_all_asleep(b, or_due)) {
        struct barlint_rt_here here;
        // Another may end the block meanwhile: not this lane alone, for which the others wait.
        if (barlint_rt_look(&here, site, 1u << barlint_rt_lane_number()) &&
            barlint_rt_consider(&here)) {
            return BARLINT_RT_BLOCK_ENDED;
        }
        __nanosleep(2000);
        live = barlint_rt_load(&b->live_lanes);
    }
    return live == 0 ? BARLINT_RT_NOBODY_LEFT : BARLINT_RT_OTHERS_RUN;
}

// The cluster's barrier no longer waits for the lanes. By all of them.
BARLINT_RT_INLINE void barlint_rt_leave_cluster(const struct barlint_rt_here *here)
{
    struct barlint_rt_cluster *cluster = here->block->cluster;
    uint32_t leader = barlint_rt_first(here->lanes), threads = __popc(here->lanes);
    bool first = here->lane == leader;
    barlint_rt_part_in_cluster(here);
    if (first) {
        barlint_rt_store(&here->block->has_left_cluster, 1);
        barlint_rt_in_order();
        barlint_rt_come_to_cluster(here->block, 0); // from now on nobody waits there to be counted
        barlint_rt_acquire(&cluster->counting);
    }
    uint32_t phase = first ? barlint_rt_load(&cluster->machine.phase) : 0;
    phase = __shfl_sync(here->lanes, phase, (int)leader);
    bool in = barlint_cluster_thread_ends(&here->thread->cluster, phase);
    uint32_t arrived = __popc(__ballot_sync(here->lanes, in));
    if (first) {
        if (arrived < threads && cluster->lacked == 0) { // (PTX 9.7.13.3: it waits for none of them)
            barlint_rt_store(&cluster->lacked, phase + 1u);
            __threadfence();
        }
        struct barlint_effect effect = barlint_effect_none();
        barlint_cluster_leave(&cluster->machine, here->block->cta, threads, arrived, &effect);
        barlint_rt_release(&cluster->counting);
    }
}

// The lanes that wait for others of their warp, in an election or, `any`, in any operation.
BARLINT_RT_INLINE uint32_t barlint_rt_meeting(const struct barlint_warp *meeting, bool any)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < meeting->pending; i++) {
        lanes |= any || meeting->meet[i].op == BARLINT_WARP_ELECT_SYNC ? meeting->meet[i].joined : 0;
    }
    return lanes;
}

// Lanes of this warp that had come to an operation of the whole warp, or of those in a mask, no longer
// wait for lanes that have ended instead. The hardware goes on, too. Whether those that ended had left
// before, or gone past the operation, is known of `bypassed` alone, and of `perhaps` nearly.
BARLINT_RT_INLINE void barlint_rt_tell_ended(const struct barlint_rt_here *here, uint32_t kind,
                                             uint32_t subject, enum barlint_violation violation,
                                             uint32_t waited)
{
    if (waited == 0) {
        return;
    }
    uint32_t lane = barlint_rt_first(waited);
    struct barlint_rt_about about = barlint_rt_about(here, subject, waited);
    about.kind = kind;
    about.site = barlint_rt_site_of(&here->block->warp[here->warp], lane,
                                    here->records->thread[lane].site);
    about.warp_lanes = waited;
    barlint_rt_report(here, violation, &about);
}

BARLINT_RT_INLINE void barlint_rt_tell_waited(const struct barlint_rt_here *here, uint32_t subject,
                                              enum barlint_violation violation, uint32_t waited,
                                              uint32_t bypassed, uint32_t perhaps)
{
    barlint_rt_tell_ended(here, BARLINT_RT_EVENT, subject, violation, waited & bypassed);
    barlint_rt_tell_ended(here, BARLINT_RT_HINT, subject, violation, waited & perhaps);
    barlint_rt_tell_ended(here, BARLINT_RT_NOTE, subject, violation, waited & ~(bypassed | perhaps));
}

// With BARLINT_RT_PEDANTIC, a part of a warp that ends gives the rest of it time to come to where it may
// wait for it.
BARLINT_RT_INLINE void barlint_rt_linger(const struct barlint_rt_here *here)
{
    const struct barlint_rt_warp *warp = &here->block->warp[here->warp];
    struct barlint_rt_stopwatch watch = barlint_rt_stopwatch();
    while ((here->state->options & BARLINT_RT_PEDANTIC) &&
           (barlint_rt_load(&warp->live) & ~here->lanes & ~barlint_rt_blocked(here->block, here->warp) &
            ~warp->named.lanes) != 0 &&
           barlint_rt_ran_for(&watch) < 8u * BARLINT_RT_PATIENCE) {
        __nanosleep(200);
    }
    __syncwarp(here->lanes);
}

// Threads end of which something is known that ends with them, or that others may wait for. `said`:
// they count as live no longer. Returns, in the first of them, those that counted until now: where
// ends are not told of, threads that took too long have been taken for ended before.
static __device__ __noinline__ uint32_t barlint_rt_exit_slow(uint64_t site, uint32_t lanes,
                                                             bool said)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, lanes, false)) {
        return lanes;
    }
    struct barlint_rt_block *b = here.block;
    struct barlint_rt_warp *warp = &b->warp[here.warp];
    bool first = here.lane == barlint_rt_first(lanes);
    barlint_rt_check_failed(&here);
    if (!said) {
        barlint_rt_linger(&here);
    }
    uint32_t met_alone = 0, elected = 0, gathered = 0, bypassed = 0, perhaps = 0;
    if (b->cluster) {
        barlint_rt_leave_cluster(&here);
    }
    if (first) {
        barlint_rt_lock(b);
    }
    __syncwarp(lanes);
    if (first && (barlint_rt_load(&warp->live) & ~lanes) == 0) {
        // The records of a warp that has ended are soon another block's.
        *(volatile uint64_t *)&warp->site = site;
        atomicAnd(&warp->apart, ~lanes);
    }
    uint32_t counted = said ? lanes : lanes & barlint_rt_load(&warp->live);
    bool quiet = !said && barlint_rt_leave_gates(b, here.warp, here.lane, lanes);
    struct barlint_violations violations = barlint_violations_none();
    uint64_t where = site;
    if (first) {
        struct barlint_warp *meeting = &here.records->meeting;
        bypassed = barlint_rt_load(&here.records->bypassed);
        perhaps = barlint_rt_load(&here.records->perhaps);
        // Who waits for lanes of the warp alone has to do with no gate.
        uint32_t waiting = barlint_rt_load(&warp->blocked);
        if (!quiet || warp->named.lanes != 0 || (waiting & ~barlint_rt_meeting(meeting, true)) != 0) {
            violations = barlint_rt_shut_gates(b);
            struct barlint_named_warp before = warp->named;
            barlint_violations_merge(&violations, barlint_rt_leave(b, here.warp));
            gathered = before.op.aligned && before.op.count != 0 && warp->named.lanes == 0
                           ? before.lanes
                           : 0;
            barlint_rt_tell_exits(b, violations);
            where = barlint_violations_has(violations, BARLINT_EXIT_BEFORE_SYNC) ? b->ended_site
                                                                                : site;
            barlint_rt_free_gates(b);
        }
        if (waiting != 0) {
            elected = barlint_rt_meeting(meeting, false);
            struct barlint_effect met = barlint_warp_exit(meeting, lanes);
            met_alone = met.released & ~elected;
            elected &= met.released;
            if (met.released != 0) {
                barlint_rt_completed(b);
                atomicOr(&warp->woken, met.released);
            }
            barlint_rt_moved(b);
        }
        barlint_rt_unlock(b);
    }
    barlint_rt_report_ends(&here, violations, lanes, where);
    barlint_rt_tell_waited(&here, BARLINT_RT_WARP_MASK, BARLINT_WARP_MASK_AGREE, met_alone, bypassed,
                           perhaps);
    barlint_rt_tell_waited(&here, BARLINT_RT_WARP_MASK, BARLINT_WARP_ELECT, elected, bypassed,
                           perhaps);
    barlint_rt_tell_waited(&here, BARLINT_RT_NO_SUBJECT, BARLINT_NAMED_DIVERGENT, gathered, bypassed,
                           perhaps);
    __syncwarp(lanes);
    return counted;
}

// Nobody is left. By one lane; several may have found that out.
BARLINT_RT_INLINE void barlint_rt_block_over(struct barlint_rt_block *b)
{
    barlint_rt_count_checked(b);
    barlint_rt_leave_grid(b);
}

// Any lanes end. `said`: they count as live no longer.
static __device__ __noinline__ void barlint_rt_exit_any(uint32_t self, uint64_t site, bool said)
{
    struct barlint_rt_block *b = barlint_rt_block_of_self(self);
    struct barlint_rt_state *state = barlint_rt_state_now();
    if (!state) {
        return;
    }
    uint32_t lanes = barlint_rt_together(site), leader = barlint_rt_first(lanes);
    uint32_t lane = barlint_rt_thread_of_self(self) % BARLINT_WARP_SIZE;
    uint32_t counted = barlint_rt_exit_slow(site, lanes, said);
    struct barlint_rt_cluster *cluster = b->cluster;
    uint32_t cta = b->cta, rest = BARLINT_RT_OTHERS_RUN;
    if (lane == leader && counted != 0) {
        rest = barlint_rt_be_gone(b, counted, site);
    }
    rest = __shfl_sync(lanes, rest, (int)leader);
    if (rest == BARLINT_RT_BLOCK_ENDED) {
        barlint_rt_end_thread(); // all of them: sleepers are freed by whole warps
    } else if (rest == BARLINT_RT_NOBODY_LEFT) {
        barlint_rt_end_block(site, lanes);
        if (cluster) {
            barlint_rt_check_read(b, site, lanes);
        }
        if (lane == leader) {
            barlint_rt_block_over(b);
        }
        if (cluster && lane == leader) {
            barlint_rt_end_in_cluster(state, cluster, cta);
        }
    }
    if (lane == leader) {
        barlint_rt_leave_shadow(b, __popc(lanes));
    }
}

// A whole warp ends of which nothing special is known, and nobody waits at a barrier: without the
// lock. What it says comes before what it asks, as in barlint_rt_leave_gates().
BARLINT_RT_HOOK void barlint_rt_exit(uint64_t who, uint64_t site)
{
    uint32_t self = (uint32_t)(who >> 32), lane = barlint_rt_thread_of_self(self) % 32u;
    uint32_t number = barlint_rt_thread_of_self(self) / BARLINT_WARP_SIZE;
    struct barlint_rt_block *b = barlint_rt_block_of_self(self);
    struct barlint_rt_warp *warp = &b->warp[number];
    bool said = false;
    if ((uint32_t)who == 0xffffffffu && barlint_rt_is_ordinary(warp) &&
        barlint_rt_warp_load(&warp->failed_lanes) == 0 && !b->cluster) {
        uint32_t gone =
            barlint_rt_warp_load(&b->exits_told) ? BARLINT_RT_ABSENT : BARLINT_RT_GONE;
        barlint_rt_warp_store_four(&warp->site, site, 0);
        barlint_rt_warp_store(&b->block.live[number], 0);
        barlint_rt_warp_store(&warp->live, 0);
        barlint_rt_warp_store(&b->stands[number], gone);
        uint32_t other = barlint_rt_warp_load(&b->stands[lane]);
        uint32_t gate = barlint_rt_warp_load(&b->gate[lane % BARLINT_NAMED_SLOTS].word);
        said = true;
        if (__all_sync(0xffffffffu,
                       !(other & BARLINT_RT_STANDS) && !(gate & BARLINT_RT_GATE_SHUT))) {
            uint32_t live = lane == 0 ? barlint_rt_shared_add(&b->live_lanes, 0u - 32u) : 0;
            bool last = __shfl_sync(0xffffffffu, live, 0) == BARLINT_WARP_SIZE;
            if (last && (b->objects | b->has_givers) != 0) {
                barlint_rt_end_block(site, 0xffffffffu);
            }
            if (last && lane == 0) {
                barlint_rt_block_over(b);
            }
            if (lane == 0) {
                barlint_rt_leave_shadow(b, BARLINT_WARP_SIZE);
            }
            return;
        }
    }
    barlint_rt_exit_any(self, site, said);
}
