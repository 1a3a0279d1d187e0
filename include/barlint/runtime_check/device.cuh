// The device side of runtime_check: finds the block's shadow state, takes the lanes of a warp that
// execute an operation together as one, runs the operation on the shadow, reports, and waits.
//
// Every hook finds out by itself which lanes are there (the active mask) and works for those;
// lanes that come later are another group. The first lane of a group does what is done once, under
// the block's lock; a lane looks after its own record, which nobody else writes.
#ifndef BARLINT_RUNTIME_CHECK_DEVICE_CUH
#define BARLINT_RUNTIME_CHECK_DEVICE_CUH

#include "fast.h"
#include "stuck.h"

// Whoever includes this has declared the variable barlint_rt_state, which the host sets before the
// first launch; while it is 0, nothing is checked.

#define BARLINT_RT_INLINE static __device__ __forceinline__

#define BARLINT_RT_BUSY 0xfffffffeu
#define BARLINT_RT_PATIENCE 400000ull        // cycles after which a failing wait counts as blocked
#define BARLINT_RT_QUIET 2000000ull          // ns of standstill before a hang is believed
#define BARLINT_RT_QUIET_CLUSTER 20000000ull // the same where other CTAs take part
#define BARLINT_RT_FRESH 10000000ull         // ns for which a CTA's word that it stands still holds

// In the phase of a thread that waits at a named barrier: it waits for the slot's word.
#define BARLINT_RT_BY_WORD 0x80000000u

// Who executes a hook.
struct barlint_rt_here {
    struct barlint_rt_state *state;
    struct barlint_rt_block *block;
    struct barlint_rt_records *records;
    struct barlint_rt_thread *thread;
    uint32_t number, warp, lane; // the thread in its block
    uint32_t lanes;              // the group
    uint64_t site;
};

// ---- the machine ----

BARLINT_RT_INLINE uint64_t barlint_rt_now(void)
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

// Cycles of this SM: cheap to read.
BARLINT_RT_INLINE uint64_t barlint_rt_cycles(void)
{
    return (uint64_t)clock64();
}

BARLINT_RT_INLINE uint32_t barlint_rt_load(const uint32_t *word)
{
    return *(const volatile uint32_t *)word;
}

BARLINT_RT_INLINE uint32_t barlint_rt_first(uint32_t lanes)
{
    return __ffs((int)lanes) - 1;
}

BARLINT_RT_INLINE void barlint_rt_end_thread(void)
{
    asm volatile("exit;");
}

// Locks are taken by one lane of a group alone: lanes of a warp must not wait for each other here.
BARLINT_RT_INLINE void barlint_rt_acquire(uint32_t *lock)
{
    while (atomicCAS(lock, 0u, 1u) != 0u) {
        __nanosleep(20);
    }
    __threadfence();
}

BARLINT_RT_INLINE void barlint_rt_release(uint32_t *lock)
{
    __threadfence();
    atomicExch(lock, 0u);
}

// The same for a block, whose lock other CTAs take only in a cluster.
BARLINT_RT_INLINE void barlint_rt_lock(struct barlint_rt_block *b)
{
    while (atomicCAS(&b->lock, 0u, 1u) != 0u) {
        __nanosleep(20);
    }
    __threadfence_block();
    if (b->cluster) {
        __threadfence();
    }
}

BARLINT_RT_INLINE void barlint_rt_unlock(struct barlint_rt_block *b)
{
    __threadfence_block();
    if (b->cluster) {
        __threadfence();
    }
    atomicExch(&b->lock, 0u);
}

BARLINT_RT_INLINE uint64_t barlint_rt_load64(const uint64_t *word)
{
    return *(const volatile uint64_t *)word;
}

BARLINT_RT_INLINE bool barlint_rt_swap(uint64_t *word, uint64_t old, uint64_t replacement)
{
    return atomicCAS((unsigned long long *)word, (unsigned long long)old,
                     (unsigned long long)replacement) == (unsigned long long)old;
}

