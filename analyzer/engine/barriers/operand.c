// Operands and results of operations, and groups that wait.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/story/record.h"
#include "engine/walk/walk.h"

enum {
    MOST_DEPTH = 4,
    MOST_CHOICES = 3, // that one number is made by
};

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

// Whether one number is the least of the two, or the most: of a known limit, whether the other
// stays below it, as a tile that fills it is whole.
static const struct node *is_first(struct run *run, const struct node *limit)
{
    const struct node *a = limit->expr.argument[0], *b = limit->expr.argument[1];
    if (a->shape != SHAPE_UNIFORM || b->shape != SHAPE_UNIFORM)
        return NULL;
    return node_binary(run->nodes, IR_LT, 1, true, node_known(a) ? b : a, node_known(a) ? a : b);
}

// The condition of a choice that the number is made by and that is still open, where it is the same
// for all threads; NULL where there is none. `limits`: what is limited, min(rest, whole), is one.
static const struct node *open_choice(struct run *run, const struct node *node, bool limits,
                                      int depth)
{
    const struct node *found = NULL;
    if (!node || node_known(node) || depth > MOST_DEPTH)
        return NULL;
    if (limits && node->kind == NODE_EXPR && (node->expr.op == IR_MIN || node->expr.op == IR_MAX))
        return is_first(run, node);
    if (node->kind == NODE_EXPR && node->expr.op == NODE_OP_MERGE)
        return node->expr.argument[0]->shape == SHAPE_UNIFORM ? node->expr.argument[0] : NULL;
    for (uint32_t i = 0; node->kind == NODE_EXPR && i < NODE_ARGUMENTS && !found; ++i)
        found = open_choice(run, node->expr.argument[i], limits, depth + 1);
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count && !found; ++i)
        found = open_choice(run, node->linear.term[i].atom, limits, depth + 1);
    return found;
}

const struct node *operand_settled(struct run *run, struct group *group, const struct model_op *op,
                                   const ir_value *field)
{
    const struct frame *frame = group->frame;
    const struct node *node = operand_field(run, group, op, field);
    for (uint32_t i = 0; i < MOST_CHOICES && !run->afterlife; ++i) {
        const struct node *choice = open_choice(run, node, field == &op->bytes, 0);
        if (!choice)
            break;
        decide(run, group->mask, choice, true,
               (uint64_t)frame->function << 32 | frame->block << 12 | frame->position);
        node = operand_field(run, group, op, field);
    }
    return node;
}

void group_block(struct run *run, struct group *group, enum wait_kind wait, ir_value op)
{
    group->turns = 0;
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
