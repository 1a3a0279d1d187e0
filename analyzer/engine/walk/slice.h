// What of a kernel's code matters to its barriers: the operations whose result reaches a barrier
// operation, an address of one, or a condition on the way to one. The engine passes over the rest,
// which in most kernels is nearly everything (the arithmetic on data). Internal to the engine.
#ifndef BARLINT_ENGINE_SLICE_H
#define BARLINT_ENGINE_SLICE_H

#include "engine/run.h"

// How the engine executes an operation.
enum op_mode {
    OP_SKIP,  // not at all
    OP_TOUCH, // it is noted that the threads write to global memory
    OP_ALIGN, // it is noted which threads execute it together
    OP_PROBE, // its address is worked out, as a barrier may live there; its value is not followed
    OP_KEEP,
};

// --- Aliases: which memory an address may point into --------------------------------------------

// Kinds of data, by which what lies in one piece of memory is told apart.
enum data_kind {
    DATA_WORD = 1,  // integers of four bytes or more, addresses, what is not known
    DATA_SMALL = 2, // smaller integers
    DATA_FLOAT = 4,
    DATA_ALL = 7,
};

// What lies at an offset of a closure: the address of a variable that it captures by reference; or
// at one of a record that the kernel is given. Each has a class of its own, as otherwise all that a
// kernel's lambdas capture would be one, and all arrays that a record names.
struct alias_field {
    int64_t offset;
    uint32_t class;
};

struct alias_class {
    struct alias_field *field; // stb_ds array
    bool plain;                // is not only used by its parts: it has no fields
    bool given;                // a record that the kernel is given
    uint32_t parent;           // union-find
    uint32_t content; // the class that addresses stored in it point into, IR_NONE if none are
    ir_function_id *waiting; // stb_ds array: functions that asked when there were none
    uint8_t needed;          // kinds of its data that matter
    bool shared;             // shared memory
    bool local;              // a local of some function
    bool barrier;            // an mbarrier lives in it
    ir_function_id *user;    // stb_ds array: functions whose slice depends on what of it is needed
    bool open;               // memory of the grid that the block's barrier orders: open_memory.c
    bool read, read_plainly, written; // of the grid's: read_back.c
    bool copied;          // threads copy from it asynchronously, and wait for that themselves
    bool is_peer;         // shared memory of another block: addresses of the cluster's window
    uint32_t peer;        // the class of the same memory in the own or the other block, or IR_NONE
    ir_function_id owner; // all of it are locals of this function, else IR_NONE
};

struct alias_function {
    uint32_t *value, *local, *param; // classes, IR_NONE for what is no address
    uint32_t result;
    bool reached;
    bool stale;             // to be gone over again
    ir_function_id *caller; // stb_ds array
};

struct aliases {
    struct engine *engine;
    struct alias_class *class;       // stb_ds array
    struct alias_function *function; // by function of the unit
    ir_function_id *reached;         // stb_ds array: functions reached from the kernel
    uint32_t *global;                // by global of the unit
    uint32_t dynamic;                // the dynamic shared memory
    ir_function_id *taken;           // stb_ds array: functions whose address is taken
    bool any_open;                   // some class is open
    // Classes only ever unite, so that what has been said of two of them holds for good. Work is
    // left only where something was found to be an address that had not been one before.
    bool *is_closure;     // by type
    uint32_t appeared;    // counts values, parameters and results that became addresses
    ir_function_id swept; // the function that is gone over
    bool afresh;          // all of them are to be
};

// Finds the classes for all code reached from the kernel. Kept in the engine's arena, but for the
// arrays, which aliases_release() frees.
void aliases_build(struct aliases *aliases, struct engine *engine);
void aliases_release(struct aliases *aliases);
// The class with everything united with it; IR_NONE stays.
uint32_t alias_find(struct aliases *aliases, uint32_t class);
// The kinds of the class's data that matter, with those of its fields.
unsigned alias_needed(struct aliases *aliases, uint32_t class);
uint32_t alias_of(struct aliases *aliases, ir_function_id function, ir_value value);
// The function that a CALL enters, or IR_NONE where the model or nobody knows what it does.
ir_function_id alias_callee(struct engine *engine, ir_function_id function, ir_value op);
unsigned data_kinds(const struct ir_unit *unit, ir_type_id type);
// The kinds of what the address points to.
unsigned pointee_kinds(const struct ir_unit *unit, const struct ir_function *function,
                       ir_value address);
// Whether the address is one of a member of a union, or of an element or a member of that.
bool is_in_union(const struct ir_unit *unit, const struct ir_function *function, ir_value address);

// Which parameters of the function nobody reads; NULL for none (unread.c). Kept in the slice's
// arena.
bool *unread_params(struct engine *engine, ir_function_id function);
// Which loads and copies of the function are for such parameters alone, of the functions that
// `unread` lists them of; NULL for none.
bool *unread_loads(struct engine *engine, bool *const *unread, ir_function_id function);

// Says of each class whether it is open.
void open_memory_find(struct aliases *aliases);

// A decision by an old count whether the block is the last, behind data that nothing has fenced
// (last_block.c): `ticket` is IR_NONE where there is none.
struct last_block last_block_find(struct aliases *aliases);

// Notes of the grid's memory what of it is read and written. Returns whether the kernel reads
// plainly some that it writes (read_back.c).
bool read_back_find(struct aliases *aliases);

// --- The slice ----------------------------------------------------------------------------------

// Fills mode, pass and rounds of the facts of every function reached from the kernel, unless they
// are this kernel's already.
void slice_build(struct engine *engine);
// Takes the slice out of the facts again: everything is followed.
void slice_forget(struct engine_unit *known);

#endif
