// Named barriers, one violation and one subtle truth at a time.
#include "expect.h"

#define ALL_LANES 0xffffffffu

static struct barlint_named_op op_of(enum barlint_named_kind kind, uint32_t id, uint32_t count)
{
    struct barlint_named_op op = {id, count, 0, (uint8_t)kind, false};
    return op;
}

static struct barlint_named_op sync_op(uint32_t id, uint32_t count)
{
    return op_of(BARLINT_NAMED_SYNC, id, count);
}

static struct barlint_named_op arrive_op(uint32_t id, uint32_t count)
{
    return op_of(BARLINT_NAMED_ARRIVE, id, count);
}

static struct barlint_named_op red_op(uint32_t id, uint32_t count)
{
    return op_of(BARLINT_NAMED_RED, id, count);
}

static struct barlint_effect join(struct barlint_cta *cta, uint32_t warp,
                                  struct barlint_named_op op)
{
    return barlint_cta_join(cta, warp, cta->block.live[warp], &op);
}

static struct barlint_effect exit_on(struct barlint_cta *cta, uint32_t slot, uint32_t warp,
                                     uint32_t lanes)
{
    struct barlint_effect effects[BARLINT_NAMED_SLOTS];
    barlint_cta_exit(cta, warp, lanes, effects);
    return effects[slot];
}

static void test_block(void **state)
{
    (void)state;
    struct barlint_block block;
    barlint_block_start(&block, 48);
    assert_int_equal(barlint_block_warps(&block), 2);
    assert_int_equal(block.live[0], ALL_LANES);
    assert_int_equal(block.live[1], 0xffff);
    assert_int_equal(barlint_block_live_warps(&block), 3);
    assert_false(barlint_block_has_exits(&block));
    block.live[1] = 0;
    assert_int_equal(barlint_block_live_warps(&block), 1);
    assert_true(barlint_block_has_exits(&block));
    barlint_block_start(&block, 1024);
    assert_int_equal(barlint_block_warps(&block), 32);
    assert_int_equal(barlint_block_live_warps(&block), ALL_LANES);
}

static void test_all_form(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 96);
    for (int round = 0; round < 3; round++) {
        EXPECT_CLEAN(join(&cta, 0, sync_op(0, 0)));
        EXPECT_CLEAN(join(&cta, 2, sync_op(0, 0)));
        struct barlint_effect effect = join(&cta, 1, sync_op(0, 0));
        EXPECT_CLEAN(effect);
        assert_true(effect.completed && effect.passed && effect.counted);
        assert_int_equal(effect.released, 7);
        for (uint32_t w = 0; w < 3; w++) {
            assert_int_equal(barlint_cta_wake(&cta, 0, w), ALL_LANES);
            assert_int_equal(barlint_cta_wake(&cta, 0, w), 0);
        }
    }
    assert_int_equal(cta.slot[0].generation, 3);
}

// S14: the count is the sum over the roles: producers arrive, consumers sync.
static void test_producer_consumer(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 128);
    struct barlint_effect effect = join(&cta, 0, arrive_op(1, 128));
    assert_true(effect.passed && !effect.completed);
    assert_true(join(&cta, 1, arrive_op(1, 128)).passed);
    assert_false(join(&cta, 2, sync_op(1, 128)).passed);
    effect = join(&cta, 3, sync_op(1, 128));
    EXPECT_CLEAN(effect);
    assert_int_equal(effect.released, 0xc);
    assert_false(cta.slot[1].open);
}

// S1: lanes are judged by the warp, and a warp counts 32 whatever lanes it has.
static void test_lanes(void **state)
{
    (void)state;
    struct barlint_cta cta;
    struct barlint_named_op op = sync_op(1, 64);
    barlint_cta_start(&cta, 64);
    struct barlint_effect effect = barlint_cta_join(&cta, 0, 0xffff, &op);
    EXPECT_CLEAN(effect);
    assert_false(effect.counted);
    assert_true(barlint_cta_join(&cta, 0, 0xffff0000, &op).counted);
    assert_true(join(&cta, 1, op).completed);

    barlint_cta_start(&cta, 64); // 7 live lanes in each warp
    cta.block.live[0] = cta.block.live[1] = 0x7f;
    assert_true(join(&cta, 0, op).counted);
    assert_true(join(&cta, 1, op).completed);
}

