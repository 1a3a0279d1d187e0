// Sums of multiples of symbols.
#include <string.h>

#include "engine/values/value_internal.h"

bool form_of(struct node_pool *pool, const struct node *node, struct form *out)
{
    out->count = 0;
    switch (node->kind) {
    case NODE_CONST:
    case NODE_VECTOR:
        out->base = node;
        return true;
    case NODE_ATOM:
    case NODE_EXPR:
        out->base = pool->zero;
        out->term[out->count++] = (struct node_term){node, 1};
        return true;
    case NODE_LINEAR:
        out->base = node->linear.base;
        out->count = node->linear.count;
        memcpy(out->term, node->linear.term, out->count * sizeof *out->term);
        return true;
    default:
        return false;
    }
}

const struct node *form_node(struct node_pool *pool, const struct form *form)
{
    if (form->count == 0)
        return form->base;
    if (form->count == 1 && form->term[0].factor == 1 && form->base == pool->zero)
        return form->term[0].atom;
    struct node proto = {.kind = NODE_LINEAR, .shape = form->base->shape};
    for (uint32_t i = 0; i < form->count; ++i)
        proto.shape = (uint8_t)shape_join(proto.shape, form->term[i].atom->shape);
    proto.linear.base = form->base;
    proto.linear.term = form->term;
    proto.linear.count = form->count;
    return node_intern(pool, &proto);
}

// a + scale * b; false when there are too many terms.
static bool form_add(struct node_pool *pool, const struct form *a, const struct form *b,
                     int64_t scale, struct form *out)
{
    const struct node *scaled =
        known_apply(pool, IR_MUL, 64, true, b->base, node_const(pool, scale));
    out->base = known_apply(pool, IR_ADD, 64, true, a->base, scaled);
    out->count = 0;
    uint32_t i = 0, j = 0;
    while (i < a->count || j < b->count) {
        struct node_term term;
        if (j == b->count || (i < a->count && a->term[i].atom->id < b->term[j].atom->id)) {
            term = a->term[i++];
        } else {
            term = b->term[j++];
            term.factor = (int64_t)((uint64_t)term.factor * (uint64_t)scale);
            if (i < a->count && a->term[i].atom == term.atom)
                term.factor += a->term[i++].factor;
        }
        if (term.factor == 0)
            continue;
        if (out->count == MAX_TERMS)
            return false;
        out->term[out->count++] = term;
    }
    return true;
}

// Rounding down is written as n - n % d: that is d * (n / d), of which the multiple of d is seen.
static void form_round(struct node_pool *pool, struct form *form)
{
    for (uint32_t i = 0; i < form->count; ++i) {
        const struct node *rest = form->term[i].atom;
        int64_t factor = -form->term[i].factor;
        if (rest->kind != NODE_EXPR || rest->expr.op != IR_REM ||
            rest->expr.argument[1]->kind != NODE_CONST || rest->expr.argument[1]->value <= 0)
            continue;
        for (uint32_t k = 0; k < form->count; ++k) {
            if (form->term[k].atom != rest->expr.argument[0] || form->term[k].factor != factor)
                continue;
            struct form kept = {.base = form->base}, whole = {.base = pool->zero, .count = 1};
            for (uint32_t t = 0; t < form->count; ++t) {
                if (t != i && t != k)
                    kept.term[kept.count++] = form->term[t];
            }
            whole.term[0] =
                (struct node_term){node_expr(pool, IR_DIV, rest->expr.bits, 0,
                                             rest->expr.argument[0], rest->expr.argument[1], NULL),
                                   1};
            form_add(pool, &kept, &whole, factor * rest->expr.argument[1]->value, form);
            return;
        }
    }
}

const struct node *linear_combine(struct node_pool *pool, const struct node *a,
                                  const struct node *b, int64_t scale)
{
    struct form fa, fb, sum;
    if (!form_of(pool, a, &fa) || !form_of(pool, b, &fb) || !form_add(pool, &fa, &fb, scale, &sum))
        return NULL;
    form_round(pool, &sum);
    return form_node(pool, &sum);
}

const struct node *linear_scale(struct node_pool *pool, const struct node *a, int64_t scale)
{
    if (scale == 0)
        return pool->zero;
    return linear_combine(pool, pool->zero, a, scale);
}

bool form_divide(struct node_pool *pool, const struct node *a, int64_t d, struct form *quotient,
                 const struct node **rest)
{
    struct form form;
    if (d <= 0 || a->kind != NODE_LINEAR || !form_of(pool, a, &form))
        return false;
    quotient->count = 0;
    for (uint32_t i = 0; i < form.count; ++i) {
        if (form.term[i].factor % d)
            return false;
        quotient->term[quotient->count] = form.term[i];
        quotient->term[quotient->count++].factor /= d;
    }
    int64_t *vector = pool->scratch;
    bool vary = form.base->kind == NODE_VECTOR;
    uint32_t lanes = vary ? pool->masks->threads : 1;
    for (uint32_t t = 0; t < lanes; ++t) {
        int64_t value = 0;
        node_lane(form.base, t, &value);
        vector[t] = value / d - (value % d < 0);
    }
    quotient->base = vary ? node_vector(pool, vector) : node_const(pool, vector[0]);
    for (uint32_t t = 0; t < lanes; ++t) {
        int64_t value = 0;
        node_lane(form.base, t, &value);
        vector[t] = (value % d + d) % d;
    }
    *rest = vary ? node_vector(pool, vector) : node_const(pool, vector[0]);
    return true;
}

const struct node *node_plain(const struct node *node)
{
    while (node->kind == NODE_EXPR && node->expr.op == IR_CAST)
        node = node->expr.argument[0];
    return node;
}

int64_t whole_log2(int64_t number)
{
    return number > 0 ? 63 - __builtin_clzll((uint64_t)number) : -1;
}

bool node_is_plus(const struct node *node, const struct node *count, int64_t *number)
{
    node = node_plain(node);
    if (node->kind != NODE_LINEAR || node->linear.count != 1 || node->linear.term[0].factor != 1 ||
        node->linear.base->kind != NODE_CONST || node_plain(node->linear.term[0].atom) != count)
        return false;
    *number = node->linear.base->value;
    return true;
}
