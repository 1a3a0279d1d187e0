// What instrumented code calls: one function for each family of barrier operations, by `barlint
// nvcc` from the PTX of a kernel, or by hand. A hook runs before the hardware's operation, which
// stays in the code; each checks the operation on the block's shadow state, reports what it breaks,
// and where the operation may block, waits until it can go through. A hook may end the thread: when
// nothing in the block can go on, every thread is ended instead of hanging.
//
// All take `site`, the place in the source: for instrumented PTX the module's number in the upper
// half and the index into the module's table of places in the lower. Those that are called most take
// `who`: in the upper half what barlint_rt_self() says of the thread, in the lower the lanes that
// execute the instruction together, as the active mask had it there; BARLINT_RT_WHO. Addresses come
// as 64-bit numbers with the state space they are in.
#ifndef BARLINT_RUNTIME_CHECK_HOOKS_H
#define BARLINT_RUNTIME_CHECK_HOOKS_H

#include <stdint.h>

enum barlint_rt_space {
    BARLINT_RT_GENERIC,
    BARLINT_RT_SHARED_CTA,     // also .shared without more
    BARLINT_RT_SHARED_CLUSTER, // an address of another CTA, or one's own, of the cluster window
};

enum barlint_rt_mbarrier_op {
    BARLINT_RT_INIT,        // operand: expected count
    BARLINT_RT_INVAL,       // operand: 0
    BARLINT_RT_EXPECT_TX,   // operand: bytes
    BARLINT_RT_COMPLETE_TX, // operand: bytes
    BARLINT_RT_ARRIVE,      // operand: count in the lower half, bytes (with EXPECTS) in the upper
    BARLINT_RT_ASYNC_ARRIVE, // cp.async.mbarrier.arrive; operand: 1 with .noinc
    BARLINT_RT_COPY,         // a bulk or tensor copy that completes on it; operand: bytes, or
                             // BARLINT_RT_UNKNOWN_BYTES
    BARLINT_RT_COMMIT,       // tcgen05.commit: an arrival to come; operand: 0
};

// Flags of a BARLINT_RT_ARRIVE.
enum {
    BARLINT_RT_DROPS = 1,       // arrive_drop
    BARLINT_RT_EXPECTS = 2,     // .expect_tx
    BARLINT_RT_NO_COMPLETE = 4, // .noComplete
    BARLINT_RT_NO_TOKEN = 8,    // the token is not kept (sink symbol _)
    BARLINT_RT_MULTICAST = 16,  // of a BARLINT_RT_COPY or _COMMIT: to several CTAs
    BARLINT_RT_PRIMITIVE = 32,  // of a BARLINT_RT_INIT: by __mbarrier_init(), which has its own limit
};

#define BARLINT_RT_UNKNOWN_BYTES 0xffffffffu
#define BARLINT_RT_ALL_PEERS 0xffffffffu

// The upper eight bits of such a token. The hardware's own never has these.
#define BARLINT_RT_TOKEN_MARK 0xb5ull
// Of such a token: where its phase ends, and that it came of an arrive with .noComplete.
#define BARLINT_RT_TOKEN_PHASE 0x7fffffu
#define BARLINT_RT_TOKEN_QUIET (1u << 23)

enum barlint_rt_wait_form {
    BARLINT_RT_TEST_TOKEN,
    BARLINT_RT_TRY_TOKEN,
    BARLINT_RT_TEST_PARITY,
    BARLINT_RT_TRY_PARITY,
};

enum barlint_rt_named_flag {
    BARLINT_RT_ALIGNED = 1, // bar.*, and barrier.*.aligned
    BARLINT_RT_ALIKE = 2,   // number and count are the same for all threads: constants
    BARLINT_RT_BYPASSED = 4, // whoever has ended has gone past it, and has not left before
    BARLINT_RT_PERHAPS_BYPASSED = 8, // or has left by a return that ended in the same stores
};

enum barlint_rt_warp_op {
    BARLINT_RT_WARP_SYNC, // bar.warp.sync
    BARLINT_RT_WARP_DATA, // shfl.sync, vote.sync, match.sync, redux.sync
    BARLINT_RT_WARP_ELECT,
};

// With any of them: BARLINT_RT_BYPASSED, BARLINT_RT_PERHAPS_BYPASSED, shifted.
#define BARLINT_RT_WARP_BYPASS_SHIFT 4

// With BARLINT_RT_WARP_DATA, where it is a shuffle of which this is known: which one, in bits 11-15 by how
// many lanes or from which one, and from bit 16 on the operand c of the instruction.
enum barlint_rt_shuffle {
    BARLINT_RT_WARP_OPERATION = 0x3f, // the bits that say which operation it is
    BARLINT_RT_SHUFFLE_LANE = 0x100,
    BARLINT_RT_SHUFFLE_UP = 0x300,
    BARLINT_RT_SHUFFLE_DOWN = 0x500,
    BARLINT_RT_SHUFFLE_XOR = 0x700,
    BARLINT_RT_SHUFFLE_MODES = 0x700, // the bits that say which shuffle
};