// S4: a lane that exits never blocks its warp.
static void test_lane_exit_completes_the_warp(void **state)
{
    (void)state;
    struct barlint_cta cta;
    struct barlint_named_op op = sync_op(1, 64);
    barlint_cta_start(&cta, 64);
    EXPECT_CLEAN(barlint_cta_join(&cta, 0, 0xff, &op));
    EXPECT_CLEAN(join(&cta, 1, op));
    struct barlint_effect effect = exit_on(&cta, 1, 0, 0xffffff00);
    EXPECT_CLEAN(effect);
    assert_true(effect.counted && effect.completed);
    assert_int_equal(effect.released, 3);
    assert_int_equal(barlint_cta_wake(&cta, 1, 0), 0xff);
}

// S2: exits satisfy the form for all threads, also late ones.
static void test_exit_all_form(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 96);
    EXPECT_CLEAN(exit_on(&cta, 0, 0, ALL_LANES));
    EXPECT_CLEAN(join(&cta, 1, sync_op(0, 0)));
    struct barlint_effect effect = exit_on(&cta, 0, 2, ALL_LANES);
    EXPECT_ONE(effect, EXIT_BEFORE_SYNC, CONTINUES);
    assert_true(effect.completed);
    assert_int_equal(effect.released, 2);
}

// S3: exits never satisfy a count.
static void test_exit_count_form(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 96);
    EXPECT_CLEAN(join(&cta, 0, sync_op(1, 64)));
    EXPECT_CLEAN(exit_on(&cta, 1, 1, ALL_LANES)); // warp 2 can still come
    struct barlint_effect effect = exit_on(&cta, 1, 2, ALL_LANES);
    EXPECT_ONE(effect, NAMED_EXIT, HANGS);
    assert_false(effect.completed);
    struct barlint_named_stuck stuck = barlint_named_check_stuck(&cta.slot[1], &cta.block);
    assert_true(stuck.for_ever);
    assert_int_equal(stuck.exited, 6);
    assert_int_equal(stuck.wanted, 1);
    EXPECT_SET(stuck.violations, NAMED_EXIT);

    barlint_cta_start(&cta, 64); // lanes of a warp are no warp: it still counts 32
    EXPECT_CLEAN(join(&cta, 0, sync_op(1, 64)));
    EXPECT_CLEAN(exit_on(&cta, 1, 1, 0xfffffff0));
    assert_true(join(&cta, 1, sync_op(1, 64)).completed);
}

// S9: a number in a register is not checked: its low four bits count.
static void test_id_range(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 64);
    EXPECT_CLEAN(join(&cta, 0, sync_op(1, 64)));
    struct barlint_effect effect = join(&cta, 1, sync_op(17, 64));
    EXPECT_ONE(effect, NAMED_ID_RANGE, CONTINUES);
    assert_true(effect.completed);
    assert_int_equal(barlint_named_slot_of(0xffffffff), 15);
}

