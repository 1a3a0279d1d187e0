// Arithmetic on nodes: known integers, linear forms of symbols, addresses, conditions.
#include "engine/values/value.h"

#include <string.h>

#include "engine/values/value_internal.h"

// Applies a binary operation piece by piece when an operand has pieces.
typedef const struct node *binary_fn(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                     bool is_signed, const struct node *a, const struct node *b);

static const struct node *over_pieces(struct node_pool *pool, binary_fn *apply,
                                      enum ir_op_code code, uint32_t bits, bool is_signed,
                                      const struct node *a, const struct node *b)
{
    struct node_piece flat[MAX_PIECES];
    struct node_piece whole_a = {pool->masks->all, a}, whole_b = {pool->masks->all, b};
    const struct node_piece *pa = a->kind == NODE_PIECES ? a->pieces.piece : &whole_a;
    const struct node_piece *pb = b->kind == NODE_PIECES ? b->pieces.piece : &whole_b;
    uint32_t na = a->kind == NODE_PIECES ? a->pieces.count : 1;
    uint32_t nb = b->kind == NODE_PIECES ? b->pieces.count : 1;
    uint32_t used = 0;
    for (uint32_t i = 0; i < na; ++i) {
        for (uint32_t j = 0; j < nb && used < MAX_PIECES; ++j) {
            const struct mask *both = mask_and(pool->masks, pa[i].mask, pb[j].mask);
            if (both->count == 0)
                continue;
            flat[used].mask = both;
            flat[used++].value = apply(pool, code, bits, is_signed, pa[i].value, pb[j].value);
        }
    }
    return node_pieces(pool, flat, used);
}

// --- Known integers --------------------------------------------------------------------------

static int64_t wrap(int64_t value, uint32_t bits, bool is_signed)
{
    if (bits == 0 || bits >= 64)
        return value;
    uint64_t kept = (uint64_t)value & ((UINT64_C(1) << bits) - 1);
    if (is_signed && kept >> (bits - 1))
        kept |= ~UINT64_C(0) << bits;
    return (int64_t)kept;
}

static inline __attribute__((always_inline)) int64_t
known_binary(enum ir_op_code code, uint32_t bits, bool is_signed, int64_t a, int64_t b)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    bool is_unsigned = !is_signed;
    switch (code) {
    case IR_ADD:
        return wrap((int64_t)(ua + ub), bits, is_signed);
    case IR_SUB:
        return wrap((int64_t)(ua - ub), bits, is_signed);
    case IR_MUL:
        return wrap((int64_t)(ua * ub), bits, is_signed);
    case IR_DIV:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return 0;
        return wrap(is_unsigned ? (int64_t)(ua / ub) : a / b, bits, is_signed);
    case IR_REM:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return 0;
        return wrap(is_unsigned ? (int64_t)(ua % ub) : a % b, bits, is_signed);
    case IR_SHL:
        return ub >= 64 ? 0 : wrap((int64_t)(ua << ub), bits, is_signed);
    case IR_SHR:
        if (ub >= 64)
            return is_unsigned || a >= 0 ? 0 : -1;
        return wrap(is_unsigned ? (int64_t)(ua >> ub) : a >> ub, bits, is_signed);
    case IR_AND:
        return wrap((int64_t)(ua & ub), bits, is_signed);
    case IR_OR:
        return wrap((int64_t)(ua | ub), bits, is_signed);
    case IR_XOR:
        return wrap((int64_t)(ua ^ ub), bits, is_signed);
    case IR_MIN:
        return is_unsigned ? (ua < ub ? a : b) : (a < b ? a : b);
    case IR_MAX:
        return is_unsigned ? (ua > ub ? a : b) : (a > b ? a : b);
    case IR_EQ:
        return a == b;
    case IR_NE:
        return a != b;
    case IR_LT:
        return is_unsigned ? ua < ub : a < b;
    case IR_LE:
        return is_unsigned ? ua <= ub : a <= b;
    case IR_GT:
        return is_unsigned ? ua > ub : a > b;
    case IR_GE:
        return is_unsigned ? ua >= ub : a >= b;
    default:
        return 0;
    }
}

