// The device side of runtime_check: finds the block's shadow state, takes the lanes of a warp that
// execute an operation together as one, runs the operation on the shadow, reports, and waits.
//
// Every hook finds out by itself which lanes are there (the active mask) and works for those;
// lanes that come later are another group. The first lane of a group does what is done once, under
// the block's lock; a lane looks after its own record, which nobody else writes.
#ifndef BARLINT_RUNTIME_CHECK_DEVICE_CUH
#define BARLINT_RUNTIME_CHECK_DEVICE_CUH

#include "fast.h"
#include "grid.h"
#include "stuck.h"

// Whoever includes this has declared the variable barlint_rt_state, which the host sets before the
// first launch; while it is 0, nothing is checked.

#define BARLINT_RT_INLINE static __device__ __forceinline__

// 1: there are kernels in this unit whose ends no hook tells of.
#ifndef BARLINT_RT_ENDS_UNSEEN
#define BARLINT_RT_ENDS_UNSEEN 0
#endif

// How many mbarriers of a block are followed.
#ifndef BARLINT_RT_ROOM
#define BARLINT_RT_ROOM BARLINT_RT_OBJECTS
#endif

#define BARLINT_RT_PATIENCE 400000ull        // cycles after which a failing wait counts as blocked
#define BARLINT_RT_SPLIT 40000000ull         // cycles that a part of a warp waits for the rest of it
#define BARLINT_RT_HELD 8u                   // so many accesses to other CTAs at a place are held back:
#ifndef BARLINT_RT_HOLD
#define BARLINT_RT_HOLD 2000000ull           // cycles each, where notes are asked for;
#endif
#define BARLINT_RT_HOLD_LEAST 100000ull      // else half as many, a quarter of that the next time ...
#define BARLINT_RT_STOPPED 400000ull         // cycles between two looks: the program was stopped
// Times longer where lanes may run: where ends are not told of, most hangs are known by that alone.
#define BARLINT_RT_DOUBT (BARLINT_RT_ENDS_UNSEEN ? 8ull : 20ull)
#define BARLINT_RT_QUIET 2000000ull          // ns of standstill before a hang is believed
#define BARLINT_RT_QUIET_CLUSTER 20000000ull // the same where other CTAs take part
#define BARLINT_RT_FRESH 10000000ull         // ns for which a CTA's word that it stands still holds

// An address of shared memory says whose it is in its upper bits, in a cluster.
#define BARLINT_RT_WINDOW 0xff000000u

// Attention of a warp.
#define BARLINT_RT_ENDED 1u
#define BARLINT_RT_UNWATCHED 2u

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

#ifndef BARLINT_RT_SIMULATED // a simulation on the CPU brings its own
#include "machine.cuh"
#endif
#if BARLINT_RT_GLOBAL_SHADOW
#include "shadow_in_global.cuh"
#else
#include "shadow_in_shared.cuh"
#endif

// Cycles of a wait in which its program ran, for whoever looks every few microseconds: a program that
// shares the GPU with others is stopped for milliseconds, and then what it waits for is, too.
struct barlint_rt_stopwatch {
    uint64_t looked_at, ran_for;
};

BARLINT_RT_INLINE struct barlint_rt_stopwatch barlint_rt_stopwatch(void)
{
    struct barlint_rt_stopwatch watch;
    watch.looked_at = barlint_rt_cycles();
    watch.ran_for = 0;
    return watch;
}

BARLINT_RT_INLINE uint64_t barlint_rt_ran_for(struct barlint_rt_stopwatch *watch)
{
    uint64_t now = barlint_rt_cycles(), since = now - watch->looked_at;
    watch->looked_at = now;
    watch->ran_for += since < BARLINT_RT_STOPPED ? since : BARLINT_RT_STOPPED;
    return watch->ran_for;
}

// What this thread did to a shadow before, it did before what follows; the compiler is not to change
// that.
BARLINT_RT_INLINE void barlint_rt_in_order(void)
{
    asm volatile("" : : : "memory");
    BARLINT_RT_FENCE();
}

