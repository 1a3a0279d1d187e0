// What the code says of two accesses that meet: whether they are two steps of one piece of it or
// come round with each other, and whether what is stored is a number that stands there.
#include "base/vec.h"
#include "engine/memory/races_internal.h"
#include "engine/walk/facts.h"

static bool is_in_block(const struct ir_function *function, ir_block_id block, ir_value value)
{
    const ir_value *op = function->block[block].op;
    ptrdiff_t at = 0;
    while (at < arrlen(op) && op[at] != value)
        ++at;
    return at < arrlen(op);
}

bool races_one_step(const struct run *run, const struct access *early, const struct access *late)
{
    if (early->kind != RACE_READ)
        return false;
    if (early->site.chain == late->site.chain)
        return early->site.function == late->site.function && early->block == late->block;
    const struct engine_result *result = run->engine->result;
    uint32_t at = early->site.chain;
    while (at && result->chain[at].parent != late->site.chain)
        at = result->chain[at].parent == UINT32_MAX ? 0 : result->chain[at].parent;
    ir_value call = at ? engine_call_of(result, &result->chain[at]) : IR_NONE;
    return call != IR_NONE &&
           is_in_block(&result->unit->function[late->site.function], late->block, call);
}

bool races_stored_again(const struct run *run, const struct access *load)
{
    const struct ir_function *function = &run->engine->unit->function[load->site.function];
    for (ptrdiff_t i = (ptrdiff_t)load->site.op + 1; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if (op->code == IR_STORE && op->flags & IR_VOLATILE)
            return true;
    }
    return false;
}

uint32_t races_around(const struct run *run, const struct access *early, const struct access *late)
{
    const struct engine_chain *chain = run->engine->result->chain;
    uint32_t a = early->site.chain, b = late->site.chain;
    while (a != b) // who is called has the higher number
        *(a > b ? &a : &b) = chain[a > b ? a : b].parent;
    return a;
}

// The block of the function at `chain` that the access, or the call that leads to it, stands in.
static ir_block_id block_at(const struct run *run, const struct access *access, uint32_t chain)
{
    const struct engine_result *result = run->engine->result;
    const struct ir_function *function = &result->unit->function[result->chain[chain].function];
    uint32_t at = access->site.chain;
    if (at == chain)
        return access->block;
    while (result->chain[at].parent != chain)
        at = result->chain[at].parent;
    ir_value call = engine_call_of(result, &result->chain[at]);
    ir_block_id block = 0;
    while (block < arrlenu(function->block) && !is_in_block(function, block, call))
        ++block;
    return block < arrlenu(function->block) ? block : IR_NONE;
}

bool races_share_loop(const struct run *run, const struct access *early, const struct access *late)
{
    const struct engine_chain *chain = run->engine->result->chain;
    uint32_t at = races_around(run, early, late);
    ir_block_id one = block_at(run, early, at), other = block_at(run, late, at);
    for (;;) {
        const struct cfg *cfg = facts_of(run->engine, chain[at].function)->cfg;
        if (one == IR_NONE || other == IR_NONE || cfg->irreducible)
            return true; // it cannot be told
        for (uint32_t loop = cfg->loop_of[one]; loop != IR_NONE; loop = cfg->loop[loop].parent) {
            if (cfg_in_loop(cfg, loop, other))
                return true;
        }
        if (at == 0)
            return false;
        struct access call = {.site.chain = at};
        at = chain[at].parent;
        one = other = block_at(run, &call, at);
    }
}

// Whether the sources say the number, as in `-FLT_MAX / 2`.
static bool is_said(const struct ir_function *function, ir_value value, uint32_t depth)
{
    enum { MOST_DEPTH = 6 };
    const struct ir_op *op = ir_op_at(function, value);
    bool said =
        op->code == IR_CONST || op->code == IR_CAST || (op->code >= IR_ADD && op->code <= IR_NOT);
    for (uint32_t i = 0; i < op->operand_count && said; ++i)
        said = depth < MOST_DEPTH && is_said(function, ir_operand(function, op, i), depth + 1);
    return said;
}

bool races_store_constant(const struct run *run, const struct access *access, int64_t *number,
                          bool *plain)
{
    const struct ir_function *function = &run->engine->unit->function[access->site.function];
    const struct ir_op *op = ir_op_at(function, access->site.op);
    *number = 0;
    *plain = true;
    if (op->code != IR_STORE || access->joined)
        return op->code == IR_ZERO;
    ir_value stored = ir_operand(function, op, 1);
    for (op = ir_op_at(function, stored); op->code == IR_CAST;)
        op = ir_op_at(function, ir_operand(function, op, 0));
    *number = op->imm;
    *plain = op->code == IR_CONST;
    return is_said(function, stored, 0);
}
