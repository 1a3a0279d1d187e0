// One run of a kernel: the state of all its threads, its memory and its barriers, and the decisions
// taken so far. Internal to the engine.
#ifndef BARLINT_ENGINE_RUN_H
#define BARLINT_ENGINE_RUN_H

#include "engine/engine.h"
#include "engine/values/mask.h"
#include "engine/values/value.h"
#include "ir/cfg.h"

enum { MAX_THREADS = 64 * MASK_WORDS }; // of a cluster
enum { MAX_GROUPS = 2048 };             // that a run makes until it is given up

// --- Memory ----------------------------------------------------------------------------------

enum object_kind {
    OBJECT_LOCAL,  // of a frame: every thread has its own
    OBJECT_SHARED, // one in each block
    OBJECT_GLOBAL, // seen by the whole device
    OBJECT_PARAM,  // a parameter of the kernel passed by value, or what lies behind it
};

struct cell {
    uint32_t size;            // bytes
    const struct node *value; // pieces by thread; threads without a piece have written nothing
    const struct mask *mask;  // threads for which the cell has content
};

struct zero_range {
    int64_t offset, size;
    const struct mask *mask;
};

// Bytes [low, high) of an object were written by something that could not be followed exactly.
struct overwritten {
    int64_t low, high;
    uint32_t version; // of the object, since then
    bool copied;      // by an asynchronous copy: it is data from elsewhere
};

// A word of memory that is no variable (outside.c).
struct outside_word {
    const struct node *address;
    const struct node *value; // NULL: it was stored, and is not one that all threads know
    const struct mask *mask;  // of those who stored, NULL where it was read
    uint32_t size;
    uint32_t version; // of the object, since then
    bool stored;      // else read
};

struct object {
    enum object_kind kind;
    enum ir_space space;
    ir_type_id type; // of the variable, IR_NONE where unknown
    ir_type_id
        view; // the record that the kernel takes an array of bytes for, to name what is there
    const char *name;
    struct ir_loc loc;
    uint64_t align;
    struct {
        int64_t key; // offset in bytes
        struct cell value;
    } * cell;                        // stb_ds array, by offset
    struct zero_range *zero;         // stb_ds array
    uint32_t version;                // counts writes that could not be followed exactly
    uint32_t whole;                  // the version of the latest that may have reached every byte
    struct overwritten *overwritten; // stb_ds array: of those since that reached a part
    int64_t *asked;                  // stb_ds array: where threads have read words to decide by
    bool filled;                     // copies of unknown length came here since
    bool unknown;                    // what was never written here has content nonetheless
    bool handed; // its address went to a call that may do anything to a barrier there
    // A region of the object `within` that begins `beyond` bytes behind its beginning, of which
    // nobody knows the number (mbarrier_region.c); NULL: no region.
    const struct node *beyond;
    uint32_t within;
    const struct node *base;   // memory that is not a variable: the symbol its addresses start from
    struct outside_word *word; // stb_ds array: what was stored and read there of late, oldest first
    uint64_t parameter; // the key of its value: of a template parameter that nothing instantiates
    const struct node *number; // what it always is: of a constant; or NULL
};

// --- Decisions -------------------------------------------------------------------------------

// What a run has decided about a linear form (the sum of terms without its base).
struct bound {
    const struct node *form;
    int64_t low, high;
    int64_t excluded[8];
    uint32_t excluded_count;
    const int64_t *lane; // exact values, one a thread, or NULL
};

enum { APART_THREADS = 3, FOUND_NUMBERS = 64 };

// A number of a symbol that made all true which some run had assumed (search.c).
struct found_number {
    uint64_t key; // the symbol's
    int64_t value;
};

// Threads that a run takes to part by their numbers and by what is the same in all of them: each
// asks whether the form is at least its number, or just that.
struct apart {
    const struct node *form;
    bool equality;
    uint32_t thread[APART_THREADS]; // of those that ask, some far from each other
    int64_t at[APART_THREADS];
};