BARLINT_RT_INLINE uint32_t barlint_rt_first(uint32_t lanes)
{
    return __ffs((int)lanes) - 1;
}

// Locks are taken by one lane of a group alone: lanes of a warp must not wait for each other here.
// Who finds it taken asks ever less often: those who ask hold up the one who has it.
BARLINT_RT_INLINE void barlint_rt_acquire(uint32_t *lock)
{
    uint32_t pause = 50;
    while (atomicCAS(lock, 0u, 1u) != 0u) {
        __nanosleep(pause);
        pause = pause < 1000u ? pause * 2u : pause;
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
    if (b->cluster || BARLINT_RT_ENDS_UNSEEN) {
        __threadfence();
    }
}

BARLINT_RT_INLINE void barlint_rt_unlock(struct barlint_rt_block *b)
{
    __threadfence_block();
    if (b->cluster || BARLINT_RT_ENDS_UNSEEN) {
        __threadfence();
    }
    atomicExch(&b->lock, 0u);
}

// Takes an mbarrier over from those who arrive by way of its word; the block's lock is held.
BARLINT_RT_INLINE void barlint_rt_open_object(struct barlint_rt_object *o)
{
    // What kind of a word it is nobody else changes meanwhile.
    uint32_t word = atomicXor(&o->word, barlint_rt_word_opened(barlint_rt_load(&o->word)));
    uint32_t pending = word >> BARLINT_RT_PENDING_SHIFT;
    if (barlint_rt_is_plain(word) && pending == 0) { // somebody is ending the phase
        while (((barlint_rt_load(&o->word) ^ word) & BARLINT_RT_PHASE_MASK) == 0) {
        }
        pending = o->m.expected;
    }
    __threadfence_block();
    if (barlint_rt_is_counted(word)) {
        o->m.phase = barlint_rt_word_phase(word, o->m.phase);
    }
    if (barlint_rt_is_usable(word)) {
        o->m.pending = pending;
    }
}

BARLINT_RT_INLINE void barlint_rt_close_object(struct barlint_rt_object *o)
{
    __threadfence_block();
    atomicExch(&o->word, barlint_rt_pack(o));
}

// Brings an object up to what copies and asynchronous arrivals have done by themselves.
BARLINT_RT_INLINE struct barlint_effect barlint_rt_catch_up(struct barlint_rt_block *b, uint32_t at)
{
    struct barlint_rt_object *o = &b->object[at];
    return barlint_rt_may_land(&o->m) && barlint_rt_hardware_done(o->address, o->m.phase)
               ? barlint_rt_settle(b, o)
               : barlint_effect_none();
}

// Takes an mbarrier over for good: what is left of it is to be judged.
BARLINT_RT_INLINE void barlint_rt_finish_object(struct barlint_rt_object *o)
{
    barlint_rt_open_object(o);
    o->m.tx -= o->by_copies ? 1 : 0;
    o->by_copies = false;
}

// Copies have had all the time they need, and their phase has not ended: they are over.
BARLINT_RT_INLINE void barlint_rt_land_copies(struct barlint_rt_object *o)
{
    o->m.tx -= (int32_t)o->m.bytes_in_flight;
    o->m.bytes_in_flight = 0;
}

// Shuts the gate of a slot; the lock is held. Those who are on their way in, or back out, do it
// first; a generation that lacks nobody ends. Returns what that breaks.
BARLINT_RT_INLINE struct barlint_violations barlint_rt_shut_gate(struct barlint_rt_block *b,
                                                                 uint32_t s)
{
    struct barlint_rt_gate *gate = &b->gate[s];
    struct barlint_effect effect = barlint_effect_none();
    if (atomicOr(&gate->word, BARLINT_RT_GATE_SHUT) & BARLINT_RT_GATE_SHUT) {
        return effect.violations;
    }
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        uint32_t stands;
        do {
            stands = barlint_rt_load(&b->stands[w]);
        } while (!(stands & BARLINT_RT_SURE) &&
                 barlint_rt_stands_in(stands, s, barlint_rt_load(&gate->word)));
    }
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps && w < BARLINT_RT_GIVERS_MOST; w++) {
        uint32_t given;
        do {
            given = barlint_rt_load(&b->given[s][w]);
        } while (!(given & BARLINT_RT_GIVEN_SURE) &&
                 barlint_rt_gave_in(given, barlint_rt_load(&gate->word)));
    }
    __threadfence_block();
    barlint_rt_gate_unpack(b, s);
    uint32_t count = b->slot[s].count;
    barlint_named_try_complete(&b->slot[s], &b->block, &effect);
    if (effect.completed) {
        barlint_rt_wake(b, s, count, effect.released);
    }
    return effect.violations;
}

