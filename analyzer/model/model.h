// What each API call and each PTX instruction means to a barrier. One table (rows.def) has a row an
// operation: the C++ spelling (a function's lookup name) or the PTX mnemonic, what it does, which
// argument is the object, the count, the id, the token, and who takes part. Wrapper functions need
// no row: they are followed down to what they contain.
//
// Layer: model uses ir and base.
#ifndef BARLINT_MODEL_MODEL_H
#define BARLINT_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/ir.h"

// What an operation does. The comment names the fields of struct model_op that matter beside
// `object`.
enum model_kind {
    MODEL_NONE,

    // Named barriers (PTX ISA 9.1, 9.7.13.1). id, count (IR_NONE: every thread of the block).
    MODEL_NAMED_SYNC,
    MODEL_NAMED_ARRIVE,
    MODEL_NAMED_RED, // predicate; the value is the reduction: warp_op

    // Warp (9.7.13.2, .9, .10, .12, .14). mask (IR_NONE: all 32 lanes).
    MODEL_WARP_SYNC,
    MODEL_WARP_SHUFFLE, // value, lane, width; warp_op says up/down/bfly/idx
    MODEL_WARP_VOTE,    // predicate; warp_op says all/any/uni/ballot
    MODEL_WARP_MATCH,   // value; warp_op says any/all
    MODEL_WARP_REDUCE,  // value
    MODEL_WARP_ELECT,   // the value is 1 in one lane
    MODEL_ACTIVE_MASK,
    MODEL_WARPGROUP,    // a .sync.aligned instruction of a warpgroup (wgmma, setmaxnreg)
    MODEL_WARP_ALIGNED, // a .sync.aligned instruction of a warp (mma, ldmatrix, tcgen05)

    // Cluster barrier (9.7.13.3).
    MODEL_CLUSTER_ARRIVE,
    MODEL_CLUSTER_WAIT,
    MODEL_CLUSTER_SYNC, // both in one call

    // mbarrier (9.7.13.15), cuda::barrier and every wrapper of these.
    MODEL_MBARRIER_INIT, // count
    MODEL_MBARRIER_INVAL,
    MODEL_MBARRIER_ARRIVE,    // count, bytes (arrive.expect_tx), token out; flags DROP, NO_COMPLETE
    MODEL_MBARRIER_EXPECT_TX, // bytes
    MODEL_MBARRIER_COMPLETE_TX,     // bytes
    MODEL_MBARRIER_TEST,            // token or parity; the value says whether the phase is complete
    MODEL_MBARRIER_WAIT,            // token or parity; comes back only when the phase is complete
    MODEL_MBARRIER_ARRIVE_WAIT,     // count; arrive and wait for that phase
    MODEL_MBARRIER_PENDING,         // token
    MODEL_MBARRIER_CP_ASYNC_ARRIVE, // flag NOINC
    MODEL_MBARRIER_ASYNC_ARRIVE, // one arrive-on when earlier tensor work is done (tcgen05.commit)
    MODEL_MBARRIER_HANDLE,       // the value is the address of the object (barrier_native_handle)

    // Asynchronous copies.
    MODEL_BULK_LOAD,  // object, dst, src, bytes: completes on an mbarrier; flag TENSOR: bytes of
                      // the box, unknown here; flag EXPECTS: announces its bytes itself
    MODEL_BULK_STORE, // dst, src, bytes: bulk group; flag TENSOR
    MODEL_BULK_COMMIT,
    MODEL_BULK_WAIT,   // prior; flag READ
    MODEL_ASYNC_STORE, // st.async, red.async: object, dst, value, bytes
    MODEL_CP_ASYNC,    // dst, src, bytes
    MODEL_CP_ASYNC_COMMIT,
    MODEL_CP_ASYNC_WAIT,   // prior (IR_NONE: all)
    MODEL_GROUP_COPY,      // cg::memcpy_async: group, dst, src, bytes
    MODEL_GROUP_COPY_WAIT, // cg::wait, wait_prior: group, prior