enum barlint_rt_cluster_op {
    BARLINT_RT_CLUSTER_ARRIVE,
    BARLINT_RT_CLUSTER_WAIT,
};

enum barlint_rt_cluster_flag {
    BARLINT_RT_CLUSTER_RELAXED = 1, // arrive.relaxed
    BARLINT_RT_CLUSTER_ALIGNED = 2, // and BARLINT_RT_BYPASSED, BARLINT_RT_PERHAPS_BYPASSED
};

enum barlint_rt_fence_op {
    BARLINT_RT_FENCE_MBARRIER_INIT, // fence.mbarrier_init.release.cluster
    BARLINT_RT_FENCE_CLUSTER,       // a fence of cluster scope or wider
};

#define BARLINT_RT_NEVER_AWAITED 0x80000000ull // with a place
#define BARLINT_RT_HEARS_NOTHING 0x80000000ull // with the place where a kernel begins whose threads tell each
                                               // other nothing by memory
#define BARLINT_RT_NOT_ENTERED (1ull << 62) // with the place of a kernel, or a copy of one, that has no hook
                                            // at its beginning

enum barlint_rt_again {
    BARLINT_RT_BLOCKS_ALIKE = 1,   // every block of a launch does the same
    BARLINT_RT_LAUNCHES_ALIKE = 2, // every launch of the same extents and `key` does
    BARLINT_RT_POLLS = 4,          // nothing but mbarriers can hold a block's threads for ever,
    BARLINT_RT_IN_LINE = 8,        // in blocks of one dimension and whole warps
};

#ifdef __CUDACC__
// How hooks are declared: with external linkage in the library that instrumented PTX is joined
// with, private to the unit where a source includes <barlint/runtime_check.cuh>.
#ifndef BARLINT_RT_HOOK
#define BARLINT_RT_HOOK static __device__ __noinline__
#endif

// The thread's number in its block, and where the block's shadow state lies.
BARLINT_RT_HOOK uint32_t barlint_rt_self(void);

#ifndef BARLINT_RT_WHO
#define BARLINT_RT_WHO ((uint64_t)barlint_rt_self() << 32 | __activemask())
#endif

// First thing in a kernel, by every thread. Returns barlint_rt_self().
BARLINT_RT_HOOK uint32_t barlint_rt_enter(uint64_t site);

// Before that, by every thread of the block together, in a kernel that does the same again (enum
// barlint_rt_again): is it enough that others are checked, or have been? Then 1, and the block goes on
// without hooks. `key` stands for the parameters that its barriers depend on.
BARLINT_RT_HOOK uint32_t barlint_rt_is_spared(uint32_t again, uint64_t key, uint64_t site);

// Before it, too, by every thread of the block together: 1 where all of them have the same value.
BARLINT_RT_HOOK uint32_t barlint_rt_agree(uint64_t value);

// In such a block, now and then where a test of an mbarrier has failed.
BARLINT_RT_HOOK void barlint_rt_spared_waits(void);

// After barlint_rt_enter() in such a kernel, by every thread: others may be spared once this block has
// ended, and was right. `self`: what barlint_rt_enter() returned.
BARLINT_RT_HOOK void barlint_rt_repeats(uint32_t self, uint32_t again, uint64_t key, uint64_t site);

// Before a thread ends: ret in a kernel, exit anywhere.
BARLINT_RT_HOOK void barlint_rt_exit(uint64_t who, uint64_t site);

// Before an operation on an mbarrier. Returns, for BARLINT_RT_ARRIVE, the token that the program
// is to be given instead of the hardware's (it knows its object and its phase); 0 when the
// hardware's is to stay.
BARLINT_RT_HOOK uint64_t barlint_rt_mbarrier(uint32_t op, uint64_t address, uint32_t space,
                                             uint64_t operand, uint32_t flags, uint64_t who,
                                             uint64_t site);

// Before a test_wait or try_wait. `operand` is the token or the parity. Returns the parity to test
// for: the hardware is to be asked with .parity whatever the form was.
BARLINT_RT_HOOK uint32_t barlint_rt_wait(uint32_t form, uint64_t address, uint32_t space,
                                         uint64_t operand, uint64_t site);

// After it, with the hardware's answer.
BARLINT_RT_HOOK void barlint_rt_waited(uint32_t form, uint64_t address, uint32_t space,
                                       uint64_t operand, uint32_t passed, uint64_t who,
                                       uint64_t site);

// mbarrier.pending_count of a token that barlint_rt_mbarrier gave. Returns the count.
BARLINT_RT_HOOK uint32_t barlint_rt_pending_count(uint64_t token, uint64_t site);