// S15: counts are multiples of 32; a partial last warp counts 32.
static void test_counts(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 48);
    EXPECT_ONE(join(&cta, 0, sync_op(1, 48)), NAMED_COUNT_MULTIPLE, TRAPS);
    struct barlint_effect effect = join(&cta, 1, sync_op(1, 48)); // one report each, no mismatch
    EXPECT_ONE(effect, NAMED_COUNT_MULTIPLE, TRAPS);
    assert_true(effect.completed);
    EXPECT_CLEAN(join(&cta, 0, sync_op(2, 64)));
    assert_true(join(&cta, 1, sync_op(2, 64)).completed);
    EXPECT_ONE(join(&cta, 0, sync_op(3, 96)), NAMED_COUNT_BLOCK, HANGS);
    struct barlint_named_stuck stuck = barlint_named_check_stuck(&cta.slot[3], &cta.block);
    EXPECT_SET(stuck.violations, NAMED_COUNT_BLOCK);
    assert_true(stuck.for_ever);
    EXPECT_ONE(join(&cta, 0, arrive_op(4, 0)), NAMED_COUNT_ZERO, TRAPS);
    EXPECT_ONE(join(&cta, 0, arrive_op(5, UINT32_MAX)), NAMED_COUNT_MULTIPLE, TRAPS);
    EXPECT_CLEAN(join(&cta, 0, sync_op(6, 0))); // sync with a count of 0: all threads
    barlint_cta_start(&cta, 96);
    EXPECT_ONE(join(&cta, 0, sync_op(1, 33)), NAMED_COUNT_MULTIPLE, TRAPS);
    assert_int_equal(cta.slot[1].count, 64);
}

// Measured: both warps arrive and one of them then waits, which is three times a warp.
static void test_counted_twice(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 64);
    EXPECT_CLEAN(join(&cta, 0, arrive_op(1, 96)));
    EXPECT_CLEAN(join(&cta, 1, arrive_op(1, 96)));
    struct barlint_effect effect = join(&cta, 0, sync_op(1, 96));
    EXPECT_ONE(effect, NAMED_DOUBLE_ARRIVE, CONTINUES);
    assert_true(effect.completed && effect.passed);
    EXPECT_CLEAN(join(&cta, 0, arrive_op(2, 128)));
    EXPECT_CLEAN(join(&cta, 1, arrive_op(2, 128)));
    (void)join(&cta, 0, sync_op(2, 128)); // a fourth nobody makes
    struct barlint_named_stuck stuck = barlint_named_check_stuck(&cta.slot[2], &cta.block);
    EXPECT_SET(stuck.violations, NAMED_COUNT_BLOCK);
    assert_true(stuck.for_ever);
}

// S17: two counts, or red with another kind, abort at once.
static void test_mismatches(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 96);
    EXPECT_CLEAN(join(&cta, 0, sync_op(1, 64)));
    EXPECT_ONE(join(&cta, 1, sync_op(1, 96)), NAMED_COUNT_MISMATCH, TRAPS);
    EXPECT_CLEAN(join(&cta, 0, red_op(2, 96)));
    EXPECT_CLEAN(join(&cta, 1, red_op(2, 96)));
    EXPECT_ONE(join(&cta, 2, sync_op(2, 96)), NAMED_RED_MIX, TRAPS);
    EXPECT_CLEAN(join(&cta, 0, arrive_op(3, 64)));
    EXPECT_ONE(join(&cta, 1, red_op(3, 64)), NAMED_RED_MIX, TRAPS);
}

// S8: barrier 0 by hand interferes with every __syncthreads.
static void test_slot_zero(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 96);
    EXPECT_CLEAN(join(&cta, 0, sync_op(0, 64)));
    EXPECT_TWO(join(&cta, 1, sync_op(0, 0)), NAMED_COUNT_MISMATCH, NAMED_ID_CONFLICT, TRAPS);
    // Also with the count of the whole block.
    EXPECT_CLEAN(join(&cta, 0, sync_op(1, 0)));
    EXPECT_TWO(join(&cta, 1, sync_op(1, 96)), NAMED_COUNT_MISMATCH, NAMED_ID_CONFLICT, TRAPS);
}

// S10: surplus warps open the next generation.
static void test_surplus(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 128);
    for (uint32_t w = 0; w < 4; w++) {
        struct barlint_effect effect = join(&cta, w, sync_op(1, 64));
        EXPECT_CLEAN(effect);
        assert_int_equal(effect.completed, w % 2 == 1);
    }
    assert_int_equal(cta.slot[1].generation, 2);
    EXPECT_CLEAN(join(&cta, 0, sync_op(1, 64)));
    struct barlint_named_stuck stuck = barlint_named_check_stuck(&cta.slot[1], &cta.block);
    assert_true(stuck.for_ever);
    assert_int_equal(stuck.missing, 0xe);
    assert_int_equal(stuck.wanted, 1);
    EXPECT_SET(stuck.violations, NAMED_PARTICIPANTS);
}