    // Cooperative groups. group is the address of the group object; the type of the group decides
    // who takes part (scope).
    MODEL_GROUP_SYNC,
    MODEL_GROUP_ARRIVE,     // token out where there is one
    MODEL_GROUP_WAIT,       // token
    MODEL_GROUP_COLLECTIVE, // reduce, scan, shfl, ballot of a tile ...
    MODEL_GROUP_MAKE,       // partition: a collective of the parent
    MODEL_GRID_SYNC,
    MODEL_GRID_ARRIVE,
    MODEL_GRID_WAIT,

    // cuda::pipeline. object is the pipeline, state its shared state.
    MODEL_PIPELINE_MAKE, // state, count = producer count or role
    MODEL_PIPELINE_ACQUIRE,
    MODEL_PIPELINE_COMMIT,
    MODEL_PIPELINE_WAIT, // prior where given
    MODEL_PIPELINE_RELEASE,
    MODEL_PIPELINE_QUIT,
    MODEL_PIPELINE_COPY, // cuda::memcpy_async on a pipeline

    // Fences and the launch of dependents.
    MODEL_FENCE, // fence says which
    MODEL_GRID_DEPENDENCY_WAIT,
    MODEL_GRID_DEPENDENCY_LAUNCH,
    MODEL_SETMAXNREG,            // count, flag INCREASE
    MODEL_CLUSTER_LAUNCH_CANCEL, // object, dst, bytes; the answer completes on the mbarrier

    // Values the engine follows.
    MODEL_ADDRESS_SAME, // the value is operand `value` in another address space (cvta)
    MODEL_ADDRESS_PEER, // the address of `value` in the block of rank `rank` of the cluster (mapa)
    MODEL_VALUE,        // a pure function: value_op says which, operands in `argument`
    MODEL_MEMORY_SET,   // memset, memcpy: dst, value or src, bytes
    MODEL_ATOMIC,       // dst, value: the old content comes back; value_op says which
    MODEL_TRAP,         // the kernel is aborted
    MODEL_EXIT,         // the thread ends
    MODEL_NOTHING,      // known to have no effect on barriers or on values followed (printf)
    MODEL_KIND_COUNT_
};

enum model_scope {
    MODEL_SCOPE_THREAD,
    MODEL_SCOPE_MASK, // the lanes of a warp that a mask names
    MODEL_SCOPE_TILE, // a part of a block given by a group object: tile_size threads
    MODEL_SCOPE_COALESCED,
    MODEL_SCOPE_WARP,
    MODEL_SCOPE_WARPGROUP,
    MODEL_SCOPE_BLOCK,
    MODEL_SCOPE_CLUSTER,
    MODEL_SCOPE_GRID,
    MODEL_SCOPE_SYSTEM,
    MODEL_SCOPE_GROUP, // in the table only: the type of the group object says which
};

enum model_flags {
    MODEL_ALIGNED = 1u << 0, // every thread of a warp executes the same instruction
    MODEL_TRY = 1u << 1,     // may come back false although the phase will complete; may suspend
    MODEL_DROP = 1u << 2,
    MODEL_NO_COMPLETE = 1u << 3,
    MODEL_NOINC = 1u << 4,
    MODEL_RELAXED = 1u << 5,
    MODEL_RELEASE = 1u << 6,
    MODEL_ACQUIRE = 1u << 7,
    MODEL_SCOPE_IS_CLUSTER = 1u << 8, // .cluster memory scope; otherwise .cta
    MODEL_REMOTE = 1u << 9,           // of .shared::cluster, or generic: may be another block's
    MODEL_MULTICAST = 1u << 10,
    MODEL_TENSOR = 1u << 11,
    MODEL_EXPECTS = 1u << 12,
    MODEL_READ = 1u << 13,
    MODEL_INCREASE = 1u << 14,
    MODEL_LIBRARY_OBJECT = 1u << 15,   // the object is a cuda::barrier: its type says scope and
                                       // completion function, and outside shared memory it is a
                                       // software barrier
    MODEL_PRIMITIVE = 1u << 16,        // __mbarrier_*: counts end at 16383 (CPG 5.6.1)
    MODEL_TOKEN_BY_ADDRESS = 1u << 17, // `token` is the address of the token
    MODEL_PARITY_BOOL = 1u << 18,    // the parity operand converts to bool: any non-zero value is 1
    MODEL_TIMED = 1u << 19,          // gives up after a time and says so
    MODEL_UNITS_UNKNOWN = 1u << 20,  // libSCALE: the count may be in threads or in
                                     // warps; a body overrules the row
    MODEL_CTA_PAIR = 1u << 21,       // .cta_group::2
    MODEL_REDUCES = 1u << 22,        // red.async: never to the own block
    MODEL_GATHERS = 1u << 23,        // of a tensor: rows one by one, not a box
    MODEL_RELEASES_BLOCK = 1u << 24, // an atomic operation that releases to its block alone
};

