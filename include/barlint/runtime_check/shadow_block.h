// What lies in the shared memory of a block that is checked (or in global memory: shadow_in_global.cuh),
// and behind it in global memory.
#ifndef BARLINT_RUNTIME_CHECK_SHADOW_BLOCK_H
#define BARLINT_RUNTIME_CHECK_SHADOW_BLOCK_H

#include "../semantics.h"
#include "hooks.h"
#include "report.h"

#define BARLINT_RT_OBJECTS 64u
#ifdef __CUDACC__
#define BARLINT_RT_ALIGN(bytes) __align__(bytes)
#else
#define BARLINT_RT_ALIGN(bytes) __attribute__((aligned(bytes)))
#endif
#define BARLINT_RT_NONE 0xffffffffu
#define BARLINT_RT_UNTOLD (1u | 1u << BARLINT_MAX_CLUSTER) // both bits of a CTA in `untold`

// 1: shadows lie in global memory, for kernels that leave no room in shared memory.
#ifndef BARLINT_RT_GLOBAL_SHADOW
#define BARLINT_RT_GLOBAL_SHADOW 0
#endif

// Between accesses to a shadow the order of which others rely on: what one thread does to shared memory
// keeps its order, in global memory it has to be told to, and to whom. (PTX ISA 8.10.5: fence-SC.)
#if defined(__CUDA_ARCH__) && BARLINT_RT_GLOBAL_SHADOW
#define BARLINT_RT_FENCE() barlint_rt_fence()
static __device__ __forceinline__ void barlint_rt_fence(void)
{
#if __CUDA_ARCH__ >= 900
    uint32_t ctas;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(ctas));
    if (ctas > 1u) {
        asm volatile("fence.sc.cluster;" : : : "memory");
        return;
    }
#endif
    asm volatile("fence.sc.cta;" : : : "memory");
}
#else
#define BARLINT_RT_FENCE() ((void)0)
#endif

// What others may change meanwhile.
BARLINT_HD static inline uint32_t barlint_rt_load(const uint32_t *word)
{
    uint32_t value = *(const volatile uint32_t *)word;
    BARLINT_RT_FENCE();
    return value;
}

// What others may look at meanwhile.
BARLINT_HD static inline void barlint_rt_store(uint32_t *word, uint32_t value)
{
    BARLINT_RT_FENCE();
    *(volatile uint32_t *)word = value;
    BARLINT_RT_FENCE();
}

// Counters that threads change with and without the block's lock.
BARLINT_HD static inline void barlint_rt_add(uint32_t *counter, uint32_t amount)
{
#ifdef __CUDA_ARCH__
    atomicAdd(counter, amount);
#else
    *counter += amount;
#endif
}

// One mbarrier. In ordinary use threads arrive by way of `word` (see fast.h), without the lock; `m`
// is whole between barlint_rt_open_object() and _close_object().
// The first four words are read together, or two and two, and so are the next, with what `m` begins with.
struct BARLINT_RT_ALIGN(16) barlint_rt_object {
    uint32_t address; // in the CTA's shared window
    uint32_t known;   // to who has passed a barrier or phase since: the sequence when it was made
    uint32_t tag;     // names it in its present life, of this block of this launch
    uint32_t name;    // upper bits of its tokens
    uint32_t word;
    struct barlint_mbarrier m;
    bool unknown_bytes; // copies of unknown size, or other CTAs' copies, complete on it
    bool by_copies;     // threads' copies arrive on it. Then a byte more than there is counts as
                        // announced, so that no phase ends before the hardware says so
    bool dropped;       // threads have left it: who arrives all the same is asked for one by one
    bool foreign;       // operations that were not seen have changed it: no longer judged
    uint32_t told;      // CTAs that the block has arrived at since it was made, a bitmap; from bit
                        // BARLINT_MAX_CLUSTER on those that it has told of others since
    uint32_t made_in;   // the round in which it was
    uint32_t landed;    // the phase that began when copies ended the one before; 0: none has
    uint64_t made_at;   // where it was initialised
};