BARLINT_RT_INLINE void barlint_rt_free_gate(struct barlint_rt_block *b, uint32_t s)
{
    if (b->by_rounds) { // it was shut for a look at the rounds
        b->slot[s].open = false;
    }
    if (b->by_rounds || barlint_rt_gate_is_free(b, s)) {
        __threadfence_block();
        atomicAnd(&b->gate[s].word, ~BARLINT_RT_GATE_SHUT);
    }
}

BARLINT_RT_INLINE struct barlint_violations barlint_rt_shut_gates(struct barlint_rt_block *b)
{
    struct barlint_violations violations = barlint_violations_none();
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        barlint_violations_merge(&violations, barlint_rt_shut_gate(b, s));
    }
    return violations;
}

BARLINT_RT_INLINE void barlint_rt_free_gates(struct barlint_rt_block *b)
{
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        barlint_rt_free_gate(b, s);
    }
}

// The lanes of `lanes` that have the same `key` as this one.
BARLINT_RT_INLINE uint32_t barlint_rt_alike(uint32_t lanes, uint64_t key)
{
    uint64_t first = __shfl_sync(lanes, key, (int)barlint_rt_first(lanes));
    return __all_sync(lanes, key == first) ? lanes : __match_any_sync(lanes, key);
}

// Have all of the lanes the same two words?
BARLINT_RT_INLINE bool barlint_rt_same(uint32_t lanes, uint32_t one, uint32_t other)
{
    int first = (int)barlint_rt_first(lanes);
    uint32_t first_one = __shfl_sync(lanes, one, first);
    uint32_t first_other = __shfl_sync(lanes, other, first);
    return __all_sync(lanes, one == first_one && other == first_other);
}

// The lanes that are here with this one from the same place. The hardware may run lanes together
// that came to a function from different places.
BARLINT_RT_INLINE uint32_t barlint_rt_together(uint64_t site)
{
    uint32_t lanes = __activemask(), place = (uint32_t)(site ^ site >> 47);
    uint32_t first = __shfl_sync(lanes, place, (int)barlint_rt_first(lanes));
    return __all_sync(lanes, place == first) ? lanes : __match_any_sync(lanes, place);
}

// ---- where we are ----

// The block's shadow, its contents this block's. The lanes that are here first set it up together.
BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_own_block(uint32_t threads, uint32_t lane,
                                                                uint32_t lanes)
{
    struct barlint_rt_block *b = barlint_rt_own_shadow();
    uint64_t key = barlint_rt_key();
    unsigned long long *word = (unsigned long long *)&b->key;
    uint32_t leader = barlint_rt_first(lanes);
    unsigned long long old = barlint_rt_load64(&b->key);
    while (__any_sync(lanes, old != key)) {
        bool mine = lane == leader && old != key && old != ~key && atomicCAS(word, old, ~key) == old;
        if (__any_sync(lanes, mine)) {
            barlint_rt_block_start(b, threads, barlint_rt_cluster_rank(), BARLINT_RT_ROOM,
                                   __popc(lanes & ((1u << lane) - 1u)), __popc(lanes));
            __threadfence_block();
            __syncwarp(lanes);
            if (lane == leader) {
                atomicExch(word, key);
            }
        }
        if (!mine) {
            __nanosleep(50);
        }
        old = barlint_rt_load64(&b->key);
    }
    return b;
}