// Takes the contents out of a word, which then is nobody else's; the block's lock is held.
BARLINT_RT_INLINE uint64_t barlint_rt_open(uint64_t *word)
{
    return atomicOr((unsigned long long *)word, BARLINT_RT_OPEN);
}

BARLINT_RT_INLINE void barlint_rt_open_object(struct barlint_rt_object *o)
{
    barlint_rt_unpack(barlint_rt_open(&o->word), &o->m);
}

BARLINT_RT_INLINE void barlint_rt_close_object(struct barlint_rt_object *o)
{
    __threadfence_block();
    atomicExch((unsigned long long *)&o->word, barlint_rt_pack(&o->m));
}

BARLINT_RT_INLINE void barlint_rt_open_slots(struct barlint_rt_block *b)
{
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        barlint_rt_unpack_slot(barlint_rt_open(&b->slot_word[s]), &b->slot[s]);
    }
}

BARLINT_RT_INLINE void barlint_rt_close_slots(struct barlint_rt_block *b)
{
    __threadfence_block();
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        atomicExch((unsigned long long *)&b->slot_word[s], barlint_rt_pack_slot(&b->slot[s]));
    }
}

BARLINT_RT_INLINE uint32_t barlint_rt_cluster_rank(void)
{
#if __CUDA_ARCH__ >= 900
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
#else
    return 0;
#endif
}

BARLINT_RT_INLINE uint32_t barlint_rt_cluster_size(void)
{
#if __CUDA_ARCH__ >= 900
    uint32_t size;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return size;
#else
    return 1;
#endif
}

// Names the running launch and the block.
BARLINT_RT_INLINE uint64_t barlint_rt_key(void)
{
    uint64_t grid;
    asm("mov.u64 %0, %%gridid;" : "=l"(grid));
    uint64_t block = blockIdx.x + (uint64_t)gridDim.x * (blockIdx.y + (uint64_t)gridDim.y * blockIdx.z);
    return (grid << 40 ^ block) | 1ull << 63;
}

// Has the phase `phase` of the mbarrier at `address` of this CTA ended? Asks the hardware.
BARLINT_RT_INLINE bool barlint_rt_hardware_done(uint32_t address, uint32_t phase)
{
#if __CUDA_ARCH__ >= 800
    uint32_t done;
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(address), "r"(phase & 1u)
                 : "memory");
    return done != 0;
#else
    return false;
#endif
}

// The lanes of `lanes` that have the same `key` as this one.
BARLINT_RT_INLINE uint32_t barlint_rt_alike(uint32_t lanes, uint64_t key)
{
    uint64_t first = __shfl_sync(lanes, key, (int)barlint_rt_first(lanes));
    return __all_sync(lanes, key == first) ? lanes : __match_any_sync(lanes, key);
}

// ---- where we are ----

// The block's shadow. Its contents are this block's once barlint_rt_own_block() has been called.
static __shared__ struct barlint_rt_block barlint_rt_shadow;

BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_own_block(uint32_t threads)
{
    struct barlint_rt_block *b = &barlint_rt_shadow;
    uint64_t key = barlint_rt_key();
    unsigned long long *word = (unsigned long long *)&b->key;
    unsigned long long old = *(volatile unsigned long long *)word;
    while (old != key) {
        if (old != ~key && atomicCAS(word, old, ~key) == old) {
            b->lock = 0;
            barlint_rt_block_start(b, threads, barlint_rt_cluster_rank());
            __threadfence_block();
            atomicExch(word, key);
        }
        old = *(volatile unsigned long long *)word;
    }
    return b;
}

BARLINT_RT_INLINE uint32_t barlint_rt_lane_number(void)
{
    uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

BARLINT_RT_INLINE uint32_t barlint_rt_warp_number(void)
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) /
           BARLINT_WARP_SIZE;
}

// Is the shadow this block's? By barlint_rt_enter(), which begins every kernel; where nothing calls
// that (BARLINT_RT_LAZY), every operation looks.
BARLINT_RT_INLINE bool barlint_rt_begun(const struct barlint_rt_block *b)
{
#ifdef BARLINT_RT_LAZY
    return barlint_rt_load64(&b->key) == barlint_rt_key();
#else
    return true;
#endif
}

