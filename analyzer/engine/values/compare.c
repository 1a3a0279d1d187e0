// Conditions: comparisons brought into one form, so that one question is one node.
#include "engine/values/value_internal.h"

// The least n of which n / d, rounded towards zero, is `quotient` or more.
static int64_t least_dividend(int64_t quotient, int64_t d)
{
    return known_binary(IR_ADD, 64, true,
                        known_binary(IR_MUL, 64, true, quotient > 0 ? quotient : quotient - 1, d),
                        quotient <= 0);
}

// A share of some work, (n + i) / 5 with the thread's number in i, differs between threads by what
// they add to n alone: asking `form` > 0 of it is asking about n, as those do who do not share.
// Returns what is to be more than zero instead, NULL where the form is no such share.
static const struct node *share_asked(struct node_pool *pool, const struct form *form)
{
    const struct node *share = form->count == 1 ? form->term[0].atom : pool->zero;
    if (share->kind != NODE_EXPR || share->expr.op != IR_DIV ||
        share->expr.argument[1]->kind != NODE_CONST || share->expr.argument[1]->value <= 0 ||
        (form->term[0].factor != 1 && form->term[0].factor != -1))
        return NULL;
    const struct node *dividend = share->expr.argument[0];
    if (dividend->kind != NODE_LINEAR || dividend->linear.base->kind != NODE_VECTOR)
        return NULL;
    for (uint32_t i = 0; i < dividend->linear.count; ++i) {
        if (dividend->linear.term[i].atom->shape != SHAPE_UNIFORM)
            return NULL;
    }
    // share + base > 0  <=>  share >= 1 - base;  base - share > 0  <=>  not share >= base.
    bool straight = form->term[0].factor == 1;
    int64_t *vector = pool->scratch;
    bool vary = form->base->kind == NODE_VECTOR;
    for (uint32_t t = 0; t < (vary ? pool->masks->threads : 1); ++t) {
        int64_t base = 0;
        node_lane(form->base, t, &base);
        int64_t least = least_dividend(straight ? known_binary(IR_SUB, 64, true, 1, base) : base,
                                       share->expr.argument[1]->value);
        vector[t] = straight ? known_binary(IR_SUB, 64, true, 1, least) : least;
    }
    const struct node *bound = vary ? node_vector(pool, vector) : node_const(pool, vector[0]);
    return linear_combine(pool, bound, dividend, straight ? 1 : -1);
}

// Whether a choice between two numbers, or a multiple of one and a number more, compares so with
// zero: 64 * (c ? 2 : 1) - 64 == 0 asks for c. NULL where the node is of another kind.
static const struct node *asked_of_choice(struct node_pool *pool, const struct node *node,
                                          enum ir_op_code code)
{
    int64_t base = 0, factor = 1;
    if (node->kind == NODE_LINEAR && node->linear.count == 1 &&
        node->linear.base->kind == NODE_CONST) {
        base = node->linear.base->value;
        factor = node->linear.term[0].factor;
        node = node->linear.term[0].atom;
    }
    if (node->kind != NODE_EXPR || node->expr.op != NODE_OP_MERGE ||
        node->expr.argument[1]->kind != NODE_CONST || node->expr.argument[2]->kind != NODE_CONST)
        return NULL;
    int64_t holds[2];
    for (int i = 0; i < 2; ++i) {
        int64_t scaled = known_binary(IR_MUL, 64, true, factor, node->expr.argument[1 + i]->value);
        holds[i] = known_binary(code, 64, true, known_binary(IR_ADD, 64, true, base, scaled), 0);
    }
    if (holds[0] == holds[1])
        return node_const(pool, holds[0]);
    return holds[0] ? node->expr.argument[0] : node_not(pool, node->expr.argument[0]);
}

bool node_is_boolean(const struct node *node)
{
    return node->kind == NODE_EXPR && node->expr.bits == 1;
}