// S11: a warp that arrives twice is counted twice.
static void test_double_arrive(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 64);
    EXPECT_CLEAN(join(&cta, 0, arrive_op(1, 64)));
    struct barlint_effect effect = join(&cta, 0, arrive_op(1, 64));
    EXPECT_ONE(effect, NAMED_DOUBLE_ARRIVE, CONTINUES);
    assert_true(effect.completed);
    EXPECT_CLEAN(join(&cta, 0, arrive_op(1, 64)));
    effect = join(&cta, 0, sync_op(1, 64)); // arrive, then sync by the same warp
    EXPECT_ONE(effect, NAMED_DOUBLE_ARRIVE, CONTINUES);
    assert_true(effect.passed);
}

// S12: an arrive under a lane condition is divergent too, and waits for its own warp.
static void test_divergent(void **state)
{
    (void)state;
    struct barlint_cta cta;
    struct barlint_named_op arrive = arrive_op(1, 64), all = sync_op(0, 0);
    arrive.aligned = all.aligned = true;
    barlint_cta_start(&cta, 64);
    struct barlint_effect effect = barlint_cta_join(&cta, 0, 1, &arrive);
    EXPECT_ONE(effect, NAMED_DIVERGENT, CONTINUES);
    assert_false(effect.passed);
    EXPECT_ONE(barlint_cta_join(&cta, 1, 0xffff, &all), SYNC_DIVERGENT, CONTINUES);
    cta.block.live[0] = 1; // the others have exited: fine
    barlint_named_slot_clear(&cta.slot[1]);
    barlint_named_warp_clear(&cta.warp[1][0]);
    EXPECT_CLEAN(barlint_cta_join(&cta, 0, 1, &arrive));
}

// S6, S7: warps at two places can serve one generation; only the aligned form forbids it.
static void test_two_sites(void **state)
{
    (void)state;
    for (int aligned = 0; aligned < 4; aligned++) {
        struct barlint_cta cta;
        struct barlint_named_op a = sync_op(0, 0), b = a;
        a.site = 10;
        b.site = 20;
        a.aligned = aligned & 1;
        b.aligned = aligned & 2;
        barlint_cta_start(&cta, 64);
        EXPECT_CLEAN(join(&cta, 0, a));
        struct barlint_effect effect = join(&cta, 1, b);
        assert_true(effect.completed);
        if (aligned == 0) {
            EXPECT_CLEAN(effect);
        } else {
            EXPECT_ONE(effect, SYNC_TWO_SITES, CONTINUES);
        }
        // Lane by lane within a warp: the form that is not aligned meets, the aligned one hangs.
        barlint_cta_start(&cta, 32);
        effect = barlint_cta_join(&cta, 0, 0xffff, &a);
        assert_int_equal(barlint_effect_has(effect, BARLINT_SYNC_DIVERGENT), a.aligned);
        effect = barlint_cta_join(&cta, 0, 0xffff0000, &b);
        assert_int_equal(barlint_effect_has(effect, BARLINT_SYNC_TWO_SITES), aligned != 0);
        assert_int_equal(barlint_effect_has(effect, BARLINT_SYNC_DIVERGENT), b.aligned);
        assert_int_equal(effect.hardware, aligned ? BARLINT_HANGS : BARLINT_CONTINUES);
        assert_int_equal(cta.slot[0].generation, aligned ? 0 : 1);
        uint32_t missing;
        struct barlint_violations waits =
            barlint_named_check_lanes(&cta.warp[0][0], &cta.block, 0, &missing);
        assert_int_equal(barlint_violations_has(waits, BARLINT_NAMED_WARP_SPLIT), aligned != 0);
        assert_int_equal(missing, 0);
        // With a count, several places are the rule for warps and hang lanes of one all the same.
        struct barlint_named_op counted = sync_op(1, 32);
        counted.site = 30;
        counted.aligned = true;
        a.id = 1;
        a.count = 32;
        barlint_cta_start(&cta, 32);
        barlint_cta_join(&cta, 0, 0xffff, &a);
        EXPECT_TWO(barlint_cta_join(&cta, 0, 0xffff0000, &counted), NAMED_DIVERGENT,
                   NAMED_WARP_SPLIT, HANGS);
        a.id = 0;
        barlint_cta_start(&cta, 64);
        a.count = b.count = 64;
        EXPECT_CLEAN(join(&cta, 0, a));
        EXPECT_CLEAN(join(&cta, 1, b));
    }
}