// May the lanes take the short way: a whole warp, in a block that has been begun and is not being
// ended, none of whose lanes counts as blocked.
BARLINT_RT_INLINE bool barlint_rt_whole_warp(const struct barlint_rt_block *b)
{
    if (barlint_rt_state == 0 || __activemask() != 0xffffffffu || !barlint_rt_begun(b)) {
        return false;
    }
    const volatile struct barlint_rt_warp *w = &b->warp[barlint_rt_warp_number()];
    return (w->blocked | barlint_rt_load(&b->ended)) == 0 && w->records < BARLINT_RT_BUSY;
}

BARLINT_RT_INLINE struct barlint_rt_records *
barlint_rt_warp_records(const struct barlint_rt_block *b, uint32_t warp)
{
    const struct barlint_rt_state *state = (const struct barlint_rt_state *)barlint_rt_state;
    return &state->records[b->warp[warp].records];
}

// The warp's records, taken from the ring at its first operation.
BARLINT_RT_INLINE struct barlint_rt_records *barlint_rt_own_records(struct barlint_rt_state *state,
                                                                    struct barlint_rt_block *b,
                                                                    uint32_t warp, uint32_t lane)
{
    uint32_t *at = &b->warp[warp].records;
    uint32_t lanes = __activemask();
    if (lane == barlint_rt_first(lanes) && atomicCAS(at, BARLINT_RT_NONE, BARLINT_RT_BUSY) == BARLINT_RT_NONE) {
        uint32_t index = atomicAdd(&state->next_record, 1u) % state->record_count;
        struct barlint_rt_records *r = &state->records[index];
        barlint_warp_start(&r->meeting, b->block.live[warp]);
        for (uint32_t i = 0; i < BARLINT_WARP_SIZE; i++) {
            barlint_rt_thread_start(&r->thread[i]);
        }
        __threadfence_block();
        atomicExch(at, index);
    }
    while (barlint_rt_load(at) >= BARLINT_RT_BUSY) {
        __nanosleep(20);
    }
    __threadfence_block();
    return &state->records[barlint_rt_load(at)];
}

// Fills `here`. Returns false when nothing is to be checked. Ends the thread when the block is being
// ended. `waiting`: a lane that is blocked stays so.
BARLINT_RT_INLINE bool barlint_rt_begin(struct barlint_rt_here *here, uint64_t site, bool waiting)
{
    here->state = (struct barlint_rt_state *)barlint_rt_state;
    if (!here->state) {
        return false;
    }
    here->number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    here->warp = here->number / BARLINT_WARP_SIZE;
    here->lane = here->number % BARLINT_WARP_SIZE;
    here->block = barlint_rt_own_block(blockDim.x * blockDim.y * blockDim.z);
    here->records = barlint_rt_own_records(here->state, here->block, here->warp, here->lane);
    here->thread = &here->records->thread[here->lane];
    here->site = site;
    if (barlint_rt_load(&here->block->ended)) {
        barlint_rt_end_thread();
    }
    here->thread->site = site;
    if (!waiting) {
        if (barlint_rt_load(&here->block->warp[here->warp].blocked) >> here->lane & 1u) {
            atomicAnd(&here->block->warp[here->warp].blocked, ~(1u << here->lane));
            atomicAdd(&here->block->progress, 1u);
        }
    }
    here->lanes = __activemask();
    return true;
}

// ---- reports ----

