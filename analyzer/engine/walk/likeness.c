// What a loop does, as a number. Roles of a kernel go over the same tiles with loops of their own
// that are written alike, each in its branch or function; what such loops come to is one thing.
#include "base/digest.h"
#include "base/vec.h"
#include "engine/walk/facts.h"

// Numbers in the order in which things are met, so that a digest says how they are used.
struct met {
    uint64_t *item; // stb_ds array
};

static uint64_t number_of(struct met *met, uint64_t item)
{
    ptrdiff_t at = 0;
    while (at < arrlen(met->item) && met->item[at] != item)
        ++at;
    if (at == arrlen(met->item))
        arrput(met->item, item);
    return (uint64_t)at;
}

struct likeness {
    struct digester *digester;
    const struct ir_function *function;
    const struct cfg *cfg;
    uint32_t loop;
    uint32_t *ordinal; // by operation: its place in the loop, from 1; 0 outside of it
    struct met local, parameter, value, block;
};

static void add_immediate(struct likeness *likeness, const struct ir_op *op)
{
    uint64_t immediate = (uint64_t)op->imm;
    if (op->code == IR_LOCAL || op->code == IR_DECLARE)
        immediate = number_of(&likeness->local, immediate);
    else if (op->code == IR_PARAM)
        immediate = number_of(&likeness->parameter, immediate);
    else if (op->code == IR_SWITCH)
        immediate = 0; // the cases follow
    digester_number(likeness->digester, immediate);
}

static void add_operands(struct likeness *likeness, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        ir_value operand = ir_operand(likeness->function, op, i);
        const struct ir_op *from = ir_op_at(likeness->function, operand);
        if (!from || likeness->ordinal[operand]) {
            digester_number(likeness->digester, from ? likeness->ordinal[operand] : 0);
            continue;
        }
        digester_number(likeness->digester, from->code);
        if (facts_is_lazy(from))
            add_immediate(likeness, from);
        else
            digester_number(likeness->digester, number_of(&likeness->value, operand));
    }
}

// Where control goes: within the loop by the block's place in it, else by which way out it is.
static void add_target(struct likeness *likeness, ir_block_id target)
{
    const struct cfg *cfg = likeness->cfg;
    bool inside = target != IR_NONE && cfg_in_loop(cfg, likeness->loop, target);
    digester_number(likeness->digester, inside);
    digester_number(likeness->digester,
                    inside ? cfg->loop_block_of[target] - cfg->loop[likeness->loop].first
                           : number_of(&likeness->block, target));
}

static void add_op(struct likeness *likeness, const struct ir_op *op)
{
    digester_number(likeness->digester, op->code);
    digester_number(likeness->digester, op->flags);
    digester_number(likeness->digester, op->type);
    digester_text(likeness->digester, op->text);
    add_immediate(likeness, op);
    add_operands(likeness, op);
    if (!ir_is_terminator(op->code))
        return;
    add_target(likeness, op->target[0]);
    add_target(likeness, op->target[1]);
    for (uint32_t i = 0; i < op->case_count; ++i) {
        const struct ir_case *one = &likeness->function->cases[op->imm + i];
        digester_number(likeness->digester, (uint64_t)one->low);
        digester_number(likeness->digester, (uint64_t)one->high);
        add_target(likeness, one->target);
    }
}

static uint64_t likeness_of(const struct ir_function *function, const struct cfg *cfg,
                            uint32_t loop)
{
    struct arena arena;
    arena_init(&arena);
    const ir_block_id *block = &cfg->loop_block[cfg->loop[loop].first];
    struct likeness likeness = {
        .digester = digester_new(),
        .function = function,
        .cfg = cfg,
        .loop = loop,
        .ordinal = arena_array(&arena, uint32_t, (size_t)arrlen(function->op) + 1),
    };
    uint32_t count = 0;
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i) {
        const ir_value *op = function->block[block[i]].op;
        for (ptrdiff_t k = 0; k < arrlen(op); ++k) {
            if (!facts_is_lazy(ir_op_at(function, op[k])))
                likeness.ordinal[op[k]] = ++count;
        }
    }
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i) {
        const ir_value *op = function->block[block[i]].op;
        digester_number(likeness.digester, i);
        for (ptrdiff_t k = 0; k < arrlen(op); ++k) {
            if (likeness.ordinal[op[k]])
                add_op(&likeness, ir_op_at(function, op[k]));
        }
    }
    arena_release(&arena);
    arrfree(likeness.local.item);
    arrfree(likeness.parameter.item);
    arrfree(likeness.value.item);
    arrfree(likeness.block.item);
    struct digest digest = digester_end(likeness.digester);
    return digest.low | 1; // 0: nobody has asked yet
}

uint64_t facts_loop_likeness(struct engine *engine, ir_function_id id, uint32_t loop)
{
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    if (!facts->likeness[loop])
        facts->likeness[loop] = likeness_of(&engine->unit->function[id], facts->cfg, loop);
    return facts->likeness[loop];
}