// One operation for all threads: the operation is told apart once, and the loop has nothing in it
// that would keep the compiler from taking several threads at a time.
#define EACH_THREAD(code)                                                                          \
    case code:                                                                                     \
        for (uint32_t t = 0; t < count; ++t)                                                       \
            out[t] = known_binary(code, bits, is_signed, x[is_x ? t : 0], y[is_y ? t : 0]);        \
        return

static inline __attribute__((always_inline)) void known_loop(enum ir_op_code code, uint32_t bits,
                                                             bool is_signed, const int64_t *x,
                                                             bool is_x, const int64_t *y, bool is_y,
                                                             int64_t *restrict out, uint32_t count)
{
    switch (code) {
        EACH_THREAD(IR_ADD);
        EACH_THREAD(IR_SUB);
        EACH_THREAD(IR_MUL);
        EACH_THREAD(IR_DIV);
        EACH_THREAD(IR_REM);
        EACH_THREAD(IR_SHL);
        EACH_THREAD(IR_SHR);
        EACH_THREAD(IR_AND);
        EACH_THREAD(IR_OR);
        EACH_THREAD(IR_XOR);
        EACH_THREAD(IR_EQ);
        EACH_THREAD(IR_NE);
        EACH_THREAD(IR_LT);
        EACH_THREAD(IR_LE);
        EACH_THREAD(IR_GT);
        EACH_THREAD(IR_GE);
    default:
        for (uint32_t t = 0; t < count; ++t)
            out[t] = known_binary(code, bits, is_signed, x[is_x ? t : 0], y[is_y ? t : 0]);
    }
}

static void known_vector(enum ir_op_code code, uint32_t bits, bool is_signed, const struct node *a,
                         const struct node *b, int64_t *out, uint32_t count)
{
    const int64_t *x = a->kind == NODE_CONST ? &a->value : a->vector;
    const int64_t *y = b->kind == NODE_CONST ? &b->value : b->vector;
    if (a->kind == NODE_CONST)
        known_loop(code, bits, is_signed, x, false, y, true, out, count);
    else if (b->kind == NODE_CONST)
        known_loop(code, bits, is_signed, x, true, y, false, out, count);
    else
        known_loop(code, bits, is_signed, x, true, y, true, out, count);
}

static const struct node *known_apply(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                      bool is_signed, const struct node *a, const struct node *b)
{
    if (a->kind == NODE_CONST && b->kind == NODE_CONST)
        return node_const(pool, known_binary(code, bits, is_signed, a->value, b->value));
    int64_t *vector = pool->scratch;
    known_vector(code, bits, is_signed, a, b, vector, pool->masks->threads);
    return node_vector(pool, vector);
}

// --- Linear forms ----------------------------------------------------------------------------

enum { MAX_TERMS = 12 };

struct form {
    const struct node *base;
    struct node_term term[MAX_TERMS];
    uint32_t count;
};

static bool form_of(struct node_pool *pool, const struct node *node, struct form *out)
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

static const struct node *form_node(struct node_pool *pool, const struct form *form)
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

static const struct node *linear_combine(struct node_pool *pool, const struct node *a,
                                         const struct node *b, int64_t scale)
{
    struct form fa, fb, sum;
    if (!form_of(pool, a, &fa) || !form_of(pool, b, &fb) || !form_add(pool, &fa, &fb, scale, &sum))
        return NULL;
    form_round(pool, &sum);
    return form_node(pool, &sum);
}

static const struct node *linear_scale(struct node_pool *pool, const struct node *a, int64_t scale)
{
    if (scale == 0)
        return pool->zero;
    return linear_combine(pool, pool->zero, a, scale);
}

