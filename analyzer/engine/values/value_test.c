// Values: what is known stays exact, what is symbolic stays comparable.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/values/value.h"

enum { THREADS = 96 };

struct pools {
    struct arena arena;
    struct mask_pool masks;
    struct node_pool nodes;
    const struct node *tid, *n, *m;
};

static int setup(void **state)
{
    static struct pools pools;
    arena_init(&pools.arena);
    mask_pool_init(&pools.masks, &pools.arena, THREADS);
    node_pool_init(&pools.nodes, &pools.arena, &pools.masks);
    int64_t lane[THREADS];
    for (int t = 0; t < THREADS; ++t)
        lane[t] = t;
    pools.tid = node_vector(&pools.nodes, lane);
    pools.n = node_atom(&pools.nodes, 1, "n", SHAPE_UNIFORM, 0, INT32_MAX);
    pools.m = node_atom(&pools.nodes, 2, "m", SHAPE_UNIFORM, 0, INT32_MAX);
    *state = &pools;
    return 0;
}

static int teardown(void **state)
{
    struct pools *pools = *state;
    arena_release(&pools->arena);
    return 0;
}

static const struct node *op(struct pools *p, enum ir_op_code code, const struct node *a,
                             const struct node *b)
{
    return node_binary(&p->nodes, code, 32, true, a, b);
}

static const struct node *num(struct pools *p, int64_t value)
{
    return node_const(&p->nodes, value);
}

static void masks_are_sets(void **state)
{
    struct pools *p = *state;
    const struct mask *low = mask_range(&p->masks, 0, 40);
    const struct mask *high = mask_range(&p->masks, 30, THREADS);
    assert_int_equal(mask_and(&p->masks, low, high)->count, 10);
    assert_int_equal(mask_and(&p->masks, low, high)->first, 30);
    assert_ptr_equal(mask_or(&p->masks, low, high), p->masks.all);
    assert_ptr_equal(mask_minus(&p->masks, low, p->masks.all), p->masks.none);
    assert_true(mask_subset(&p->masks, mask_one(&p->masks, 95), high));
    assert_int_equal(mask_next(&p->masks, high, 0), 30);
    assert_int_equal(mask_next(&p->masks, low, 40), THREADS);
}

static void known_values_wrap_like_their_type(void **state)
{
    struct pools *p = *state;
    const struct node *minus = node_binary(&p->nodes, IR_SUB, 32, false, num(p, 0), num(p, 1));
    assert_int_equal(minus->value, UINT32_MAX);
    const struct node *warp = op(p, IR_DIV, p->tid, num(p, 32));
    int64_t value;
    assert_true(node_is_const(warp, mask_range(&p->masks, 32, 64), &p->masks, &value));
    assert_int_equal(value, 1);
    assert_false(node_is_const(warp, p->masks.all, &p->masks, &value));
}

static void thread_terms_cancel(void **state)
{
    struct pools *p = *state;
    // (n + tid) - tid < m is a question about n and m only.
    const struct node *index = op(p, IR_ADD, p->n, p->tid);
    const struct node *base = op(p, IR_SUB, index, p->tid);
    assert_ptr_equal(base, p->n);
    const struct node *condition = op(p, IR_LT, base, p->m);
    assert_int_equal(condition->shape, SHAPE_UNIFORM);
    assert_ptr_equal(condition, op(p, IR_GT, p->m, p->n));
}

static void bounds_rounded_to_the_block_are_uniform(void **state)
{
    struct pools *p = *state;
    // tid < ((n + 95) / 96) * 96 asks every thread the same.
    const struct node *blocks = op(p, IR_DIV, op(p, IR_ADD, p->n, num(p, 95)), num(p, 96));
    const struct node *bound = op(p, IR_MUL, blocks, num(p, 96));
    assert_int_equal(op(p, IR_LT, p->tid, bound)->shape, SHAPE_UNIFORM);
    // tid < n does not.
    assert_int_equal(op(p, IR_LT, p->tid, p->n)->shape, SHAPE_VARYING);
}