enum model_fence {
    MODEL_FENCE_THREAD_BLOCK, // __threadfence_block, fence.acq_rel.cta
    MODEL_FENCE_CLUSTER,
    MODEL_FENCE_GPU,
    MODEL_FENCE_SYSTEM,
    MODEL_FENCE_MBARRIER_INIT,
    MODEL_FENCE_PROXY_ASYNC,        // of every space
    MODEL_FENCE_PROXY_ASYNC_SHARED, // of shared memory alone
    MODEL_FENCE_PROXY_OTHER,
    MODEL_FENCE_OTHER,
    MODEL_FENCE_MET, // a fence of the block and a word, as a latch or a semaphore has
};

// Pure functions and reductions by name.
enum model_value_op {
    MODEL_VALUE_UNKNOWN, // depends on its arguments only, but how is not followed
    MODEL_VALUE_EITHER,  // the same, whichever of two arguments comes first
    MODEL_VALUE_MOVE,    // argument[0]
    MODEL_VALUE_MIN,
    MODEL_VALUE_MAX,
    MODEL_VALUE_ABS,
    MODEL_VALUE_POPC,
    MODEL_VALUE_CLZ,
    MODEL_VALUE_FFS,
    MODEL_VALUE_BREV,
    MODEL_VALUE_LOG2, // of a floating number; where it is made a whole one, how often 2 divides it
    MODEL_VALUE_CEIL, // of a floating number
    MODEL_VALUE_FLOOR,
    MODEL_VALUE_MULHI,
    MODEL_VALUE_MUL24,
    MODEL_VALUE_MAD, // a * b + c
    MODEL_VALUE_BFE, // bit field extract: value, position, length
    MODEL_VALUE_BFI,
    MODEL_VALUE_PRMT,
    MODEL_VALUE_LOP3,
    MODEL_VALUE_FUNNEL_LEFT,
    MODEL_VALUE_FUNNEL_RIGHT,
    MODEL_VALUE_ADD,
    MODEL_VALUE_SUB,
    MODEL_VALUE_AND,
    MODEL_VALUE_OR,
    MODEL_VALUE_XOR,
    MODEL_VALUE_EXCHANGE,
    MODEL_VALUE_INC,
    MODEL_VALUE_DEC,
    MODEL_VALUE_CAS,
    MODEL_VALUE_IS_SHARED,  // __isShared and the like: 1 where argument[0] is in shared memory
    MODEL_VALUE_LDG,        // a load through argument[0]
    MODEL_VALUE_STG,        // a store through argument[0] of argument[1]
    MODEL_VALUE_EXPECT,     // __builtin_expect: argument[0]
    MODEL_VALUE_GRID_VALID, // whether the grid can synchronise
    MODEL_VALUE_CLOCK,      // no argument: what a clock shows, to each thread that reads it
};

enum model_warp_op {
    MODEL_SHFL_IDX,
    MODEL_SHFL_UP,
    MODEL_SHFL_DOWN,
    MODEL_SHFL_XOR,
    MODEL_VOTE_ALL,
    MODEL_VOTE_ANY,
    MODEL_VOTE_UNI,
    MODEL_VOTE_BALLOT,
    MODEL_MATCH_ANY,
    MODEL_MATCH_ALL,
    MODEL_RED_POPC,
    MODEL_RED_AND,
    MODEL_RED_OR,
    MODEL_RED_OTHER,
    MODEL_WARP_OTHER, // a collective of a group that is none of these
    // Of a warpgroup; the first of a thread as well. It reads matrices by the descriptors in
    // argument[0] and argument[1], IR_NONE for one that is not in shared memory.
    MODEL_MATRIX_MULTIPLY,
    MODEL_MATRIX_COMMIT,
    MODEL_MATRIX_WAIT,
};

