// The engine: what the threads of a block (or of a cluster) do with their barriers.
//
// For one kernel and one launch shape the engine runs the kernel's IR with all its threads at once,
// over abstract values: constants, one constant a thread, uniform symbols, unknown varying data.
// Threads that take the same path form a group; a condition over known values splits a group
// exactly. A condition over a uniform symbol is a decision: the run goes on with one outcome, and
// another run is made for each other outcome, so that within a run all roles agree. Barrier
// operations drive the state machines of include/barlint/; groups block and wake as threads do on
// the device, and a run ends in completion or in a deadlock. What a run sees is kept as events (an
// operation was executed, with these operands, by these threads) and incidents (a contract was
// broken). Rules read both.
//
// Layer: engine uses model, ir and base. It never prints.
#ifndef BARLINT_ENGINE_ENGINE_H
#define BARLINT_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "ir/ir.h"
#include "ir/origin.h"
#include "model/model.h"

enum engine_shape_source {
    ENGINE_SHAPE_LAUNCH,    // a launch in the sources, at loc
    ENGINE_SHAPE_ATTRIBUTE, // __launch_bounds__, __block_size__, __cluster_dims__
    ENGINE_SHAPE_COMMENT,   // barlint: launch(...)
    ENGINE_SHAPE_CONFIG,
    ENGINE_SHAPE_GUESS, // one of a few common shapes
};

enum {
    ENGINE_ARGUMENTS = 48,   // of a launch that are looked at, members of records among them
    ENGINE_HOST_USES = 4,    // of barriers, beside one launch
    ENGINE_MEMBERS = 16,     // pointers in records of one launch
    ENGINE_TENSOR_MAPS = 8,  // of one launch
    ENGINE_QUANTITIES = 144, // of the host, in one call
    ENGINE_CONDITIONS = 16,  // around one launch
    ENGINE_CALLS = 8,        // of one shape
};

// A barrier that the function which launches the kernel works on while the kernel may run.
struct engine_host_use {
    ir_global_id variable; // the barrier lies there, or, where it is IR_NONE,
    uint32_t argument;     // behind this pointer that the launch passes
    int64_t offset;        // in bytes
    struct ir_loc loc;
};

// A tensor map that the launch passes by value, of which the box is known.
struct engine_tensor_map {
    uint32_t argument; // that it lies in
    int64_t offset;    // in it, in bytes
    int64_t bytes;     // of the box: what one copy delivers
};

// A number that the host computes: a constant (IR_CONST), something that nobody knows (IR_PARAM),
// or an operation (enum ir_op_code or enum node_op of values/value.h) on earlier quantities.
struct engine_quantity {
    uint16_t op;
    uint16_t argument[3]; // indices, 0 where there is none
    int64_t low, high;    // of what nobody knows; of a constant both are the number
};

// How many quantities an operation works on, 0 for IR_CONST and IR_PARAM; more than three where no
// quantity is made by it.
uint32_t engine_quantity_arity(uint16_t op);

// Lies between two numbers where the launch is reached.
struct engine_condition {
    int64_t low, high;
    uint64_t quantity;
};

// What one launch is made of, as the host computes it: what the extents and the arguments have in
// common is one quantity.
struct engine_call {
    struct engine_quantity quantity[ENGINE_QUANTITIES]; // 0 is not used
    struct engine_condition condition[ENGINE_CONDITIONS];
    uint32_t quantities, conditions;
    uint32_t of_operands; // the first quantities, which extents and arguments are made of
    // Indices of quantities, 0 where nothing is known.
    uint16_t block[3], grid[3], argument[ENGINE_ARGUMENTS];
};

