// Arithmetic on integers that are known, in one thread or in each.
#include "engine/values/value_internal.h"

int64_t known_wrap(int64_t value, uint32_t bits, bool is_signed)
{
    if (bits == 0 || bits >= 64)
        return value;
    uint64_t kept = (uint64_t)value & ((UINT64_C(1) << bits) - 1);
    if (is_signed && kept >> (bits - 1))
        kept |= ~UINT64_C(0) << bits;
    return (int64_t)kept;
}

static inline __attribute__((always_inline)) int64_t
known_number(enum ir_op_code code, uint32_t bits, bool is_signed, int64_t a, int64_t b)
{
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    bool is_unsigned = !is_signed;
    switch (code) {
    case IR_ADD:
        return known_wrap((int64_t)(ua + ub), bits, is_signed);
    case IR_SUB:
        return known_wrap((int64_t)(ua - ub), bits, is_signed);
    case IR_MUL:
        return known_wrap((int64_t)(ua * ub), bits, is_signed);
    case IR_DIV:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return 0;
        return known_wrap(is_unsigned ? (int64_t)(ua / ub) : a / b, bits, is_signed);
    case IR_REM:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return 0;
        return known_wrap(is_unsigned ? (int64_t)(ua % ub) : a % b, bits, is_signed);
    case IR_SHL:
        return ub >= 64 ? 0 : known_wrap((int64_t)(ua << ub), bits, is_signed);
    case IR_SHR:
        if (ub >= 64)
            return is_unsigned || a >= 0 ? 0 : -1;
        return known_wrap(is_unsigned ? (int64_t)(ua >> ub) : a >> ub, bits, is_signed);
    case IR_AND:
        return known_wrap((int64_t)(ua & ub), bits, is_signed);
    case IR_OR:
        return known_wrap((int64_t)(ua | ub), bits, is_signed);
    case IR_XOR:
        return known_wrap((int64_t)(ua ^ ub), bits, is_signed);
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

int64_t known_binary(enum ir_op_code code, uint32_t bits, bool is_signed, int64_t a, int64_t b)
{
    return known_number(code, bits, is_signed, a, b);
}

// One operation for all threads: the operation is told apart once, and the loop has nothing in it
// that would keep the compiler from taking several threads at a time.
#define EACH_THREAD(code)                                                                          \
    case code:                                                                                     \
        for (uint32_t t = 0; t < count; ++t)                                                       \
            out[t] = known_number(code, bits, is_signed, x[is_x ? t : 0], y[is_y ? t : 0]);        \
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
            out[t] = known_number(code, bits, is_signed, x[is_x ? t : 0], y[is_y ? t : 0]);
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

const struct node *known_apply(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                               bool is_signed, const struct node *a, const struct node *b)
{
    if (a->kind == NODE_CONST && b->kind == NODE_CONST)
        return node_const(pool, known_number(code, bits, is_signed, a->value, b->value));
    int64_t *vector = pool->scratch;
    known_vector(code, bits, is_signed, a, b, vector, pool->masks->threads);
    return node_vector(pool, vector);
}

int64_t common_step(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}
