// Bounds that no numbers make true: what some numbers come to is never refuted, whatever it is made
// of, and what leaves the wrong rest is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/decisions/search.h"

enum {
    THREADS = 32,
    SYMBOLS = 2,
    EXPRESSIONS = 4000,
    DEEPEST = 4,
    REFUTED_AT_LEAST = 2000, // so that the test says something
};

struct asked {
    struct arena arena;
    struct mask_pool masks;
    struct node_pool nodes;
    const struct node *symbol[SYMBOLS];
    struct search search;
    uint64_t random;
};

static int setup(void **state)
{
    static struct asked asked;
    asked = (struct asked){.random = 88172645463325252u};
    arena_init(&asked.arena);
    mask_pool_init(&asked.masks, &asked.arena, THREADS);
    node_pool_init(&asked.nodes, &asked.arena, &asked.masks);
    for (uint64_t i = 0; i < SYMBOLS; ++i)
        asked.symbol[i] = node_atom(&asked.nodes, i + 1, "n", SHAPE_UNIFORM, INT64_MIN, INT64_MAX);
    *state = &asked;
    return 0;
}

static int teardown(void **state)
{
    arena_release(&((struct asked *)*state)->arena);
    return 0;
}

// What the symbols may be: multiples of the step from low on to high.
static void may_be(struct asked *a, uint32_t symbol, int64_t low, int64_t high, int64_t step)
{
    a->search.name[symbol].node = a->symbol[symbol];
    a->search.name[symbol].symbol = symbol;
    a->search.low[symbol] = low;
    a->search.high[symbol] = high;
    a->search.step[symbol] = step;
    a->search.symbols = SYMBOLS;
}

static bool is_refuted(struct asked *a, const struct node *form, int64_t low, int64_t high)
{
    struct bound bound = {.form = form, .low = low, .high = high};
    a->search.bound[0] = &bound;
    a->search.bounds = 1;
    return search_is_refuted(&a->search);
}

static const struct node *op(struct asked *a, enum ir_op_code code, const struct node *one,
                             const struct node *other)
{
    return node_binary(&a->nodes, code, 64, true, one, other);
}

static const struct node *num(struct asked *a, int64_t value)
{
    return node_const(&a->nodes, value);
}

static void rests_that_no_multiple_leaves_are_refuted(void **state)
{
    struct asked *a = *state;
    may_be(a, 0, 0, INT32_MAX, 1);
    may_be(a, 1, 0, INT32_MAX, 1);
    const struct node *length = op(a, IR_MUL, a->symbol[1], num(a, 768));
    const struct node *left = op(a, IR_SUB, op(a, IR_MUL, a->symbol[0], num(a, 128)), length);
    assert_true(is_refuted(a, left, -63, -63));
    assert_true(is_refuted(a, left, -127, -1));
    assert_false(is_refuted(a, left, -128, -1));
    const struct node *square = op(a, IR_MUL, a->symbol[1], a->symbol[1]);
    assert_true(is_refuted(a, op(a, IR_MUL, square, num(a, 6)), 3, 5));
    assert_true(is_refuted(a, square, INT64_MIN, -1));
    may_be(a, 0, 0, 100, 64);
    assert_true(is_refuted(a, a->symbol[0], 1, 63));
    assert_false(is_refuted(a, a->symbol[0], 101, 128)); // brought up to the next multiple
    // What the search does not know it takes to be true.
    const struct node *other = node_atom(&a->nodes, 9, "m", SHAPE_UNIFORM, 0, 1);
    assert_false(is_refuted(a, op(a, IR_REM, other, num(a, 8)), 100, 100));
}

static uint64_t below(struct asked *a, uint64_t number)
{
    a->random ^= a->random << 13;
    a->random ^= a->random >> 7;
    a->random ^= a->random << 17;
    return a->random % number;
}

static const struct node *some(struct asked *a, int depth)
{
    static const enum ir_op_code code[] = {IR_ADD, IR_SUB, IR_MUL, IR_DIV, IR_REM, IR_MIN,
                                           IR_MAX, IR_AND, IR_OR,  IR_LT,  IR_EQ,  IR_SHL};
    if (depth == DEEPEST || below(a, 4) == 0)
        return below(a, 3) ? a->symbol[below(a, SYMBOLS)] : num(a, (int64_t)below(a, 40) - 8);
    enum ir_op_code which = code[below(a, sizeof code / sizeof *code)];
    const struct node *one = some(a, depth + 1);
    if (below(a, 10) == 0)
        return node_select(&a->nodes, one, some(a, depth + 1), some(a, depth + 1));
    if (which == IR_DIV || which == IR_REM || which == IR_SHL)
        return op(a, which, one, num(a, 1 + (int64_t)below(a, 9)));
    return op(a, which, one, some(a, depth + 1));
}

