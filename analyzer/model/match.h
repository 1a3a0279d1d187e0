// Between the files that understand one operation: match.c finds its row, match_types.c reads what
// types and tags say, match_roles.c gives the row's roles their arguments.
#ifndef BARLINT_MODEL_MATCH_H
#define BARLINT_MODEL_MATCH_H

#include "model/table.h"

enum { ARGUMENT_LIMIT = 512, TAG_LIMIT = 8 };

// One argument of a call, or one source of an instruction.
struct argument {
    ir_value value;
    ir_type_id type; // as declared where that is known, else of the value
};

struct match {
    const struct ir_unit *unit;
    const struct ir_function *function; // where the operation stands
    const struct ir_function *callee;   // NULL for an instruction
    const struct ir_op *op;
    struct model_op *out;
    struct argument argument[ARGUMENT_LIMIT];
    uint32_t count;
    struct argument object;     // of a member function; value IR_NONE without
    const char *tag[TAG_LIMIT]; // names of the types of tag arguments
    uint32_t tag_count;
    uint32_t dimensions; // of a tensor instruction
};

// --- Types and tags ----------------------------------------------------------------------------

// NULL for IR_NONE.
const struct ir_type *match_type(const struct match *match, ir_type_id type);

// The name of the class behind pointers and references; "" where it is none.
const char *match_record_name(const struct match *match, ir_type_id type);

// A class object or a reference to anything: the operand is an address.
bool match_is_address(const struct match *match, ir_type_id type);

bool match_is_scalar(const struct match *match, ir_type_id type);

// The number among template arguments: the first in "tile<32U, block>", the last in
// "state<(scope)2, 4>". 0 when there is none.
int64_t match_template_number(const char *name, bool last);

// The first number among template arguments; returns whether there is one.
bool match_first_integer(const struct ir_template_arg *arg, int64_t *out);

// Whether a type of this name is that of a tag (cuda::ptx::sem_release_t) and says how, not what.
bool match_is_tag(const char *name);

// Applies the tags of the call to the operation.
void match_read_tags(struct match *match);

// --- Roles -------------------------------------------------------------------------------------

// Gives each role of `text`, of that length, its argument. Roles that may be left out are, from the
// last, when there are fewer arguments; a `*` takes what lies between the roles before and behind
// it.
void match_assign(struct match *match, const char *text, size_t length,
                  const struct argument *argument, uint32_t count);

// What the group's type says of the scope, where the row has a group.
void match_read_group(struct match *match, const struct model_row *row);

// The matrix in memory of a function that loads or stores a wmma fragment: by the name of the
// fragment's type, "fragment<matrix_a, 16, 16, 16, __half, row_major>", and the type that its
// elements are accessed as. (CUDA Programming Guide 13, 5.4.11.)
void match_read_fragment(struct match *match);

#endif