struct engine_shape {
    int64_t block[3];
    int64_t grid[3];      // 0 where unknown
    int64_t cluster[3];   // 1 where there is none
    int64_t shared_bytes; // dynamic shared memory; -1 where unknown
    bool launched;        // by a launch in the sources, at loc, whatever is known of its block
    bool cooperative;
    bool dependent;       // may start before the kernel before it in its stream has ended
    bool attributes_lost; // attributes of the launch could not be evaluated
    bool cluster_assumed; // it has clusters, of a size that could not be evaluated
    bool block_known;     // false: the extents of the block could not be evaluated and are guessed
    bool rows_known;      // of a guess: the launch says all but one of them
    enum engine_shape_source source;
    ir_function_id kernel; // of a launch
    // Integer arguments that the launch passes as known numbers: bit i says that argument i is one.
    // Parameters come first, behind them the integer members of those that are records, in order.
    uint64_t arguments_known;
    int64_t argument[ENGINE_ARGUMENTS];
    // Pointer arguments that the kernel launched before it in its host function is given as well,
    // and writes to.
    uint64_t arguments_written;
    // The same of pointers within records that are passed by value.
    struct ir_member member_written[ENGINE_MEMBERS];
    uint32_t members_written;
    const char *after; // that kernel's name, or NULL
    struct engine_host_use host_use[ENGINE_HOST_USES];
    uint32_t host_uses;
    struct engine_tensor_map tensor_map[ENGINE_TENSOR_MAPS];
    uint32_t tensor_maps;
    // Of the launches that are this shape; none where there are none, or more than there is room
    // for.
    const struct engine_call *call[ENGINE_CALLS];
    uint32_t calls;
    bool calls_lost;
    struct ir_loc loc;        // of the launch, attribute or comment
    const char *launcher;     // name of the function that launches, or NULL
    const char *launcher_key; // its key, with which instances of one template differ, or NULL
};

// How many threads of a set, said as ranges of linear thread numbers within the block
// ("0-31, 64"), with ", block 1 of the cluster" where it matters.
struct engine_threads {
    uint32_t count;
    uint32_t first;       // lowest linear thread number
    const char *text;     // "threads 0-31 of 128"
    const uint64_t *mask; // one bit a thread of the cluster; NULL for the empty set
};

// A place in the call tree of a kernel: chain 0 is the kernel itself, the others say who called.
struct engine_chain {
    uint32_t parent;         // index, UINT32_MAX for the kernel
    ir_function_id function; // the function that is entered
    struct ir_loc call;      // where its caller called it
    // Its only barrier operation is its purpose: a reader should look at the call.
    bool wrapper;
};

struct engine_object {
    const char *name; // "full[2]", "state.empty", "named barrier 1", "smem + 1024"
    enum ir_space space;
    bool in_shared;      // the block's own shared memory
    bool is_own;         // a variable of which each thread has its own
    bool completes;      // a phase of this mbarrier was seen to complete
    uint32_t phases;     // of it that one run completed, at most
    bool outlived;       // its phases went on without threads that had dropped out as data decided
    bool exact;          // the object is known exactly, not a summary of several
    bool is_peer;        // belongs to another block of the cluster
    bool beyond;         // an mbarrier behind the dynamic shared memory that the launch gives
    bool beyond_if;      // that rests on what a run has assumed
    int64_t offset;      // bytes from the start of its variable
    uint64_t align;      // guaranteed alignment of that address in bytes
    uint64_t base_align; // guaranteed alignment of the start of its variable in bytes
    const char *type;    // name of the record type where known ("cuda::barrier<...>"), or NULL
    struct ir_loc loc;   // of the declaration of its variable
};

// The values an operand takes over the threads of an event.
struct engine_range {
    bool given;     // the operation has the operand
    bool known;     // low and high are exact bounds of constant values
    bool uniform;   // the same in all threads of the event
    bool possible;  // some launch can come to it, and low and high are those of such ways
    uint32_t asked; // how often that was looked for
    int64_t low, high;
    const char *text; // how to write it: "128", "blockDim.x / 32", "unknown"
    // With the integer arguments that the launch passes as numbers it is known; its bounds then.
    bool at_launch;
    int64_t launch_low, launch_high;
};