// Before a wait at an mbarrier that may be another CTA's, by its address.
BARLINT_RT_HOOK void barlint_rt_far(uint64_t address, uint32_t space, uint64_t site);

// Before an operation that puts `bytes` (0: as many as its type has) from the global or shared address
// `from` to the shared address `to`, and completes on the mbarrier at the shared address `barrier`.
// `target` is an enum barlint_async_target.
BARLINT_RT_HOOK void barlint_rt_transfer(uint64_t to, uint64_t from, uint32_t bytes,
                                         uint64_t barrier, uint32_t target, uint64_t site);

// Before bar and barrier with a number. `kind` is an enum barlint_named_kind; `count` 0: all.
BARLINT_RT_HOOK void barlint_rt_named(uint32_t kind, uint32_t id, uint32_t count, uint32_t flags,
                                      uint64_t who, uint64_t site);

// The same for the barriers of a block in which some come by way of barlint_rt_named_arrive(): before
// operations with a count that wait, and before those that do not.
BARLINT_RT_HOOK void barlint_rt_named_mixed(uint32_t kind, uint32_t id, uint32_t count,
                                            uint32_t flags, uint64_t who, uint64_t site);
BARLINT_RT_HOOK void barlint_rt_named_arrive(uint32_t id, uint32_t count, uint32_t flags, uint64_t who,
                                             uint64_t site);

// After a bar or barrier that waits: a hook may have left the thread to wait in the hardware, and it
// may have been freed from there because the block is to end.
BARLINT_RT_HOOK void barlint_rt_synced(uint64_t who);

// The same in a kernel all of whose barriers of its block are of all threads (bar.sync 0, bar.red 0),
// and that executes them itself. It then calls the following hooks for them and not
// barlint_rt_named().
BARLINT_RT_HOOK uint32_t barlint_rt_enter_rounds(uint64_t site);

// What a thread keeps for them: where its warp's word is, and in the upper half how far behind it
// the next warp's is. The former is the lower half of `state`; the upper is the number of its round,
// at first 0.
BARLINT_RT_HOOK uint64_t barlint_rt_rounds(void);

// Before bar.sync and bar.red, by the lanes `lanes` together. Returns the new state.
BARLINT_RT_HOOK uint64_t barlint_rt_round(uint32_t kind, uint32_t flags, uint64_t state,
                                          uint32_t lanes, uint64_t site);

// After it. `next`: where the next warp's word is.
BARLINT_RT_HOOK void barlint_rt_round_over(uint32_t kind, uint32_t flags, uint64_t state,
                                           uint32_t next, uint64_t site);

// Before a warp operation with a mask. May be left out for shfl, vote, match, redux and elect where
// the mask is the lanes that are active.
BARLINT_RT_HOOK void barlint_rt_warp(uint32_t op, uint32_t mask, uint64_t who, uint64_t site);

// Before barrier.cluster.arrive and .wait; `flags`: enum barlint_rt_cluster_flag.
BARLINT_RT_HOOK void barlint_rt_cluster(uint32_t op, uint32_t flags, uint64_t who, uint64_t site);

// Before an ordinary access to the shared memory of the CTA `rank` of the cluster: once for each thread
// and CTA between two of the cluster's barriers. `tells` 0: it reads; 1: it writes, by which the other
// CTA may learn something. Of BARLINT_RT_ALL_PEERS: before an arrival or a copy by which any may.
BARLINT_RT_HOOK void barlint_rt_peer(uint32_t rank, uint32_t tells, uint64_t site);

// At a fence.
BARLINT_RT_HOOK void barlint_rt_fence(uint32_t op, uint64_t site);

// Before the trap of a barrier of the grid that finds no workspace.
BARLINT_RT_HOOK void barlint_rt_grid(uint64_t site);

// Before a thread adds to the word of the grid's barrier: its block arrives.
BARLINT_RT_HOOK void barlint_rt_grid_arrives(uint64_t site);

// Before it looks whether that generation is over.
BARLINT_RT_HOOK void barlint_rt_grid_waits(uint64_t site);

// At a cp.async.wait_group that waits for nothing, though copies have been issued: they were not
// committed. Whoever calls it counts the groups. This and the next two hooks are all that kernels may call that
// have none at their beginning.
BARLINT_RT_HOOK void barlint_rt_group(uint64_t site);

// Before a thread ends that has not waited for all of its cp.async copies; `site` is the last one's, with
// BARLINT_RT_NEVER_AWAITED where the kernel has no wait for copies.
BARLINT_RT_HOOK void barlint_rt_open_copies(uint64_t site);

// The same of bulk stores, which may still read the block's memory.
BARLINT_RT_HOOK void barlint_rt_open_stores(uint64_t site);
#endif

#endif
