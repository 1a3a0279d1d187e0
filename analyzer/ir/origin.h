// Where pointers come from: to which parameter of a kernel an address leads, through the variables,
// members and calls that pass it on.
#ifndef BARLINT_IR_ORIGIN_H
#define BARLINT_IR_ORIGIN_H

#include "base/arena.h"
#include "ir/ir.h"

// A function that is being looked at, and the call by which it was entered.
struct ir_frame {
    const struct ir_frame *caller; // NULL for the kernel
    const struct ir_function *function;
    const struct ir_op *call; // in the caller
};

enum ir_origin {
    IR_ORIGIN_UNKNOWN = -1,
    IR_ORIGIN_OWN = -2, // a variable of the function's own, or of the unit
};

// The operation that makes what the address starts from: a variable's address, a parameter of the
// first function; NULL where it cannot be followed. `arena` is for work.
const struct ir_op *ir_base_of(const struct ir_unit *unit, const struct ir_frame *frame,
                               ir_value address, struct arena *arena);

// The same, and where in it the array begins that the address is of an element of: what the program
// has cast to a pointer and indexes. IR_ARRAY_UNKNOWN where that is not so plain.
enum { IR_ARRAY_UNKNOWN = -1 };
const struct ir_op *ir_array_of(const struct ir_unit *unit, const struct ir_frame *frame,
                                ir_value address, struct arena *arena, int64_t *begin);

// Whether the value is a constant, which a caller may have passed on, and which.
bool ir_constant_of(const struct ir_unit *unit, const struct ir_frame *frame, ir_value value,
                    struct arena *arena, int64_t *out);

// The index of the kernel's parameter that the address leads to, or one of the above.
int ir_origin_of(const struct ir_unit *unit, const struct ir_frame *frame, ir_value address,
                 struct arena *arena);

// A pointer within a record that the kernel is given by value.
struct ir_member {
    uint32_t param;
    int64_t offset; // bytes from the start of the record
};

// Whether the address is found by such a pointer, and by which.
bool ir_member_of(const struct ir_unit *unit, const struct ir_frame *frame, ir_value address,
                  struct arena *arena, struct ir_member *out);

// Such pointers through which the kernel stores, as far as that can be followed and there is room.
// Returns their number.
uint32_t ir_members_written(const struct ir_unit *unit, ir_function_id kernel,
                            struct ir_member *out, uint32_t room);

// Of the first 64 parameters of the kernel, those through which it stores: bit i says that it does
// so through parameter i, as far as that can be followed.
uint64_t ir_params_written(const struct ir_unit *unit, ir_function_id kernel);

#endif