static void negation_is_one_node(void **state)
{
    struct pools *p = *state;
    const struct node *less = op(p, IR_LT, p->n, p->m);
    assert_ptr_equal(node_not(&p->nodes, less), op(p, IR_GE, p->n, p->m));
    assert_ptr_equal(node_not(&p->nodes, node_not(&p->nodes, less)), less);
    const struct node *same = op(p, IR_EQ, p->n, p->m);
    assert_ptr_equal(node_not(&p->nodes, same), op(p, IR_NE, p->m, p->n));
    assert_ptr_equal(op(p, IR_EQ, less, num(p, 0)), node_not(&p->nodes, less));
}

static void multiples_of_four_are_never_one(void **state)
{
    struct pools *p = *state;
    const struct node *four =
        op(p, IR_SUB, op(p, IR_MUL, p->n, num(p, 4)), op(p, IR_MUL, p->m, num(p, 4)));
    assert_ptr_equal(op(p, IR_EQ, four, num(p, 1)), num(p, 0));
    assert_ptr_equal(op(p, IR_NE, four, num(p, 6)), num(p, 1));
    // They may be eight, and 4 * n + tid is zero in some threads; three times a number that wraps
    // round is anything.
    assert_int_equal(op(p, IR_EQ, four, num(p, 8))->kind, NODE_EXPR);
    const struct node *own = op(p, IR_ADD, op(p, IR_MUL, p->n, num(p, 4)), p->tid);
    assert_int_equal(op(p, IR_EQ, own, num(p, 0))->kind, NODE_EXPR);
    const struct node *three = op(p, IR_MUL, p->n, num(p, 3));
    assert_int_equal(op(p, IR_EQ, three, num(p, 1))->kind, NODE_EXPR);
}

static void division_of_aligned_sums_is_exact(void **state)
{
    struct pools *p = *state;
    const struct node *index = op(p, IR_ADD, op(p, IR_MUL, p->n, num(p, 128)), p->tid);
    assert_ptr_equal(op(p, IR_REM, index, num(p, 128)), p->tid);
    assert_ptr_equal(op(p, IR_AND, index, num(p, 31)), op(p, IR_REM, p->tid, num(p, 32)));
    const struct node *warps = op(p, IR_SHR, index, num(p, 5));
    assert_ptr_equal(
        warps, op(p, IR_ADD, op(p, IR_MUL, p->n, num(p, 4)), op(p, IR_DIV, p->tid, num(p, 32))));
}

static void numbers_that_share_a_word_come_apart(void **state)
{
    struct pools *p = *state;
    const struct node *low = op(p, IR_AND, op(p, IR_MUL, p->n, p->m), num(p, 0xffff));
    const struct node *word = op(p, IR_OR, low, op(p, IR_SHL, p->tid, num(p, 16)));
    assert_ptr_equal(op(p, IR_SHR, word, num(p, 16)), p->tid);
    assert_ptr_equal(op(p, IR_AND, word, num(p, 0xffff)), low);
    // Numbers that are no multiples of what the lower one stays below may reach into it.
    const struct node *close = op(p, IR_OR, low, p->tid);
    assert_int_equal(close->kind, NODE_EXPR);
    assert_ptr_not_equal(op(p, IR_SHR, op(p, IR_ADD, low, p->tid), num(p, 16)), p->tid);
}

static void masks_of_all_bits_or_none_choose(void **state)
{
    struct pools *p = *state;
    const struct node *whole = op(p, IR_EQ, p->n, num(p, 32));
    const struct node *rest = op(p, IR_AND, op(p, IR_SUB, whole, num(p, 1)), num(p, 15));
    assert_ptr_equal(rest, node_select(&p->nodes, whole, num(p, 0), num(p, 15)));
    const struct node *all = op(p, IR_SUB, num(p, 0), whole);
    assert_ptr_equal(op(p, IR_OR, num(p, 15), all),
                     node_select(&p->nodes, whole, num(p, -1), num(p, 15)));
}