// What the lanes of one warp do at barriers. The first four words are read together, so are those
// from `synced_at` on, and those from `site` on are written together.
struct BARLINT_RT_ALIGN(16) barlint_rt_warp {
    uint32_t blocked;   // lanes that wait in a hook
    uint32_t failing;   // lanes whose last test of an mbarrier failed
    uint32_t live;      // lanes that have not ended
    uint32_t attention; // 1: the block's threads are to end; 2: nothing is checked
    uint64_t site;      // of the last operation of all lanes; 0: each has its own
    uint32_t count;     // of the barrier where they stand: threads, 0 for all; with flags
    uint32_t apart;     // lanes that have been elsewhere since: where, their own records say
    uint32_t synced_at; // the block's sequence when the whole warp last passed a barrier or a phase
    uint32_t failed_lanes; // lanes that failed together as a whole warp, not yet in `failing`: the
                           // mbarrier `failed_at`, its phase, and since when
    struct barlint_rt_records *records; // NULL: not needed yet
    uint32_t woken;   // lanes whose wait here or in a meeting is over and that have not noticed
    uint32_t epoch;   // full-mask warp barriers completed
    uint32_t place;   // of the warp on the GPU: the index of its records
    uint32_t started; // enum barlint_rt_progress of the records' threads
    uint64_t failed_site; // where it was tested
    uint32_t failed_phase;
    uint32_t failed_since; // in units of 1,024 cycles
    uint32_t blocked_in; // the round in which lanes last began to wait in a hook
    uint32_t gathered; // lanes at an aligned operation of the cluster's barrier, apart from the rest
    uint32_t in_step;    // lanes of which `cluster_at` says what they do there, and not their records
    uint32_t cluster_at; // bits 1-31: phases of it that they have waited for; 0: they have arrived since
    uint16_t failed_at;
    uint16_t slot;                   // a named barrier,
    struct barlint_named_warp named; // and the lanes gathered for it
};

// ---- where whole warps stand ----
//
// A warp all of whose lanes come to a named barrier writes down which one, before it enters the
// hardware's: bit 31 set, 16-30 the kind of the operation, 15 sure (it will enter), 4-14 the
// generation, 0-3 the slot. When it comes back it writes 0. Once the generation has ended it does
// not wait, though the word may still say so.
#define BARLINT_RT_STANDS (1u << 31)
#define BARLINT_RT_SURE (1u << 15)
#define BARLINT_RT_PLACE_MASK 0x7fffu // slot and generation
#define BARLINT_RT_ABSENT 1u          // never was, or has ended, which is known
#define BARLINT_RT_GONE 2u            // has ended, and no barrier that comes after has been told of

// A gate's word, while the way without the lock is shut.
#define BARLINT_RT_GATE_SHUT 1u
#define BARLINT_RT_GATE_PART 2u // a part of the block had the last generation: who comes to one of all is
                                // asked whether it may have come to that
#define BARLINT_RT_GATE_NEXT 16u
// In a warp's count.
#define BARLINT_RT_GATE_ALIGNED (1u << 31)
#define BARLINT_RT_GATE_RED (1u << 30)
#define BARLINT_RT_GATE_COUNT 0xffffu

BARLINT_HD static inline uint32_t barlint_rt_stand(uint32_t s, uint32_t gate_word, uint32_t kind)
{
    return BARLINT_RT_STANDS | kind << 16 | (gate_word & 0x7ff0u) | s;
}

// Is a warp whose word is `stands` in slot `s` of that gate, or on its way in, or back out?
BARLINT_HD static inline bool barlint_rt_stands_in(uint32_t stands, uint32_t s, uint32_t gate_word)
{
    return (stands & BARLINT_RT_STANDS) != 0 &&
           ((stands ^ barlint_rt_stand(s, gate_word, 0)) & BARLINT_RT_PLACE_MASK) == 0;
}

// A whole warp that arrives at a named barrier, and goes on, leaves a word there: bit 31 set, 30 sure (as
// above), 24-29 how many warps the operation wants, 0-23 the generation. Nobody takes it back when
// that is over.
#define BARLINT_RT_GIVERS_MOST 16u // the warps that can
#define BARLINT_RT_GIVEN (1u << 31)
#define BARLINT_RT_GIVEN_SURE (1u << 30)
#define BARLINT_RT_GIVEN_GENERATION 0xffffffu

enum barlint_rt_progress {
    BARLINT_RT_NOT_STARTED, // what is there is a former warp's
    BARLINT_RT_STARTING,
    BARLINT_RT_STARTED,
};

// The way into a named barrier without the lock; see fast.h.
struct barlint_rt_gate {
    uint32_t word;       // generations ended, times 16; 1 more while the full state is the truth
    uint32_t members;    // the warps of the generation that ended last, as a bitmap
    uint32_t ended_at;   // the block's sequence when that was,
    uint32_t ended_with; // and its thread count, 0 for all
};

