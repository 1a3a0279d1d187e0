// Checked operations for sources that include <barlint/runtime_check.cuh> and change nothing else:
// each is the hooks around the hardware's operation, with the place it was called at. The files
// source_*.cuh put them in the place of CUDA's own names.
//
// What such a source does by inline assembly nobody sees, nor where its kernels end (ends.cuh).
#ifndef BARLINT_RUNTIME_CHECK_SOURCE_CUH
#define BARLINT_RUNTIME_CHECK_SOURCE_CUH

// Operations on barriers that this unit did not see initialised are left alone: other units, or
// inline assembly, may have done it.
#if !defined(BARLINT_RT_PARTIAL) && defined(__CUDACC_RDC__)
#define BARLINT_RT_PARTIAL 1
#endif
#ifndef BARLINT_RT_PARTIAL
#define BARLINT_RT_PARTIAL 0
#endif

// Where something was called: as the default of a last parameter, where the caller is.
struct barlint_rt_from {
    const char *file;
    uint32_t line;
    __host__ __device__ constexpr barlint_rt_from(const char *called_in, uint32_t called_at)
        : file(called_in), line(called_at)
    {
    }
};
#define BARLINT_RT_FROM                                                                            \
    barlint_rt_from from = barlint_rt_from(__builtin_FILE(), (uint32_t)__builtin_LINE())
#define BARLINT_RT_PLACE barlint_rt_from(__FILE__, (uint32_t)__LINE__)

// ---- whether and where ----

BARLINT_RT_INLINE uint32_t barlint_rt_own_warp(void)
{
    return barlint_rt_thread_number() / BARLINT_WARP_SIZE;
}

// Is this block watched? The first hook of a block sets up its shadow.
BARLINT_RT_INLINE bool barlint_rt_watched(uint64_t site)
{
    if (barlint_rt_state == 0) {
        return false;
    }
    if (barlint_rt_load64(&barlint_rt_shadow.key) != barlint_rt_key()) {
        uint32_t lanes = barlint_rt_together(site);
        (void)barlint_rt_own_block(blockDim.x * blockDim.y * blockDim.z, barlint_rt_lane_number(),
                                   lanes);
        *(volatile uint32_t *)&barlint_rt_shadow.warp[barlint_rt_own_warp()].place =
            barlint_rt_warp_place();
    }
    return true;
}

BARLINT_RT_INLINE struct barlint_rt_thread *barlint_rt_own_thread(void)
{
    const struct barlint_rt_warp *warp = &barlint_rt_shadow.warp[barlint_rt_own_warp()];
    bool started = warp->records && barlint_rt_load(&warp->started) == BARLINT_RT_STARTED;
    return started ? &warp->records->thread[barlint_rt_lane_number()] : 0;
}

// The place of an operation; inside a function of a library, where that was called.
BARLINT_RT_INLINE bool barlint_rt_seen(struct barlint_rt_from from, uint64_t *out_site)
{
    uint64_t site = barlint_rt_here_site(from.file, from.line);
    if (!barlint_rt_watched(site)) {
        return false;
    }
    const struct barlint_rt_thread *thread = barlint_rt_own_thread();
    *out_site = thread && thread->called_at ? thread->called_at : site;
    return true;
}

// While one lives, this thread executes a function of a library that was called at `from`.
struct barlint_rt_calling {
    struct barlint_rt_thread *thread; // NULL: it is called by another such function
    __host__ __device__ __forceinline__ barlint_rt_calling(struct barlint_rt_from from)
    {
        thread = 0;
#ifdef __CUDA_ARCH__
        uint64_t site = barlint_rt_here_site(from.file, from.line);
        struct barlint_rt_here here;
        if (barlint_rt_watched(site) &&
            barlint_rt_begin(&here, site, barlint_rt_together(site), false) &&
            here.thread->called_at == 0) {
            thread = here.thread;
            thread->called_at = site;
        }
#else
        (void)from;
#endif
    }
    __host__ __device__ __forceinline__ ~barlint_rt_calling()
    {
        if (thread) {
            thread->called_at = 0;
        }
    }
};

// ---- the barriers of a block, a warp, a cluster ----