// What was worked out of a node, as long as no decision changes it.
struct memo {
    uint32_t resolved_version, interval_version; // values.memo_version then; 0: never
    const struct node *resolved;
    int64_t low, high;
    uint32_t walk;          // the latest that came to it
    uint32_t bound_epoch;   // the run that knows a bound of it, by the pool's epoch
    uint32_t bound;         // its index
    uint32_t decided_epoch; // the run that has decided something of a value it is a part of
    uint32_t data_epoch;    // the run that knows whether it depends on data
    bool by_data;           // whether it does
};

// What a decision says of its form.
enum saying {
    SAYS_NOTHING, // that need be said
    SAYS_DIFFERS, // between threads
    SAYS_TRUTH,
    SAYS_IS,
    SAYS_IS_NOT,
    SAYS_BELOW,
    SAYS_AT_LEAST,
};

enum { OUTCOME_PARTED = 2 }; // from this one on not all threads decide alike

// What feasible.c has found out about the launch, by what was asked.
struct launch_memo {
    uint64_t key; // 0: nothing yet
    bool allows;
};

enum { LAUNCH_MEMOS = 64 };

struct decision {
    uint32_t alternatives; // how many outcomes there are
    uint32_t chosen;
    uint64_t site; // function and operation, to tell new outcomes from known ones
    enum saying says;
    int64_t number;
    const struct node *form; // what it is about
    uint32_t line;           // of the branch that asks in the file of the kernel, 0 elsewhere
    bool weak;               // rests on a value that could not be followed
    bool free;               // and one about which nothing else is known: either way may be gone
    bool deep;               // is made of too much to be held against the others
    bool pair;               // is about how two symbols compare
    bool row;                // is about the length of a row, which may have none
    bool whole;              // is about a quotient rounded down
    bool common;             // all threads asked the same
    enum { ASKED_ONCE, ASKED_IN_ROUND, ASKED_FOR_ROUND } asked; // of a loop: within, for another
    // Where all threads of one block ask for a least value of the form:
    uint32_t block; // counted from 1, 0 otherwise
    int64_t least;
    bool holds;
};

// How decisions go: as listed, and then the first outcome of each. Or, on a way that endures,
// behind the listed ones each loop whose end is open goes on for long, and the first decision at a
// place goes another way.
struct way {
    uint32_t *outcome;
    uint32_t count;
    bool endures;
    uint64_t place;
    uint32_t there;
};

// What the first order of threads decided on a way, for the others: these come to the same
// questions in an order of their own.
struct decided {
    uint64_t site, form; // form: what it is about (follow.c), or 0
    uint32_t chosen;
    bool taken;        // by the run that follows
    int64_t low, high; // what the form was in the end
};

// A condition that one run has decided alike again and again, each time about something new.
struct habit {
    uint64_t site;
    uint32_t chain;
    uint32_t times;
    bool held;
};

// --- Threads ---------------------------------------------------------------------------------

struct join;

// The two arms of a condition that is not decided, executed one after the other by one group, when
// nothing in them can touch a barrier. Stores merge old and new content under the condition.
struct arms {
    struct arms *outer;
    const struct node *condition; // of the arm being executed
    const struct mask *mask;      // the threads that were asked
    struct {
        const struct mask *mask; // the threads that these are about; NULL: nobody has asked yet
        const struct node *condition, *denied; // in them
        const struct node *denied_by_all;
    } seen;
    ir_block_id other;         // the arm still to come, IR_NONE in the second
    ir_block_id meet;          // where the arms meet, IR_NONE for the end of the function
    ir_value loop;             // the condition of a loop executed once, IR_NONE for a branch
    uint64_t read, written;    // in such a loop: shared objects, by the remainder of their number
    uint32_t depth;            // of the frame
    const struct node *result; // what the first arm returned
    bool returned;
    bool many; // of a loop: more rounds follow, which nobody goes through
};

enum { FRAME_UNITS = 64 };