BARLINT_HD static inline uint32_t barlint_rt_given(uint32_t gate_word, uint32_t count)
{
    return BARLINT_RT_GIVEN | (count / BARLINT_WARP_SIZE & 63u) << 24 |
           (gate_word / BARLINT_RT_GATE_NEXT & BARLINT_RT_GIVEN_GENERATION);
}

// Does the word say that its warp has arrived in the generation that the gate is in, or is about to?
BARLINT_HD static inline bool barlint_rt_gave_in(uint32_t given, uint32_t gate_word)
{
    return ((given ^ barlint_rt_given(gate_word, 0)) &
            (BARLINT_RT_GIVEN | BARLINT_RT_GIVEN_GENERATION)) == 0;
}

// How many threads that operation wants.
BARLINT_HD static inline uint32_t barlint_rt_given_count(uint32_t given)
{
    return (given >> 24 & 63u) * BARLINT_WARP_SIZE;
}

// A warp that had arrived at a counted barrier waits there, and counts twice. The count may allow for
// that; a warp that comes when the generation has ended was to be waited for.
struct barlint_rt_twice {
    uint64_t site;
    uint32_t slot, count, warp, lanes;
    uint32_t open;  // 1: the generation has not ended
    uint32_t again; // all warps that have counted twice in it, as a bitmap
    uint32_t warps; // else those that made it up; 0: no warp counted twice, or it has been seen to
    uint32_t all;   // 1: each of them counted twice
    uint32_t ended_at; // the block's sequence when that was
};

#define BARLINT_RT_QUIET_UNIT 65536u // nanoseconds

// What checks take of a block's shared memory comes in this many bytes: where dynamic memory begins is
// aligned as it was, which copies of swizzled tensors rely on without saying so.
#define BARLINT_RT_GRAIN 1024u

struct BARLINT_RT_ALIGN(BARLINT_RT_GRAIN) barlint_rt_block {
    uint32_t round[2][BARLINT_RT_WARPS]; // words of even rounds and of odd ones
    uint32_t stands[BARLINT_RT_WARPS]; // where each warp stands as a whole
    uint32_t sequence; // barriers and phases completed in the block; read together with
    uint32_t ended;    // 1: its threads are to end
    uint64_t key;      // of the launch and the block; else the memory is not this block's
    uint32_t lock;     // 1: held
    uint32_t warps;    // launched
    uint32_t progress; // what else may let a waiter go on; see barlint_rt_moves()
    uint32_t cta;      // rank in the cluster
    uint64_t quiet; // the moves at which nobody was seen to be able to go on, in the upper half, and
                    // since when, in units of BARLINT_RT_QUIET_UNIT; 0: not so
    struct barlint_rt_cluster *cluster; // of a launch with clusters; else NULL
    uint32_t cluster_came; // threads that have arrived in its phase and are not in its count yet
    uint32_t has_left_cluster; // 1: some of the block's threads have ended, as it counts
    uint32_t cluster_knows; // phases of the cluster's barrier that a thread of the block has passed
    uint32_t live_lanes;
    uint32_t users;      // threads that may still look at this
    uint64_t ended_site; // of a barrier whose generation ended last under the lock
    uint32_t objects;    // mbarriers that have been made
    uint32_t has_givers; // 1: there may be words in `given`
    uint32_t exits_told; // 1: that threads have ended before a barrier for all has been told
    uint32_t went_on; // hangs after which it was let go on
    uint32_t lost;    // the slot that last said something of threads that ended, under the lock
    uint32_t by_rounds; // 1: all barriers of the block are rounds
    uint32_t hears_nothing; // 1: its threads tell each other nothing by memory
    uint32_t made_in;   // the round in which an mbarrier was initialised last
    uint32_t untold;    // CTAs that the block has not arrived at since then, a bitmap; from bit
                        // BARLINT_MAX_CLUSTER on those at which arrivals may be held back
    uint32_t heard[BARLINT_MAX_CLUSTER]; // from each CTA that did so here: at which mbarrier, and in
                                         // which phase of it (mbarriers.cuh)
    uint64_t entered_at; // where the kernel begins
    uint32_t room;  // for so many mbarriers
    uint32_t freed; // 1: sleepers have been freed because the block ends
    uint32_t reported; // 1: something has been told of it
    uint64_t repeats;  // what it does again (spared.cuh); 0: not known
    uint32_t grid_in;    // the generation of the grid's barrier that it arrived in last (grid.h); 0: none
    uint64_t grid_since; // when that was first seen to be one that cannot end; 0: not yet
    uint64_t grid_begun; // when it arrived, in cycles
    struct barlint_rt_twice twice; // the last time
    struct barlint_block block;
    struct barlint_rt_warp warp[BARLINT_RT_WARPS];
    struct barlint_rt_gate gate[BARLINT_NAMED_SLOTS];
    struct barlint_named_slot slot[BARLINT_NAMED_SLOTS];
    uint64_t slot_site[BARLINT_NAMED_SLOTS]; // of the operation that opened it
    uint32_t given[BARLINT_NAMED_SLOTS][BARLINT_RT_GIVERS_MOST]; // where each warp has arrived
    uint32_t gave[BARLINT_NAMED_SLOTS];       // warps that only arrived in the last generation in which
                                              // any did, and have not come back since, a bitmap,
    uint32_t gave_until[BARLINT_NAMED_SLOTS]; // and the block's sequence when it ended
    uint32_t seen_at[BARLINT_RT_OBJECTS]; // the block's sequence when the end of each mbarrier's last
                                          // phase was seen first, while `seen`; 0: not known
    struct barlint_rt_object object[BARLINT_RT_OBJECTS];
};

