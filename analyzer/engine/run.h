// One run of a kernel: the state of all its threads, its memory and its barriers, and the decisions
// taken so far. Internal to the engine.
#ifndef BARLINT_ENGINE_RUN_H
#define BARLINT_ENGINE_RUN_H

#include "engine/engine.h"
#include "engine/values/mask.h"
#include "engine/values/value.h"
#include "ir/cfg.h"

enum { MAX_THREADS = 64 * MASK_WORDS }; // of a cluster

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
};

// A word of memory that is no variable (outside.c).
struct outside_word {
    const struct node *address;
    const struct node *value; // NULL: it was stored, and is not one that all threads know
    uint32_t size;
    uint32_t version; // of the object, since then
    bool stored;      // else read
};

struct object {
    enum object_kind kind;
    enum ir_space space;
    ir_type_id type; // of the variable, IR_NONE where unknown
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
    bool unknown;                    // what was never written here has content nonetheless
    bool handed;               // its address went to a call that may do anything to a barrier there
    const struct node *base;   // memory that is not a variable: the symbol its addresses start from
    struct outside_word *word; // stb_ds array: what was stored and read there of late, oldest first
    uint64_t parameter; // the key of its value: of a template parameter that nothing instantiates
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

// What was worked out of a node, as long as no decision changes it.
struct memo {
    uint32_t resolved_version, interval_version; // values.memo_version then; 0: never
    const struct node *resolved;
    int64_t low, high;
    uint32_t walk;          // the latest that came to it
    uint32_t bound_epoch;   // the run that knows a bound of it, by the pool's epoch
    uint32_t bound;         // its index
    uint32_t decided_epoch; // the run that has decided something of a value it is a part of
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

struct decision {
    uint32_t alternatives; // how many outcomes there are
    uint32_t chosen;
    uint64_t site; // function and operation, to tell new outcomes from known ones
    enum saying says;
    int64_t number;
    const struct node *form; // what it is about
    bool weak;               // rests on a value that could not be followed
    bool free;               // and one about which nothing else is known: either way may be gone
    bool pair;               // is about how two symbols compare
    bool whole;              // is about a quotient rounded down
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
    struct {
        const struct mask *mask; // the threads that these are about; NULL: nobody has asked yet
        const struct node *condition, *denied; // in them
        const struct node *denied_by_all;
    } seen;
    ir_block_id other;         // the arm still to come, IR_NONE in the second
    ir_block_id meet;          // where the arms meet, IR_NONE for the end of the function
    ir_value loop;             // the condition of a loop executed once, IR_NONE for a branch
    uint32_t depth;            // of the frame
    const struct node *result; // what the first arm returned
    bool returned;
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
    WAIT_WARP,
    WAIT_GRID,
};

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
    bool returning;            // its frame has returned, the call has not come back yet
    const struct node *result; // what it returned
    const struct node *token;  // of the arrival of an arrive-and-wait under way
    struct ballot *ballot;     // of the vote it waits for (votes.c)
    bool wait_told;            // a test was told "false" since anything last changed
    uint64_t wait_change;      // run->changes when it was told
    uint64_t deed;             // what it did to a barrier last (deeds.c)
};

// Groups that split at a condition meet again where its arms meet.
struct join {
    struct join *outer;
    uint64_t instance;    // of the frame
    ir_block_id block;    // IR_NONE: where the function returns
    uint32_t members;     // groups that have not come yet, the parked ones not counted
    bool spliced;         // scratch of join_splice
    struct ir_loc branch; // the condition
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

// Threads that went straight to a written return, all together, for the sake of some data.
struct leaving {
    const struct mask *mask;
    struct ir_loc loc;
    uint32_t chain;
};

// --- Facts about functions, kept over runs (facts.c) -------------------------------------------

struct early; // whether a block leads straight to a return

// Variables that are kept in the frame; see registers.c.
struct registers {
    uint32_t *of; // by operation: the register that it loads, stores, declares or names, or 0
    uint32_t count, words;
    uint64_t *live; // by block, `words` each: registers whose content may matter there
};

// Operations of a block, in order.
struct to_do {
    const ir_value *op;
    uint32_t count;
};

struct function_facts {
    struct cfg *cfg;
    uint8_t *region;    // of each block that ends in a condition: what is done between it and where
                        // its arms meet, see facts.c
    bool *region_known; // region was computed
    uint8_t does;       // what the function does to barriers, likewise
    bool does_known;
    bool effect; // reaches a barrier operation, an exit or something opaque
    bool effect_known;
    bool wrapper, wrapper_known;   // see facts_is_wrapper()
    struct early *early;           // of each block: see parting.c
    const struct model_op **model; // of each operation, NULL where nobody has asked yet
    ir_value *across;              // values used in another block than theirs
    uint32_t *slot, slots;         // by operation: where the frame keeps its value
    uint32_t lazies;               // slots of lazy operations, counted apart from the others
    uint32_t across_count;
    struct registers registers;
    const struct to_do *to_do; // by block: what is executed of it; NULL: nobody has asked yet
    const struct to_do *all;   // the same where everything is followed
    // The slice (slice.h); NULL where everything is followed.
    const uint8_t *mode; // enum op_mode, by operation
    const bool *open;    // by operation: goes to memory of the grid that the block's barrier orders
    ir_block_id *pass;   // by block: where control goes although its condition is not asked
    uint32_t *rounds;    // by block: rounds after which its loop has touched what it touches
};

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
struct way {
    uint32_t *outcome;
    uint32_t count;
};

// See last_block.c: the operations by which a block counts itself, by which it has written before
// and by which the last one reads.
struct last_block {
    ir_function_id function;
    ir_value ticket, write, read;
};

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
    } * decided;    // stb_ds set: places of decisions
    bool polls;     // that kernel goes round a loop until another thread lets it out
    bool announces; // that kernel has a fence of the device, or should: what it writes to global
                    // memory is noted (announce.c)
    struct last_block last_block; // of that kernel, where it should
};