// Within a warp: two counts or two barriers abort, two kinds of operation hang.
static void test_lanes_disagree(void **state)
{
    (void)state;
    struct barlint_cta cta;
    struct barlint_named_op a = sync_op(1, 64), b = sync_op(1, 96), c = sync_op(2, 64);
    barlint_cta_start(&cta, 96);
    EXPECT_CLEAN(barlint_cta_join(&cta, 0, 1, &a));
    EXPECT_ONE(barlint_cta_join(&cta, 0, 2, &b), NAMED_COUNT_MISMATCH, TRAPS);
    barlint_cta_start(&cta, 96);
    EXPECT_CLEAN(barlint_cta_join(&cta, 0, 1, &a));
    EXPECT_ONE(barlint_cta_join(&cta, 0, 2, &c), NAMED_WARP_SPLIT, TRAPS);
    EXPECT_CLEAN(barlint_cta_join(&cta, 1, 2, &c)); // another warp
    for (uint8_t kind = BARLINT_NAMED_ARRIVE; kind <= BARLINT_NAMED_RED; kind++) {
        uint32_t missing;
        c = a;
        c.kind = kind;
        barlint_cta_start(&cta, 64);
        EXPECT_CLEAN(barlint_cta_join(&cta, 0, 0xffff, &a));
        struct barlint_violations waits =
            barlint_named_check_lanes(&cta.warp[1][0], &cta.block, 0, &missing);
        EXPECT_SET(waits, NAMED_DIVERGENT);
        assert_int_equal(missing, 0xffff0000);
        struct barlint_effect effect = barlint_cta_join(&cta, 0, 0xffff0000, &c);
        EXPECT_ONE(effect, NAMED_WARP_SPLIT, HANGS);
        assert_false(effect.counted || effect.passed);
        EXPECT_SET(barlint_named_check_lanes(&cta.warp[1][0], &cta.block, 0, &missing),
                   NAMED_WARP_SPLIT);
        assert_int_equal(missing, 0);
    }
    uint32_t missing = 1;
    EXPECT_NO_SET(barlint_named_check_lanes(&cta.warp[1][1], &cta.block, 1, &missing));
    assert_int_equal(missing, 0);
}

// S13: what bar.arrive leaves over harms nobody.
static void test_left_over(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 64);
    EXPECT_CLEAN(barlint_named_cta_end(&cta.slot[1]));
    EXPECT_CLEAN(join(&cta, 0, arrive_op(1, 64)));
    EXPECT_ONE(barlint_named_cta_end(&cta.slot[1]), NAMED_LEFT_OVER, CONTINUES);
    struct barlint_named_stuck stuck = barlint_named_check_stuck(&cta.slot[1], &cta.block);
    assert_false(stuck.for_ever);
    EXPECT_SET(stuck.violations, NAMED_LEFT_OVER);
}