// An operation executed by some threads. Events of one operation, call chain and object are one,
// whatever the number of times; ranges cover all of them.
struct engine_event {
    ir_function_id function;
    ir_value op;
    struct model_op model;
    uint32_t chain;
    uint32_t object; // index, UINT32_MAX where it has none or it could not be followed
    struct ir_loc loc;
    struct engine_threads threads; // all that executed it
    uint32_t most_at_once;         // most threads in one execution
    bool in_global;                // the object lies in memory that the kernel was given, or in a
                                   // variable of the device
    bool same_in_grid;             // the object's address is the same in all blocks of the grid
    bool remote;                   // the object belongs to another block of the cluster
    struct ir_loc hardware;        // the condition by which %warpid chose the threads; file 0: none
    struct ir_loc host;            // where the host works on it meanwhile; file 0 where it does not
    // Threads of it had stored to shared memory since they last released: to their own block's, and
    // other threads waited for the arrival before any barrier of the block; to a peer's.
    bool wrote, wrote_remote;
    // Or to their own block's, and threads of another one, which had waited for the arrival, read
    // it there.
    bool pulled;
    struct engine_range count, id, parity, bytes, mask;
    // Alignment of the addresses of a copy in bytes, known where variable and offset are: low is
    // what the declarations guarantee, high what the offset alone would allow (the largest power of
    // two that divides it, at most 128). high below what is needed is wrong however the variable
    // comes to lie; low below it depends on where it comes to lie.
    struct engine_range dst_align, src_align;
    // Of a copy: where it goes to, or comes from, is known to lie elsewhere than it must.
    bool dst_elsewhere, src_elsewhere;
    uint32_t runs;     // in how many ways through the kernel's decisions it was executed
    uint32_t last_run; // the newest of them
    bool launched;     // one of them is a way that some launch of the shape can take
    // Copies that the threads wait for themselves: some wait covered one of them; the kernel came
    // to its end with one that none covered, though threads came to a wait behind it; some thread
    // went on to start another after a wait.
    bool awaited, left_open, passed_by, again;
    // A copy, or a wait at an mbarrier, in a kernel that may start early: threads start it, or have
    // passed it, that have not waited for the kernel before nor come after others that have.
    bool unaware;
    bool unaware_now;    // the same in the run that goes on
    bool reads_absent;   // a shuffle: from a lane that the block does not have
    bool lacks_mask;     // a shuffle: called as those were that had no mask
    bool reads_unnamed;  // a shuffle: from a lane that its mask does not name
    bool sources_differ; // a shuffle of a tile of several warps: not all name one source
    bool rank_by_rest; // a rank in the cluster: made by a known number, as `x % 2` and `x & 1` are
    bool part_of_warp; // __activemask(): executed while live lanes of the warp were elsewhere
    bool in_loop;
    bool partial; // inside a function that lost expressions to parse errors
    bool pattern; // inside an uninstantiated template
};

enum engine_incident_kind {
    ENGINE_INCIDENT_NONE,
    // A state machine of include/barlint/ found the contract broken; `violation` says which.
    ENGINE_VIOLATION,
    // Nobody can go on: `waiting` events, `missing` threads.
    ENGINE_DEADLOCK,
    // Threads wait at a barrier which other live threads of its scope have skipped: `skipping` are
    // the threads that passed it by, `branch` the condition that separates them.
    ENGINE_SKIPPED,
    ENGINE_INCIDENT_KIND_COUNT_
};

// number[0] of a race: how the two threads touch the place (0: read, 1: write, 2: change
// atomically, 3: copy to it in bulk) and what is to be known of it. number[1] is the thread that
// comes first in the text, number[2] the other one. number[3]: the calls that lead to the first
// access, above those that lead to the other.
enum engine_race {
    ENGINE_RACE_EARLY = 3,
    ENGINE_RACE_LATE = 12,
    ENGINE_RACE_LATE_SHIFT = 2,
    ENGINE_RACE_BY_DATA = 16,       // data decide where one of them goes
    ENGINE_RACE_EARLY_BY_DATA = 32, // the first
    ENGINE_RACE_ODD = 64,           // under conditions that programs may never make true
    ENGINE_RACE_TOGETHER = 128,     // lanes that went together before sm_70
    ENGINE_RACE_ONE_ARRAY = 256,    // that both index, by threads of the first two warps
    ENGINE_RACE_BY_SIZE = 512,      // where one of them goes a size decides, not data
    ENGINE_RACE_PEERS = 1024,       // of two blocks of the cluster; numbers are those within each
    ENGINE_RACE_UNHEARD = 2048,     // the first has released it since, which the other missed
    ENGINE_RACE_UNFENCED = 4096,    // it is for other blocks, and nothing fences it
    ENGINE_RACE_IN_FLIGHT = 8192,   // the same, brought by bulk stores that may not be complete
    ENGINE_RACE_VOLATILE = 16384,   // of lanes of one warp, by volatile accesses
    ENGINE_RACE_SPOKEN = 32768,     // told where another thread has arrived for the first
    ENGINE_RACE_FOR_WARP = 65536,   // a lane for its warp, and for no other
    ENGINE_RACE_WITH_COPIES = 1 << 17, // told where the first lets its copies arrive, no store
    ENGINE_RACE_OF_LANES = 1 << 18,   // lanes of a warp meet so too, whatever the size of the block
    ENGINE_RACE_BY_RELEASE = 1 << 19, // others are told by an operation that releases
    ENGINE_RACE_HANDED = 1 << 20,     // shared memory is handed on by a word that warps wait for
    ENGINE_RACE_ONCE = 1 << 21,       // no loop goes round both accesses
};

