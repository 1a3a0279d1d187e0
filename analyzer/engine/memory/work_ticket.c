// Tickets that say which work comes next: the number that an atomic operation gives chooses where
// in memory the block goes on, and is held against no other number for being the last. Nobody
// learns from such a count that data are there.
#include "base/vec.h"
#include "engine/memory/ordered.h"

enum { MOST_ROUNDS = 6 };

// Where the number goes in its function.
struct ticket_flow {
    const struct ir_function *function;
    bool *value;
    bool reads, compared; // at a place that it chooses; with what may be the last
};

// Whether the operation is the address of a variable, of the function's own or of the block, that
// is kept as one.
static bool is_variable(const struct ir_op *op)
{
    return op->code == IR_LOCAL || op->code == IR_GLOBAL;
}

// Whether the number is stored to the variable.
static bool holds(const struct ticket_flow *flow, const struct ir_op *variable)
{
    for (ptrdiff_t i = 0; i < arrlen(flow->function->op); ++i) {
        const struct ir_op *op = &flow->function->op[i];
        if (op->code != IR_STORE || !flow->value[ir_operand(flow->function, op, 1)])
            continue;
        const struct ir_op *to = ir_op_at(flow->function, ir_operand(flow->function, op, 0));
        if (to->code == variable->code && to->imm == variable->imm)
            return true;
    }
    return false;
}

static bool comes_of(const struct ticket_flow *flow, const struct ir_op *op)
{
    if (op->code == IR_LOAD) {
        const struct ir_op *from = ir_op_at(flow->function, ir_operand(flow->function, op, 0));
        return is_variable(from) && holds(flow, from);
    }
    bool computes = op->code == IR_CAST || op->code == IR_INDEX || op->code == IR_OFFSET ||
                    (op->code >= IR_ADD && op->code <= IR_SELECT);
    for (uint32_t i = 0; computes && i < op->operand_count; ++i) {
        if (flow->value[ir_operand(flow->function, op, i)])
            return true;
    }
    return false;
}

static void look_at(struct ticket_flow *flow, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        bool of_it = flow->value[ir_operand(flow->function, op, i)];
        bool reads = op->code == IR_LOAD || (op->code == IR_COPY && i == 1);
        flow->reads |= of_it && reads;
        flow->compared |= of_it && (op->code == IR_EQ || op->code == IR_NE);
    }
}

bool is_work_ticket(const struct ir_function *function, ir_value value, struct arena *arena)
{
    size_t count = arrlenu(function->op);
    struct ticket_flow flow = {.function = function, .value = arena_array(arena, bool, count + 1)};
    flow.value[value] = true;
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        for (size_t i = 0; i < count; ++i)
            flow.value[i] |= comes_of(&flow, &function->op[i]);
    }
    for (size_t i = 0; i < count; ++i)
        look_at(&flow, &function->op[i]);
    return flow.reads && !flow.compared;
}
