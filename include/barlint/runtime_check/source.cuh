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
        *(volatile uint32_t *)&barlint_rt_shadow.warp[barlint_rt_warp_number()].place =
            barlint_rt_warp_place();
    }
    return true;
}

BARLINT_RT_INLINE struct barlint_rt_thread *barlint_rt_own_thread(void)
{
    const struct barlint_rt_warp *warp = &barlint_rt_shadow.warp[barlint_rt_warp_number()];
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

// Before the hardware's barrier. Nobody sleeps in a counted one that cannot end: an end that is not
// told of frees nobody from there.
BARLINT_RT_INLINE void barlint_rt_come(uint32_t kind, uint32_t id, uint32_t count, uint32_t flags,
                                       uint64_t site)
{
    uint64_t who = BARLINT_RT_WHO;
    barlint_rt_named(kind, id, count, flags, who, site);
    if (count != 0 && kind != BARLINT_NAMED_ARRIVE && id < BARLINT_NAMED_SLOTS &&
        (uint32_t)who == 0xffffffffu &&
        barlint_rt_stands_at(&barlint_rt_shadow, barlint_rt_warp_number(), id)) {
        barlint_rt_watch(id, site);
    }
}

// After it.
BARLINT_RT_INLINE void barlint_rt_pass(uint32_t id, uint32_t count, uint64_t site)
{
    if (id == 0 && count == 0 &&
        barlint_rt_stands_at(&barlint_rt_shadow, barlint_rt_warp_number(), 0)) {
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

BARLINT_RT_INLINE void barlint_rt_syncwarp(unsigned mask, struct barlint_rt_from from)
{
    uint64_t site;
    if (barlint_rt_seen(from, &site)) {
        barlint_rt_warp(BARLINT_RT_WARP_SYNC, mask, site);
    }
    __syncwarp(mask);
}

// The mask of a shuffle, vote or the like. Nothing is wrong where those lanes are here.
BARLINT_RT_INLINE unsigned barlint_rt_mask(unsigned mask, struct barlint_rt_from from)
{
    uint64_t site;
    if (mask != __activemask() && barlint_rt_seen(from, &site)) {
        barlint_rt_warp(BARLINT_RT_WARP_DATA, mask, site);
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

// One test of an mbarrier in the shared memory of this CTA, by token or by parity.
BARLINT_RT_INLINE bool barlint_rt_test(uint32_t form, const volatile void *bar, uint64_t operand,
                                       struct barlint_rt_from from)
{
    uint64_t site;
    uint32_t space;
    uint64_t address = barlint_rt_address(bar, &space);
    uint32_t parity = barlint_rt_wait(form, address, space, operand, 0);
    if (!barlint_rt_seen(from, &site) || !barlint_rt_is_followed(address, space)) {
        return barlint_rt_ask(form, (uint32_t)address, parity);
    }
    bool passed = barlint_rt_ask(form, (uint32_t)address, parity);
    if (passed && space == BARLINT_RT_SHARED_CTA) {
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

BARLINT_RT_INLINE void barlint_rt_await(uint32_t form, const volatile void *bar, uint64_t operand,
                                        struct barlint_rt_from from)
{
    while (!barlint_rt_test(form, bar, operand, from)) {
    }
}

// An asynchronous copy of whose bytes only the hardware knows completes on the barrier.
BARLINT_RT_INLINE void barlint_rt_copies_to(const volatile void *bar, struct barlint_rt_from from)
{
    (void)barlint_rt_before(BARLINT_RT_ASYNC_ARRIVE, bar, 0, 0, from);
}

#endif