// What a number plus a multiple of a condition comes to compared with zero: the condition, what
// denies it, or neither. NULL where the form is none of that kind.
static const struct node *asked_of_condition(struct node_pool *pool, enum ir_op_code code,
                                             const struct form *form)
{
    if (form->count != 1 || form->base->kind != NODE_CONST || !node_is_boolean(form->term[0].atom))
        return NULL;
    const struct node *denied = known_apply(pool, code, 64, true, form->base, pool->zero);
    const struct node *holds = known_apply(
        pool, code, 64, true, node_const(pool, form->base->value + form->term[0].factor),
        pool->zero);
    if (holds == denied)
        return holds;
    return holds == pool->one ? form->term[0].atom : node_not(pool, form->term[0].atom);
}

// A number up to a constant, min(n, 128), asked whether it is more than something below that: n is
// asked itself; and of max(n, 2) likewise. NULL where the constant may bear on it.
static const struct node *asked_of_limit(struct node_pool *pool, const struct form *form)
{
    const struct node *limit = form->count == 1 ? form->term[0].atom : pool->zero;
    if (limit->kind != NODE_EXPR || (limit->expr.op != IR_MIN && limit->expr.op != IR_MAX))
        return NULL;
    int64_t factor = form->term[0].factor;
    uint32_t at = limit->expr.argument[0]->kind == NODE_CONST ? 0 : 1;
    const struct node *constant = limit->expr.argument[at], *other = limit->expr.argument[1 - at];
    if (constant->kind != NODE_CONST || (factor != 1 && factor != -1))
        return NULL;
    int64_t scaled = known_binary(IR_MUL, 64, true, factor, constant->value);
    bool vary = form->base->kind == NODE_VECTOR, all = true, none = true;
    for (uint32_t t = 0; t < (vary ? pool->masks->threads : 1); ++t) {
        int64_t base = 0;
        bool known = node_lane(form->base, t, &base);
        bool holds = known_binary(IR_ADD, 64, true, base, scaled) > 0;
        all &= known && holds;
        none &= known && !holds;
    }
    // min(n, c) > x asks for both, max(n, c) > x for one of them.
    bool both = (limit->expr.op == IR_MIN) == (factor == 1);
    return (both ? all : none) ? linear_combine(pool, form->base, other, factor) : NULL;
}

// `node` > 0 in canonical form: factors divided by their greatest common divisor, the base
// rounded to match, so that `128 * tiles > i + tid` asks each thread the same question about
// `tiles` wherever rounding makes it so.
static const struct node *greater_zero(struct node_pool *pool, const struct node *node)
{
    if (node_known(node))
        return known_apply(pool, IR_GT, 64, true, node, pool->zero);
    const struct node *choice = asked_of_choice(pool, node, IR_GT);
    if (choice)
        return choice;
    struct form form;
    if (!form_of(pool, node, &form))
        return node_expr(pool, NODE_OP_GT0, 1, 0, node, NULL, NULL);
    int64_t divisor = 0;
    for (uint32_t i = 0; i < form.count; ++i)
        divisor = common_step(divisor, form.term[i].factor);
    if (divisor > 1) {
        // d*A + b > 0  <=>  A > -b/d  <=>  A + ceil(b/d) > 0 for integers.
        int64_t *vector = pool->scratch;
        bool vary = form.base->kind == NODE_VECTOR;
        for (uint32_t t = 0; t < (vary ? pool->masks->threads : 1); ++t) {
            int64_t value = 0;
            node_lane(form.base, t, &value);
            vector[t] = value / divisor + (value % divisor > 0);
        }
        form.base = vary ? node_vector(pool, vector) : node_const(pool, vector[0]);
        for (uint32_t i = 0; i < form.count; ++i)
            form.term[i].factor /= divisor;
        node = form_node(pool, &form);
    }
    const struct node *asked = share_asked(pool, &form);
    if (!asked)
        asked = asked_of_limit(pool, &form);
    if (asked)
        return greater_zero(pool, asked);
    const struct node *condition = asked_of_condition(pool, IR_GT, &form);
    if (condition)
        return condition;
    return node_expr(pool, NODE_OP_GT0, 1, 0, node, NULL, NULL);
}