BARLINT_RT_INLINE uint32_t barlint_rt_thread_number(void)
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

BARLINT_RT_INLINE uint32_t barlint_rt_warp_number(void)
{
    return barlint_rt_thread_number() / BARLINT_WARP_SIZE;
}

// What the short ways of the hooks need to know of the warp: read at one go.
struct barlint_rt_short {
    struct barlint_rt_warp *warp;
    uint32_t number;      // of the warp in the block
    uint32_t lane, lanes; // those that are here
    bool ordinary; // none of them counts as blocked or fails to see a phase; nothing special is up.
                   // All of them say so
    bool whole;    // all of the warp's, which live
};

// The first four words of a barlint_rt_warp.
struct barlint_rt_lanes {
    uint32_t blocked, failing, live, attention;
};

BARLINT_RT_INLINE struct barlint_rt_lanes barlint_rt_lanes_of(struct barlint_rt_four four)
{
    struct barlint_rt_lanes lanes;
    lanes.blocked = four.first;
    lanes.failing = four.second;
    lanes.live = four.third;
    lanes.attention = four.fourth;
    return lanes;
}

// Is nothing special up with a warp all of whose lanes are here?
BARLINT_RT_INLINE bool barlint_rt_is_ordinary(const struct barlint_rt_warp *warp)
{
    struct barlint_rt_lanes of = barlint_rt_lanes_of(barlint_rt_warp_load_four(&warp->blocked));
    return (of.blocked | of.failing | of.attention | ~of.live) == 0;
}

BARLINT_RT_INLINE struct barlint_rt_short barlint_rt_look(struct barlint_rt_block *b, uint64_t who,
                                                          uint64_t site)
{
    struct barlint_rt_short at;
    uint32_t thread = barlint_rt_thread_of_self((uint32_t)(who >> 32));
    at.number = thread / BARLINT_WARP_SIZE;
    at.warp = &b->warp[at.number];
    at.lane = thread % BARLINT_WARP_SIZE;
    at.lanes = 0xffffffffu;
    if ((uint32_t)who == 0xffffffffu) {
        struct barlint_rt_lanes warp =
            barlint_rt_lanes_of(barlint_rt_warp_load_four(&at.warp->blocked));
        at.ordinary = (warp.blocked | warp.failing | warp.attention) == 0;
        at.whole = warp.live == 0xffffffffu;
    } else {
        at.lanes = barlint_rt_together(site);
        struct barlint_rt_lanes warp =
            barlint_rt_lanes_of(barlint_rt_load_four(&at.warp->blocked));
        at.ordinary = __all_sync(at.lanes, ((warp.blocked | warp.failing) & at.lanes) == 0 &&
                                               warp.attention == 0);
        at.whole = false;
    }
    return at;
}

// The warp's records: those of its place on the GPU, so that no other that runs has them.
BARLINT_RT_INLINE struct barlint_rt_records *barlint_rt_own_records(struct barlint_rt_state *state,
                                                                    struct barlint_rt_warp *warp)
{
    if (!*(struct barlint_rt_records *volatile *)&warp->records) { // all lanes write the same
        barlint_rt_store(&warp->place, barlint_rt_warp_place());
        barlint_rt_give_records(warp, state);
    }
    return *(struct barlint_rt_records *volatile *)&warp->records;
}