// The entry for a cause; BARLINT_RT_REPORTS when there is no room. `*out_new`: nobody had it.
BARLINT_RT_INLINE uint32_t barlint_rt_report_entry(struct barlint_rt_state *state,
                                                   uint32_t violation, uint64_t site, bool *out_new)
{
    uint64_t key = (site << 8 ^ site >> 56) * 2654435761ull ^ (violation + 1u) | 1ull << 63;
    uint32_t at = (uint32_t)(key ^ key >> 32) % BARLINT_RT_REPORTS;
    *out_new = false;
    for (uint32_t i = 0; i < BARLINT_RT_REPORTS; i++) {
        unsigned long long *word = (unsigned long long *)&state->report_key[at];
        unsigned long long old = *(volatile unsigned long long *)word;
        if (old == 0) {
            old = atomicCAS(word, 0ull, (unsigned long long)key);
            *out_new = old == 0;
        }
        if (old == 0 || old == key) {
            return at;
        }
        at = (at + 1u) % BARLINT_RT_REPORTS;
    }
    return BARLINT_RT_REPORTS;
}

// What a report says of the barrier.
struct barlint_rt_about {
    uint32_t kind, subject, number;
    uint64_t site;
    const struct barlint_rt_object *object; // of a BARLINT_RT_MBARRIER, or NULL
    const struct barlint_named_slot *slot;  // of a BARLINT_RT_NAMED
    const uint32_t *lanes;                  // a mask for each warp, or NULL: the lanes below
    uint32_t warp, warp_lanes;
};

BARLINT_RT_INLINE struct barlint_rt_about barlint_rt_about(const struct barlint_rt_here *here,
                                                           uint32_t subject, uint32_t number)
{
    struct barlint_rt_about about;
    about.kind = BARLINT_RT_EVENT;
    about.subject = subject;
    about.number = number;
    about.site = here->site;
    about.object = 0;
    about.slot = 0;
    about.lanes = 0;
    about.warp = here->warp;
    about.warp_lanes = 1u << here->lane;
    return about;
}

static __device__ __noinline__ void barlint_rt_report(const struct barlint_rt_here *here,
                                                      uint32_t violation,
                                                      const struct barlint_rt_about *about)
{
    struct barlint_rt_state *state = here->state;
    bool fresh;
    uint32_t at = barlint_rt_report_entry(state, violation, about->site, &fresh);
    if (at == BARLINT_RT_REPORTS) {
        atomicAdd((unsigned long long *)&state->reports_lost, 1ull);
        return;
    }
    struct barlint_rt_report *r = &state->reports[at];
    unsigned long long count =
        atomicAdd((unsigned long long *)&state->report_count[at], 1ull) + 1ull;
    if ((count & (count - 1ull)) == 0) {
        *(volatile uint64_t *)&r->count = count;
    }
    if (!fresh) {
        return;
    }
    r->violation = violation;
    r->kind = about->kind;
    r->subject = about->subject;
    r->site = about->site;
    r->block[0] = blockIdx.x;
    r->block[1] = blockIdx.y;
    r->block[2] = blockIdx.z;
    r->block_dim[0] = blockDim.x;
    r->block_dim[1] = blockDim.y;
    r->block_dim[2] = blockDim.z;
    r->cluster_rank = here->block->cta;
    for (uint32_t w = 0; w < BARLINT_RT_WARPS; w++) {
        r->lanes[w] = about->lanes ? about->lanes[w] : w == about->warp ? about->warp_lanes : 0;
    }
    r->number = about->object ? about->object->address : about->number;
    r->made_at = about->object ? about->object->made_at : 0;
    r->phase = about->object ? about->object->m.phase : about->slot ? about->slot->generation : 0;
    r->expected = about->object ? about->object->m.expected : about->slot ? about->slot->count : 0;
    r->pending = about->object ? about->object->m.pending
                 : about->slot ? about->slot->arrivals * BARLINT_WARP_SIZE
                               : 0;
    r->tx = about->object ? about->object->m.tx : 0;
    r->places = about->kind == BARLINT_RT_HANG
                    ? barlint_rt_places(here->block, state->records, r->place)
                    : 0;
    __threadfence_system();
    *(volatile uint32_t *)&r->ready = 1;
}