// Whether a sum of multiples of a power of two lacks one for being zero: 4 * n + 2 in each thread,
// whatever n is. Only powers of two are asked, as they stay multiples where a number wraps round.
static bool is_never_zero(struct node_pool *pool, const struct form *form)
{
    int64_t factor = 0;
    for (uint32_t i = 0; i < form->count; ++i)
        factor |= form->term[i].factor;
    bool vary = form->base->kind == NODE_VECTOR;
    for (uint32_t t = 0; t < (vary ? pool->masks->threads : 1); ++t) {
        int64_t base;
        if (!node_lane(form->base, t, &base) || (base & ((factor & -factor) - 1)) == 0)
            return false;
    }
    return true;
}

const struct node *node_equal_zero(struct node_pool *pool, const struct node *node, bool equal)
{
    if (node_known(node))
        return known_apply(pool, equal ? IR_EQ : IR_NE, 64, true, node, pool->zero);
    if (node->kind == NODE_ADDRESS)
        return node_const(pool, !equal); // an object's address is never null
    if (node_is_boolean(node))
        return equal ? node_not(pool, node) : node;
    const struct node *choice = asked_of_choice(pool, node, equal ? IR_EQ : IR_NE);
    if (choice)
        return choice;
    struct form form;
    if (form_of(pool, node, &form) && form.count) {
        if (is_never_zero(pool, &form))
            return node_const(pool, !equal);
        const struct node *condition = asked_of_condition(pool, equal ? IR_EQ : IR_NE, &form);
        if (condition)
            return condition;
        if (form.term[0].factor < 0)
            node = linear_scale(pool, node, -1);
    }
    return node_expr(pool, equal ? NODE_OP_EQ0 : NODE_OP_NE0, 1, 0, node, NULL, NULL);
}

const struct node *node_not(struct node_pool *pool, const struct node *condition)
{
    if (node_known(condition))
        return known_apply(pool, IR_EQ, 1, false, condition, pool->zero);
    if (condition->kind == NODE_PIECES)
        return node_unary(pool, IR_NOT, 1, false, condition);
    if (condition->kind == NODE_EXPR) {
        const struct node *a = condition->expr.argument[0];
        if (condition->expr.op == NODE_OP_EQ0)
            return node_expr(pool, NODE_OP_NE0, 1, 0, a, NULL, NULL);
        if (condition->expr.op == NODE_OP_NE0)
            return node_expr(pool, NODE_OP_EQ0, 1, 0, a, NULL, NULL);
        if (condition->expr.op == NODE_OP_GT0) {
            const struct node *flipped = linear_combine(pool, pool->one, a, -1);
            if (flipped)
                return greater_zero(pool, flipped);
        }
        if (condition->expr.op == IR_NOT)
            return a;
    }
    if (condition->kind == NODE_ATOM || condition->kind == NODE_LINEAR)
        return node_equal_zero(pool, condition, true);
    return node_expr(pool, IR_NOT, 1, 0, condition, NULL, NULL);
}

// Whether one of two addresses is that one: (c ? &last : &full) == &last asks for c. NULL where it
// does not come to that.
static const struct node *compare_choice(struct node_pool *pool, enum ir_op_code code,
                                         const struct node *choice, const struct node *address)
{
    if (choice->kind != NODE_EXPR || choice->expr.op != NODE_OP_MERGE ||
        (code != IR_EQ && code != IR_NE))
        return NULL;
    const struct node *holds[2];
    for (int i = 0; i < 2; ++i)
        holds[i] = node_compare(pool, code, 64, false, choice->expr.argument[1 + i], address);
    if (holds[0] == holds[1])
        return holds[0];
    if (holds[0]->kind != NODE_CONST || holds[1]->kind != NODE_CONST)
        return NULL;
    return holds[0] == pool->one ? choice->expr.argument[0]
                                 : node_not(pool, choice->expr.argument[0]);
}

static const struct node *compare_addresses(struct node_pool *pool, enum ir_op_code code,
                                            const struct node *a, const struct node *b)
{
    if (a->kind == NODE_ADDRESS && b->kind == NODE_ADDRESS) {
        if (a->address.object == b->address.object && a->address.rank == b->address.rank)
            return node_binary(pool, code, 64, true, a->address.offset, b->address.offset);
        if (code == IR_EQ || code == IR_NE)
            return node_const(pool, code == IR_NE);
    } else if ((code == IR_EQ || code == IR_NE) && (a == pool->zero || b == pool->zero)) {
        return node_const(pool, code == IR_NE);
    }
    const struct node *asked = a->kind == NODE_ADDRESS ? compare_choice(pool, code, b, a)
                                                       : compare_choice(pool, code, a, b);
    return asked ? asked : node_expr(pool, code, 1, 0, a, b, NULL);
}

