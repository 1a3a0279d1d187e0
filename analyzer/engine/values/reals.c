// Floating numbers that are known, which hosts work out of sizes on the way to a launch:
// (int)ceil(n / 256.0). In kernels they are no sizes, and stay expressions, but for the signs of
// constants and how these compare.
#include <math.h>
#include <string.h>

#include "engine/values/value.h"

bool node_real(const struct node *node, double *number)
{
    *number = 0;
    if (node->kind == NODE_EXPR && node->expr.op == IR_CONST) {
        memcpy(number, &node->expr.number, sizeof *number);
        return true;
    }
    return node->kind == NODE_CONST && node->value == 0; // of memory that is zero
}

const struct node *node_of_real(struct node_pool *pool, double number, uint32_t bits)
{
    if (bits == 32)
        number = (double)(float)number;
    if ((bits != 32 && bits != 64) || !isfinite(number))
        return NULL;
    int64_t kept;
    memcpy(&kept, &number, sizeof kept);
    return node_expr(pool, IR_CONST, 0, kept, NULL, NULL, NULL);
}

const struct node *node_real_negative(struct node_pool *pool, const struct node *node)
{
    double number;
    if (node->kind != NODE_EXPR || !node_real(node, &number))
        return NULL;
    number = -number;
    int64_t kept;
    memcpy(&kept, &number, sizeof kept);
    return node_expr(pool, IR_CONST, 0, kept, NULL, NULL, NULL);
}

const struct node *node_real_binary(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                    const struct node *a, const struct node *b)
{
    double x, y;
    if (!node_real(a, &x) || !node_real(b, &y))
        return NULL;
    switch (code) {
    case IR_ADD:
        return node_of_real(pool, x + y, bits);
    case IR_SUB:
        return node_of_real(pool, x - y, bits);
    case IR_MUL:
        return node_of_real(pool, x * y, bits);
    case IR_DIV:
        return y != 0 ? node_of_real(pool, x / y, bits) : NULL;
    default:
        return NULL;
    }
}

const struct node *node_real_compare(struct node_pool *pool, enum ir_op_code code,
                                     const struct node *a, const struct node *b)
{
    double x, y;
    if (!node_real(a, &x) || !node_real(b, &y))
        return NULL;
    switch (code) {
    case IR_EQ:
        return node_const(pool, x == y);
    case IR_NE:
        return node_const(pool, x != y);
    case IR_LT:
        return node_const(pool, x < y);
    case IR_LE:
        return node_const(pool, x <= y);
    case IR_GT:
        return node_const(pool, x > y);
    case IR_GE:
        return node_const(pool, x >= y);
    default:
        return NULL;
    }
}

const struct node *node_real_of_whole(struct node_pool *pool, const struct node *whole,
                                      uint32_t bits)
{
    return whole->kind == NODE_CONST ? node_of_real(pool, (double)whole->value, bits) : NULL;
}

const struct node *node_whole_of_real(struct node_pool *pool, const struct node *real,
                                      uint32_t bits, bool is_signed)
{
    double number;
    if (real->kind != NODE_EXPR || !node_real(real, &number))
        return NULL;
    number = trunc(number);
    double end = ldexp(1, (int)(bits < 64 ? bits : 63) - (is_signed && bits < 64));
    if (number >= end || number < (is_signed ? -end : 0)) // undefined
        return NULL;
    return node_const(pool, (int64_t)number);
}