// What tells one place in the call tree from another. Without padding.
struct chain_key {
    uint32_t parent;
    ir_function_id function;
    struct ir_loc call;
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

enum { ENTERED = 1024 };

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
        uint32_t value;                      // index of the result's chain
    } * chain_of;                            // stb_ds map
    struct {
        uint64_t key; // place in the call tree, operation
        bool value;   // alike_stored()
    } * alike;        // stb_ds map
    struct entered *entered;                 // ENTERED of them
    struct object *object;                   // stb_ds array, empty: room for those of a run
    uint32_t threads, block_threads, blocks; // threads of the cluster, of a block; blocks of it
    bool host;                               // evaluates a host function for its launches
    struct engine_shapes *launches;          // host: where the launches found go
    struct grid_path *grid_path;             // what earlier runs did at barriers of the grid
    uint32_t path; // the way through the decisions that is being tried, from 1
    struct deeds deeds;
    struct {
        uint64_t key;
    } * spread; // stb_ds set: operations that send threads to places of their own (races.c)
    enum run_block block;
    // What of each call of the shape some numbers of the host can make true.
    enum call_use { CALL_UNKNOWN, CALL_WHOLE, CALL_EXTENTS, CALL_NOTHING } call_use[ENGINE_CALLS];
    uint64_t passed; // which arguments of the shape are numbers that every such launch passes
    bool too_large;  // the block is a guess, and arrays of the kernel say that it is smaller
};

// Tags the symbols of numbers that the hardware gives and may change; the special register's number
// is added.
#define HARDWARE_KEY UINT64_C(0x5000000000000000)
bool node_is_hardware(const struct node *node);

// Tags the symbols of the kernel's arguments; the argument's number is added.
#define ARGUMENT_KEY UINT64_C(0x3000000000000000)

const struct function_facts *facts_find(struct engine *engine, ir_function_id function);

static inline const struct function_facts *facts_of(struct engine *engine, ir_function_id function)
{
    const struct function_facts *facts = &engine->known->facts[function];
    return facts->cfg ? facts : facts_find(engine, function);
}