// Reports what the lanes of `group` broke, each in its own `mine`: one report for each violation.
static __device__ __noinline__ void barlint_rt_report_lanes(const struct barlint_rt_here *here,
                                                            uint32_t group,
                                                            struct barlint_violations mine,
                                                            struct barlint_rt_about about)
{
#pragma unroll 1
    for (uint32_t v = 0; v < BARLINT_VIOLATION_COUNT_; v++) {
        uint32_t lanes =
            __ballot_sync(group, barlint_violations_has(mine, (enum barlint_violation)v));
        if (lanes != 0 && here->lane == barlint_rt_first(lanes)) {
            about.warp_lanes = lanes;
            barlint_rt_report(here, v, &about);
        }
    }
    __syncwarp(group);
}

BARLINT_RT_INLINE void barlint_rt_report_group(const struct barlint_rt_here *here, uint32_t group,
                                               struct barlint_violations mine,
                                               const struct barlint_rt_about &about)
{
    if (__any_sync(group, !barlint_violations_empty(mine))) {
        barlint_rt_report_lanes(here, group, mine, about);
    }
}

// An operation that the hardware would abort the kernel for: the block's threads are ended instead.
BARLINT_RT_INLINE void barlint_rt_fault(const struct barlint_rt_here *here)
{
    if (here->state->options & BARLINT_RT_CONTINUE) {
        return;
    }
    if (atomicExch(&here->block->ended, 1u) == 0u) {
        atomicAdd((unsigned long long *)&here->state->blocks_ended, 1ull);
    }
    barlint_rt_end_thread();
}

// ---- standing still ----