// As the search works it out; false where it does not know it.
static bool value_of(struct asked *a, const struct node *node, const int64_t *symbol, int64_t *out)
{
    int64_t part[NODE_ARGUMENTS] = {0};
    if (node->kind == NODE_CONST) {
        *out = node->value;
        return true;
    }
    for (uint32_t i = 0; i < SYMBOLS; ++i) {
        if (node == a->symbol[i]) {
            *out = symbol[i];
            return true;
        }
    }
    if (node->kind == NODE_LINEAR) {
        bool known = value_of(a, node->linear.base, symbol, out);
        for (uint32_t i = 0; known && i < node->linear.count; ++i) {
            known = value_of(a, node->linear.term[i].atom, symbol, &part[0]);
            *out = add_clamped(*out, mul_clamped(part[0], node->linear.term[i].factor));
        }
        return known;
    }
    if (node->kind != NODE_EXPR)
        return false;
    for (uint32_t i = 0; i < NODE_ARGUMENTS && node->expr.argument[i]; ++i)
        if (!value_of(a, node->expr.argument[i], symbol, &part[i]))
            return false;
    switch (node->expr.op) {
    case NODE_OP_MERGE:
        *out = part[part[0] ? 1 : 2];
        return true;
    case NODE_OP_GT0:
        *out = part[0] > 0;
        return true;
    case NODE_OP_EQ0:
        *out = part[0] == 0;
        return true;
    case NODE_OP_NE0:
        *out = part[0] != 0;
        return true;
    case IR_CAST:
        *out = part[0];
        return true;
    case IR_MUL:
        *out = mul_clamped(part[0], part[1]);
        return true;
    case IR_DIV:
        *out = part[1] ? part[0] / part[1] : 0;
        return part[1] != 0;
    case IR_REM:
        *out = part[1] ? part[0] % part[1] : 0;
        return part[1] != 0;
    case IR_MIN:
        *out = part[0] < part[1] ? part[0] : part[1];
        return true;
    case IR_MAX:
        *out = part[0] > part[1] ? part[0] : part[1];
        return true;
    case IR_AND:
        *out = part[0] & part[1];
        return true;
    case IR_OR:
        *out = part[0] | part[1];
        return true;
    case IR_SHL:
        *out = part[1] >= 0 && part[1] <= 62 ? mul_clamped(part[0], INT64_C(1) << part[1]) : 0;
        return true;
    default:
        return false;
    }
}

static void what_numbers_come_to_is_never_refuted(void **state)
{
    struct asked *a = *state;
    uint32_t refuted = 0;
    for (int i = 0; i < EXPRESSIONS; ++i) {
        int64_t symbol[SYMBOLS], value, step[SYMBOLS];
        for (uint32_t k = 0; k < SYMBOLS; ++k) {
            step[k] = below(a, 3) ? 1 : 1 + (int64_t)below(a, 12);
            int64_t low = (int64_t)below(a, 30) - 15;
            may_be(a, k, low, low + (int64_t)below(a, 30), step[k]);
            int64_t first = low + ((-low % step[k]) + step[k]) % step[k];
            symbol[k] = first;
        }
        const struct node *form = some(a, 0);
        for (uint32_t k = 0; k < SYMBOLS; ++k) {
            while (below(a, 4) && symbol[k] + step[k] <= a->search.high[k])
                symbol[k] += step[k];
        }
        if (!value_of(a, form, symbol, &value))
            continue;
        assert_false(is_refuted(a, form, value, value));
        for (int64_t away = -6; away <= 6; ++away)
            refuted += is_refuted(a, form, add_clamped(value, away), add_clamped(value, away));
    }
    assert_true(refuted >= REFUTED_AT_LEAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rests_that_no_multiple_leaves_are_refuted, setup, teardown),
        cmocka_unit_test_setup_teardown(what_numbers_come_to_is_never_refuted, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