static void numbers_with_a_condition_in_them_ask_for_it(void **state)
{
    struct pools *p = *state;
    const struct node *less = op(p, IR_LT, p->n, p->m), *equal = op(p, IR_EQ, p->n, num(p, 3));
    // Where both sides of a choice are conditions, it is one.
    const struct node *either = node_select(&p->nodes, equal, less, num(p, 0));
    assert_ptr_equal(op(p, IR_LT, either, num(p, 1)), node_not(&p->nodes, either));
    assert_ptr_equal(op(p, IR_NE, op(p, IR_ADD, either, num(p, 4)), num(p, 4)), either);
    assert_ptr_equal(op(p, IR_LT, op(p, IR_ADD, either, num(p, 4)), num(p, 6)), num(p, 1));
    const struct node *number = node_select(&p->nodes, equal, less, num(p, 2));
    assert_int_equal(op(p, IR_LT, number, num(p, 1))->expr.bits, 1);
    assert_ptr_not_equal(op(p, IR_LT, number, num(p, 1)), node_not(&p->nodes, number));
}

static void addresses_keep_their_object(void **state)
{
    struct pools *p = *state;
    const struct node *base = node_address(&p->nodes, 3, num(p, 4), NULL);
    const struct node *up = node_binary(&p->nodes, IR_ADD, 64, true, base, num(p, 7));
    const struct node *rounded = node_binary(&p->nodes, IR_AND, 64, true, up, num(p, ~INT64_C(7)));
    assert_int_equal(rounded->kind, NODE_ADDRESS);
    assert_int_equal(rounded->address.offset->value, 8);
    const struct node *units = node_binary(&p->nodes, IR_DIV, 64, true, up, num(p, 8));
    assert_ptr_equal(node_binary(&p->nodes, IR_MUL, 64, true, units, num(p, 8)), rounded);
    assert_ptr_equal(node_binary(&p->nodes, IR_MUL, 64, true, num(p, 8), units), rounded);
    assert_int_equal(node_binary(&p->nodes, IR_MUL, 64, true, units, num(p, 4))->kind, NODE_LINEAR);
    units = node_binary(&p->nodes, IR_SHR, 64, true, up, num(p, 3));
    assert_ptr_equal(node_binary(&p->nodes, IR_SHL, 64, true, units, num(p, 3)), rounded);
    // Nobody knows what is left of the base.
    units = node_binary(&p->nodes, IR_DIV, 64, true, up, num(p, 48));
    assert_int_not_equal(node_binary(&p->nodes, IR_MUL, 64, true, units, num(p, 48))->kind,
                         NODE_ADDRESS);
    assert_int_equal(op(p, IR_EQ, base, num(p, 0))->value, 0);
    const struct node *other = node_address(&p->nodes, 4, num(p, 4), NULL);
    assert_int_equal(op(p, IR_EQ, base, other)->value, 0);
    assert_int_equal(node_binary(&p->nodes, IR_SUB, 64, true, up, base)->value, 7);
    // The negative of an address is no address.
    assert_int_equal(node_binary(&p->nodes, IR_SUB, 64, true, num(p, 0), base)->kind, NODE_EXPR);
}

static void lower_bits_are_those_of_the_rest(void **state)
{
    struct pools *p = *state;
    const struct node *stage = op(p, IR_MUL, p->n, num(p, 1024));
    const struct node *at = op(p, IR_ADD, stage, op(p, IR_MUL, p->tid, num(p, 16)));
    const struct node *row = op(p, IR_MUL, p->tid, num(p, 16));
    // A swizzle of an address: the bits from 128 on over those from 16 on.
    const struct node *high = op(p, IR_SHR, op(p, IR_AND, at, num(p, 0x380)), num(p, 3));
    const struct node *over = op(p, IR_SHR, op(p, IR_AND, row, num(p, 0x380)), num(p, 3));
    assert_ptr_equal(high, over);
    assert_ptr_equal(op(p, IR_XOR, at, high), op(p, IR_ADD, stage, op(p, IR_XOR, row, over)));
    assert_ptr_equal(op(p, IR_OR, num(p, 3), stage), op(p, IR_ADD, stage, num(p, 3)));
    const struct node *address = node_address(&p->nodes, 3, at, NULL);
    assert_ptr_equal(op(p, IR_XOR, address, high),
                     node_address(&p->nodes, 3, op(p, IR_XOR, at, high), NULL));
    // Bits that the unknown part may have as well are not known.
    assert_int_equal(op(p, IR_XOR, op(p, IR_MUL, p->n, num(p, 24)), num(p, 8))->kind, NODE_EXPR);
}