struct frame {
    struct frame *parent;
    uint32_t depth;
    bool shared;    // more than one group stands on it: copy before writing
    bool copied;    // has parts that are another frame's
    uint32_t units; // of its memory (frames.c)
    ir_function_id function;
    uint32_t chain;
    ir_block_id block;
    uint32_t position;         // in what is executed of the block, see function_facts
    ir_value at;               // the latest operation executed
    ir_value call;             // the operation of the parent that waits for the result
    uint64_t instance;         // equal for copies of one activation
    const struct node **value; // by slot, see function_facts
    const struct node **lazy;  // the same, as far as asked for; shared by copies
    const struct node **argument;
    uint32_t argument_count;
    uint32_t *local;              // object of each local, 0 where not made yet; shared by copies
    const struct node **variable; // of each register, from 1 (registers.c)
    uint32_t *visits;             // of each block, by this activation; shared by copies
};

// A condition on the host that holds from some place on: elsewhere the program ends.
struct checked {
    const struct checked *earlier;
    const struct arms *arms; // it holds within these
    const struct node *condition;
};

enum group_state {
    GROUP_READY,
    GROUP_BLOCKED, // at a barrier
    GROUP_PARKED,  // at a join, for the groups it split from
    GROUP_DONE,
};

enum wait_kind {
    WAIT_NONE,
    WAIT_NAMED,
    WAIT_MBARRIER, // until the phase completes
    WAIT_TEST,     // a test that came back false: may be told so again
    WAIT_CLUSTER,
    WAIT_WARP, // lanes of the warp, to elect one of them
    WAIT_GRID,
    WAIT_PIPE_FULL, // a stage of a cuda::pipeline
    WAIT_PIPE_EMPTY,
};

// A test that came back false: where it stands, and what it asked.
struct told_test {
    ir_function_id function;
    ir_value op;
    uint32_t chain, barrier;
};

enum { MOST_TOLD = 4 };

struct group {
    uint32_t id;
    const struct mask *mask;
    enum group_state state;
    struct frame *frame;
    struct join *join;
    struct arms *arms;
    const struct checked *checked; // host: newest first
    // What it waits for.
    enum wait_kind wait;
    uint32_t wait_barrier; // index of the machine
    uint64_t wait_phase;
    uint32_t wait_parity;
    struct ir_loc wait_loc;
    ir_function_id wait_function;
    ir_value wait_op;
    uint32_t wait_chain;
    bool returning;                   // its frame has returned, the call has not come back yet
    const struct node *result;        // what it returned
    const struct node *token;         // of the arrival of an arrive-and-wait under way
    struct ballot *ballot;            // of the vote it waits for (votes.c)
    struct told_test told[MOST_TOLD]; // tests told "false" since anything last changed
    uint32_t tolds;
    uint64_t wait_change; // run->changes when the last one was told
    uint64_t deed;        // what it did to a barrier last (deeds.c)
    uint32_t turns;       // that it has used up since it last blocked (schedule.c)
};

// Groups that split at a condition meet again where its arms meet.
struct join {
    struct join *outer;
    uint64_t instance;    // of the frame
    ir_block_id block;    // IR_NONE: where the function returns
    uint32_t members;     // groups that have not come yet, the parked ones not counted
    bool spliced;         // scratch of join_splice
    struct ir_loc branch; // the condition
    uint32_t chain;       // where that stands in the call tree
    bool is_loop;         // it decides whether a loop goes on
    bool by_hardware;     // it asks for a number that the hardware gives and may change
    bool by_grid_warp;    // it asks for the number of the warp in the grid
};

// A condition at which the threads of a group went different ways (parting.c).
struct parting {
    struct ir_loc branch;
    ir_function_id function;
    uint32_t chain;
    ir_block_id target[2];      // where each side went; IR_NONE where a switch sent it
    const struct mask *side[2]; // for which the condition held, and the others
    bool is_loop;               // it decides whether a loop goes on
    bool meets;                 // both ways come to one place within the function
    bool by_number;             // it depends on nothing but the number of the thread
    bool by_data;               // it depends on something in memory
    bool by_rest;               // it is a bound of what is left for the last block of the grid
};

