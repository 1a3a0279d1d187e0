// Operands and results of operations, and groups that wait.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/story/record.h"
#include "engine/walk/walk.h"

const struct node *operand_of(struct run *run, struct group *group, ir_value operand)
{
    return resolve(run, group_get(run, group, operand));
}

bool operand_assumed(struct run *run, struct group *group, ir_value operand)
{
    return operand != IR_NONE && !node_known(group_get(run, group, operand)) &&
           node_known(operand_of(run, group, operand));
}

const struct node *operand_field(struct run *run, struct group *group, const struct model_op *op,
                                 const ir_value *field)
{
    const struct node *node = operand_of(run, group, *field);
    if (!model_is_indirect(op, field))
        return node;
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_op *at = ir_op_at(&unit->function[group->frame->function], *field);
    if (at->type == IR_NONE || unit->type[at->type].kind != IR_TYPE_POINTER)
        return node;
    return resolve(run, memory_load(run, group->mask, node, unit->type[at->type].elem, false));
}

void group_block(struct run *run, struct group *group, enum wait_kind wait, ir_value op)
{
    group->state = GROUP_BLOCKED;
    group->wait = wait;
    group->wait_op = op;
    group->wait_function = group->frame->function;
    group->wait_chain = group->frame->chain;
    group->wait_loc =
        record_place(run, group->wait_chain,
                     ir_op_at(&run->engine->unit->function[group->wait_function], op)->loc);
}

void store_result(struct run *run, struct group *group, const struct mask *mask, ir_value address,
                  const struct node *node)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_op *op = ir_op_at(&unit->function[group->frame->function], address);
    uint64_t size = 8;
    if (op->type != IR_NONE && unit->type[op->type].kind == IR_TYPE_POINTER)
        size = unit->type[unit->type[op->type].elem].size;
    memory_store(run, mask, group_get(run, group, address), size ? (uint32_t)size : 8, node, NULL);
}
