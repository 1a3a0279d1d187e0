// What one run of a kernel did, step by step: which threads came to which barrier, when its phases
// completed, and who stands where at the end. Made when engine_options.schedule asks for it;
// whoever draws it needs nothing else.
#ifndef BARLINT_ENGINE_SCHEDULE_H
#define BARLINT_ENGINE_SCHEDULE_H

#include "engine/engine.h"

// Threads that took the same path: the same operations on the same barriers in the same order.
struct engine_lane {
    struct engine_threads threads;
    const char *name; // "warp 0", "threads 1-31", "lane 0 of warps 1-3"
    uint32_t alike;   // roles left out that do the same, each with barriers of its own
    uint32_t others;  // roles that are in this lane because there is no room for one each
};

enum engine_moment_kind {
    // Of threads. The comment names the fields that matter beside the barrier and its phase.
    ENGINE_MOMENT_INIT, // count
    ENGINE_MOMENT_INVAL,
    ENGINE_MOMENT_ARRIVE,       // count where not 1, bytes announced with it, drops
    ENGINE_MOMENT_EXPECT,       // bytes
    ENGINE_MOMENT_COMPLETE_TX,  // bytes
    ENGINE_MOMENT_COPY,         // a copy that completes on the mbarrier starts: bytes
    ENGINE_MOMENT_ASYNC_ARRIVE, // an arrival is due when earlier copies are done
    ENGINE_MOMENT_WAIT,         // waits; the phase is the one waited for, -1 for the one before the
                                // first, which counts as over (PTX ISA 9.1, 9.7.13.15.16)
    ENGINE_MOMENT_REFUSED,      // a test came back false and the thread goes on
    ENGINE_MOMENT_SYNC,         // named barrier, block barrier or both halves of the cluster's
    ENGINE_MOMENT_PASSED,       // a wait ends although the phase was not seen to complete
    ENGINE_MOMENT_OTHER,        // an operation whose effect is not simulated: spelling
    ENGINE_MOMENT_EXIT,
    ENGINE_MOMENT_VIOLATION, // rule
    ENGINE_MOMENT_HANG,      // waits for ever: expected, pending, transactions, missing, rule
    // Of nobody.
    ENGINE_MOMENT_LAND,     // copies land: bytes
    ENGINE_MOMENT_COMPLETE, // phases `phase` to `last_phase` complete
    ENGINE_MOMENT_REPEAT,   // the `repeat_length` moments before come `repeat_times` more times
};

enum engine_barrier_kind {
    ENGINE_BARRIER_NONE,
    ENGINE_BARRIER_MBARRIER,
    ENGINE_BARRIER_NAMED,
    ENGINE_BARRIER_CLUSTER,
};

// The phase of a wait that passes because nothing is claimed of its barrier.
enum { ENGINE_PHASE_UNKNOWN = -2 };

// What the threads of one lane have to do with a moment.
struct engine_part {
    uint32_t lane;
    bool whole;       // all threads of the lane
    const char *name; // of its threads, in the words of a lane's name
    struct engine_threads threads;
    uint32_t until; // of a wait: the moment that ends it, UINT32_MAX where none does
};

struct engine_moment {
    enum engine_moment_kind kind;
    enum engine_barrier_kind barrier;
    uint32_t object; // mbarrier: index of engine_object, UINT32_MAX where it was not followed
    uint32_t id;     // named barrier
    bool counted;    // named barrier: of a number of threads, not of the whole block
    uint32_t blocks; // of the cluster, one bit each: whose barriers
    bool remote;     // threads of other blocks do it
    int64_t phase, last_phase;
    struct engine_range count, bytes;
    bool waits, drops;
    bool token;              // the wait is for a token's phase, else for a parity
    enum model_kind model;   // of the operation; MODEL_NONE where there is none
    const char *spelling;    // of the operation, or NULL
    const char *rule;        // or NULL
    ir_function_id function; // where the operation stands
    ir_value op;
    uint32_t chain;
    struct ir_loc loc; // at the call where it stands in a mere wrapper; file 0: none
    int64_t expected, pending, transactions;
    struct engine_threads missing;
    bool missing_exited; // they have exited
    uint32_t repeat_length, repeat_times;
    struct engine_part *part; // stb_ds array, by lane
};

enum engine_ending {
    ENGINE_ENDING_COMPLETE,
    ENGINE_ENDING_HANG,
    ENGINE_ENDING_ABORTED,   // a trap, or a mistake that makes the hardware abort the launch
    ENGINE_ENDING_CUT_SHORT, // by a budget
};

struct engine_schedule {
    struct engine_lane *lane;     // stb_ds arrays
    struct engine_moment *moment; // in the order of the run
    enum engine_ending ending;
    bool cut_short;         // there was more to record than there is room for
    bool weak;              // a value that could not be followed decided something
    bool incident;          // something went wrong
    const char *assumption; // "if 'n' > 0" or NULL
    uint32_t path;          // which way through the kernel's decisions this is, from 1
    uint32_t block_threads, blocks;
    int rank;         // of the run among the others
    uint32_t moments; // before they were put together
};

#endif