struct parting_found {
    const struct parting *parting; // good until the run goes on; NULL where none was found
    bool returns;                  // who is absent went straight to a written return, or to an exit
    struct ir_loc return_loc;
    uint32_t return_chain;
};

// Threads that went straight to a written return, all together, for the sake of some data; or that
// have exited in the middle of a function.
struct leaving {
    const struct mask *mask;
    struct ir_loc loc;
    uint32_t chain;
};

// --- What outlives a run ----------------------------------------------------------------------

struct function_facts; // walk/facts.h

// Sets of threads and nodes are shared by the runs of a kernel: most of what one run computes, the
// next computes again. Atoms are a run's own.
struct values {
    struct arena arena;
    struct mask_pool masks;
    struct node_pool nodes;
    // By node id: what is known of it under the decisions so far. Outlives the nodes: versions,
    // epochs and walks only ever grow.
    struct memo *memo;
    uint32_t memo_size, memo_version, walk;
    uint32_t run_version;        // memo_version when the run began
    const struct node **changed; // stb_ds array, by version since then: what was decided on
};

// A way through the decisions of a kernel: what comes of the first ones.

// See last_block.c: the operations by which a block counts itself, by which it has written before
// and by which the last one reads.
struct last_block {
    ir_function_id function;
    ir_value ticket, write, read;
};

enum { FAILED_SEARCHES = 1024 };

// See engine.h.
struct engine_unit {
    struct arena arena;
    const struct ir_unit *ir;
    const struct model *model;
    struct function_facts *facts; // by function
    struct cfg *straight;         // of functions that are one block, NULL before the first
    bool *named, *named_known;    // by function: a row of the model is called as it
    struct arena slice_arena;
    struct arena values, runs; // empty: memory that one kernel leaves to the next
    ir_function_id sliced;     // the kernel whose slice the facts hold, or IR_NONE
    ir_function_id *in_slice;  // stb_ds array: functions that have their part of it
    // Of that kernel under its first shape (explore.c).
    struct way *lively; // stb_ds array: ways that did something new
    struct {
        uint64_t key;
    } * decided;        // stb_ds set: places of decisions
    bool polls;         // that kernel goes round a loop until another thread lets it out
    bool multicasts;    // it copies to shared memory of several blocks at once
    bool awaits_copies; // it has, or may have, a wait for copies of the threads' own
    bool announces; // that kernel has a fence of the device, or should: what it writes to global
                    // memory is noted (announce.c)
    // It reads some of that again, and what nobody reads is not noted (read_back.c).
    bool reads_back;
    struct last_block last_block; // of that kernel, where it should
    int64_t *carved; // stb_ds array: where that kernel has arrays begin in dynamic shared memory
    uint64_t failed_search[FAILED_SEARCHES]; // by key: those that have found nothing (search.h)
};

// What tells one place in the call tree from another. Without padding.
struct chain_key {
    uint32_t parent;
    ir_function_id function;
    struct ir_loc call;
};

// An operation on memory at its place in the call tree. Without padding.
struct access_key {
    ir_function_id function;
    ir_value op;
    uint32_t chain;
};

// A set: what runs did so far (deeds.c).
struct deeds {
    uint64_t *slot; // open addressing
    uint32_t slots, used;
};

// A call met lately: the place in the call tree that it leads to, 0 for none.
struct entered {
    uint32_t parent;
    ir_function_id function;
    ir_value call;
    uint32_t chain;
};

// Which block of the grid a run is of.
enum run_block { BLOCK_ANY, BLOCK_FIRST, BLOCK_LAST };