#define BARLINT_RT_MOMENT 10000000ull // cycles for which lanes of a warp wait for others here

// This warp stands at a counted barrier, but for the hardware's: it looks whether anything in the block
// goes on until its generation has ended. Ends that are not told of free nobody who sleeps there.
static __device__ __noinline__ void barlint_rt_stay_awake(uint32_t s, uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), true)) {
        return;
    }
    uint64_t begun = barlint_rt_cycles();
    while (here.lane == 0 && barlint_rt_stands_at(here.block, here.warp, s)) {
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

// Before the hardware's barrier.
BARLINT_RT_INLINE void barlint_rt_come(uint32_t kind, uint32_t id, uint32_t count, uint32_t flags,
                                       uint64_t site)
{
    uint64_t who = BARLINT_RT_WHO;
    barlint_rt_named(kind, id, count, flags, who, site);
    if (count != 0 && kind != BARLINT_NAMED_ARRIVE && id < BARLINT_NAMED_SLOTS &&
        (uint32_t)who == 0xffffffffu &&
        barlint_rt_stands_at(&barlint_rt_shadow, barlint_rt_own_warp(), id)) {
        barlint_rt_stay_awake(id, site);
    }
}

// After it.
BARLINT_RT_INLINE void barlint_rt_pass(uint32_t id, uint32_t count, uint64_t site)
{
    if (id == 0 && count == 0 &&
        barlint_rt_stands_at(&barlint_rt_shadow, barlint_rt_own_warp(), 0)) {
        barlint_rt_let_through(site);
    }
    barlint_rt_synced(BARLINT_RT_WHO);
}

// The body of a function that stands for `operation`, a barrier of the block.
#define BARLINT_RT_NAMED_BODY(kind, id, count, flags, operation)                                   \
    uint64_t site;                                                                                 \
    bool seen = barlint_rt_seen(from, &site);                                                      \
    if (seen) {                                                                                    \
        barlint_rt_come(kind, id, count, flags, site);                                             \
    }                                                                                              \
    operation;                                                                                     \
    if (seen) {                                                                                    \
        barlint_rt_pass(id, count, site);                                                          \
    }

BARLINT_RT_INLINE void barlint_rt_syncthreads(struct barlint_rt_from from)
{
    BARLINT_RT_NAMED_BODY(BARLINT_NAMED_SYNC, 0, 0, BARLINT_RT_ALIGNED | BARLINT_RT_ALIKE,
                          __syncthreads())
}

BARLINT_RT_INLINE int barlint_rt_syncthreads_count(int predicate, struct barlint_rt_from from)
{
    int result;
    BARLINT_RT_NAMED_BODY(BARLINT_NAMED_RED, 0, 0, BARLINT_RT_ALIGNED | BARLINT_RT_ALIKE,
                          result = __syncthreads_count(predicate))
    return result;
}

BARLINT_RT_INLINE int barlint_rt_syncthreads_and(int predicate, struct barlint_rt_from from)
{
    int result;
    BARLINT_RT_NAMED_BODY(BARLINT_NAMED_RED, 0, 0, BARLINT_RT_ALIGNED | BARLINT_RT_ALIKE,
                          result = __syncthreads_and(predicate))
    return result;
}

BARLINT_RT_INLINE int barlint_rt_syncthreads_or(int predicate, struct barlint_rt_from from)
{
    int result;
    BARLINT_RT_NAMED_BODY(BARLINT_NAMED_RED, 0, 0, BARLINT_RT_ALIGNED | BARLINT_RT_ALIKE,
                          result = __syncthreads_or(predicate))
    return result;
}

BARLINT_RT_INLINE void barlint_rt_barrier_sync(unsigned id, struct barlint_rt_from from)
{
    BARLINT_RT_NAMED_BODY(BARLINT_NAMED_SYNC, id, 0, 0, __barrier_sync(id))
}

BARLINT_RT_INLINE void barlint_rt_barrier_sync_count(unsigned id, unsigned count,
                                                     struct barlint_rt_from from)
{
    BARLINT_RT_NAMED_BODY(BARLINT_NAMED_SYNC, id, count, 0, __barrier_sync_count(id, count))
}

// This lane no longer waits here for others of its warp.
BARLINT_RT_INLINE void barlint_rt_leave_meeting(const struct barlint_rt_here *here)
{
    barlint_rt_lock(here->block);
    struct barlint_effect met =
        barlint_warp_exit(&here->records->meeting, 1u << here->lane);
    atomicOr(&here->block->warp[here->warp].woken, met.released);
    barlint_rt_unlock(here->block);
}

// Lanes of a warp come to an operation with a mask. Those that it names and that are not here may have
// ended: they are waited for a moment, then by the hardware, which knows. Returns true when it is to
// be asked afterwards.
static __device__ __noinline__ bool barlint_rt_meet(uint32_t op, uint32_t mask, uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return false;
    }
    struct barlint_rt_block *b = here.block;
    struct barlint_rt_warp *warp = &b->warp[here.warp];
    struct barlint_violations mine = barlint_violations_none();
    uint32_t group = barlint_rt_alike(here.lanes, mask), leader = barlint_rt_first(group);
    uint32_t away = mask & barlint_rt_load(&b->block.live[here.warp]) & ~group;
    bool missing = __any_sync(group, away != 0);
    // Those that were waited for in vain before are not waited for again.
    bool in_vain = __all_sync(group, (away & ~barlint_rt_load(&here.records->absent)) == 0);
    if (!(mask >> here.lane & 1u)) {
        barlint_violations_add(&mine, BARLINT_WARP_MASK_SELF);
    }
    if (here.lane == leader) {
        atomicAnd(&here.records->absent, ~group);
    }
    if (missing && in_vain && op != BARLINT_RT_WARP_SYNC) {
        missing = false;
    }
    if (here.lane == leader && missing) {
        barlint_rt_lock(b);
        struct barlint_warp *meeting = &here.records->meeting;
        meeting->live = b->block.live[here.warp];
        struct barlint_effect effect = barlint_warp_join(
            meeting, op == BARLINT_RT_WARP_SYNC ? BARLINT_WARP_SYNC : BARLINT_WARP_SHUFFLE, mask,
            group & mask, (uint32_t)site);
        barlint_violations_merge(&mine, effect.violations);
        barlint_rt_block_lanes(&here, group & mask, BARLINT_RT_WARP_MASK, here.warp, 0);
        if (effect.released != 0) {
            barlint_rt_completed(b);
            if (op == BARLINT_RT_WARP_SYNC && mask == 0xffffffffu) {
                atomicAdd(&warp->epoch, 1u);
            }
        }
        atomicOr(&warp->woken, effect.released);
        barlint_rt_unlock(b);
    } else if (here.lane == leader && op == BARLINT_RT_WARP_SYNC && mask == 0xffffffffu) {
        atomicAdd(&warp->epoch, 1u);
    }
    __syncwarp(group);
    barlint_rt_report_group(&here, group, mine,
                            barlint_rt_about(&here, BARLINT_RT_WARP_MASK, mask));
    if (!missing || !(mask >> here.lane & 1u)) {
        return false;
    }
    uint32_t bit = 1u << here.lane;
    uint64_t begun = barlint_rt_cycles();
    bool asks = false;
    while (!(barlint_rt_load(&warp->woken) & bit)) {
        uint64_t time = barlint_rt_cycles() - begun;
        if (time > BARLINT_RT_PATIENCE && barlint_rt_consider(&here) &&
            !(barlint_rt_load(&warp->woken) & bit)) {
            barlint_rt_end_thread();
        }
        if ((in_vain || time > BARLINT_RT_MOMENT) &&
            (mask & barlint_rt_unaccounted(b, here.warp)) != 0) {
            asks = op == BARLINT_RT_WARP_SYNC;
            if (!asks) { // nobody can ask after a shuffle
                barlint_rt_leave_meeting(&here);
                atomicOr(&here.records->absent, mask & barlint_rt_unaccounted(b, here.warp));
            }
            break;
        }
        __nanosleep(1000);
    }
    // Lanes that have ended with the block are missing, too; the rest of the warp may already be in
    // the hardware at another barrier, where it waits for this lane to come or to end.
    if (barlint_rt_load(&b->ended)) {
        barlint_rt_end_thread();
    }
    if (asks) {
        return true;
    }
    atomicAnd(&warp->woken, ~bit);
    barlint_rt_unblock_lanes(&here, bit);
    return false;
}