// Makes the threads' records this warp's. The lanes that are here first do it for all.
static __device__ __noinline__ void barlint_rt_start_records(struct barlint_rt_block *b,
                                                             uint32_t warp, uint32_t lane,
                                                             uint32_t lanes)
{
    struct barlint_rt_warp *w = &b->warp[warp];
    uint32_t leader = barlint_rt_first(lanes), old = BARLINT_RT_STARTED;
    if (lane == leader) {
        old = atomicCAS(&w->started, BARLINT_RT_NOT_STARTED, BARLINT_RT_STARTING);
    }
    if (__shfl_sync(lanes, old, (int)leader) == BARLINT_RT_NOT_STARTED) {
        for (uint32_t i = __popc(lanes & ((1u << lane) - 1u)); i < BARLINT_WARP_SIZE;
             i += __popc(lanes)) {
            barlint_rt_thread_start(&w->records->thread[i]);
        }
        if (lane == leader) {
            barlint_warp_start(&w->records->meeting, b->block.live[warp]);
            w->records->absent = 0;
            w->records->bypassed = w->records->perhaps = 0;
        }
        __threadfence_block();
        __syncwarp(lanes);
        if (lane == leader) {
            atomicExch(&w->started, (uint32_t)BARLINT_RT_STARTED);
        }
    }
    while (barlint_rt_load(&w->started) != BARLINT_RT_STARTED) {
        __nanosleep(20);
    }
    __syncwarp(lanes);
}

// Frees the warps that sleep at counted barriers in the hardware, with the arrivals that they lack;
// a barrier for all ends with the threads that do. (Measured: also what a part of a warp arrives at
// counts, but it arrives when no other lanes of its warp live elsewhere: a lane that others wait for
// is not to come here alone.) A warp that has said that it comes, and watched instead, arrives for
// itself. The lanes that are here go through it together, and whoever is first frees them all: parts of
// a warp, each at another slot, would wait for each other.
static __device__ __noinline__ void barlint_rt_free_sleepers(struct barlint_rt_block *b)
{
    uint32_t lanes = __activemask(), leader = barlint_rt_first(lanes);
    uint32_t number = barlint_rt_warp_number();
    bool first = barlint_rt_lane_number() == leader && atomicExch(&b->freed, 1u) == 0;
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        // All of them came by way of the gate, with the same count.
        uint32_t lacking = 0, count = 0, sleepers = 0, own = 0;
        BARLINT_ROLLED
        for (uint32_t w = 0; w < b->warps; w++) {
            uint32_t stands = barlint_rt_load(&b->stands[w]);
            if ((stands & BARLINT_RT_STANDS) && stands % BARLINT_NAMED_SLOTS == s) {
                count = b->warp[w].count & BARLINT_RT_GATE_COUNT;
                sleepers++;
                own += w == number;
            }
        }
        if (barlint_rt_lane_number() == leader && sleepers != 0 && count != 0) {
            uint32_t wants = count / BARLINT_WARP_SIZE;
            lacking = own + (first && wants > sleepers ? wants - sleepers : 0);
            if (own != 0) {
                barlint_rt_store(&b->stands[number], 0);
            }
        }
        lacking = __shfl_sync(lanes, lacking, (int)leader);
        count = __shfl_sync(lanes, count, (int)leader);
        for (; lacking != 0; lacking--) {
            barlint_rt_arrive_at(s, count);
        }
    }
}

// The block is being ended: so is this thread.
static __device__ __noinline__ void barlint_rt_end_thread(void)
{
    struct barlint_rt_block *b = barlint_rt_own_shadow();
    if (barlint_rt_load(&b->ended)) {
        barlint_rt_free_sleepers(b);
    }
    uint32_t lanes = __activemask();
    if (barlint_rt_lane_number() == barlint_rt_first(lanes)) {
        barlint_rt_leave_shadow(b, __popc(lanes));
    }
    barlint_rt_exit_now();
}

// Lanes of this warp go on, so the block does; its cluster is not to believe any more that it stands
// still.
BARLINT_RT_INLINE void barlint_rt_unblock_lanes(const struct barlint_rt_here *here, uint32_t lanes)
{
    struct barlint_rt_cluster *cluster = here->block->cluster;
    atomicAnd(&here->block->warp[here->warp].blocked, ~lanes);
    atomicAdd(&here->block->progress, 1u);
    if (cluster) {
        *(volatile uint64_t *)&cluster->quiet[here->block->cta] = 0;
    }
}

