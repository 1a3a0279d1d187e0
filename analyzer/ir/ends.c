// Functions that never come back to their caller because every way through them ends the program or
// traps, as those do that a check calls when it fails. A call of one ends its block.
#include "ir/ir.h"

#include "base/arena.h"
#include "base/vec.h"

// What is not all there says nothing of how it ends.
static bool is_whole(const struct ir_function *function)
{
    return function->flags & IR_FN_BODY && arrlen(function->block) > 0 &&
           !(function->flags & (IR_FN_KERNEL | IR_FN_PARTIAL | IR_FN_PATTERN));
}

// Where the block's control goes no further: the index of a call that never comes back, or -1.
static ptrdiff_t last_call(const struct ir_function *function, const struct ir_block *block,
                           const bool *ends)
{
    for (ptrdiff_t i = 0; i < arrlen(block->op); ++i) {
        const struct ir_op *op = ir_op_at(function, block->op[i]);
        bool direct = op->code == IR_CALL && op->imm >= 0 && !(op->flags & IR_VIRTUAL);
        if (direct && ends[op->imm])
            return i;
    }
    return -1;
}

static void reach(bool *reached, ir_block_id *stack, size_t *count, ir_block_id block)
{
    if (reached[block])
        return;
    reached[block] = true;
    stack[(*count)++] = block;
}

// Whether all control that enters the function ends there.
static bool never_returns(const struct ir_function *function, const bool *ends, struct arena *arena)
{
    size_t blocks = arrlenu(function->block), count = 0;
    bool *reached = arena_array(arena, bool, blocks + 1), stops = false;
    ir_block_id *stack = arena_array(arena, ir_block_id, blocks + 1);
    reach(reached, stack, &count, 0);
    while (count) {
        ir_block_id at = stack[--count];
        const struct ir_op *op = ir_terminator(function, at);
        if (!op)
            return false;
        if (last_call(function, &function->block[at], ends) >= 0 || op->code == IR_UNREACHABLE) {
            stops = true;
            continue;
        }
        if (op->code != IR_BR && op->code != IR_CONDBR && op->code != IR_SWITCH)
            return false;
        for (int i = 0; i < 2; ++i) {
            if (op->target[i] != IR_NONE)
                reach(reached, stack, &count, op->target[i]);
        }
        for (uint32_t i = 0; op->code == IR_SWITCH && i < op->case_count; ++i)
            reach(reached, stack, &count, function->cases[op->imm + i].target);
    }
    return stops; // a loop without an end may be meant
}

// Ends the block behind its call that never comes back.
static void cut(struct ir_unit *unit, struct ir_function *function, struct ir_block *block,
                ptrdiff_t call)
{
    const struct ir_op *op = ir_op_at(function, block->op[call]);
    struct ir_op end = {.code = IR_UNREACHABLE,
                        .type = IR_NONE,
                        .operand = (uint32_t)arrlenu(function->operand),
                        .target = {IR_NONE, IR_NONE},
                        .loc = op->loc,
                        .text = unit->function[op->imm].lookup};
    arrput(function->op, end);
    arrsetlen(block->op, (size_t)call + 1);
    arrput(block->op, (ir_value)arrlenu(function->op) - 1);
}

void ir_end_blocks(struct ir_unit *unit)
{
    struct arena arena;
    arena_init(&arena);
    size_t functions = arrlenu(unit->function);
    bool *ends = arena_array(&arena, bool, functions + 1);
    bool any = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t f = 0; f < functions; ++f) {
            if (ends[f] || !is_whole(&unit->function[f]))
                continue;
            struct arena scratch;
            arena_init(&scratch);
            ends[f] = never_returns(&unit->function[f], ends, &scratch);
            arena_release(&scratch);
            changed |= ends[f];
        }
        any |= changed;
    }
    for (size_t f = 0; any && f < functions; ++f) {
        struct ir_function *function = &unit->function[f];
        for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
            ptrdiff_t call = last_call(function, &function->block[b], ends);
            const struct ir_op *next =
                call < 0 ? NULL : ir_op_at(function, function->block[b].op[call + 1]);
            if (next && next->code != IR_UNREACHABLE)
                cut(unit, function, &function->block[b], call);
        }
    }
    arena_release(&arena);
}