const struct model_op *facts_model(struct engine *engine, ir_function_id function, ir_value op);
// Whether the operation calls what nothing declares, or what is defined elsewhere.
bool facts_may_act(struct engine *engine, ir_function_id function, ir_value op);
// Whether the operation calls what nothing declares, or what is defined elsewhere, for nothing that
// it returns: it may be a barrier of the block.
bool facts_may_meet(struct engine *engine, ir_function_id id, ir_value op);
// Whether nobody can read what it does and nobody asks for what it yields: it may wait for copies.
bool facts_may_await(struct engine *engine, ir_function_id id, ir_value op);
// Whether nothing between the condition that ends the block and where its arms meet touches a
// barrier, ends a thread or loops; and whether all that does is waiting at mbarriers.
bool facts_region_pure(struct engine *engine, ir_function_id function, ir_block_id block);
bool facts_region_waits(struct engine *engine, ir_function_id function, ir_block_id block);
// The same of the way out of a loop that the block decides on, for the part outside the loop.
bool facts_exit_pure(struct engine *engine, ir_function_id function, ir_block_id block);
// Whether the natural loop of `header` may be passed over: nothing in it touches a barrier.
bool facts_loop_pure(struct engine *engine, ir_function_id function, ir_block_id header);
// Whether the operation yields the same whenever it is executed in one activation, so that it need
// not be executed before somebody asks.
static inline bool facts_is_lazy(const struct ir_op *op)
{
    switch (op->code) {
    case IR_CONST:
    case IR_PARAM:
    case IR_LOCAL:
    case IR_GLOBAL:
    case IR_FUNC:
        return true;
    case IR_SPECIAL:
        return op->imm != IR_CLOCK && op->imm != IR_CLOCK64 && op->imm != IR_GLOBALTIMER;
    default:
        return false;
    }
}
// What is executed of each block of the function by its mode (NULL: everything but what is lazy).
// Kept in the arena.
const struct to_do *facts_list(const struct ir_function *function, const uint8_t *mode,
                               struct arena *arena);
bool facts_aborts(const struct ir_function *function, ir_block_id block);
// The address from which the store's block has just loaded what it stores; IR_NONE for any other
// store.
ir_value facts_stored_back(const struct ir_function *function, ir_block_id block,
                           const struct ir_op *store);
// Whether the condition that ends the block asks if a variable still is what the loop around it
// makes it in each round: if (row != next) ...; row = next;
bool facts_asks_change(struct engine *engine, ir_function_id function, ir_block_id block);
// Whether something in the block touches a barrier, ends a thread or may do so.
bool facts_block_effect(struct engine *engine, ir_function_id function, ir_block_id block);
// Whether the function only spells one barrier operation (or one way of waiting): it holds no other
// and writes nothing but its own variables and what its parameters point to directly.
bool facts_is_wrapper(struct engine *engine, ir_function_id function);

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
    const struct launched *earlier;                // of those that may still run
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
    struct launched_call *launched_calls; // launched.c, once somebody has asked
    uint32_t launched_count;
    bool empty_loop;      // a loop was decided to have no round
    uint32_t feasible_at; // 1 + the decisions there were when feasible.c looked
    bool feasible;
    struct decision *decision; // taken so far
    struct habit *habit;       // stb_ds array
    uint32_t breaks;           // how often one was broken with, for a loop to end
    struct leaving *leaving;   // stb_ds array
    struct parting *parting;   // stb_ds array: where groups split, in the order of the run
    const uint32_t *prefix;    // outcomes to repeat
    uint32_t prefix_count;
    struct decided *decided; // in place of the prefix, or NULL
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
    uint64_t changes; // counts whatever may let a waiting group go on
    uint64_t swept;   // `changes` when waiting groups were last looked at
    enum policy policy;
    bool roles;              // something is used that threads of different roles may meet at
    bool weak;               // something that could not be followed bears on it, beside decisions
    uint32_t weak_decisions; // decisions so far that rest on a value that could not be followed
    bool forced;             // the decision being taken has one outcome only
    bool round;              // it is taken in a later round of a loop
    uint32_t at_chain;       // call tree place of the barrier operation being executed
    bool yield;              // threads have parted: who goes next is to be chosen anew
    bool cut;                // the run was ended by a budget
    bool over;               // a trap or a fatal violation ended it
    bool garbage;            // a barrier was used that is none: what follows says nothing
    bool heedless;           // a thread goes on as if a test had passed: what follows comes of that
    bool afterlife;          // what would happen if a deadlock did not hold: nothing is recorded
    struct engine_event scratch_event; // where events of the afterlife go
    uint32_t epoch;                    // of block-wide synchronisation, for publication of inits
    struct group *doing;               // whose event is the latest (deeds.c)
    bool deeds_new;                    // it did something that no earlier run did
    struct trace *trace;               // where its moments go (trace.h); NULL: nobody asks
};