// The hardware has let these lanes go on. Those of the mask that are still missing have ended.
static __device__ __noinline__ void barlint_rt_met(uint32_t mask, uint64_t site)
{
    struct barlint_rt_here here;
    uint32_t lanes = barlint_rt_together(site);
    if (!barlint_rt_begin(&here, site, lanes, true)) {
        return;
    }
    struct barlint_rt_warp *warp = &here.block->warp[here.warp];
    struct barlint_violations violations = barlint_violations_none();
    if (here.lane == barlint_rt_first(lanes)) {
        barlint_rt_lock(here.block);
        uint32_t gone = mask & barlint_rt_unaccounted(here.block, here.warp) & ~lanes;
        if (gone != 0 && (barlint_rt_load(&warp->woken) & lanes) != lanes) {
            violations = barlint_rt_shut_gates(here.block);
            barlint_violations_merge(&violations,
                                     barlint_rt_end_lanes(here.block, here.warp, gone));
            barlint_rt_free_gates(here.block);
        }
        barlint_rt_unlock(here.block);
        barlint_rt_report_ends(&here, violations, 1u << here.lane, site);
    }
    __syncwarp(lanes);
    atomicAnd(&warp->woken, ~(1u << here.lane));
    barlint_rt_unblock_lanes(&here, 1u << here.lane);
}

