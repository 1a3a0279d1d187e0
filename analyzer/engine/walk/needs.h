// The slice while it is worked out: what of each function is needed, and what an operation adds to
// that by its kind. Internal to slice.c and needs.c.
#ifndef BARLINT_ENGINE_NEEDS_H
#define BARLINT_ENGINE_NEEDS_H

#include "engine/walk/slice.h"

struct slice_function {
    bool *needed; // by value
    bool *param_needed;
    bool result_needed;
    uint8_t *mode;     // enum op_mode, by value
    enum op_mode does; // the most that it does to anything but its own variables
    bool *fills;       // by parameter: it stores there what matters, in a variable of a caller
    bool fills_any;
    uint8_t *branch;      // by block: enum op_mode of what its condition decides on
    ir_block_id **region; // by block: stb_ds arrays, what lies between a condition and its join
    bool *unread;         // by value: a load whose value nobody reads; NULL for none
    bool stale;           // to be gone over again
};

struct slice {
    struct engine *engine;
    const struct ir_unit *unit;
    struct aliases aliases;
    struct slice_function *function; // by function of the unit
    bool changed;                    // in the function that is gone over
};

// The value is needed; the operation's operands are; so are data of these kinds in the memory.
void slice_need(struct slice *slice, ir_function_id id, ir_value value);
void slice_need_operands(struct slice *slice, ir_function_id id, const struct ir_op *op);
void slice_need_data(struct slice *slice, uint32_t class, unsigned kinds);

// The kinds of data that matter at the address (enum data_kind).
unsigned slice_needed_of(struct slice *slice, ir_function_id id, ir_value address);

// The operation is executed at least like this.
void slice_set_mode(struct slice *slice, ir_function_id id, ir_value value, enum op_mode mode);

// What is left of an access whose data do not matter.
enum op_mode slice_access_mode(struct slice *slice, ir_function_id id, ir_value address,
                               bool writes);

// What an operation needs, as far as what it yields and writes is needed by now: an access, a call
// of `callee`, one that nobody follows, one of the model, and a call through an address.
void slice_load(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op);
void slice_store(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op);
void slice_call(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op,
                ir_function_id callee);
void slice_unknown(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op);
void slice_model(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op,
                 const struct model_op *model);
void slice_indirect(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op);

#endif
