// Arithmetic on nodes of any kind: what each operation of the IR makes of them.
#include "engine/values/value.h"

#include <string.h>

#include "engine/values/value_internal.h"

enum {
    ALIGNED = 4096,     // bytes: where every object is taken to begin
    PIECES_PASSED = 64, // pieces that are passed by in the time that one takes to be worked out
};

// Applies a binary operation piece by piece when an operand has pieces.
typedef const struct node *binary_fn(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                     bool is_signed, const struct node *a, const struct node *b);

// The piece that the thread has, or the count of them.
static uint32_t piece_of(const struct node_piece *piece, uint32_t count, uint32_t thread)
{
    uint32_t i = 0;
    while (i < count && !mask_has(piece[i].mask, thread))
        ++i;
    return i;
}

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
        const struct mask *rest = pa[i].mask;
        while (rest->count && used < MAX_PIECES) {
            uint32_t j = piece_of(pb, nb, rest->first);
            const struct mask *of = j < nb ? pb[j].mask : mask_one(pool->masks, rest->first);
            pool->work += 1 + j / PIECES_PASSED;
            if (j < nb) {
                flat[used].mask = mask_and(pool->masks, rest, of);
                flat[used++].value = apply(pool, code, bits, is_signed, pa[i].value, pb[j].value);
            }
            rest = mask_minus(pool->masks, rest, of);
        }
    }
    return node_pieces(pool, flat, used);
}

// The lowest power of two above all values of a known number, of which none is negative; else 0.
static int64_t power_above(const struct node_pool *pool, const struct node *number)
{
    enum { MOST = 62 };
    int64_t all = 0;
    if (number->kind == NODE_CONST)
        all = number->value;
    for (uint32_t t = 0; number->kind == NODE_VECTOR && t < pool->masks->threads; ++t)
        all |= number->vector[t];
    if (!node_known(number) || all < 0)
        return 0;
    uint32_t bits = all ? 64 - (uint32_t)__builtin_clzll((uint64_t)all) : 0;
    return bits < MOST ? INT64_C(1) << bits : 0;
}

// `a & b`, `a | b` or `a ^ b` where the bits that b may have are known of a, which need not be
// known itself: a multiple of 4096 and 640, with 32. NULL where it is not so. As everywhere, values
// that are not known count as non-negative.
static const struct node *bits_below(struct node_pool *pool, enum ir_op_code code,
                                     const struct node *a, const struct node *b)
{
    int64_t above = power_above(pool, b);
    struct form quotient;
    const struct node *low;
    if (above < 2 || !form_divide(pool, a, above, &quotient, &low))
        return NULL;
    const struct node *result = known_apply(pool, code, 64, true, low, b);
    if (code == IR_AND)
        return result;
    return linear_combine(pool, linear_combine(pool, a, low, -1), result, 1);
}

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
    }
    if (code == IR_REM && b->kind == NODE_CONST && b->value > 0 && b->value <= ALIGNED)
        return node_binary(pool, IR_REM, 64, true, a->address.offset, b);
    // The lower bits of an address are those of the offset: a swizzle puts some over others.
    if (code == IR_AND || code == IR_OR || code == IR_XOR) {
        const struct node *number = a->kind == NODE_ADDRESS ? b : a;
        const struct node *address = number == b ? a : b;
        int64_t above = power_above(pool, number);
        if (above > 0 && above <= ALIGNED) {
            const struct node *bits =
                node_binary(pool, code, 64, true, address->address.offset, number);
            return code == IR_AND
                       ? bits
                       : node_address(pool, address->address.object, bits, address->address.rank);
        }
    }
    return node_expr(pool, (uint16_t)code, 64, 0, a, b, NULL);
}