// Before an operation with a mask. Returns true when barlint_rt_met() is to come after it.
BARLINT_RT_INLINE bool barlint_rt_come_together(uint32_t op, uint32_t mask, uint64_t site)
{
    struct barlint_rt_short at =
        barlint_rt_look(&barlint_rt_shadow, BARLINT_RT_WHO & ~0xffffffffull, site);
    if (at.ordinary && at.whole && __all_sync(0xffffffffu, mask == 0xffffffffu)) {
        if (op == BARLINT_RT_WARP_SYNC && at.lane == 0) {
            atomicAdd(&at.warp->epoch, 1u);
        }
        return false;
    }
    return barlint_rt_meet(op, mask, site);
}

BARLINT_RT_INLINE void barlint_rt_syncwarp(unsigned mask, struct barlint_rt_from from)
{
    uint64_t site;
    bool asks = barlint_rt_seen(from, &site) &&
                barlint_rt_come_together(BARLINT_RT_WARP_SYNC, mask, site);
    __syncwarp(mask);
    if (asks) {
        barlint_rt_met(mask, site);
    }
}

// The mask of a shuffle, vote or the like. Nothing is wrong where those lanes are here.
BARLINT_RT_INLINE unsigned barlint_rt_mask(unsigned mask, struct barlint_rt_from from)
{
    uint64_t site;
    if (mask != __activemask() && barlint_rt_seen(from, &site)) {
        (void)barlint_rt_come_together(BARLINT_RT_WARP_DATA, mask, site);
    }
    return mask;
}

// Before an arrival at the cluster's barrier or a wait. That each thread does them in turn is all
// that is checked: who is missing depends on ends.
static __device__ __noinline__ void barlint_rt_cluster_turn(uint32_t op, uint32_t relaxed,
                                                            uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    barlint_rt_part_in_cluster(&here);
    struct barlint_cluster_thread *thread = &here.thread->cluster;
    struct barlint_violations mine = barlint_violations_none();
    bool arrives = op == BARLINT_RT_CLUSTER_ARRIVE;
    if (arrives && !relaxed) {
        barlint_rt_release_to_cluster(&here);
    }
    if (arrives == thread->in) {
        barlint_violations_add(&mine, arrives ? BARLINT_CLUSTER_ARRIVE_TWICE
                                              : BARLINT_CLUSTER_WAIT_ALONE);
    }
    thread->in = arrives;
    if (!arrives) {
        here.thread->cluster_waits++;
        here.thread->synced_at = atomicAdd(&here.block->sequence, 1u) + 1u;
    }
    barlint_rt_report_group(&here, here.lanes, mine,
                            barlint_rt_about(&here, BARLINT_RT_CLUSTER_BARRIER, 0));
}