// S5: a skipped __syncthreads shifts the pairing; it hangs only if the skipper never comes.
static void test_skipped_sync(void **state)
{
    (void)state;
    struct barlint_cta cta;
    struct barlint_named_op first = sync_op(0, 0), second = sync_op(0, 0);
    first.site = 1;
    second.site = 2;
    first.aligned = second.aligned = true;
    barlint_cta_start(&cta, 64);
    EXPECT_CLEAN(join(&cta, 0, first));
    struct barlint_named_stuck stuck = barlint_named_check_stuck(&cta.slot[0], &cta.block);
    assert_true(stuck.for_ever);
    assert_int_equal(stuck.missing, 2);
    EXPECT_SET(stuck.violations, SYNC_DIVERGENT);
    struct barlint_effect effect = join(&cta, 1, second); // the skipper's next one
    EXPECT_ONE(effect, SYNC_TWO_SITES, CONTINUES);
    assert_true(effect.completed);
    EXPECT_CLEAN(join(&cta, 0, second));
    effect = exit_on(&cta, 0, 1, ALL_LANES);
    EXPECT_ONE(effect, EXIT_BEFORE_SYNC, CONTINUES);
}

// The level of whole warps by itself.
static void test_count(void **state)
{
    (void)state;
    struct barlint_block block;
    struct barlint_named_slot slot;
    struct barlint_named_op sync = sync_op(1, 64), arrive = arrive_op(1, 64);
    barlint_block_start(&block, 64);
    barlint_named_slot_clear(&slot);
    struct barlint_effect effect = barlint_named_count(&slot, &block, 0, &sync);
    EXPECT_CLEAN(effect);
    assert_true(effect.counted && !effect.passed && !effect.completed);
    effect = barlint_named_count(&slot, &block, 1, &arrive);
    EXPECT_CLEAN(effect);
    assert_true(effect.counted && effect.passed && effect.completed);
    assert_int_equal(effect.released, 1);
}

// A warp has exited, but those that live would be enough: it is not the exit.
static void test_stuck_despite_exit(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 128);
    EXPECT_CLEAN(join(&cta, 0, sync_op(1, 64)));
    EXPECT_CLEAN(exit_on(&cta, 1, 3, ALL_LANES));
    struct barlint_named_stuck stuck = barlint_named_check_stuck(&cta.slot[1], &cta.block);
    assert_int_equal(stuck.exited, 8);
    assert_int_equal(stuck.missing, 6);
    EXPECT_SET(stuck.violations, NAMED_PARTICIPANTS);
}

static void test_order_cycle(void **state)
{
    (void)state;
    struct barlint_cta cta;
    barlint_cta_start(&cta, 96);
    join(&cta, 0, sync_op(1, 64));
    assert_int_equal(barlint_named_order_cycle(cta.slot, &cta.block), 0);
    join(&cta, 1, sync_op(2, 64));
    assert_int_equal(barlint_named_order_cycle(cta.slot, &cta.block), 6);
    barlint_cta_start(&cta, 96); // a chain is no circle
    join(&cta, 0, arrive_op(1, 96));
    join(&cta, 1, sync_op(1, 96));
    join(&cta, 2, sync_op(2, 64));
    join(&cta, 0, arrive_op(2, 96));
    assert_int_equal(barlint_named_order_cycle(cta.slot, &cta.block), 0);
    barlint_cta_start(&cta, 96); // three barriers, three warps
    join(&cta, 0, sync_op(3, 96));
    join(&cta, 1, sync_op(4, 96));
    join(&cta, 2, sync_op(5, 96));
    assert_int_equal(barlint_named_order_cycle(cta.slot, &cta.block), 0x38);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_all_form),
        cmocka_unit_test(test_producer_consumer),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_lane_exit_completes_the_warp),
        cmocka_unit_test(test_exit_all_form),
        cmocka_unit_test(test_exit_count_form),
        cmocka_unit_test(test_id_range),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_counted_twice),
        cmocka_unit_test(test_mismatches),
        cmocka_unit_test(test_slot_zero),
        cmocka_unit_test(test_surplus),
        cmocka_unit_test(test_double_arrive),
        cmocka_unit_test(test_divergent),
        cmocka_unit_test(test_two_sites),
        cmocka_unit_test(test_lanes_disagree),
        cmocka_unit_test(test_left_over),
        cmocka_unit_test(test_skipped_sync),
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_stuck_despite_exit),
        cmocka_unit_test(test_order_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