// number[1] of threads that have left before a barrier of the block: what is lost with them.
enum engine_exit {
    ENGINE_EXIT_NOTHING,
    ENGINE_EXIT_PART,     // their part of a primitive of the whole block
    ENGINE_EXIT_UNSTORED, // elements of shared memory, which the others read
};

// number[2] of an incident about the number of a pipeline's producers: what does not agree with it.
enum engine_producers {
    ENGINE_PRODUCERS_BLOCK,  // the size of the block
    ENGINE_PRODUCERS_ACT,    // those that produce
    ENGINE_CONSUMERS_ACT,    // those that consume
    ENGINE_PRODUCERS_DIFFER, // the number that other threads give
};

// number[0] of an incident about memory that the asynchronous proxy reads or writes: what does.
enum engine_reader {
    ENGINE_READ_BY_STORE,        // in bulk
    ENGINE_READ_BY_FENCED_STORE, // by a thread that fences for those who wrote it
    ENGINE_OVERWRITTEN,          // by a copy in bulk, which reads nothing there
    ENGINE_READ_BY_MATRIX = 8,   // a multiplication
                                 // another number: a copy
};

// A step of the story an incident tells, in order.
struct engine_step {
    struct ir_loc loc;
    const char *text; // "'full' is initialised with an expected count of 128 by thread 0"
};

// How a run that shows an incident has decided.
struct engine_way {
    uint8_t *outcome; // of each decision
    uint32_t count;
    bool *weak;        // those that rest on a value that could not be followed
    const char **text; // of the first ways: what the others assume, for people; NULL: nothing
};

// More has come to a phase than it takes: arrivals that it is not owed, or those of a later round,
// which nothing has held back.
// number[1] of an incident of phase-unobserved: threads that make up two phases in a row, or may
// come to a phase before the one before is over.
enum { ENGINE_ARRIVALS_AHEAD = 1, ENGINE_ARRIVALS_EARLY };

// number[2] of an incident of tx-late-expect: others make the arrivals of the phase, and nothing
// tells them that the bytes are announced.
enum { ENGINE_ANNOUNCED_APART = -1 };

enum engine_surplus { ENGINE_SURPLUS_OF_PHASE = 1, ENGINE_SURPLUS_OF_ROUNDS = 2 };

// What number[] of an incident of tx-bytes says: bytes that are announced and bytes that copies
// deliver; whether the former are more, and fewer, of sizes that are no known numbers; or bytes
// that are announced and what copies of unknown boxes have room for.
enum engine_bytes { ENGINE_BYTES_COUNTED, ENGINE_BYTES_COMPARED, ENGINE_BYTES_ROOM };

// What is said in "needs" and in an assumption of a number that has no name.
#define ENGINE_DATA_ALLOW "the data allow it"

struct engine_incident {
    enum engine_incident_kind kind;
    int violation;           // enum barlint_violation, for ENGINE_VIOLATION and ENGINE_DEADLOCK
    const char *rule;        // rule id the violation carries
    struct ir_loc loc;       // where a reader should look first
    uint32_t loc_chain;      // the place in the call tree that `loc` belongs to
    ir_function_id function; // the operation it happened at
    ir_value op;
    uint32_t chain;
    uint32_t object;
    struct engine_threads threads; // who does it
    struct engine_threads missing; // who should and does not, or never comes
    struct ir_loc branch;          // the condition that separates the two; file 0 where none
    uint32_t lanes;                // that part in each warp, alike in all guessed shapes; or 0
    int64_t number[4];             // what the message needs: expected, actual, ...
    struct engine_step *step;      // stb_ds array
    const char *assumption;        // "if 'n' > 0" or NULL
    const char *needs;             // what it takes beside, "'n' > 32", or NULL
    uint32_t runs;                 // ways through the decisions on which it happened
    uint32_t reached;              // on which the operation was executed at all
    uint32_t last_run;             // the newest of them it was seen in
    uint32_t firm_run; // a race: the newest of them that rests on nothing unknown and on which no
                       // data send threads different ways
    uint32_t *clean;   // stb_ds array: events of such a way, on which nothing else is wrong
    bool alone;        // and that comes to all that is wrong elsewhere
    bool certain;      // by the engine's rule, see engine_result
    bool supported;    // worth showing by default: no value it rests on is unknown
    bool out_of_step;  // always behind a wait that passed for a wrong phase
    bool between;      // always by threads that have arrived at the cluster barrier and not waited
    uint8_t surplus;   // enum engine_surplus: it is never seen without
    // The innermost place in the call tree that both ends of it stand in, be that a mere wrapper;
    // 0, the kernel, where nobody asks.
    uint32_t within;
    struct engine_way *way; // some of those it shows on, while it is not supported
    uint32_t ways;
};