static void pieces_join_to_what_they_are(void **state)
{
    struct pools *p = *state;
    const struct mask *low = mask_range(&p->masks, 0, 32);
    const struct mask *rest = mask_minus(&p->masks, p->masks.all, low);
    struct node_piece known[2] = {{low, num(p, 1)}, {rest, num(p, 2)}};
    const struct node *both = node_pieces(&p->nodes, known, 2);
    assert_int_equal(both->kind, NODE_VECTOR);
    assert_ptr_equal(node_restrict(&p->nodes, both, low), num(p, 1));
    struct node_piece mixed[2] = {{low, p->n}, {rest, p->m}};
    const struct node *symbols = node_pieces(&p->nodes, mixed, 2);
    assert_int_equal(symbols->kind, NODE_PIECES);
    assert_ptr_equal(node_restrict(&p->nodes, symbols, rest), p->m);
    // Arithmetic goes on piece by piece.
    const struct node *more = op(p, IR_ADD, symbols, num(p, 1));
    assert_ptr_equal(node_restrict(&p->nodes, more, low), op(p, IR_ADD, p->n, num(p, 1)));
    // The same value in all pieces is that value.
    struct node_piece same[2] = {{low, p->n}, {rest, p->n}};
    assert_ptr_equal(node_pieces(&p->nodes, same, 2), p->n);
}

static void shares_are_asked_by_what_is_shared(void **state)
{
    struct pools *p = *state;
    const struct node *dealt = op(p, IR_ADD, p->n, op(p, IR_DIV, p->tid, num(p, 32)));
    const struct node *share = op(p, IR_DIV, dealt, num(p, 5));
    for (int64_t round = -2; round <= 2; ++round) {
        // A quotient is rounded towards zero: -4 / 5 is 0.
        int64_t least = round > 0 ? 5 * round : 5 * round - 4;
        assert_ptr_equal(op(p, IR_GE, share, num(p, round)), op(p, IR_GE, dealt, num(p, least)));
        assert_ptr_equal(op(p, IR_LT, share, num(p, round)), op(p, IR_LT, dealt, num(p, least)));
    }
    // What is the same for all threads stays as it is written.
    const struct node *whole = op(p, IR_DIV, op(p, IR_ADD, p->n, num(p, 4)), num(p, 5));
    assert_ptr_not_equal(op(p, IR_GE, whole, num(p, 1)), op(p, IR_GE, p->n, num(p, 1)));
}

static void words_read_like_the_source(void **state)
{
    struct pools *p = *state;
    const struct node *value = op(p, IR_SUB, op(p, IR_MUL, p->n, num(p, 2)), num(p, 1));
    assert_string_equal(node_text(&p->arena, value), "2 * n - 1");
    const struct node *part = op(p, IR_REM, op(p, IR_ADD, p->n, p->m), num(p, 3));
    assert_string_equal(node_text(&p->arena, part), "(n + m) % 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(masks_are_sets, setup, teardown),
        cmocka_unit_test_setup_teardown(known_values_wrap_like_their_type, setup, teardown),
        cmocka_unit_test_setup_teardown(thread_terms_cancel, setup, teardown),
        cmocka_unit_test_setup_teardown(bounds_rounded_to_the_block_are_uniform, setup, teardown),
        cmocka_unit_test_setup_teardown(negation_is_one_node, setup, teardown),
        cmocka_unit_test_setup_teardown(multiples_of_four_are_never_one, setup, teardown),
        cmocka_unit_test_setup_teardown(division_of_aligned_sums_is_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(lower_bits_are_those_of_the_rest, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_that_share_a_word_come_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(masks_of_all_bits_or_none_choose, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_with_a_condition_in_them_ask_for_it, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(addresses_keep_their_object, setup, teardown),
        cmocka_unit_test_setup_teardown(pieces_join_to_what_they_are, setup, teardown),
        cmocka_unit_test_setup_teardown(shares_are_asked_by_what_is_shared, setup, teardown),
        cmocka_unit_test_setup_teardown(words_read_like_the_source, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
