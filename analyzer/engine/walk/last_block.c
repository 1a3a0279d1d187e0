// The block that comes last, as the classical sum over a grid has it: each block writes its part,
// counts itself, and the one that finds by what the count was that all have come reads the parts of
// the others. What each has written must be fenced for the device before it is counted, else the
// last one may read what was there before (Programming Guide 13, 5.4.4.2). Found in the code
// alone: a branch on whether the old value of a counter equals a number made of the grid's size,
// by the function or by all who call it, under which memory is read that the kernel has written
// before at a place of each block. Only asked in kernels that have nothing which could order it: a
// fence that the last block alone comes to, behind that branch, is too late for what others have
// written.
#include "base/vec.h"
#include "engine/walk/grid_values.h"

// Whether it is made of the size of the grid, and is the same in all threads.
static bool is_size(const struct made *made)
{
    return made->atomic == IR_NONE && !made->foreign && made->blocks && !made->threads;
}

// The atomic operation that the condition compares with a number made of the grid's size.
static ir_value ticket_of(struct look *look, ir_value condition)
{
    ir_value *part = NULL, found = IR_NONE; // stb_ds array: comparisons in it
    ++look->search;
    arrsetlen(look->work, 0);
    look_add(look, condition);
    while (arrlen(look->work)) {
        ir_value at = arrpop(look->work);
        const struct ir_op *op = ir_op_at(look->function, at);
        if (op->code == IR_EQ || op->code == IR_NE)
            arrput(part, at);
        if (op->code != IR_CALL && op->code != IR_PTX)
            look_add_parts(look, op);
    }
    for (ptrdiff_t i = 0; i < arrlen(part) && found == IR_NONE; ++i) {
        const struct ir_op *op = ir_op_at(look->function, part[i]);
        struct made left = look_made_of(look, ir_operand(look->function, op, 0));
        struct made right = look_made_of(look, ir_operand(look->function, op, 1));
        if (left.atomic != IR_NONE && is_size(&right))
            found = left.atomic;
        else if (right.atomic != IR_NONE && is_size(&left))
            found = right.atomic;
    }
    arrfree(part);
    return found;
}

// What the other blocks write, for a read behind the ticket: a store or a copy before it to the
// same memory, at a place of a block of its own, which the read does not go by.
static ir_value write_before(struct look *look, const ir_block_id *block, ir_value ticket,
                             ir_value address)
{
    const struct cfg *cfg = facts_of(look->aliases->engine, look->id)->cfg;
    uint32_t class = alias_of(look->aliases, look->id, address);
    if (look_is_own(look, address))
        return IR_NONE;
    bool by_start = class == IR_NONE || look->aliases->class[class].local ||
                    look_starts_in_record(look, address);
    unsigned reads = look_made_of(look, address).block_of_some;
    for (ptrdiff_t i = 0; i < arrlen(look->function->op); ++i) {
        const struct ir_op *op = &look->function->op[i];
        if ((op->code != IR_STORE && op->code != IR_COPY) || op->flags & IR_ATOMIC ||
            block[i] == IR_NONE ||
            alias_of(look->aliases, look->id, ir_operand(look->function, op, 0)) != class ||
            (by_start && !look_start_alike(look, address, ir_operand(look->function, op, 0))))
            continue;
        bool before = block[i] == block[ticket]
                          ? (ir_value)i < ticket
                          : cfg->order_of[block[i]] < cfg->order_of[block[ticket]];
        if (before && look_made_of(look, ir_operand(look->function, op, 0)).block & ~reads)
            return (ir_value)i;
    }
    return IR_NONE;
}

// Whether all that may order writes stands where control comes through the arm alone.
static bool orders_behind(const struct look *look, ir_block_id arm, const ir_block_id *block)
{
    const struct cfg *cfg = facts_of(look->aliases->engine, look->id)->cfg;
    bool behind = true;
    for (ptrdiff_t i = 0; i < arrlen(look->orders); ++i) {
        ir_block_id at = block[look->orders[i]];
        behind &= at == IR_NONE || cfg_dominates(cfg, arm, at);
    }
    return behind;
}

// The branch at the end of the block, if it asks whether the block is the last.
static void look_at(struct look *look, ir_block_id at, const ir_block_id *block,
                    struct last_block *out)
{
    const struct cfg *cfg = facts_of(look->aliases->engine, look->id)->cfg;
    const struct ir_op *end = ir_terminator(look->function, at);
    if (!end || end->code != IR_CONDBR)
        return;
    ir_value ticket = ticket_of(look, ir_operand(look->function, end, 0));
    if (ticket == IR_NONE || block[ticket] == IR_NONE)
        return;
    for (int k = 0; k < 2; ++k) {
        ir_block_id arm = end->target[k];
        if (arm == cfg_join(cfg, at) || cfg->predecessor[arm].count != 1 ||
            !orders_behind(look, arm, block))
            continue;
        for (ptrdiff_t i = 0; i < arrlen(look->function->op) && out->ticket == IR_NONE; ++i) {
            if (block[i] == IR_NONE || !cfg_dominates(cfg, arm, block[i]))
                continue;
            ir_value address = look_read_at(look, (ir_value)i);
            ir_value write =
                address == IR_NONE ? IR_NONE : write_before(look, block, ticket, address);
            if (write != IR_NONE)
                *out = (struct last_block){look->id, ticket, write, (ir_value)i};
        }
    }
}

// Whether nothing may order writes outside the function, of which those that may are given.
static bool orders_only_in(struct look *look)
{
    struct aliases *aliases = look->aliases;
    struct engine *engine = aliases->engine;
    for (ptrdiff_t i = 0; i < arrlen(aliases->reached); ++i) {
        ir_function_id id = aliases->reached[i];
        for (ptrdiff_t op = 0; op < arrlen(engine->unit->function[id].op); ++op) {
            if (!look_may_order(aliases, id, (ir_value)op))
                continue;
            if (id != look->id)
                return false;
            arrput(look->orders, (ir_value)op);
        }
    }
    return true;
}

struct last_block last_block_find(struct aliases *aliases)
{
    struct last_block found = {.ticket = IR_NONE};
    struct engine *engine = aliases->engine;
    struct given *given = NULL;
    struct arena arena;
    arena_init(&arena);
    for (ptrdiff_t f = 0; f < arrlen(aliases->reached) && found.ticket == IR_NONE; ++f) {
        ir_function_id id = aliases->reached[f];
        struct look look = {.aliases = aliases,
                            .id = id,
                            .function = &engine->unit->function[id],
                            .arena = &arena,
                            .given = &given};
        bool counts = false;
        for (ptrdiff_t i = 0; i < arrlen(look.function->op) && !counts; ++i) {
            enum ir_op_code code = (enum ir_op_code)look.function->op[i].code;
            counts =
                (code == IR_CALL || code == IR_PTX) && look_counts_for_grid(&look, (ir_value)i);
        }
        if (!counts || !orders_only_in(&look)) {
            arrfree(look.orders);
            continue;
        }
        look.seen = arena_array(&arena, uint32_t, arrlenu(look.function->op) + 1);
        const ir_block_id *block = look_blocks_of(&look, &arena);
        for (ptrdiff_t b = 0; b < arrlen(look.function->block) && found.ticket == IR_NONE; ++b) {
            if (cfg_reachable(facts_of(engine, id)->cfg, (ir_block_id)b))
                look_at(&look, (ir_block_id)b, block, &found);
        }
        arrfree(look.work);
        arrfree(look.orders);
    }
    hmfree(given);
    arena_release(&arena);
    return found;
}