struct engine_statistics {
    uint32_t runs;
    uint64_t steps;              // operations executed
    bool cut_short;              // a budget ended the walk while ways did something new
    bool awaits_copies;          // the kernel has, or may have, a wait for copies of threads' own
    uint32_t unknown_operations; // opaque operations, unknown calls and PTX met
    uint32_t unknown_objects;    // barrier operations on objects that could not be followed
    double seconds;              // of processor time
};

// What was found out about one kernel under one launch shape.
//
// Certainty: an incident is certain when it happened in every run that executed its operation, the
// launch shape is not guessed (or it happened under every guessed shape), and neither its function
// nor any value it rests on is partial, unknown or a pattern. Otherwise it is possible, with the
// assumption that made it happen.
struct engine_result {
    struct arena arena;
    const struct ir_unit *unit;
    const struct model *model; // what the unit was understood with
    ir_function_id kernel;
    struct engine_shape shape;
    struct engine_object *object; // stb_ds arrays
    struct engine_chain *chain;
    struct engine_event *event;
    struct engine_incident *incident;
    struct engine_statistics statistics;
    bool one_warp; // the block is a guess, and warps numbered through the grid pass a barrier by
    struct engine_schedule *schedule; // of the run that shows most, where asked for (schedule.h)
};

struct engine_options {
    uint32_t max_runs;  // of a kernel under a shape until no further way is begun; 0: the default
    uint64_t max_steps; // operations until no further way is begun; 0: the default
    uint64_t max_run_steps; // operations of one run; 0: the default, and no more than max_steps
    double max_seconds;     // 0: the default
    int arch;               // 900 for sm_90
    bool again;             // the kernel has been run under another shape before
    bool schedule;          // keep what one run does step by step
    const char *shows; // of the schedule: a run that breaks this rule goes before others, or NULL
};

struct engine_shapes {
    struct engine_shape *shape; // stb_ds array
    struct arena calls;         // of launches found here; a zeroed arena is empty
};

// What is known of a unit's functions under whatever kernel and launch shape they run, and the
// slice of the kernel run last: worked out when it is first wanted and kept until
// engine_unit_free(). The unit and the model must stay as they are until then.
struct engine_unit;
struct engine_unit *engine_unit_new(const struct ir_unit *unit, const struct model *model);
void engine_unit_free(struct engine_unit *unit); // NULL is ignored

// All launches that the unit's host functions reach, of whatever kernels. Release as shapes.
void engine_launches_find(struct engine_shapes *out, struct engine_unit *unit);

// The launch shapes known of a kernel: those of its launches, then of its attributes and, where
// nothing is known, a few common ones.
void engine_shapes_find(struct engine_shapes *out, const struct ir_unit *unit,
                        const struct engine_shapes *launches, ir_function_id kernel);
void engine_shapes_release(struct engine_shapes *shapes);

// Runs one kernel under one shape. Never fails: what could not be followed is counted.
void engine_run_kernel(struct engine_result *out, struct engine_unit *unit, ir_function_id kernel,
                       const struct engine_shape *shape, const struct engine_options *options);
void engine_result_release(struct engine_result *result);

// The call by which a chain, which has a parent, was entered: an operation of the caller. IR_NONE
// where it cannot be told: two calls may stand at one place, as a macro makes them.
ir_value engine_call_of(const struct engine_result *result, const struct engine_chain *entry);

#endif