// `a` times the vector, as so many times `a` for the threads of each number in it: role *
// gridDim.x. NULL where there are many numbers.
static const struct node *times_each(struct node_pool *pool, const struct node *a,
                                     const struct node *vector)
{
    enum { MOST_NUMBERS = 8 };
    struct node_piece piece[MOST_NUMBERS];
    struct mask_builder holds[MOST_NUMBERS];
    int64_t number[MOST_NUMBERS];
    uint32_t count = 0;
    for (uint32_t t = 0; t < pool->masks->threads; ++t) {
        uint32_t i = 0;
        while (i < count && number[i] != vector->vector[t])
            ++i;
        if (i == MOST_NUMBERS)
            return NULL;
        if (i == count) {
            mask_builder_clear(pool->masks, &holds[count]);
            number[count++] = vector->vector[t];
        }
        mask_builder_add(&holds[i], t);
    }
    for (uint32_t i = 0; i < count; ++i) {
        piece[i].mask = mask_builder_end(pool->masks, &holds[i]);
        piece[i].value = linear_scale(pool, a, number[i]);
        if (!piece[i].value)
            return NULL;
    }
    return node_pieces(pool, piece, count);
}

// The same value, with a product of a number of each thread and something that is the same for all
// taken apart, so that what is decided for the threads of one number is known of the others'.
static const struct node *taken_apart(struct node_pool *pool, const struct node *node)
{
    if (node->kind == NODE_EXPR && node->expr.op == IR_MUL) {
        for (int i = 0; i < 2; ++i) {
            const struct node *vector = node->expr.argument[i], *a = node->expr.argument[1 - i];
            const struct node *apart = vector->kind == NODE_VECTOR && a->shape == SHAPE_UNIFORM
                                           ? times_each(pool, a, vector)
                                           : NULL;
            if (apart)
                return apart;
        }
    }
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count; ++i) {
        const struct node_term *term = &node->linear.term[i];
        const struct node *apart = taken_apart(pool, term->atom);
        if (apart == term->atom)
            continue;
        const struct node *rest = linear_combine(pool, node, term->atom, -term->factor);
        apart = node_binary(pool, IR_MUL, 64, true, apart, node_const(pool, term->factor));
        return rest ? node_binary(pool, IR_ADD, 64, true, apart, rest) : node;
    }
    return node;
}

const struct node *node_compare(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                bool is_signed, const struct node *a, const struct node *b)
{
    if (node_known(a) && node_known(b))
        return known_apply(pool, code, bits, is_signed, a, b);
    if (a->kind == NODE_ADDRESS || b->kind == NODE_ADDRESS)
        return compare_addresses(pool, code, a, b);
    const struct node *a_apart = taken_apart(pool, a), *b_apart = taken_apart(pool, b);
    if (a_apart != a || b_apart != b)
        return node_binary(pool, code, bits, is_signed, a_apart, b_apart);
    // An unsigned x < 1 and x > 0 ask whether x is zero, whatever x is.
    const struct node *less = code == IR_LT || code == IR_LE ? a : b;
    const struct node *more = code == IR_LT || code == IR_LE ? b : a;
    const struct node *difference = linear_combine(pool, more, less, -1);
    if (!difference)
        return node_expr(pool, code, 1, 0, a, b, NULL);
    switch (code) {
    case IR_EQ:
    case IR_NE:
        if ((b == pool->zero || b == pool->one) && node_is_boolean(a))
            return (b == pool->one) == (code == IR_EQ) ? a : node_not(pool, a);
        return node_equal_zero(pool, difference, code == IR_EQ);
    case IR_LT:
    case IR_GT:
        return greater_zero(pool, difference);
    default:
        return greater_zero(pool, linear_combine(pool, difference, pool->one, 1));
    }
}