struct engine {
    struct arena *arena; // of the result
    struct arena runs;   // memory that one run leaves to the next
    struct engine_unit *known;
    struct values values;
    const struct ir_unit *unit;
    const struct model *model;
    ir_function_id kernel;
    struct engine_shape shape;
    struct engine_options options;
    struct engine_result *result;
    struct {
        struct chain_key key;
        uint32_t value; // index of the result's chain
    } * chain_of;       // stb_ds map
    struct {
        uint64_t key; // place in the call tree, operation, among whom
        bool value;   // alike_stored()
    } * alike;        // stb_ds map
    struct {
        struct access_key key;
        struct access_ways {
            uint32_t last, count;
        } value;
    } * access_ways;         // stb_ds map: how many ways have come to it
    struct entered *entered; // by a hash of parent and call
    size_t entereds;
    struct object *object;                   // stb_ds array, empty: room for those of a run
    uint32_t threads, block_threads, blocks; // threads of the cluster, of a block; blocks of it
    bool host;                               // evaluates a host function for its launches
    struct engine_shapes *launches;          // host: where the launches found go
    const struct host_calls *calls;          // host: which launch, and which are followed
    struct grid_path *grid_path;             // what earlier runs did at barriers of the grid
    uint64_t chosen; // arguments that have the numbers which one of several launches passes
    uint32_t path;   // the way through the decisions that is being tried, from 1
    struct deeds deeds;
    struct {
        uint64_t key;
    } * spread; // stb_ds set: operations that send threads to places of their own (races.c)
    struct {
        uint64_t key; // function and operation
        bool value;
    } * polled; // stb_ds map: whether a loop goes on until that has brought something (handed.c)
    enum run_block block;
    // What of each call of the shape some numbers of the host can make true.
    struct call_use {
        enum { CALL_UNKNOWN, CALL_WHOLE, CALL_IN_PART, CALL_NOTHING } known;
        uint32_t possible; // of one that holds in part: its conditions that do, a bit for each
    } call_use[ENGINE_CALLS];
    struct found_number found_number[FOUND_NUMBERS]; // of the symbols that came last
    uint32_t found_numbers;                          // so many have come
    uint64_t passed; // which arguments of the shape are numbers that every such launch passes
    bool too_large;  // the block is a guess, and arrays of the kernel say that it is smaller
};

// Tags the symbols of numbers that the hardware gives and may change; the special register's number
// is added.
#define HARDWARE_KEY UINT64_C(0x5000000000000000)
bool node_is_hardware(const struct node *node);

// Tags the symbols of the kernel's arguments; the argument's number is added.
#define ARGUMENT_KEY UINT64_C(0x3000000000000000)

// Who goes first where several could.
enum policy {
    POLICY_TOGETHER,   // low threads; warps wait for each other where their ways meet
    POLICY_HIGH_AHEAD, // high threads, as far as barriers let them
    POLICY_LOW_AHEAD,  // low threads, likewise
    POLICY_COUNT_
};

struct machines; // the state of all barriers of a run (machines.h)

// What a launch passes.
struct launched {
    ir_function_id kernel;
    struct ir_loc loc;
    const struct node *stream;                     // NULL for the default one
    const struct node *argument[ENGINE_ARGUMENTS]; // pointers; else NULL
    struct {
        struct ir_member at;
        const struct node *value; // NULL where it is not known
    } member[ENGINE_MEMBERS];     // pointers within records
    uint32_t members;
    const struct launched *earlier; // of those that may still run
};