// deeds.c: what threads do to barriers and to shared memory, with which values, and what they did
// before. A run that does nothing that no earlier one did is unlikely to show anything new.
void deeds_event(struct run *run, struct group *group, const struct mask *mask, uint64_t event);
void deeds_value(struct run *run, const struct node *value); // of the latest event
void deeds_access(struct run *run, const struct group *group, ir_value where,
                  const struct node *offset, bool writes);
void deeds_exit(struct run *run, const struct group *group);
void deeds_incident(struct run *run, uint64_t incident);
bool deeds_add(struct deeds *deeds, uint64_t deed); // whether it is new

// registers.c
void registers_find(const struct ir_unit *unit, const struct ir_function *function,
                    const struct cfg *cfg, struct registers *out, struct arena *arena);
const struct node *register_load(struct run *run, struct group *group, uint32_t number);
void register_store(struct run *run, struct group *group, uint32_t number,
                    const struct node *value);
// Two groups that stand at the same place become one: what they have in registers becomes pieces.
void registers_merge(struct run *run, struct group *into, const struct group *from);

// memory.c
uint32_t object_new(struct run *run, enum object_kind kind, enum ir_space space, ir_type_id type,
                    const char *name, struct ir_loc loc, uint64_t align);
// The object that the address, of whatever memory, is of.
uint32_t memory_object(struct run *run, const struct node *address);
// What the type promises about a value of it.
void type_range(const struct ir_type *type, int64_t *low, int64_t *high);
const struct node *memory_load(struct run *run, const struct mask *mask, const struct node *address,
                               ir_type_id type, bool fresh);
// The integer of `bits` bits that many bytes behind an address, as far as decisions tell; NULL
// where it is none that the unit knows.
const struct node *memory_word(struct run *run, const struct mask *mask, const struct node *base,
                               int64_t offset, uint32_t bits);
void memory_store(struct run *run, const struct mask *mask, const struct node *address,
                  uint32_t size, const struct node *value, const struct arms *arms);
void memory_copy(struct run *run, const struct mask *mask, const struct node *to,
                 const struct node *from, int64_t size, const struct arms *arms);
void memory_zero(struct run *run, const struct mask *mask, const struct node *address, int64_t size,
                 const struct arms *arms);
// Forgets what the object at the address holds in these threads.
void memory_forget(struct run *run, const struct mask *mask, const struct node *address);
// Unknown data is written from `address` on: `size` bytes, or -1 where nobody knows how many.
void memory_overwrite(struct run *run, const struct mask *mask, const struct node *address,
                      int64_t size);
// outside.c: memory that is no variable, of which `address` says only from which pointer it starts.
const struct node *outside_load(struct run *run, const struct node *address, uint32_t size);
// `value`: NULL where not all of the threads that may store do.
void outside_store(struct run *run, const struct mask *mask, const struct node *address,
                   uint32_t size, const struct node *value);
void outside_forget(struct run *run, const struct node *address);
void memory_undefine(struct run *run, const struct mask *mask, uint32_t object);
// "buf[2].full" for an offset into an object.
const char *object_path(struct arena *arena, const struct ir_unit *unit,
                        const struct object *object, int64_t offset);
const struct node *run_fresh(struct run *run, const char *name, enum node_shape shape, int64_t low,
                             int64_t high);
