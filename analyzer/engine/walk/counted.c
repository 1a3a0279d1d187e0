// Variables that a loop counts up, or doubles. One that is passed over has been gone round once in
// the run, and in a program as often as it takes: what it has counted is then that much, or more.
#include "base/mix.h"
#include "base/vec.h"
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

static ir_value without_casts(const struct ir_function *function, ir_value value)
{
    while (ir_op_at(function, value)->code == IR_CAST)
        value = ir_operand(function, ir_op_at(function, value), 0);
    return value;
}

// Whether the operation adds a number that the sources say to what the register has; or, on the
// host, multiplies it by one, as where a block is made as large as it takes.
static bool counts_up(const struct run *run, const struct ir_function *function,
                      const struct registers *registers, const struct ir_op *store, uint32_t number)
{
    const struct ir_op *sum =
        ir_op_at(function, without_casts(function, ir_operand(function, store, 1)));
    bool host = run->engine->host;
    if (host ? sum->code != IR_MUL && sum->code != IR_SHL : sum->code != IR_ADD)
        return false;
    for (uint32_t i = 0; i < 2; ++i) {
        ir_value one = without_casts(function, ir_operand(function, sum, i));
        const struct ir_op *added =
            ir_op_at(function, without_casts(function, ir_operand(function, sum, 1 - i)));
        if (ir_op_at(function, one)->code == IR_LOAD && registers->of[one] == number &&
            added->code == IR_CONST && added->imm > 0)
            return true;
    }
    return false;
}

// `key`: of the variable in a loop like that.
static void widen(struct run *run, struct group *group, uint32_t number, uint64_t key)
{
    const struct node *value = register_load(run, group, number);
    int64_t low, high;
    if (value->kind == NODE_ATOM && value->undefined)
        return;
    const struct node *counted =
        node_expr(run->nodes, NODE_OP_CALL, 64, (int64_t)key, value, NULL, NULL);
    interval_of(run, value, &low, &high);
    frame_own(run, group)->variable[number] = counted;
    struct bound *bound = node_known(counted) ? NULL : bound_at(run, counted);
    if (bound && !bound->lane && low > bound->low)
        bound->low = low;
}

void counted_widen(struct run *run, struct group *group, ir_block_id head)
{
    enum { ASIDE, COUNTS, SETS };
    const struct function_facts *facts = facts_of(run->engine, group->frame->function);
    const struct ir_function *function = frame_function(run, group->frame);
    const struct registers *registers = &facts->registers;
    const struct cfg *cfg = facts->cfg;
    uint32_t loop = cfg->loop_of[head];
    if (loop == IR_NONE || registers->count == 0)
        return;
    uint8_t *does = arena_array(&run->arena, uint8_t, registers->count + 1);
    uint32_t *nth = arena_array(&run->arena, uint32_t, registers->count + 1), met = 0;
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i) {
        const struct ir_block *block = &function->block[cfg->loop_block[cfg->loop[loop].first + i]];
        for (ptrdiff_t k = 0; k < arrlen(block->op); ++k) {
            const struct ir_op *op = ir_op_at(function, block->op[k]);
            uint32_t number = registers->of[block->op[k]];
            if (!number || (op->code != IR_STORE && op->code != IR_DECLARE))
                continue;
            nth[number] = nth[number] ? nth[number] : ++met;
            bool counts = op->code == IR_STORE && counts_up(run, function, registers, op, number);
            does[number] = counts && does[number] != SETS ? COUNTS : SETS;
        }
    }
    uint64_t likeness = facts_loop_likeness(run->engine, group->frame->function, loop);
    for (uint32_t number = 1; number <= registers->count; ++number) {
        if (does[number] == COUNTS)
            widen(run, group, number, mix(likeness, nth[number]));
    }
}
