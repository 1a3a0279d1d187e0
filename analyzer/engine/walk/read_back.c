// Memory of the grid that a kernel reads. Where it reads some plainly that it has written, blocks
// tell each other of that within it, and what no code of the kernel ever reads they do not tell
// each other of: a result that is stored before the block counts itself, beside the sums that the
// last block reads.
// An array that is named through a record the kernel is given is told apart from the others there
// as long as the record is only used by its members (alias.c).
#include "base/vec.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"

static struct alias_class *grid_memory(struct aliases *aliases, ir_function_id id, ir_value address)
{
    uint32_t class = alias_of(aliases, id, address);
    struct alias_class *at = class == IR_NONE ? NULL : &aliases->class[class];
    return at && !at->shared && !at->local ? at : NULL;
}

static void note_read(struct aliases *aliases, ir_function_id id, ir_value address, bool plainly)
{
    struct alias_class *at = grid_memory(aliases, id, address);
    if (at) {
        at->read = true;
        at->read_plainly |= plainly;
    }
}

static void note_write(struct aliases *aliases, ir_function_id id, ir_value address)
{
    struct alias_class *at = grid_memory(aliases, id, address);
    if (at)
        at->written = true;
}

// A call or an instruction: an atomic operation writes, and others may learn of it by one of their
// own; what else is done with addresses nobody knows.
static void note_call(struct aliases *aliases, ir_function_id id, ir_value value)
{
    const struct ir_function *function = &aliases->engine->unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    if (alias_callee(aliases->engine, id, value) != IR_NONE)
        return; // what it does is noted there
    const struct model_op *model = facts_model(aliases->engine, id, value);
    if (model->kind == MODEL_ATOMIC && model->dst != IR_NONE)
        note_write(aliases, id, model->dst);
    for (uint32_t i = 0; i < op->operand_count; ++i)
        note_read(aliases, id, ir_operand(function, op, i), false);
}

static void note_op(struct aliases *aliases, ir_function_id id, ir_value value)
{
    const struct ir_function *function = &aliases->engine->unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    switch ((enum ir_op_code)op->code) {
    case IR_LOAD:
        note_read(aliases, id, ir_operand(function, op, 0),
                  !(op->flags & (IR_ATOMIC | IR_VOLATILE)));
        break;
    case IR_COPY:
        note_read(aliases, id, ir_operand(function, op, 1), true);
        note_write(aliases, id, ir_operand(function, op, 0));
        break;
    case IR_STORE:
    case IR_ZERO:
        note_write(aliases, id, ir_operand(function, op, 0));
        if (op->flags & (IR_ATOMIC | IR_VOLATILE | IR_RELEASE)) // for somebody who asks for it
            note_read(aliases, id, ir_operand(function, op, 0), false);
        break;
    case IR_CALL:
    case IR_CALLI:
    case IR_PTX:
    case IR_OPAQUE:
        note_call(aliases, id, value);
        break;
    default:
        break;
    }
}

bool read_back_find(struct aliases *aliases)
{
    for (ptrdiff_t i = 0; i < arrlen(aliases->reached); ++i) {
        ir_function_id id = aliases->reached[i];
        for (ptrdiff_t op = 0; op < arrlen(aliases->engine->unit->function[id].op); ++op)
            note_op(aliases, id, (ir_value)op);
    }
    for (ptrdiff_t i = 0; i < arrlen(aliases->class); ++i) {
        const struct alias_class *at = &aliases->class[i];
        if (at->written && at->read_plainly)
            return true;
    }
    return false;
}