// The same for what lanes of a warp have exchanged.
const struct node *run_exchanged(struct run *run, const char *name, enum node_shape shape,
                                 int64_t low, int64_t high);
bool node_is_exchanged(const struct node *node);
// The same for what is one number in a block and may be another one in other blocks.
const struct node *run_of_block(struct run *run, const char *name, int64_t low, int64_t high);
bool node_is_of_block(const struct node *node);

// memo.c
struct memo *memo_of(struct run *run, const struct node *node);
// More has become known of the form: what was worked out of what it is a part of no longer holds.
void memo_changed(struct run *run, const struct node *form);
// Whether what was worked out of the node at the version, not 0, still holds. It is of today then.
bool memo_holds(struct run *run, const struct node *node, uint32_t *version);
void memo_begin(struct values *values); // of a run, of which nothing is known
void memo_release(struct values *values);
// What the run has decided about the form, or NULL. Good until the next bound is made.
struct bound *bound_find(struct run *run, const struct node *form);
struct bound *bound_make(struct run *run, const struct node *form);
// Whether what the run shows rests on something that could not be followed.
static inline bool run_is_weak(const struct run *run)
{
    return run->weak || run->weak_decisions;
}

// Whether the block is a guess of one dimension for sources that ask for more: threads of several
// rows share a place then.
static inline bool run_lacks_rows(const struct run *run)
{
    const struct engine_shape *shape = &run->engine->shape;
    bool guessed = shape->source == ENGINE_SHAPE_GUESS ||
                   (shape->source == ENGINE_SHAPE_ATTRIBUTE && !shape->block_known);
    return guessed && !shape->rows_known && run->asks_rows;
}
// feasible.c: whether there are numbers that make all true that the run has decided, and whether
// the arguments that the launch passes are among them.
bool run_is_feasible(struct run *run);
// Whether all that is asked can be true with the arguments that the launch passes.
bool launch_allows(struct run *run, const struct bound *asked, uint32_t count);
// launched.c: whether an extent of the grid is the argument rounded up to whole blocks: the last
// block may have less to do.
bool launched_rounds_up(struct run *run, uint32_t argument);
// A walk over all that a value is made of comes to each node once, as parts of an expression are
// shared: walk_visit() tells whether this is the first time since walk_begin().
void walk_begin(struct run *run);
bool walk_visit(struct run *run, const struct node *node);

// decide.c
// The assumption, for people, in the run's arena; NULL where it need not be said.
const char *decision_text(struct run *run, const struct decision *decision);
// The decision rests on something that could not be followed, and with it what comes after.
void decision_is_weak(struct run *run, struct decision *decision);
// The threads of `mask` in which the condition holds. Takes a decision where it is not known;
// `prefer` is the outcome to try first.
const struct mask *decide(struct run *run, const struct mask *mask, const struct node *condition,
                          bool prefer, uint64_t site);
// Whether the outcome is known for all threads of the mask without a decision.
bool decided(struct run *run, const struct mask *mask, const struct node *condition);
// The value with everything the run has decided put in.
const struct node *resolve(struct run *run, const struct node *node);
// made_of.c: whether a number is in it that the hardware gives and may change.
bool made_by_hardware(struct run *run, const struct node *node);
// follow.c: keeps what the run has decided on its way, for the orders of threads that come next.
void follow_keep(struct run *run, struct decided **out);
// Whether the run has decided the same, in whatever order.
bool follow_same(struct run *run, const struct decided *decided);
// interval.c: between which numbers the value lies, as far as the run knows.
void interval_of(struct run *run, const struct node *node, int64_t *low, int64_t *high);

// frames.c
const struct ir_function *frame_function(const struct run *run, const struct frame *frame);
struct frame *frame_own(struct run *run, struct group *group); // a copy when shared
void frame_push(struct run *run, struct group *group, ir_function_id function, ir_value call,
                const struct node *const *argument, uint32_t count);
