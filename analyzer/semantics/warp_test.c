// Warp barriers: their violations, and every sequence of steps of four lanes against a reference
// that asks of each waiting lane whether all it waits for have come. Where the machine says that a
// step hangs, no continuation may let the lane go.
#include "expect.h"

static void test_complete(void **state)
{
    (void)state;
    struct barlint_warp warp;
    barlint_warp_start(&warp, 0xffffffff);
    struct barlint_effect effect =
        barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xffffffff, 0xffff, 1);
    EXPECT_CLEAN(effect);
    assert_false(effect.passed);
    // By mask, not by place: another __syncwarp serves as well.
    effect = barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xffffffff, 0xffff0000, 2);
    EXPECT_CLEAN(effect);
    assert_true(effect.passed && effect.completed);
    assert_int_equal(effect.released, 0xffffffff);
    assert_int_equal(warp.pending, 0);
}

static void test_mask_self(void **state)
{
    (void)state;
    struct barlint_warp warp;
    barlint_warp_start(&warp, 0xffffffff);
    struct barlint_effect effect = barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xf, 0xf0, 0);
    EXPECT_ONE(effect, WARP_MASK_SELF, TRAPS);
    assert_true(effect.passed);
    assert_int_equal(warp.pending, 0);
    effect = barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xf, 0x1f, 0);
    EXPECT_ONE(effect, WARP_MASK_SELF, TRAPS);
    assert_int_equal(effect.released, 0x1f);
}

// An inner __syncwarp of half the warp while the other half waits at the outer one: legal.
static void test_nested_masks(void **state)
{
    (void)state;
    struct barlint_warp warp;
    barlint_warp_start(&warp, 0xffffffff);
    EXPECT_CLEAN(barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xffffffff, 0xffff0000, 0));
    EXPECT_CLEAN(barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xffff, 0xff, 0));
    struct barlint_effect effect = barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xffff, 0xff00, 0);
    EXPECT_CLEAN(effect);
    assert_int_equal(effect.released, 0xffff);
    effect = barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xffffffff, 0xffff, 0);
    assert_int_equal(effect.released, 0xffffffff);
}

static void test_masks_that_disagree(void **state)
{
    (void)state;
    struct barlint_warp warp;
    barlint_warp_start(&warp, 0xffffffff);
    EXPECT_CLEAN(barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xff, 0xf, 0));
    EXPECT_ONE(barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xfff, 0xf0, 0), WARP_MASK_AGREE, HANGS);
    struct barlint_warp_stuck stuck = barlint_warp_check_stuck(&warp);
    assert_true(stuck.for_ever);
    assert_int_equal(stuck.waiting, 0xff);
    assert_int_equal(stuck.missing, 0xfff);
    EXPECT_SET(stuck.violations, WARP_MASK_AGREE);
    // The same mask and two operations: the lanes wait for each other.
    barlint_warp_start(&warp, 0xffffffff);
    EXPECT_CLEAN(barlint_warp_join(&warp, BARLINT_WARP_SYNC, 0xff, 0xf, 0));
    EXPECT_TWO(barlint_warp_join(&warp, BARLINT_WARP_ELECT_SYNC, 0xff, 0xf0, 0), WARP_ELECT,
               WARP_MASK_AGREE, UNKNOWN);
}

// S43: lanes that live elsewhere are waited for, lanes that exited are not.
static void test_exits(void **state)
{
    (void)state;
    struct barlint_warp warp;
    barlint_warp_start(&warp, 0xffffffff);
    EXPECT_CLEAN(barlint_warp_join(&warp, BARLINT_WARP_ELECT_SYNC, 0xffffffff, 0xffff, 0));
    struct barlint_warp_stuck stuck = barlint_warp_check_stuck(&warp);
    assert_true(stuck.for_ever);
    assert_int_equal(stuck.missing, 0xffff0000);
    EXPECT_SET(stuck.violations, WARP_ELECT);
    assert_false(barlint_warp_exit(&warp, 0xff000000).completed);
    struct barlint_effect effect = barlint_warp_exit(&warp, 0x00ff0000);
    assert_true(effect.completed);
    assert_int_equal(effect.released, 0xffff);
    assert_false(barlint_warp_check_stuck(&warp).for_ever);
    assert_int_equal(barlint_warp_leader(0xffffffff, 0xfffffff0), 4);
    assert_int_equal(barlint_warp_leader(0xf, 0xf0), 32);
}

