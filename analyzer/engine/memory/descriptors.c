// Descriptors of matrices in shared memory: integers that hold bits 4 to 17 of the address where
// the matrix begins in their lowest fourteen, and in the others how it is laid out. (PTX ISA 9.1,
// 9.7.15.5.1.) Programs make them with shifts, masks and sums, which values keep.
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"

enum {
    UNIT = 16,       // bytes that the descriptor counts the address in
    FIELD = 1 << 14, // what the address is one of in it
    MOST_STEPS = 64, // of an expression that are gone through
};

// Whether all that is kept of a number is at least the field, counted in units of `unit` bytes.
static bool keeps_field(const struct node *mask, int64_t unit, bool is_rest)
{
    int64_t field = unit == 1 ? (int64_t)(FIELD - 1) * UNIT : FIELD - 1;
    if (mask->kind != NODE_CONST)
        return false;
    return is_rest ? mask->value > field && (mask->value & (mask->value - 1)) == 0
                   : (mask->value & field) == field;
}

// Whether the number has nothing in the field.
static bool leaves_field(const struct node *node)
{
    int64_t any = 0;
    if (node->kind == NODE_CONST)
        return node->value % FIELD == 0;
    if (node->kind == NODE_EXPR && node->expr.op == IR_AND)
        return leaves_field(node->expr.argument[1]);
    if (node->kind == NODE_EXPR && node->expr.op == IR_OR)
        return leaves_field(node->expr.argument[0]) && leaves_field(node->expr.argument[1]);
    if (node->kind != NODE_LINEAR || node->linear.base->kind != NODE_CONST)
        return false;
    any |= node->linear.base->value % FIELD;
    for (uint32_t i = 0; i < node->linear.count; ++i)
        any |= node->linear.term[i].factor % FIELD;
    return any == 0;
}

// The address plus `units`, which count within the field.
static const struct node *moved(struct node_pool *pool, const struct node *address,
                                const struct node *units)
{
    if (!address || !node_known(units))
        return NULL;
    units = node_binary(pool, IR_REM, 64, false, units, node_const(pool, FIELD));
    const struct node *bytes = node_binary(pool, IR_MUL, 64, true, units, node_const(pool, UNIT));
    return node_binary(pool, IR_ADD, 64, true, address, bytes);
}

// The address that the number holds, counted in units of `unit` bytes.
static const struct node *address_in(struct node_pool *pool, const struct node *node, int64_t unit,
                                     int *steps)
{
    if (++*steps > MOST_STEPS)
        return NULL;
    node = node_plain(node_is_deep(node) ? node->atom.deep : node);
    if (node->kind == NODE_ADDRESS)
        return unit == 1 ? node : NULL;
    if (node->kind == NODE_LINEAR && unit == UNIT) {
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            const struct node_term *term = &node->linear.term[i];
            const struct node *address =
                term->factor == 1 ? address_in(pool, term->atom, unit, steps) : NULL;
            if (address)
                return moved(pool, address, node_binary(pool, IR_SUB, 64, true, node, term->atom));
        }
        return NULL;
    }
    if (node->kind != NODE_EXPR)
        return NULL;
    const struct node *a = node->expr.argument[0], *b = node->expr.argument[1];
    switch (node->expr.op) {
    case IR_AND:
    case IR_REM:
        return keeps_field(b, unit, node->expr.op == IR_REM) ? address_in(pool, a, unit, steps)
                                                             : NULL;
    case IR_SHR:
    case IR_DIV: {
        int64_t by = node->expr.op == IR_SHR ? 4 : UNIT;
        return unit == UNIT && b->kind == NODE_CONST && b->value == by
                   ? address_in(pool, a, 1, steps)
                   : NULL;
    }
    case IR_OR:
        if (leaves_field(b))
            return address_in(pool, a, unit, steps);
        return leaves_field(a) ? address_in(pool, b, unit, steps) : NULL;
    default:
        return NULL;
    }
}

const struct node *descriptor_address(struct node_pool *pool, const struct node *descriptor)
{
    int steps = 0;
    return address_in(pool, descriptor, UNIT, &steps);
}