void frame_pop(struct run *run, struct group *group);
struct group *group_new(struct run *run, const struct mask *mask);
// Takes the threads of `mask` out of the group into one of their own at the same place, which is a
// further member of the group's join.
struct group *group_fork(struct run *run, struct group *group, const struct mask *mask);
// The value an operation of the top frame yields.
void group_set(struct run *run, struct group *group, ir_value value, const struct node *node);
const struct node *group_get(struct run *run, struct group *group, ir_value value);

// alike.c: whether the text alone says that all threads that come to the store or copy together,
// in the frame, store the same there.
bool alike_stored(struct run *run, const struct frame *frame, const struct ir_op *op);

// joins.c
// The group is where it is now: it stays if others are to meet it there.
void join_arrive(struct run *run, struct group *group);
// When no group can go on: lets the groups parked at one join pass without the others. Returns
// false when nobody is parked.
bool join_release(struct run *run);
// Leaves the threads of `yes` in the group and returns a group of the others at the same place.
// The two meet behind the branch `op`, which asked for the value `asked`.
struct group *join_part(struct run *run, struct group *group, const struct mask *yes,
                        const struct ir_op *op, const struct node *asked, bool is_loop);
void group_exit(struct run *run, struct group *group);

// branch.c
void group_goto(struct run *run, struct group *group, ir_block_id block);
void group_branch(struct run *run, struct group *group, const struct ir_op *op);
void group_switch(struct run *run, struct group *group, const struct ir_op *op);
void group_return(struct run *run, struct group *group, const struct node *value);
// The rest of a return, once everybody who was to come has come.
void group_finish_return(struct run *run, struct group *group);

// exec.c
void group_step(struct run *run, struct group *group); // until it blocks, parks or is done
// What a lazy operation (facts_is_lazy()) yields.
const struct node *lazy_value(struct run *run, struct group *group, const struct ir_op *op,
                              ir_value value);

// barrier.c: executes an operation the model knows. Returns false when the group now waits.
bool barrier_execute(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value);

void barrier_exit(struct run *run, struct group *group);
// Ordinary code loads or stores `size` bytes at the address: barriers live there perhaps.
void memory_touched(struct run *run, struct group *group, const struct node *address, uint32_t size,
                    bool writes);
// accesses.c: all that follows from an access of `size` bytes, by each thread of the group. `where`
// is the operation that computes the address; `tells`: others find out by it how far the threads
// are.
void access_touched(struct run *run, struct group *group, const struct node *address,
                    ir_value where, uint32_t size, bool writes, bool tells);
// The bytes are written or read as plain data: an mbarrier that lies there is told of.
void barrier_touched(struct run *run, struct group *group, const struct node *address,
                     uint32_t size);

// polls.c: whether a loop of the function ends by what another thread writes.
bool polls_in(struct engine *engine, ir_function_id id);
// Whether a loop around the block ends by what that load yields.
bool polls_with(struct engine *engine, ir_function_id id, ir_block_id block, ir_value load);

// explore.c: runs a host function with one thread and adds the launches it reaches. Returns how
// many operations that took.
uint64_t engine_run_host(struct engine_shapes *found, struct engine_unit *unit,
                         ir_function_id host);

// calls.c
// For each quantity of the call a number that it is a multiple of, whatever is in it: 32 of
// 32 * rows; 0: it is zero. `step` has room for ENGINE_QUANTITIES, the first being 0.
void call_steps(const struct engine_call *call, int64_t *step);
// What both calls have in common: equal numbers, and what arguments are multiples of.
void call_either(const struct engine_call *a, const struct engine_call *b, struct engine_call *out);
// The condition holds from here on, as the program ends where it does not.
void host_checked(struct run *run, struct group *group, const struct node *condition);
// What the group, which is at the launch, makes of it for that kernel.
void host_call(struct run *run, struct group *group, const struct ir_op *op,
               const struct ir_function *kernel, struct engine_call *out);

// special.c
// What the special register holds.
const struct node *special_value(struct run *run, enum ir_special special);
// The symbol that stands for a number of the launch, NULL where the run has none.
const struct node *special_symbol(const struct run *run, enum ir_special special);
// Whether the value is an index of the block within the grid, or of its cluster.
bool special_is_block_index(const struct node *node);
// Whether it is the number of the multiprocessor that the block runs on.
bool special_is_multiprocessor(const struct node *node);

