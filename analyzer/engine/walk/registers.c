// Variables of a function that nothing but its own loads and stores can reach: their address goes
// nowhere. Nearly every scalar variable is one. They are kept in the frame, as values are, and need
// neither an object nor cells with the threads they hold for.
#include <string.h>

#include "base/vec.h"
#include "engine/memory/memory.h"
#include "engine/run.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

// The variable that the operation loads or stores as a whole; IR_NONE for any other operation.
static uint32_t variable_of(const struct ir_unit *unit, const struct ir_function *function,
                            const struct ir_op *op)
{
    if ((op->code != IR_LOAD && op->code != IR_STORE) || op->flags & (IR_VOLATILE | IR_ATOMIC))
        return IR_NONE;
    const struct ir_op *address = ir_op_at(function, ir_operand(function, op, 0));
    if (address->code != IR_LOCAL)
        return IR_NONE;
    ir_type_id type = function->local[address->imm].type, moved = op->type;
    if (op->code == IR_STORE)
        moved = ir_op_at(function, ir_operand(function, op, 1))->type;
    if (type == IR_NONE || moved == IR_NONE)
        return IR_NONE;
    enum ir_type_kind kind = unit->type[type].kind;
    bool scalar = kind == IR_TYPE_INT || kind == IR_TYPE_FLOAT || kind == IR_TYPE_POINTER;
    return scalar && unit->type[type].size == unit->type[moved].size ? (uint32_t)address->imm
                                                                     : IR_NONE;
}

// Marks the variables whose address an operation uses for anything else.
static void find_escapes(const struct ir_unit *unit, const struct ir_function *function,
                         bool *escapes)
{
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        uint32_t variable = variable_of(unit, function, op);
        for (uint32_t k = 0; k < op->operand_count; ++k) {
            ir_value used = ir_operand(function, op, k);
            if (used == IR_NONE || (k == 0 && variable != IR_NONE))
                continue;
            const struct ir_op *address = ir_op_at(function, used);
            if (address->code == IR_LOCAL)
                escapes[address->imm] = true;
        }
    }
}

// Which registers the block touches before it declares them, and which it declares first.
static void block_registers(const struct ir_function *function, const struct registers *registers,
                            ir_block_id block, uint64_t *touched, uint64_t *declared)
{
    const struct ir_block *at = &function->block[block];
    for (ptrdiff_t i = 0; i < arrlen(at->op); ++i) {
        uint32_t number = registers->of[at->op[i]];
        const struct ir_op *op = ir_op_at(function, at->op[i]);
        if (!number || op->code == IR_LOCAL)
            continue;
        uint64_t bit = UINT64_C(1) << (--number % 64);
        if (op->code == IR_DECLARE)
            declared[number / 64] |= bit & ~touched[number / 64];
        else
            touched[number / 64] |= bit & ~declared[number / 64];
    }
}

// Control also goes straight to where the arms of a condition meet: see pass_by() in branch.c.
static bool take_over(const struct registers *registers, uint64_t *into, const uint64_t *from,
                      const uint64_t *without)
{
    bool changed = false;
    for (uint32_t w = 0; w < registers->words; ++w) {
        uint64_t all = into[w] | (from[w] & ~without[w]);
        changed |= all != into[w];
        into[w] = all;
    }
    return changed;
}

// A register is live at the start of a block where something may touch it before it is declared. A
// store counts as well: under a condition that is not decided it keeps what was there.
static void find_live(const struct ir_function *function, const struct cfg *cfg,
                      struct registers *registers, struct arena *arena)
{
    size_t words = registers->words;
    registers->live = arena_array(arena, uint64_t, words * cfg->block_count + 1);
    if (words == 0)
        return;
    uint64_t *declared = arena_array(arena, uint64_t, words * cfg->block_count + 1);
    for (ir_block_id b = 0; b < cfg->block_count; ++b)
        block_registers(function, registers, b, registers->live + b * words, declared + b * words);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = cfg->order_count; i-- > 0;) {
            ir_block_id b = cfg->order[i], join = cfg_join(cfg, b);
            uint64_t *live = registers->live + b * words, *without = declared + b * words;
            for (uint32_t k = 0; k < cfg->successor[b].count; ++k)
                changed |= take_over(registers, live,
                                     registers->live + cfg->successor[b].item[k] * words, without);
            if (join < cfg->block_count)
                changed |= take_over(registers, live, registers->live + join * words, without);
        }
    }
}