struct run {
    struct engine *engine;
    struct arena arena;
    struct mask_pool *masks; // of the engine
    struct node_pool *nodes;
    struct object *object;   // object 0 is not used
    uint32_t *global_object; // of each global of the unit, 0 where not made yet
    uint32_t dynamic_object; // the dynamic shared memory
    struct bound *bound;     // stb_ds array; memo.c finds them
    struct bound *asked;     // stb_ds array: what the launch's arguments must make true (decide.c)
    struct apart *apart;     // stb_ds array (sampling.c)
    struct launched_call *launched_calls; // launched.c, once somebody has asked
    uint32_t launched_count;
    bool empty_loop; // a loop was decided to have no round, or a condition to hold in no thread
    bool empty_size; // the same, of as many as a size says, not data
    uint32_t feasible_at; // 1 + the decisions there were when feasible.c looked
    bool feasible;
    struct launch_memo launch[LAUNCH_MEMOS];
    struct decision *decision; // taken so far
    struct habit *habit;       // stb_ds array
    uint32_t breaks;           // how often one was broken with, for a loop to end
    struct leaving *leaving;   // stb_ds array
    struct parting *parting;   // stb_ds array: where groups split, in the order of the run
    struct way way;
    bool been_there;         // on a way that endures: at its place
    uint32_t endured;        // likewise: rounds that loops have gone on for
    struct decided *decided; // in place of the way, or NULL
    uint32_t decided_count;
    struct frame *spare_frame[FRAME_UNITS]; // by size: lists of those that nobody needs
    struct group **group;                   // stb_ds array, in the order in which they were made
    uint32_t next_group;
    uint32_t done; // how many of them are
    uint64_t next_instance, next_fresh;
    const struct node *special[IR_SPECIAL_COUNT_]; // values of special registers, as far as asked
    const struct launched *launched;               // host: by the latest launch (launch.c)
    const struct launched *under_way;              // host: the latest that may still run (host.c)
    bool asks_rows; // the sources ask where a thread is along the block's second or third extent
    const struct mask *exited;
    const struct mask *block_mask[16]; // of each block of the cluster
    struct machines *machines;
    uint64_t steps, step_limit;
    uint64_t light;   // operations that count less than a step (exec.c)
    uint64_t changes; // counts whatever may let a waiting group go on
    uint64_t swept;   // `changes` when waiting groups were last looked at
    enum policy policy;
    bool roles;              // something is used that threads of different roles may meet at
    bool weak;               // something that could not be followed bears on it, beside decisions
    uint32_t weak_decisions; // decisions so far that rest on a value that could not be followed
    bool forced;             // the decision being taken has one outcome only
    bool round;              // it is taken in a later round of a loop
    bool asks_round;         // and says alone whether there is another one
    uint32_t at_chain;       // call tree place of the barrier operation being executed
    bool yield;              // threads have parted: who goes next is to be chosen anew
    bool cut;                // the run was ended by a budget
    bool over;               // a trap or a fatal violation ended it
    bool garbage;            // a barrier was used that is none: what follows says nothing
    bool heedless;           // a thread goes on as if a test had passed: what follows comes of that
    bool afterlife;          // what would happen if a deadlock did not hold: nothing is recorded
    // There, by block and number: who would come to named barriers. Else NULL.
    const struct mask **coming;
    bool named_over;                   // there: named barriers hold nobody
    struct engine_event scratch_event; // where events of the afterlife go
    uint32_t epoch;                    // of block-wide synchronisation, for publication of inits
    struct group *doing;               // whose event is the latest (deeds.c)
    bool deeds_new;                    // it did something that no earlier run did
    struct trace *trace;               // where its moments go (trace.h); NULL: nobody asks
};

// The first thread of the warp that the thread is in.
static inline uint32_t warp_of(const struct run *run, uint32_t thread)
{
    return thread - thread % run->engine->block_threads % 32;
}

// The first one behind the warp that begins there: the last of a block may be smaller.
static inline uint32_t warp_end(const struct run *run, uint32_t first)
{
    uint32_t size = run->engine->block_threads, end = first / size * size + size;
    return first + 32 < end ? first + 32 : end;
}

// Over the warps that have members, as [first, end).
#define warps_each(run, mask, first, end)                                                          \
    for (uint32_t first##_at = mask_next((run)->masks, (mask), 0), first, end;                     \
         first##_at < (run)->masks->threads &&                                                     \
         (first = warp_of((run), first##_at), end = warp_end((run), first), true);                 \
         first##_at = mask_next((run)->masks, (mask), end))

#endif