// The halves of a group's barrier, and a collective of the group.
enum barlint_rt_half {
    BARLINT_RT_FIRST_HALF,
    BARLINT_RT_SECOND_HALF,
    BARLINT_RT_COLLECTIVE,
};

enum barlint_rt_split {
    BARLINT_RT_SPLIT_BLOCK = 1,
    BARLINT_RT_SPLIT_GRID = 2,
};

// Each thread arrives and waits in turn, and does nothing with the group in between.
static __device__ __noinline__ void barlint_rt_group_turn(uint32_t group, uint32_t half,
                                                          uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    struct barlint_violations mine = barlint_violations_none();
    bool held = (here.thread->held & group) != 0;
    if (half == BARLINT_RT_SECOND_HALF ? !held : held) {
        barlint_violations_add(&mine, half == BARLINT_RT_FIRST_HALF    ? BARLINT_GROUP_ARRIVE_HELD
                                      : half == BARLINT_RT_SECOND_HALF ? BARLINT_GROUP_WAIT_NONE
                                                                       : BARLINT_GROUP_COLLECTIVE_HELD);
    }
    here.thread->held = half == BARLINT_RT_FIRST_HALF    ? here.thread->held | group
                        : half == BARLINT_RT_SECOND_HALF ? here.thread->held & ~group
                                                         : here.thread->held;
    barlint_rt_report_group(&here, here.lanes, mine,
                            barlint_rt_about(&here, BARLINT_RT_NO_SUBJECT, 0));
}

BARLINT_RT_INLINE void barlint_rt_take_turn(uint32_t group, uint32_t half,
                                            struct barlint_rt_from from)
{
    uint64_t site;
    if (barlint_rt_seen(from, &site)) {
        barlint_rt_group_turn(group, half, site);
    }
}

BARLINT_RT_INLINE void barlint_rt_at_cluster(uint32_t op, uint32_t relaxed,
                                             struct barlint_rt_from from)
{
    uint64_t site;
    if (barlint_rt_seen(from, &site)) {
        barlint_rt_cluster_turn(op, relaxed, site);
    }
}

// ---- mbarriers ----

// An address as the hooks take it.
BARLINT_RT_INLINE uint64_t barlint_rt_address(const volatile void *bar, uint32_t *out_space)
{
    const void *generic = const_cast<const void *>(bar);
    bool own = __isShared(generic);
    *out_space = own ? BARLINT_RT_SHARED_CTA : BARLINT_RT_GENERIC;
    return own ? (uint64_t)__cvta_generic_to_shared(generic) : (uint64_t)generic;
}

BARLINT_RT_INLINE bool barlint_rt_is_followed(uint64_t address, uint32_t space)
{
    if (!BARLINT_RT_PARTIAL || space != BARLINT_RT_SHARED_CTA) {
        return true;
    }
    uint32_t at = barlint_rt_lookup(&barlint_rt_shadow, (uint32_t)address);
    return at != BARLINT_RT_NONE && barlint_rt_shadow.object[at].m.state != BARLINT_RAW;
}

// Before an operation. Returns the token that the program is to have; 0: the hardware's.
BARLINT_RT_INLINE uint64_t barlint_rt_before(uint32_t op, const volatile void *bar,
                                             uint64_t operand, uint32_t flags,
                                             struct barlint_rt_from from)
{
    uint64_t site;
    uint32_t space;
    uint64_t address = barlint_rt_address(bar, &space);
    if (!barlint_rt_seen(from, &site) ||
        !(op == BARLINT_RT_INIT || barlint_rt_is_followed(address, space))) {
        return 0;
    }
    return barlint_rt_mbarrier(op, address, space, operand, flags, BARLINT_RT_WHO, site);
}

BARLINT_RT_INLINE uint64_t barlint_rt_arrive(const volatile void *bar, uint32_t count,
                                             uint32_t bytes, uint32_t flags,
                                             struct barlint_rt_from from)
{
    return barlint_rt_before(BARLINT_RT_ARRIVE, bar, count | (uint64_t)bytes << 32, flags, from);
}