// Gives each variable that is a register its number.
static void find_numbers(const struct ir_unit *unit, const struct ir_function *function,
                         struct registers *out, struct arena *arena)
{
    size_t ops = (size_t)arrlen(function->op), locals = (size_t)arrlen(function->local);
    bool *escapes = arena_array(arena, bool, locals + 1);
    uint32_t *number = arena_array(arena, uint32_t, locals + 1);
    find_escapes(unit, function, escapes);
    for (size_t i = 0; i < ops; ++i) {
        const struct ir_op *op = &function->op[i];
        uint32_t variable = variable_of(unit, function, op);
        if (variable != IR_NONE && !escapes[variable] && !number[variable])
            number[variable] = ++out->count;
    }
    for (size_t i = 0; i < ops; ++i) {
        const struct ir_op *op = &function->op[i];
        bool names = op->code == IR_LOCAL || op->code == IR_DECLARE;
        uint32_t variable = names ? (uint32_t)op->imm : variable_of(unit, function, op);
        out->of[i] = variable == IR_NONE ? 0 : number[variable];
    }
}

// What each register is given, where one store is all that gives it something.
static void find_given(const struct ir_function *function, struct registers *out,
                       struct arena *arena)
{
    bool *stored = arena_array(arena, bool, out->count + 1);
    out->given = arena_array(arena, ir_value, out->count + 1);
    for (uint32_t i = 0; i <= out->count; ++i)
        out->given[i] = IR_NONE;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        uint32_t number = out->of[i];
        if (!number || op->code != IR_STORE)
            continue;
        out->given[number] = stored[number] ? IR_NONE : ir_operand(function, op, 1);
        stored[number] = true;
    }
}

void registers_find(const struct ir_unit *unit, const struct ir_function *function,
                    const struct cfg *cfg, struct registers *out, struct arena *arena)
{
    out->of = arena_array(arena, uint32_t, arrlenu(function->op) + 1);
    if (arrlen(function->local))
        find_numbers(unit, function, out, arena);
    find_given(function, out, arena);
    out->words = (out->count + 63) / 64;
    find_live(function, cfg, out, arena);
}

const struct node *register_load(struct run *run, struct group *group, uint32_t number)
{
    const struct node *content = group->frame->variable[number];
    return content ? node_restrict(run->nodes, content, group->mask) : run->nodes->undefined;
}

void register_store(struct run *run, struct group *group, uint32_t number, const struct node *value)
{
    struct frame *frame = frame_own(run, group);
    value = node_restrict(run->nodes, value, group->mask);
    for (const struct arms *outer = group->arms; outer; outer = outer->outer) {
        // Executed under a condition that is not decided: old content may stay.
        const struct node *old = register_load(run, group, number);
        if (old->kind == NODE_ATOM && old->undefined)
            break; // what was never written before is not read afterwards unless it was written
        value = stored_under(run, outer, group->mask, value, old);
    }
    frame->variable[number] = value;
}

void registers_merge(struct run *run, struct group *into, const struct group *from)
{
    const struct registers *registers = &facts_of(run->engine, into->frame->function)->registers;
    struct frame *frame = into->frame;
    if (into->returning)
        return;
    const uint64_t *live = registers->live + (size_t)frame->block * registers->words;
    for (uint32_t w = 0; w < registers->words; ++w) {
        for (uint64_t left = live[w]; left; left &= left - 1) {
            uint32_t number = 1 + w * 64 + (uint32_t)__builtin_ctzll(left);
            const struct node *one = frame->variable[number],
                              *other = from->frame->variable[number];
            if (one == other)
                continue;
            struct node_piece piece[2] = {{into->mask, one ? one : run->nodes->undefined},
                                          {from->mask, other ? other : run->nodes->undefined}};
            frame->variable[number] = node_pieces(run->nodes, piece, 2);
        }
    }
}