// Is a wait of a blocked thread over, by what the hardware says? Then the block moves.
BARLINT_RT_INLINE bool barlint_rt_some_wait_over(const struct barlint_rt_here *here,
                                                 bool *out_may_land)
{
    struct barlint_rt_block *b = here->block;
    *out_may_land = false;
    for (uint32_t w = 0; w < BARLINT_RT_WARPS; w++) {
        uint32_t lanes = b->block.live[w] & barlint_rt_load(&b->warp[w].blocked);
        while (lanes != 0) {
            uint32_t lane = barlint_rt_first(lanes);
            lanes &= lanes - 1u;
            const volatile struct barlint_rt_thread *t =
                &here->state->records[b->warp[w].records].thread[lane];
            if (t->waits_at == BARLINT_RT_NAMED && (t->phase & BARLINT_RT_BY_WORD)) {
                uint64_t word = barlint_rt_load64(&b->slot_word[t->object]);
                if (barlint_rt_word_generation(word) != (t->phase & 0xffu)) {
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
            *out_may_land = *out_may_land || barlint_rt_may_land(&o->m); // plain ones never
        }
    }
    return false;
}

// Do the other CTAs of the cluster stand still, too? Says the same of this one.
BARLINT_RT_INLINE bool barlint_rt_cluster_quiet(const struct barlint_rt_here *here, uint64_t now)
{
    struct barlint_rt_cluster *cluster = here->block->cluster;
    if (!cluster) {
        return true;
    }
    *(volatile uint64_t *)&cluster->quiet[here->block->cta] = now;
    uint32_t gone = barlint_rt_load(&cluster->gone);
    for (uint32_t r = 0; r < cluster->machine.ctas; r++) {
        uint64_t said = *(volatile uint64_t *)&cluster->quiet[r];
        if (!(gone >> r & 1u) && (said == 0 || now - said > BARLINT_RT_FRESH) && now > said) {
            return false;
        }
    }
    return true;
}

// Reports every barrier that holds somebody. The lock is held.
static __device__ __noinline__ void barlint_rt_report_hang(const struct barlint_rt_here *here)
{
    struct barlint_rt_block *b = here->block;
    struct barlint_rt_records *ring = here->state->records;
    uint32_t total = BARLINT_RT_OBJECTS + BARLINT_NAMED_SLOTS + BARLINT_RT_WARPS + 1u;
    for (uint32_t i = 0; i < total; i++) {
        struct barlint_rt_cause cause;
        uint32_t n = i;
        bool found = false;
        struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_NO_SUBJECT, 0);
        if (n < BARLINT_RT_OBJECTS) {
            found = b->object[n].address != BARLINT_RT_NONE &&
                    barlint_rt_cause_mbarrier(b, ring, n, &cause);
            about.object = &b->object[n];
        } else if ((n -= BARLINT_RT_OBJECTS) < BARLINT_NAMED_SLOTS) {
            found = barlint_rt_cause_named(b, ring, n, &cause);
            about.slot = &b->slot[n];
        } else if ((n -= BARLINT_NAMED_SLOTS) < BARLINT_RT_WARPS) {
            found = barlint_rt_cause_warp(b, ring, n, &cause);
        } else {
            found = barlint_rt_cause_cluster(b, ring, &cause);
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

// A blocked thread asks whether anything in the block can go on. Returns true when the block has
// been ended: if nothing can go on, and has not for a while, the hang is reported and it is. A wait
// is only believed to be for ever by the state: time serves to let things on their way arrive.
static __device__ __noinline__ bool barlint_rt_consider(const struct barlint_rt_here *here)
{
    struct barlint_rt_block *b = here->block;
    if (barlint_rt_load(&b->ended)) {
        return true;
    }
    uint32_t progress = barlint_rt_load(&b->progress);
    bool may_land;
    volatile uint64_t *since = &b->quiet_since;
    if (!barlint_rt_all_blocked(b) || barlint_rt_some_wait_over(here, &may_land)) {
        *since = 0;
        return false;
    }
    uint64_t now = barlint_rt_now();
    if (*since == 0 || barlint_rt_load(&b->quiet_at) != progress) {
        *(volatile uint32_t *)&b->quiet_at = progress;
        *since = now;
        return false;
    }
    uint64_t patience = may_land ? (uint64_t)here->state->stuck_ms * 1000000ull
                        : b->cluster ? BARLINT_RT_QUIET_CLUSTER
                                     : BARLINT_RT_QUIET;
    if (now < *since + BARLINT_RT_QUIET || !barlint_rt_cluster_quiet(here, now) ||
        now < *since + patience || atomicCAS(&b->lock, 0u, 1u) != 0u) {
        return false;
    }
    __threadfence();
    bool stuck = !barlint_rt_load(&b->ended) && barlint_rt_load(&b->progress) == progress &&
                 barlint_rt_all_blocked(b);
    if (stuck) {
        barlint_rt_open_slots(b);
        for (uint32_t i = 0; i < BARLINT_RT_OBJECTS; i++) {
            if (b->object[i].address != BARLINT_RT_NONE) {
                barlint_rt_open_object(&b->object[i]);
            }
        }
        barlint_rt_report_hang(here);
        atomicAdd((unsigned long long *)&here->state->blocks_ended, 1ull);
        *(volatile uint32_t *)&b->ended = 1;
    }
    barlint_rt_unlock(b);
    return stuck || barlint_rt_load(&b->ended);
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
    atomicOr(&here->block->warp[here->warp].blocked, lanes);
}

BARLINT_RT_INLINE void barlint_rt_unblock_lanes(const struct barlint_rt_here *here, uint32_t lanes)
{
    atomicAnd(&here->block->warp[here->warp].blocked, ~lanes);
    atomicAdd(&here->block->progress, 1u);
}

// Waits until this lane is woken. The hang, should it be one, ends the thread here.
BARLINT_RT_INLINE void barlint_rt_sleep(const struct barlint_rt_here *here, uint32_t *woken)
{
    uint32_t bit = 1u << here->lane;
    uint64_t begun = barlint_rt_cycles();
    while (!(barlint_rt_load(woken) & bit)) {
        if (barlint_rt_cycles() - begun > BARLINT_RT_PATIENCE) {
            if (barlint_rt_consider(here)) {
                barlint_rt_end_thread();
            }
            __nanosleep(10000);
        }
    }
    __threadfence_block();
    atomicAnd(woken, ~bit);
}

#include "hooks_mbarrier.cuh"
#include "hooks_group.cuh"

#endif