enum { MODEL_ARGUMENTS = 4 };

// A matrix in shared memory that the lanes of a warp load or store together, at src or dst.
struct model_matrix {
    int64_t rows;      // 0: there is none, or its extents are not known
    int64_t row_bytes; // that lie next to each other
    int64_t element; // bytes; the first address is given, and `width` counts elements from one row
                     // to the next. 0: each lane gives the address of a row
};

// One operation of the IR, understood. Operands are values of the function that holds it, IR_NONE
// where the spelling has none; a constant that the spelling implies stands in *_constant. A
// parameter passed by reference gives the address of the value: model_is_indirect tells. An IR_PTX
// operation leaves every destination that no field names unknown.
struct model_op {
    enum model_kind kind;
    enum model_scope scope;
    uint32_t flags; // enum model_flags
    int min_arch;   // first architecture that has it, 900 for sm_90; 0: every one
    ir_value object, state, group;
    ir_value count, id, mask, parity, token, bytes, predicate;
    ir_value dst, src, value, lane, width, rank, prior;
    ir_value multicast_mask;
    ir_value argument[MODEL_ARGUMENTS];
    ir_value result; // where a result that is not the operation's own value goes: an address
    ir_value result_predicate; // second result (elect.sync, shfl, match.all): an address
    ir_value token_result;     // the address a token is written to, or IR_NONE
    int64_t count_constant;    // where count is IR_NONE: the implied count, 0 for "every thread"
    int64_t id_constant;       // where id is IR_NONE
    int64_t prior_constant;    // where prior is IR_NONE: 0, a template argument, or below 0 for the
                               // oldest stage that has not been waited for
    int64_t bytes_constant;    // where bytes is IR_NONE: what the mnemonic implies, 0 where unknown
    int64_t tile_size;         // MODEL_SCOPE_TILE: threads; 0 where unknown
    int64_t stages;            // pipelines: stages of the shared state; 0 where unknown
    struct model_matrix matrix;
    enum model_fence fence;
    enum model_value_op value_op;
    enum model_warp_op warp_op;
    const char *group_type; // cooperative groups: lookup name of the group's type, "" if unknown
    uint32_t indirect;      // see model_is_indirect
    const char *spelling;   // for messages: "cuda::barrier::arrive", "mbarrier.arrive.expect_tx"
};

// Rows a user adds for code that cannot be followed (.barlint.yaml), over the built-in table.
struct model;

// The built-in table. Never fails.
struct model *model_new(void);
void model_free(struct model *model);

// Adds a row: `spelling` is a function's qualified name, `like` the spelling of an existing row
// (a function or a mnemonic), `roles` says what the arguments are (the letters of rows.def; NULL:
// as in that row). Fails with a message that names
// the nearest existing spelling when `like` is unknown or a role letter does not exist.
bool model_add(struct model *model, const char *spelling, const char *like, const char *roles,
               struct error *error);

// Whether a function of that lookup name has a row, so that its body need not be followed.
bool model_knows(const struct model *model, const char *lookup);

// Whether any row is called as the function, whatever it is given: where none is, model_match()
// says no for all its calls.
bool model_names(const struct model *model, const char *lookup);

// Fills `out` and returns true when the operation is a CALL or PTX that has a row; kind MODEL_NONE
// is never returned. An unknown PTX instruction is false: its destinations are unknown.
bool model_match(const struct model *model, const struct ir_unit *unit,
                 const struct ir_function *function, ir_value op, struct model_op *out);

// Whether a field of `op` (one of its ir_value members) holds the address of the value meant,
// because the parameter is a reference or a class object.
bool model_is_indirect(const struct model_op *op, const ir_value *field);

// Whether the operation reads matrices by descriptors.
bool model_multiplies(const struct model_op *op);

const char *model_kind_name(enum model_kind kind); // "mbarrier-arrive"
// An atomic operation that releases what its thread did before to the whole device.
bool model_releases(const struct model_op *op);
// The same, to the threads of its block at least.
bool model_releases_block(const struct model_op *op);
bool model_is_barrier(enum model_kind kind); // an operation `dump --barriers` lists

#endif