// An address in units of that many bytes, brought back into bytes: (p + 7) / 8 * 8. The base of an
// object is aligned, so that this rounds the offset. NULL where it is not so.
static const struct node *address_in_units(struct node_pool *pool, enum ir_op_code code,
                                           const struct node *a, const struct node *b)
{
    bool first = a->kind == NODE_EXPR && b->kind == NODE_CONST;
    const struct node *units = first ? a : b, *by = first ? b : a;
    if ((code != IR_MUL && (code != IR_SHL || !first)) || units->kind != NODE_EXPR ||
        by->kind != NODE_CONST || by->value < 0 || by->value > ALIGNED ||
        (units->expr.op != IR_DIV && units->expr.op != IR_SHR) ||
        units->expr.argument[0]->kind != NODE_ADDRESS)
        return NULL;
    int64_t unit = code == IR_MUL ? by->value : by->value < 16 ? INT64_C(1) << by->value : 0;
    const struct node *divisor = units->expr.argument[1];
    if (unit <= 0 || unit > ALIGNED || (unit & (unit - 1)) || divisor->kind != NODE_CONST)
        return NULL;
    bool shifts = units->expr.op == IR_SHR && divisor->value >= 0 && divisor->value < 16;
    if (units->expr.op == IR_DIV ? divisor->value != unit : !shifts || 1 << divisor->value != unit)
        return NULL;
    const struct node *address = units->expr.argument[0], *bytes = node_const(pool, unit);
    const struct node *count = node_binary(pool, IR_DIV, 64, true, address->address.offset, bytes);
    return node_address(pool, address->address.object,
                        node_binary(pool, IR_MUL, 64, true, count, bytes), address->address.rank);
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

// What decides whether all bits of the number are set or none is: `c - 1` and `-c` of a condition
// c. NULL where it is no such number; `set` says which outcome sets them.
static const struct node *all_or_none(const struct node *node, bool *set)
{
    if (node->kind != NODE_LINEAR || node->linear.count != 1 ||
        node->linear.base->kind != NODE_CONST || !node_is_boolean(node->linear.term[0].atom))
        return NULL;
    int64_t base = node->linear.base->value, factor = node->linear.term[0].factor;
    *set = factor < 0;
    return (base == -1 && factor == 1) || (base == 0 && factor == -1) ? node->linear.term[0].atom
                                                                      : NULL;
}

// `number & mask` or `number | mask` where the mask is one of that kind; else NULL.
static const struct node *chosen_by(struct node_pool *pool, enum ir_op_code code,
                                    const struct node *number, const struct node *mask)
{
    bool set = false;
    const struct node *condition = all_or_none(mask, &set);
    if (!condition)
        return NULL;
    const struct node *ones = code == IR_AND ? number : node_const(pool, -1);
    const struct node *zeros = code == IR_AND ? pool->zero : number;
    return node_select(pool, condition, set ? ones : zeros, set ? zeros : ones);
}

// 2^k where the mask is -2^k, of a signed number or an unsigned one of 32 bits; else 0.
static int64_t cut_by(int64_t mask, uint32_t bits)
{
    const int64_t all = INT64_C(1) << 32;
    bool is_unsigned = bits == 32 && mask > INT32_MAX && mask < all;
    int64_t unit = mask < 0 && mask != INT64_MIN ? -mask : is_unsigned ? all - mask : 0;
    return (unit & (unit - 1)) == 0 ? unit : 0;
}

// m where the number is what a division by it leaves; else 0.
static int64_t rest_of(const struct node *node)
{
    bool is_rest = node->kind == NODE_EXPR && node->expr.op == IR_REM &&
                   node->expr.argument[1]->kind == NODE_CONST;
    return is_rest && node->expr.argument[1]->value > 0 ? node->expr.argument[1]->value : 0;
}

static bool is_multiple(struct node_pool *pool, const struct node *node, int64_t of)
{
    struct form quotient;
    const struct node *rest = node;
    if (!node_known(node) && !form_divide(pool, node, of, &quotient, &rest))
        return false;
    for (uint32_t t = 0; t < (rest->kind == NODE_VECTOR ? pool->masks->threads : 1); ++t) {
        int64_t value = 0;
        node_lane(rest, t, &value);
        if (value % of)
            return false;
    }
    return true;
}

// Whether the one is a number of k bits and the other is known and has none of these.
static bool shares_no_bit(struct node_pool *pool, const struct node *low, const struct node *known)
{
    int64_t m = rest_of(low);
    return m > 0 && (m & (m - 1)) == 0 && node_known(known) && is_multiple(pool, known, m);
}

// What the number is without its lowest part, a number below m beside multiples of m, as bit-fields
// that share a word are: a division by a multiple of m passes that part by. NULL where it has none.
static const struct node *above_lowest(struct node_pool *pool, const struct node *node,
                                       int64_t divisor, const struct node **lowest)
{
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count; ++i) {
        const struct node_term *term = &node->linear.term[i];
        int64_t m = rest_of(term->atom);
        if (m == 0 || term->factor != 1 || divisor <= 0 || divisor % m)
            continue;
        *lowest = term->atom;
        const struct node *above = linear_combine(pool, node, term->atom, -1);
        return above && is_multiple(pool, above, m) ? above : NULL;
    }
    return NULL;
}

// Division, rest, and the shifts and masks that are those, of a number whose lowest part stays as
// it is; NULL where it has none.
static const struct node *divide_above(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                       const struct node *a, const struct node *b)
{
    const struct node *lowest = NULL;
    bool is_mask = code == IR_AND && b->kind == NODE_CONST && (b->value & (b->value + 1)) == 0;
    if (b->kind != NODE_CONST || b->value <= 0 || b->value >= INT64_C(1) << 32 ||
        !(is_mask || code == IR_DIV || code == IR_REM || (code == IR_SHR && b->value < 62)))
        return NULL;
    int64_t divisor = is_mask ? b->value + 1 : code == IR_SHR ? INT64_C(1) << b->value : b->value;
    const struct node *above = above_lowest(pool, a, divisor, &lowest);
    if (!above)
        return NULL;
    above = node_binary(pool, code, bits, true, above, b);
    return is_mask || code == IR_REM ? linear_combine(pool, above, lowest, 1) : above;
}

