// Whether a kernel polls: goes round a loop until what another thread writes lets it out. Only then
// do volatile accesses tell threads something; elsewhere they are accesses like others, which
// merely go to memory each time.
#include "base/vec.h"
#include "engine/run.h"

struct search {
    struct engine *engine;
    ir_function_id function;
    ir_value wanted; // IR_NONE: whatever is volatile or atomic
    bool *seen;      // by operation
};

static bool is_told(struct search *search, ir_value value);

// Whether one of the operations leads to a volatile or atomic load.
static bool function_is_told(struct engine *engine, ir_function_id id)
{
    const struct ir_function *function = &engine->unit->function[id];
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if (op->code == IR_LOAD && op->flags & (IR_VOLATILE | IR_ATOMIC))
            return true;
    }
    return false;
}

// What is stored in a variable of the function.
static bool variable_is_told(struct search *search, int64_t local)
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if (op->code != IR_STORE)
            continue;
        const struct ir_op *to = ir_op_at(function, ir_operand(function, op, 0));
        if (to->code == IR_LOCAL && to->imm == local &&
            is_told(search, ir_operand(function, op, 1)))
            return true;
    }
    return false;
}

// Whether the value comes from what is wanted: one load, or any that is volatile or atomic.
static bool is_told(struct search *search, ir_value value)
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    if (value == IR_NONE || search->seen[value])
        return false;
    search->seen[value] = true;
    const struct ir_op *op = ir_op_at(function, value);
    bool any = search->wanted == IR_NONE;
    if (value == search->wanted)
        return true;
    if (op->code == IR_LOAD) {
        const struct ir_op *from = ir_op_at(function, ir_operand(function, op, 0));
        return (any && op->flags & (IR_VOLATILE | IR_ATOMIC)) ||
               (from->code == IR_LOCAL && variable_is_told(search, from->imm));
    }
    if (any && (op->code == IR_CALL || op->code == IR_PTX)) {
        const struct model_op *model = facts_model(search->engine, search->function, value);
        if (model->kind == MODEL_ATOMIC)
            return true;
        if (model->kind == MODEL_NONE && op->code == IR_PTX)
            return true; // nobody knows
        if (model->kind == MODEL_NONE && function_is_told(search->engine, (ir_function_id)op->imm))
            return true;
    }
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        if (is_told(search, ir_operand(function, op, i)))
            return true;
    }
    return false;
}

// Whether what is wanted decides if a loop is left that `block` lies in, or any where it is
// IR_NONE.
static bool decides_loop(struct search *search, ir_block_id within)
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    const struct cfg *cfg = facts_of(search->engine, search->function)->cfg;
    for (uint32_t l = 0; l < cfg->loop_count; ++l) {
        if (within != IR_NONE && !cfg_in_loop(cfg, l, within))
            continue;
        for (uint32_t i = 0; i < cfg->loop[l].count; ++i) {
            ir_block_id block = cfg->loop_block[cfg->loop[l].first + i];
            const struct ir_op *end = ir_terminator(function, block);
            if (!end || (end->code != IR_CONDBR && end->code != IR_SWITCH))
                continue;
            bool leaves = false;
            for (uint32_t k = 0; k < cfg->successor[block].count; ++k)
                leaves |= !cfg_in_loop(cfg, l, cfg->successor[block].item[k]);
            if (leaves && is_told(search, ir_operand(function, end, 0)))
                return true;
        }
    }
    return cfg->irreducible;
}

static struct search search_begin(struct engine *engine, ir_function_id id, ir_value wanted)
{
    size_t ops = arrlenu(engine->unit->function[id].op);
    return (struct search){.engine = engine,
                           .function = id,
                           .wanted = wanted,
                           .seen = arena_array(&engine->known->slice_arena, bool, ops + 1)};
}

bool polls_in(struct engine *engine, ir_function_id id)
{
    struct search search = search_begin(engine, id, IR_NONE);
    return decides_loop(&search, IR_NONE);
}

bool polls_with(struct engine *engine, ir_function_id id, ir_block_id block, ir_value load)
{
    struct search search = search_begin(engine, id, load);
    return decides_loop(&search, block);
}