// The hardware's answer to a test for the end of the phase of `parity`.
BARLINT_RT_INLINE bool barlint_rt_ask(uint32_t form, uint32_t address, uint32_t parity)
{
#if __CUDA_ARCH__ >= 900
    if (form == BARLINT_RT_TRY_TOKEN || form == BARLINT_RT_TRY_PARITY) {
        uint32_t done;
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(address), "r"(parity)
                     : "memory");
        return done != 0;
    }
#endif
    return barlint_rt_hardware_done(address, parity);
}

// The hardware says that the phase is over which the shadow is in, and threads should still arrive:
// they have, unseen.
static __device__ __noinline__ void barlint_rt_admit_unseen(uint32_t address, uint64_t site)
{
    struct barlint_rt_here here;
    uint32_t lanes = barlint_rt_together(site);
    if (!barlint_rt_begin(&here, site, lanes, true) || here.lane != barlint_rt_first(lanes)) {
        return;
    }
    barlint_rt_lock(here.block);
    uint32_t at = barlint_rt_lookup(here.block, address);
    if (at != BARLINT_RT_NONE && here.block->object[at].m.state == BARLINT_LIVE) {
        struct barlint_rt_object *o = &here.block->object[at];
        barlint_rt_open_object(o);
        if (barlint_rt_hardware_done(o->address, o->m.phase)) {
            o->foreign = o->foreign || o->m.pending > o->m.async_arrivals;
            (void)barlint_rt_settle(here.block, o);
        }
        barlint_rt_close_object(o);
    }
    barlint_rt_unlock(here.block);
}

enum { BARLINT_RT_YOUNG = 16 }; // phases and barriers of the block that have ended, at most

// One test of an mbarrier, by token or by parity. `plain` executes it where it is not of this CTA.
template <class Plain>
BARLINT_RT_INLINE bool barlint_rt_test(uint32_t form, const volatile void *bar, uint64_t operand,
                                       struct barlint_rt_from from, Plain plain)
{
    uint64_t site;
    uint32_t space;
    uint64_t address = barlint_rt_address(bar, &space);
    uint32_t parity = barlint_rt_wait(form, address, space, operand, 0);
    bool seen = barlint_rt_seen(from, &site);
    if (space != BARLINT_RT_SHARED_CTA) {
        if (seen) { // says what is wrong with that
            barlint_rt_waited(form, address, space, operand, 0, BARLINT_RT_WHO, site);
        }
        return plain();
    }
    // The hardware mostly answers a try_wait when the phase has ended, and so hides who goes on although
    // the answer is no. It need not wait (PTX ISA 9.1, 9.7.13.15.16): in a young block it is not made to.
    bool prompt = seen && barlint_rt_load(&barlint_rt_shadow.sequence) < BARLINT_RT_YOUNG;
    bool passed =
        barlint_rt_ask(prompt ? BARLINT_RT_TEST_PARITY : form, (uint32_t)address, parity);
    if (!seen || !barlint_rt_is_followed(address, space)) {
        return passed;
    }
    if (passed) {
        uint32_t at = barlint_rt_lookup(&barlint_rt_shadow, (uint32_t)address);
        const struct barlint_rt_object *o = &barlint_rt_shadow.object[at % BARLINT_RT_OBJECTS];
        if (at != BARLINT_RT_NONE && barlint_rt_is_plain(barlint_rt_load(&o->word)) &&
            (barlint_rt_phase_now(o) & 1u) == (parity & 1u) &&
            barlint_rt_hardware_done(o->address, parity)) {
            barlint_rt_admit_unseen((uint32_t)address, site);
        }
    }
    barlint_rt_waited(form, address, space, operand, passed, BARLINT_RT_WHO, site);
    return passed;
}

// An asynchronous copy of whose bytes only the hardware knows completes on the barrier.
BARLINT_RT_INLINE void barlint_rt_copies_to(const volatile void *bar, struct barlint_rt_from from)
{
    (void)barlint_rt_before(BARLINT_RT_ASYNC_ARRIVE, bar, 0, 0, from);
}

#endif