static const struct node *symbolic_binary(struct node_pool *pool, enum ir_op_code code,
                                          uint32_t bits, const struct node *a, const struct node *b)
{
    const struct node *result = NULL;
    struct form quotient;
    const struct node *rest;
    if (code == IR_AND || code == IR_OR)
        result = chosen_by(pool, code, a, b);
    if ((code == IR_AND || code == IR_OR) && !result)
        result = chosen_by(pool, code, b, a);
    if ((code == IR_AND || code == IR_OR || code == IR_XOR) && !result)
        result = node_known(b) ? bits_below(pool, code, a, b) : bits_below(pool, code, b, a);
    if (!result)
        result = divide_above(pool, code, bits, a, b);
    if (!result)
        result = address_in_units(pool, code, a, b);
    if (result)
        return result;
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
        if (b == pool->one && node_is_boolean(a))
            return a;
        if (b->kind == NODE_CONST && b->value > 0 && (b->value & (b->value + 1)) == 0) {
            // x & (2^k - 1) is x % 2^k.
            if (form_divide(pool, a, b->value + 1, &quotient, &rest))
                return rest;
            return node_expr(pool, IR_REM, (uint16_t)bits, 0, a, node_const(pool, b->value + 1),
                             NULL);
        }
        int64_t unit = b->kind == NODE_CONST ? cut_by(b->value, bits) : 0;
        if (unit > 0) {
            // x & -2^k is (x / 2^k) * 2^k.
            const struct node *align = node_const(pool, unit);
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
        if (code == IR_XOR && b == pool->one && node_is_boolean(a))
            return node_not(pool, a);
        if (shares_no_bit(pool, a, b) || shares_no_bit(pool, b, a))
            result = linear_combine(pool, a, b, 1);
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
        return node_compare(pool, code, bits, is_signed, a, b);
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
        return node_equal_zero(pool, a, false);
    if (node_known(a)) {
        if (bits == 0 || bits >= 64)
            return a;
        int64_t *vector = pool->scratch;
        if (a->kind == NODE_CONST)
            return node_const(pool, known_wrap(a->value, bits, is_signed));
        for (uint32_t t = 0; t < pool->masks->threads; ++t)
            vector[t] = known_wrap(a->vector[t], bits, is_signed);
        return node_vector(pool, vector);
    }
    // Symbolic values are taken not to overflow the types the source gives them.
    return a;
}

// What the choice comes to where the condition holds, or does not.
static const struct node *chosen_where(struct node_pool *pool, const struct node *node,
                                       const struct node *condition, bool holds)
{
    if (node->kind != NODE_EXPR || node->expr.op != NODE_OP_MERGE)
        return node;
    const struct node *denied = node_not(pool, condition);
    while (node->kind == NODE_EXPR && node->expr.op == NODE_OP_MERGE) {
        bool same = node->expr.argument[0] == condition;
        if (!same && node->expr.argument[0] != denied)
            break;
        node = node->expr.argument[same == holds ? 1 : 2];
    }
    return node;
}

// The choice of the smaller or the greater of two numbers, where the condition compares just these;
// else NULL.
static const struct node *extreme_of(struct node_pool *pool, const struct node *condition,
                                     const struct node *a, const struct node *b)
{
    if (condition->kind != NODE_EXPR || condition->expr.op != NODE_OP_GT0 ||
        condition->shape != SHAPE_UNIFORM || a->shape != SHAPE_UNIFORM || b->shape != SHAPE_UNIFORM)
        return NULL;
    const struct node *asked = condition->expr.argument[0];
    for (int least = 0; least < 2; ++least) {
        const struct node *above = linear_combine(pool, least ? b : a, least ? a : b, -1);
        // a < b and a <= b choose alike.
        if (above && above->kind != NODE_CONST &&
            (asked == above || asked == linear_combine(pool, above, pool->one, 1)))
            return node_binary(pool, least ? IR_MIN : IR_MAX, 64, true, a, b);
    }
    return NULL;
}

static bool is_condition(const struct node_pool *pool, const struct node *node)
{
    return node == pool->zero || node == pool->one || node_is_boolean(node);
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
    a = chosen_where(pool, a, condition, true);
    b = chosen_where(pool, b, condition, false);
    if (a == b)
        return a;
    if (a == pool->one && b == pool->zero && node_is_boolean(condition))
        return condition;
    if (a == pool->zero && b == pool->one && node_is_boolean(condition))
        return node_not(pool, condition);
    const struct node *extreme = extreme_of(pool, condition, a, b);
    uint16_t bits = is_condition(pool, a) && is_condition(pool, b);
    return extreme ? extreme : node_expr(pool, NODE_OP_MERGE, bits, 0, condition, a, b);
}