// Lanes of a warp are at `site`, and others may be elsewhere.
BARLINT_RT_INLINE void barlint_rt_lanes_at(struct barlint_rt_warp *warp, uint32_t lane,
                                           uint32_t lanes, uint64_t site)
{
    warp->records->thread[lane].site = site;
    if ((lanes & ~barlint_rt_load(&warp->apart)) != 0 && lane == barlint_rt_first(lanes)) {
        atomicOr(&warp->apart, lanes);
    }
}

// What `lanes` failed to see as part of the whole warp is from now on what each failed to see.
BARLINT_RT_INLINE void barlint_rt_fail_apart(struct barlint_rt_warp *warp, uint32_t lane,
                                             uint32_t lanes)
{
    uint32_t failed = __shfl_sync(lanes, barlint_rt_load(&warp->failed_lanes),
                                  (int)barlint_rt_first(lanes)) &
                      lanes;
    if (failed == 0) {
        return;
    }
    if (failed >> lane & 1u) {
        struct barlint_rt_thread *thread = &warp->records->thread[lane];
        thread->failed_at = warp->failed_at;
        thread->failed_phase = warp->failed_phase;
        thread->failed_site = warp->failed_site;
    }
    __syncwarp(lanes);
    if (lane == barlint_rt_first(lanes)) {
        atomicOr(&warp->failing, failed);
        atomicAnd(&warp->failed_lanes, ~failed);
    }
    __syncwarp(lanes);
}

// Fills `here`. Returns false when nothing is to be checked.
static __device__ __noinline__ bool barlint_rt_look(struct barlint_rt_here *here, uint64_t site,
                                                    uint32_t lanes)
{
    here->state = barlint_rt_state_now();
    if (!here->state) {
        return false;
    }
    here->number = barlint_rt_thread_number();
    here->warp = here->number / BARLINT_WARP_SIZE;
    here->lane = here->number % BARLINT_WARP_SIZE;
    here->block =
        barlint_rt_own_block(blockDim.x * blockDim.y * blockDim.z, here->lane, lanes);
    here->records = barlint_rt_own_records(here->state, &here->block->warp[here->warp]);
    if (__any_sync(lanes, barlint_rt_load(&here->block->warp[here->warp].started) !=
                              BARLINT_RT_STARTED)) {
        barlint_rt_start_records(here->block, here->warp, here->lane, lanes);
    }
    here->thread = &here->records->thread[here->lane];
    here->site = site;
    here->lanes = lanes;
    return true;
}

// The same, as an operation begins. Ends the thread when the block is being ended: by all lanes that
// wait for each other. `waiting`: a lane that is blocked stays so.
static __device__ __noinline__ bool barlint_rt_begin(struct barlint_rt_here *here, uint64_t site,
                                                     uint32_t lanes, bool waiting)
{
    if (!barlint_rt_look(here, site, lanes)) {
        return false;
    }
    if (barlint_rt_load(&here->block->ended)) {
        barlint_rt_end_thread();
    }
    barlint_rt_lanes_at(&here->block->warp[here->warp], here->lane, lanes, site);
    barlint_rt_fail_apart(&here->block->warp[here->warp], here->lane, lanes);
    if (!waiting) {
        if (barlint_rt_load(&here->block->warp[here->warp].blocked) >> here->lane & 1u) {
            barlint_rt_unblock_lanes(here, 1u << here->lane);
        }
    }
    return true;
}

#include "clusters.cuh"
#include "reports.cuh"
#include "standstill.cuh"
#include "mbarriers.cuh"
#include "hooks_mbarrier.cuh"
#include "hooks_wait.cuh"
#include "hooks_named.cuh"
#include "hooks_warp.cuh"
#include "hooks_cluster.cuh"
#include "spared.cuh"
#include "hooks_grid.cuh"
#include "hooks_peer.cuh"
#include "hooks_life.cuh"
#include "hooks_rounds.cuh"

#endif