// parting.c
// Whether the condition holds a number that threads have one each against a bound that the kernel
// is given: "row < rows".
bool parting_is_bound(struct run *run, const struct node *condition);
// Whether it asks anything that lies in memory and is not given to the kernel.
bool parting_is_by_data(struct run *run, const struct node *condition);
// Whether the condition `op` asks for the number of the warp in the whole grid.
bool parting_is_by_grid_warp(struct run *run, struct group *group, const struct ir_op *op);
// Notes that the group is about to split at the condition `op`: `yes` go to its first target.
void parting_note(struct run *run, const struct group *group, const struct ir_op *op, bool is_loop,
                  const struct node *asked, const struct mask *yes);
// Notes that all threads of the group go to the block, by a condition on data.
void parting_leave(struct run *run, const struct group *group, ir_block_id block);
// The latest condition that sent some of `absent` another way than some of `present`.
bool parting_between(struct run *run, const struct mask *absent, const struct mask *present,
                     struct parting_found *out);

// meeting.c: threads stand together again. Whoever is among them and was missed by an operation of
// the others' warp has passed it by.
void warps_met(struct run *run, const struct mask *together);

// certainty.c
// How many ways have come to the operation of the incident.
uint32_t certainty_reached(const struct engine_result *result,
                           const struct engine_incident *incident);
// After all runs of a way: where threads miss each other at a barrier they race as well, so races
// of ways that show nothing of the kind are told apart.
void certainty_alone(struct engine *engine);
// After the last run.
void certainty_settle(struct engine *engine);

// host.c
void host_launched(struct run *run, struct launched *launched);
// Whatever was launched has ended.
void host_waits(struct run *run);
// A function is called that has no body.
void host_called(struct run *run, const struct ir_function *callee);
// An operation works on the barrier at the address.
void host_uses(struct run *run, const struct node *address, struct ir_loc loc);
// Where the host works on the kernel's barrier at the address while the kernel may run; file 0
// where it does not.
struct ir_loc host_use_of(const struct run *run, const struct node *address);
void engine_shape_add_use(struct engine_shape *shape, const struct engine_host_use *use);

// Something that the kernel is given.
struct argument {
    uint32_t param;
    ir_type_id type;
    int64_t offset; // of a member, in bytes from the start of its parameter
    bool is_member;
};

// arguments.c: the arguments of the kernel, numbered as engine_shape has them; their count.
uint32_t arguments_of(const struct ir_unit *unit, const struct ir_function *kernel,
                      struct argument out[ENGINE_ARGUMENTS]);
// The pointers within records that the kernel is given by value, as many as there is room for;
// their count.
uint32_t pointers_within(const struct ir_unit *unit, const struct ir_function *kernel,
                         struct argument *out, uint32_t room);
// What the launch passes; NULL where the host has not said.
const struct node *argument_passed(struct run *run, struct group *group, const struct ir_op *launch,
                                   const struct argument *argument);
// The values of the kernel's parameters in this run.
const struct node **arguments_given(struct run *run, const struct ir_function *kernel);

// launch.c
void launch_seen(struct run *run, struct group *group, const struct ir_op *op);

// tensor.c
// Where the host encodes a tensor map with this call, whose arguments begin at operand `first`:
// does so and returns true.
bool tensor_encode(struct run *run, struct group *group, const struct ir_op *op, ir_value value,
                   uint32_t first);
// Notes of a launch which of the tensor maps that it passes are known.
void tensor_launched(struct run *run, struct group *group, const struct ir_op *op,
                     struct engine_shape *shape);
// Puts what is known of them into the kernel's parameter.
void tensor_given(struct run *run, uint32_t argument, const struct node *parameter);
// The bytes that a tensor copy delivers; NULL where they are not known.
const struct node *tensor_bytes(struct run *run, struct group *group, const struct model_op *op);

// schedule.c
// Lets the groups run until nobody can go on; run_all() then says why not.
void schedule_run(struct run *run);
void run_all(struct run *run);

#endif