// Splits a form into the part whose factors divide by d and the rest, when the rest is known:
// a == d * quotient + rest. The values are taken to be non-negative, as indices are.
static bool form_divide(struct node_pool *pool, const struct node *a, int64_t d,
                        struct form *quotient, const struct node **rest)
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

// --- Conditions ------------------------------------------------------------------------------

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

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

// `node` > 0 in canonical form: factors divided by their greatest common divisor, the base
// rounded to match, so that `128 * tiles > i + tid` asks each thread the same question about
// `tiles` wherever rounding makes it so.
static const struct node *greater_zero(struct node_pool *pool, const struct node *node)
{
    if (node_known(node))
        return known_apply(pool, IR_GT, 64, true, node, pool->zero);
    struct form form;
    if (!form_of(pool, node, &form))
        return node_expr(pool, NODE_OP_GT0, 1, 0, node, NULL, NULL);
    int64_t divisor = 0;
    for (uint32_t i = 0; i < form.count; ++i)
        divisor = gcd(divisor, form.term[i].factor);
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
    if (asked)
        return greater_zero(pool, asked);
    return node_expr(pool, NODE_OP_GT0, 1, 0, node, NULL, NULL);
}

static bool is_boolean(const struct node *node)
{
    return node->kind == NODE_EXPR && node->expr.bits == 1;
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

static const struct node *equal_zero(struct node_pool *pool, const struct node *node, bool equal)
{
    if (node_known(node))
        return known_apply(pool, equal ? IR_EQ : IR_NE, 64, true, node, pool->zero);
    if (node->kind == NODE_ADDRESS)
        return node_const(pool, !equal); // an object's address is never null
    if (is_boolean(node))
        return equal ? node_not(pool, node) : node;
    if (node->kind == NODE_EXPR && node->expr.op == NODE_OP_MERGE) {
        // (c ? x : y) == 0 with known arms is c or its negation.
        const struct node *x = node->expr.argument[1], *y = node->expr.argument[2];
        if (x->kind == NODE_CONST && y->kind == NODE_CONST && !x->value != !y->value) {
            bool straight = (x->value == 0) == equal;
            return straight ? node->expr.argument[0] : node_not(pool, node->expr.argument[0]);
        }
    }
    struct form form;
    if (form_of(pool, node, &form) && form.count) {
        if (is_never_zero(pool, &form))
            return node_const(pool, !equal);
        if (form.term[0].factor < 0)
            node = linear_scale(pool, node, -1);
    }
    if (node->kind == NODE_LINEAR && node->linear.base->kind == NODE_CONST &&
        node->linear.count == 1 && is_boolean(node->linear.term[0].atom) &&
        node->linear.term[0].factor == 1 && node->linear.base->value == -1)
        return equal ? node->linear.term[0].atom : node_not(pool, node->linear.term[0].atom);
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
        return equal_zero(pool, condition, true);
    return node_expr(pool, IR_NOT, 1, 0, condition, NULL, NULL);
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
    return node_expr(pool, code, 1, 0, a, b, NULL);
}

static const struct node *compare(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                  bool is_signed, const struct node *a, const struct node *b)
{
    if (node_known(a) && node_known(b))
        return known_apply(pool, code, bits, is_signed, a, b);
    if (a->kind == NODE_ADDRESS || b->kind == NODE_ADDRESS)
        return compare_addresses(pool, code, a, b);
    // An unsigned x < 1 and x > 0 ask whether x is zero, whatever x is.
    const struct node *less = code == IR_LT || code == IR_LE ? a : b;
    const struct node *more = code == IR_LT || code == IR_LE ? b : a;
    const struct node *difference = linear_combine(pool, more, less, -1);
    if (!difference)
        return node_expr(pool, code, 1, 0, a, b, NULL);
    switch (code) {
    case IR_EQ:
    case IR_NE:
        if ((b == pool->zero || b == pool->one) && is_boolean(a))
            return (b == pool->one) == (code == IR_EQ) ? a : node_not(pool, a);
        return equal_zero(pool, difference, code == IR_EQ);
    case IR_LT:
    case IR_GT:
        return greater_zero(pool, difference);
    default:
        return greater_zero(pool, linear_combine(pool, difference, pool->one, 1));
    }
}

// --- Arithmetic ------------------------------------------------------------------------------

static const struct node *address_arithmetic(struct node_pool *pool, enum ir_op_code code,
                                             const struct node *a, const struct node *b)
{
    if (code == IR_ADD && b->kind == NODE_ADDRESS && a->kind != NODE_ADDRESS) {
        const struct node *swap = a;
        a = b;
        b = swap;
    }
    if (a->kind == NODE_ADDRESS && b->kind == NODE_ADDRESS) {
        if (code == IR_SUB && a->address.object == b->address.object)
            return node_binary(pool, IR_SUB, 64, true, a->address.offset, b->address.offset);
        return node_expr(pool, (uint16_t)code, 64, 0, a, b, NULL);
    }
    if (a->kind == NODE_ADDRESS && (code == IR_ADD || code == IR_SUB)) {
        const struct node *offset = node_binary(pool, code, 64, true, a->address.offset, b);
        return node_address(pool, a->address.object, offset, a->address.rank);
    }
    // Rounding an address to an alignment keeps the object: the base of an object is aligned, so
    // (p + 7) & ~7 rounds the offset.
    if (code == IR_AND && b->kind == NODE_CONST) {
        int64_t align = -b->value;
        if (align <= 0 && b->value > 0 && b->value <= UINT32_MAX)
            align = (int64_t)(UINT64_C(0x100000000) - (uint64_t)b->value);
        if (align > 0 && (align & (align - 1)) == 0) {
            const struct node *offset =
                node_binary(pool, IR_AND, 64, true, a->address.offset, node_const(pool, -align));
            return node_address(pool, a->address.object, offset, a->address.rank);
        }
        if (b->value >= 0 && b->value < 4096)
            return node_binary(pool, IR_AND, 64, true, a->address.offset, b);
    }
    if (code == IR_REM && b->kind == NODE_CONST && b->value > 0 && b->value <= 4096)
        return node_binary(pool, IR_REM, 64, true, a->address.offset, b);
    return node_expr(pool, (uint16_t)code, 64, 0, a, b, NULL);
}

// `a & vector` where the vector is 0 in some threads and one number in the others: those have 0,
// whatever `a` is. NULL where it is of another kind.
static const struct node *masked_by(struct node_pool *pool, const struct node *a,
                                    const struct node *vector)
{
    int64_t number = 0;
    for (uint32_t t = 0; t < pool->masks->threads; ++t) {
        if (number == 0)
            number = vector->vector[t];
        if (vector->vector[t] != 0 && vector->vector[t] != number)
            return NULL;
    }
    return node_select(
        pool, vector, node_binary(pool, IR_AND, 64, true, a, node_const(pool, number)), pool->zero);
}

static const struct node *symbolic_binary(struct node_pool *pool, enum ir_op_code code,
                                          uint32_t bits, const struct node *a, const struct node *b)
{
    const struct node *result = NULL;
    struct form quotient;
    const struct node *rest;
    switch (code) {
    case IR_ADD:
        result = linear_combine(pool, a, b, 1);
        break;
    case IR_SUB:
        result = linear_combine(pool, a, b, -1);
        break;
    case IR_MUL:
        if (b->kind == NODE_CONST)
            result = linear_scale(pool, a, b->value);
        else if (a->kind == NODE_CONST)
            result = linear_scale(pool, b, a->value);
        break;
    case IR_SHL:
        if (b->kind == NODE_CONST && b->value >= 0 && b->value < 62)
            result = linear_scale(pool, a, INT64_C(1) << b->value);
        break;
    case IR_DIV:
        if (b == pool->one)
            return a;
        if (b->kind == NODE_CONST && form_divide(pool, a, b->value, &quotient, &rest))
            result = form_node(pool, &quotient);
        break;
    case IR_SHR:
        if (b == pool->zero)
            return a;
        if (b->kind == NODE_CONST && b->value > 0 && b->value < 62) {
            if (form_divide(pool, a, INT64_C(1) << b->value, &quotient, &rest))
                return form_node(pool, &quotient);
            return node_expr(pool, IR_DIV, (uint16_t)bits, 0, a,
                             node_const(pool, INT64_C(1) << b->value), NULL);
        }
        break;
    case IR_REM:
        if (b == pool->one)
            return pool->zero;
        if (b->kind == NODE_CONST && form_divide(pool, a, b->value, &quotient, &rest))
            return rest;
        break;
    case IR_AND:
        if (a == b)
            return a;
        if (b->kind == NODE_VECTOR || a->kind == NODE_VECTOR) {
            const struct node *vector = b->kind == NODE_VECTOR ? b : a;
            const struct node *masked = masked_by(pool, vector == b ? a : b, vector);
            if (masked)
                return masked;
        }
        if (a->kind == NODE_CONST) {
            const struct node *swap = a;
            a = b;
            b = swap;
        }
        if (b == pool->zero)
            return b;
        if (b == pool->one && is_boolean(a))
            return a;
        if (b->kind == NODE_CONST && b->value > 0 && (b->value & (b->value + 1)) == 0) {
            // x & (2^k - 1) is x % 2^k.
            if (form_divide(pool, a, b->value + 1, &quotient, &rest))
                return rest;
            return node_expr(pool, IR_REM, (uint16_t)bits, 0, a, node_const(pool, b->value + 1),
                             NULL);
        }
        if (b->kind == NODE_CONST && b->value < 0 && (-b->value & (-b->value - 1)) == 0) {
            // x & -2^k is (x / 2^k) * 2^k.
            const struct node *align = node_const(pool, -b->value);
            const struct node *count = node_binary(pool, IR_DIV, 64, true, a, align);
            return node_binary(pool, IR_MUL, 64, true, count, align);
        }
        break;
    case IR_OR:
    case IR_XOR:
        if (b == pool->zero)
            return a;
        if (a == pool->zero)
            return b;
        if (code == IR_XOR && a == b)
            return pool->zero;
        if (code == IR_XOR && b == pool->one && is_boolean(a))
            return node_not(pool, a);
        break;
    case IR_MIN:
    case IR_MAX:
        if (a == b)
            return a;
        if (a->id > b->id) {
            const struct node *swap = a;
            a = b;
            b = swap;
        }
        break;
    default:
        break;
    }
    return result ? result : node_expr(pool, (uint16_t)code, (uint16_t)bits, 0, a, b, NULL);
}

static const struct node *binary_work(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                      bool is_signed, const struct node *a, const struct node *b)
{
    if (a->kind == NODE_PIECES || b->kind == NODE_PIECES)
        return over_pieces(pool, node_binary, code, bits, is_signed, a, b);
    if (code >= IR_EQ && code <= IR_GE)
        return compare(pool, code, bits, is_signed, a, b);
    if (node_known(a) && node_known(b))
        return known_apply(pool, code, bits, is_signed, a, b);
    if (a->kind == NODE_ADDRESS || b->kind == NODE_ADDRESS)
        return address_arithmetic(pool, code, a, b);
    return symbolic_binary(pool, code, bits, a, b);
}

const struct node *node_binary(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                               bool is_signed, const struct node *a, const struct node *b)
{
    uint32_t operation = (uint32_t)code << 16 | bits << 1 | is_signed;
    uint64_t key = ((uint64_t)a->id << 32 | b->id) * UINT64_C(0x9e3779b97f4a7c15) + operation;
    struct computed *slot = &pool->computed[(key ^ key >> 29) & (COMPUTED_SLOTS - 1)];
    if (slot->a == a && slot->b == b && slot->operation == operation)
        return slot->result;
    const struct node *result = binary_work(pool, code, bits, is_signed, a, b);
    *slot = (struct computed){a, b, result, operation};
    return result;
}

static const struct node *pieces_unary(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                       bool is_signed, const struct node *a,
                                       const struct node *unused)
{
    (void)unused;
    return node_unary(pool, code, bits, is_signed, a);
}

const struct node *node_unary(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                              bool is_signed, const struct node *a)
{
    if (a->kind == NODE_PIECES)
        return over_pieces(pool, pieces_unary, code, bits, is_signed, a, pool->zero);
    if (code == IR_NEG)
        return node_binary(pool, IR_SUB, bits, is_signed, pool->zero, a);
    if (bits == 1)
        return node_not(pool, a);
    // ~x is -x - 1.
    if (node_known(a))
        return known_apply(pool, IR_XOR, bits, is_signed, a, node_const(pool, -1));
    const struct node *result = linear_combine(pool, node_const(pool, -1), a, -1);
    return result ? result : node_expr(pool, IR_NOT, (uint16_t)bits, 0, a, NULL, NULL);
}

static const struct node *pieces_cast(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                      bool is_signed, const struct node *a,
                                      const struct node *to_bool)
{
    (void)code;
    return node_cast(pool, bits, is_signed, to_bool == pool->one, a);
}

const struct node *node_cast(struct node_pool *pool, uint32_t bits, bool is_signed, bool to_bool,
                             const struct node *a)
{
    if (a->kind == NODE_PIECES)
        return over_pieces(pool, pieces_cast, IR_CAST, bits, is_signed, a,
                           to_bool ? pool->one : pool->zero);
    if (to_bool)
        return equal_zero(pool, a, false);
    if (node_known(a)) {
        if (bits == 0 || bits >= 64)
            return a;
        int64_t *vector = pool->scratch;
        if (a->kind == NODE_CONST)
            return node_const(pool, wrap(a->value, bits, is_signed));
        for (uint32_t t = 0; t < pool->masks->threads; ++t)
            vector[t] = wrap(a->vector[t], bits, is_signed);
        return node_vector(pool, vector);
    }
    // Symbolic values are taken not to overflow the types the source gives them.
    return a;
}

const struct node *node_select(struct node_pool *pool, const struct node *condition,
                               const struct node *a, const struct node *b)
{
    if (a == b)
        return a;
    if (condition->kind == NODE_CONST)
        return condition->value ? a : b;
    if (condition->kind == NODE_VECTOR) {
        uint64_t *word = pool->masks->scratch;
        memset(word, 0, pool->masks->words * sizeof *word);
        for (uint32_t t = 0; t < pool->masks->threads; ++t) {
            if (condition->vector[t])
                word[t / 64] |= UINT64_C(1) << (t % 64);
        }
        const struct mask *yes = mask_from_words(pool->masks, word);
        struct node_piece piece[2] = {{yes, a},
                                      {mask_minus(pool->masks, pool->masks->all, yes), b}};
        return node_pieces(pool, piece, 2);
    }
    if (condition->kind == NODE_PIECES) {
        struct node_piece flat[MAX_PIECES];
        uint32_t used = 0;
        for (uint32_t i = 0; i < condition->pieces.count; ++i) {
            flat[used].mask = condition->pieces.piece[i].mask;
            flat[used++].value = node_select(pool, condition->pieces.piece[i].value, a, b);
        }
        return node_pieces(pool, flat, used);
    }
    if (a == pool->one && b == pool->zero && is_boolean(condition))
        return condition;
    if (a == pool->zero && b == pool->one && is_boolean(condition))
        return node_not(pool, condition);
    return node_expr(pool, NODE_OP_MERGE, 0, 0, condition, a, b);
}