// Every lane alone in a rendezvous of its own: no overflow.
static void test_full_table(void **state)
{
    (void)state;
    struct barlint_warp warp;
    barlint_warp_start(&warp, 0xffffffff);
    for (uint32_t lane = 0; lane < 32; lane++) {
        barlint_warp_join(&warp, 100 + lane, 0xffffffff, 1u << lane, 0);
    }
    assert_int_equal(warp.pending, 32);
    barlint_warp_join(&warp, 1000, 0xffffffff, 1, 0); // a caller's mistake: lane 0 waits already
    assert_int_equal(warp.pending, 32);
}

#define LANES 4
#define LONGEST 5
#define MASKS 5

static const uint32_t mask_table[MASKS] = {0xf, 0x3, 0xc, 0x6, 0xf};
enum { EXIT = MASKS, ACTS }; // act 4 is elect.sync, with the full mask

struct event {
    int lane, act;
};

// One event in a world where each lane runs (-1), is gone (-2), or waits in an act (0 and up).
static void live_through(int *where, struct event event)
{
    int lane = event.lane, act = event.act;
    where[lane] = act == EXIT ? -2 : (mask_table[act] >> lane & 1) != 0 ? act : -1;
    for (int a = 0; a < MASKS; a++) {
        bool complete = true;
        for (int k = 0; k < LANES; k++) {
            bool named = (mask_table[a] >> k & 1) != 0;
            complete = complete && (!named || where[k] == a || where[k] == -2);
        }
        for (int k = 0; k < LANES && complete; k++) {
            where[k] = where[k] == a ? -1 : where[k];
        }
    }
}

static void replay(const struct event *list, int length, int *where)
{
    for (int lane = 0; lane < LANES; lane++) {
        where[lane] = -1;
    }
    for (int i = 0; i < length; i++) {
        live_through(where, list[i]);
    }
}

static bool seen_world[7 * 7 * 7 * 7];

// Can any continuation let the waiting lane go? Visits every world that can be reached.
static bool can_be_released(const int *where, int lane)
{
    int index = 0;
    if (where[lane] < 0) {
        return true;
    }
    for (int k = 0; k < LANES; k++) {
        index = index * 7 + where[k] + 2;
    }
    if (seen_world[index]) {
        return false;
    }
    seen_world[index] = true;
    for (int k = 0; k < LANES; k++) {
        for (int act = 0; act < ACTS && where[k] == -1; act++) {
            int next[LANES];
            memcpy(next, where, sizeof next);
            live_through(next, (struct event){k, act});
            if (can_be_released(next, lane)) {
                return true;
            }
        }
    }
    return false;
}

static long extend(const struct barlint_warp *before, struct event *list, int length)
{
    long compared = 0;
    int where[LANES], after[LANES];
    replay(list, length, where);
    for (int lane = 0; lane < LANES; lane++) {
        for (int act = 0; act < ACTS && where[lane] == -1; act++) {
            struct barlint_warp warp = *before;
            uint32_t bit = 1u << lane, released = 0, waiting = 0;
            list[length] = (struct event){lane, act};
            replay(list, length + 1, after);
            struct barlint_effect effect =
                act == EXIT ? barlint_warp_exit(&warp, bit)
                            : barlint_warp_join(&warp, act == 4, mask_table[act], bit, 0);
            for (int k = 0; k < LANES; k++) {
                bool went = (where[k] >= 0 || k == lane) && after[k] == -1;
                released |= went ? 1u << k : 0;
                waiting |= after[k] >= 0 ? 1u << k : 0;
            }
            assert_int_equal(effect.released, released);
            assert_int_equal(barlint_warp_check_stuck(&warp).waiting, waiting);
            bool outside = act != EXIT && (mask_table[act] >> lane & 1) == 0;
            assert_int_equal(barlint_effect_has(effect, BARLINT_WARP_MASK_SELF), outside);
            if (barlint_effect_has(effect, BARLINT_WARP_MASK_AGREE) ||
                barlint_effect_has(effect, BARLINT_WARP_ELECT)) {
                memset(seen_world, 0, sizeof seen_world);
                assert_false(can_be_released(after, lane));
                compared++;
                continue;
            }
            compared++;
            if (length + 1 < LONGEST) {
                compared += extend(&warp, list, length + 1);
            }
        }
    }
    return compared;
}

static void test_all_sequences(void **state)
{
    (void)state;
    struct barlint_warp warp;
    struct event list[LONGEST];
    barlint_warp_start(&warp, 0xf);
    assert_true(extend(&warp, list, 0) > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complete),      cmocka_unit_test(test_mask_self),
        cmocka_unit_test(test_nested_masks),  cmocka_unit_test(test_masks_that_disagree),
        cmocka_unit_test(test_exits),         cmocka_unit_test(test_full_table),
        cmocka_unit_test(test_all_sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