// A cluster that is running: its barrier, and which of its CTAs stand still.
struct barlint_rt_cluster {
    uint64_t key;
    uint32_t lock;     // of eight of these together
    uint32_t counting; // 1: somebody has the machine
    uint32_t gone;   // CTAs that have ended, a bitmap
    uint32_t broken; // 1: a CTA has been ended after a fault or a hang
    uint32_t lacked; // the first phase that ends without threads, which have ended without arriving in
                     // it; counted from 1, 0 for none
    struct barlint_cluster machine;
    uint32_t shadow[BARLINT_MAX_CLUSTER]; // where they lie in global memory: 1 + the number of each
                                          // CTA's; 0: it has not begun
    uint64_t read[BARLINT_MAX_CLUSTER]; // of each CTA: 1 + the phase in which peers loaded from its memory
                                        // last, in the upper half, and which of them, that have told
                                        // nobody anything since, in the lower (hooks_peer.cuh)
    uint64_t read_at[BARLINT_MAX_CLUSTER]; // where the last of them did
    uint64_t quiet[BARLINT_MAX_CLUSTER]; // when each last found that it stands still, times two, and 1
                                         // more if it waits for the grid; 0: it does not
};

// One thread. What it waits for counts while its lane is in `blocked`.
struct barlint_rt_thread {
    uint64_t site;  // of its last operation
    uint64_t since; // when its wait first failed, in nanoseconds
    uint32_t synced_at; // the block's sequence when it last passed a barrier or a phase
    uint32_t cluster_waits;
    uint32_t waits_at; // enum barlint_rt_subject
    uint32_t object;   // index of the mbarrier, number of the slot
    uint32_t phase;    // of the mbarrier
    uint32_t failed_at, failed_phase; // while its lane is in `failing`: the mbarrier, its phase,
    uint64_t failed_site;             // and where it was tested
    uint32_t held;      // enum barlint_rt_split: groups it has arrived at and not yet waited for
    uint64_t called_at; // a library's function that it executes was called there; 0: none
    struct barlint_cluster_thread cluster;
};

// The records of one warp, those of its place on the GPU: its threads, and their histories with
// each mbarrier. A history counts while it bears the tag of the mbarrier, so nothing needs to be
// cleared; in ordinary use it is written and not read.
struct barlint_rt_records {
    struct barlint_rt_thread thread[BARLINT_WARP_SIZE];
    struct barlint_warp meeting;
    uint32_t absent; // lanes that others waited for in vain (where ends are not told of)
    uint32_t bypassed; // lanes that wait where whoever has ended has gone past,
    uint32_t perhaps;  // or perhaps has (BARLINT_RT_PERHAPS_BYPASSED)
    uint64_t all_arrived[BARLINT_RT_OBJECTS]; // tag and phase of what all lanes last did together
    uint64_t all_waited[BARLINT_RT_OBJECTS];
    uint64_t arrived[BARLINT_RT_OBJECTS][BARLINT_WARP_SIZE]; // tag and phase of the last arrive
    uint64_t waited[BARLINT_RT_OBJECTS][BARLINT_WARP_SIZE];  // tag and phase of the last wait
    uint64_t marks[BARLINT_RT_OBJECTS][BARLINT_WARP_SIZE];   // tag and enum barlint_rt_mark
};

enum barlint_rt_mark {
    BARLINT_RT_DROPPED = 1,
    BARLINT_RT_DRY = 2, // arrived when no bytes had been announced, and has not waited since
};

#endif
