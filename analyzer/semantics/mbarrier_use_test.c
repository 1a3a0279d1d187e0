// What threads do with an mbarrier: histories, parities, and waits that never end.
#include "expect.h"

static struct barlint_mbarrier live(uint32_t count)
{
    struct barlint_mbarrier m;
    barlint_mbarrier_clear(&m, 7, 0);
    barlint_mbarrier_init(&m, NULL, BARLINT_LAYOUT_V0, count, 0);
    return m;
}

// S21: only the phase a thread means tells a good wait from a bad one. Every phase, wish and
// parity near the object's phase, also where the 32-bit count wraps.
static void test_classify_all(void **state)
{
    (void)state;
    uint32_t phases[] = {0, 1, 2, 3, 100, UINT32_MAX, UINT32_MAX - 1};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        for (int lag = -3; lag <= 5; lag++) {
            for (uint32_t parity = 0; parity < 4; parity++) {
                struct barlint_mbarrier m = live(1);
                m.phase = phases[i];
                uint32_t wanted = m.phase - (uint32_t)lag;
                struct barlint_wait wait = barlint_wait_classify(&m, wanted, parity);
                bool first = wanted == 0 || wanted == UINT32_MAX;
                bool wrong = parity % 2 != wanted % 2;
                struct barlint_violations want = set_of(
                    lag >= 2 ? BARLINT_PHASE_PARITY_LAG : NONE,
                    parity > 1 ? BARLINT_PHASE_PARITY_RANGE : NONE,
                    wrong && first ? BARLINT_PHASE_PARITY_INITIAL : NONE,
                    (wrong && !first) || (!wrong && lag < 0) ? BARLINT_PHASE_PARITY_FLIP : NONE);
                expect_set(wait.violations, want, __FILE__, __LINE__);
                assert_int_equal(wait.ended, lag >= 1);
                assert_int_equal(wait.passes, parity % 2 != m.phase % 2);
                assert_int_equal(wait.timing, lag == 0   ? BARLINT_WAIT_IN_TIME
                                              : lag == 1 ? BARLINT_WAIT_OVER
                                              : lag > 1  ? BARLINT_WAIT_LAGGED
                                                         : BARLINT_WAIT_EARLY);
                if (barlint_violations_empty(wait.violations)) {
                    assert_int_equal(wait.passes, wait.ended);
                }
            }
        }
    }
}

// S20: who fills a buffer that is free at the start waits for the phase before the first.
static void test_next_phase(void **state)
{
    (void)state;
    struct barlint_mbarrier empty = live(1);
    struct barlint_user user;
    barlint_user_clear(&user);
    assert_int_equal(barlint_user_next_phase(&user, false), 0);
    uint32_t wanted = barlint_user_next_phase(&user, true);
    struct barlint_wait wait = barlint_wait_classify(&empty, wanted, 1);
    EXPECT_NO_SET(wait.violations);
    assert_true(wait.passes);
    EXPECT_SET(barlint_wait_classify(&empty, wanted, 0).violations, PHASE_PARITY_INITIAL);
    EXPECT_SET(barlint_wait_classify(&empty, barlint_user_next_phase(&user, false), 1).violations,
               PHASE_PARITY_INITIAL);
    struct barlint_effect effect = barlint_mbarrier_test_parity(&empty, NULL, 1);
    EXPECT_NO_SET(barlint_user_tested(&user, &empty, false, &effect));
    assert_int_equal(barlint_user_next_phase(&user, true), 0);
    EXPECT_SET(barlint_wait_classify(&empty, 0, 1).violations, PHASE_PARITY_INITIAL);
}

// S19: a test that said false has not waited.
static void test_ignored_test(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(2);
    struct barlint_user user;
    barlint_user_clear(&user);
    struct barlint_arrive arrive = barlint_arrive_plain(1);
    EXPECT_NO_SET(barlint_user_arrives(&user, &m, arrive));
    barlint_mbarrier_arrive(&m, NULL, 1, NULL);
    struct barlint_effect effect = barlint_mbarrier_test_parity(&m, NULL, 0);
    EXPECT_NO_SET(barlint_user_tested(&user, &m, false, &effect));
    EXPECT_NO_SET(barlint_user_arrives(&user, &m, arrive)); // still the same phase
    barlint_mbarrier_arrive(&m, NULL, 1, NULL);
    EXPECT_SET(barlint_user_arrives(&user, &m, arrive), PHASE_TRYWAIT_IGNORED);
    EXPECT_NO_SET(barlint_user_arrives(&user, &m, arrive)); // reported once

    barlint_user_clear(&user);
    effect = barlint_mbarrier_test_parity(&m, NULL, 1); // of phase 1, not over
    barlint_user_tested(&user, &m, false, &effect);
    effect = barlint_mbarrier_test_parity(&m, NULL, 0); // then one that passes
    barlint_user_tested(&user, &m, false, &effect);
    m.phase++;
    EXPECT_NO_SET(barlint_user_arrives(&user, &m, arrive));
    assert_int_equal(user.waits, 1);
}

static void test_drop_then_use(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(2);
    struct barlint_user user;
    barlint_user_clear(&user);
    struct barlint_arrive drop = barlint_arrive_plain(1);
    drop.drops = true;
    struct barlint_effect passed = barlint_effect_none();
    EXPECT_NO_SET(barlint_user_arrives(&user, &m, drop));
    EXPECT_NO_SET(barlint_user_exits(&user, 5));
    EXPECT_SET(barlint_user_arrives(&user, &m, barlint_arrive_plain(1)), EXIT_DROP_THEN_USE);
    EXPECT_SET(barlint_user_arrives(&user, &m, drop), EXIT_DROP_THEN_USE);
    EXPECT_SET(barlint_user_tested(&user, &m, true, &passed), EXIT_DROP_THEN_USE);
    EXPECT_NO_SET(barlint_user_tested(&user, &m, false, &passed)); // a parity may be watched
}

// S29: exits never help an mbarrier.
static void test_exit_without_drop(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(2);
    struct barlint_user user;
    barlint_user_clear(&user);
    EXPECT_NO_SET(barlint_user_exits(&user, 5)); // never took part
    barlint_user_arrives(&user, &m, barlint_arrive_plain(1));
    EXPECT_NO_SET(barlint_user_exits(&user, 0));
    EXPECT_SET(barlint_user_exits(&user, 1), EXIT_MISSING_DROP);
}

// S26: the announcement belongs before the thread's own arrive.
static void test_late_expect(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1);
    struct barlint_user user;
    barlint_user_clear(&user);
    EXPECT_NO_SET(barlint_user_expects(&user, &m));
    barlint_user_arrives(&user, &m, barlint_arrive_plain(1));
    barlint_mbarrier_arrive(&m, NULL, 1, NULL);
    EXPECT_SET(barlint_user_expects(&user, &m), TX_LATE_EXPECT);
    struct barlint_effect effect = barlint_mbarrier_test_parity(&m, NULL, 0);
    barlint_user_tested(&user, &m, false, &effect);
    EXPECT_NO_SET(barlint_user_expects(&user, &m)); // it has waited: a new round

    struct barlint_arrive with_bytes = barlint_arrive_plain(1);
    with_bytes.expects = true;
    with_bytes.bytes = 16;
    barlint_user_arrives(&user, &m, with_bytes);
    barlint_mbarrier_arrive_with(&m, NULL, with_bytes, NULL);
    barlint_mbarrier_complete_tx(&m, NULL, 16);
    EXPECT_NO_SET(barlint_user_expects(&user, &m));
    barlint_mbarrier_expect_tx(&m, NULL, 16);
    barlint_user_arrives(&user, &m, barlint_arrive_plain(1));
    barlint_mbarrier_arrive(&m, NULL, 1, NULL);
    barlint_mbarrier_complete_tx(&m, NULL, 16);
    EXPECT_NO_SET(barlint_user_expects(&user, &m)); // it had announced before it arrived
    barlint_user_arrives(&user, &m, barlint_arrive_plain(1));
    barlint_mbarrier_arrive(&m, NULL, 1, NULL);
    EXPECT_SET(barlint_user_expects(&user, &m), TX_LATE_EXPECT); // phase 3 was meant
}

static void test_count_compare(void **state)
{
    (void)state;
    assert_int_equal(barlint_count_compare(128, 128), NONE);
    assert_int_equal(barlint_count_compare(128, 4), BARLINT_ARRIVE_GRANULARITY);
    assert_int_equal(barlint_count_compare(4, 128), BARLINT_ARRIVE_GRANULARITY);
    assert_int_equal(barlint_count_compare(128, 64), BARLINT_INIT_COUNT_MISMATCH);
    assert_int_equal(barlint_count_compare(0, 0), NONE);
    assert_int_equal(barlint_count_compare(32, 0), BARLINT_INIT_COUNT_MISMATCH);
    assert_int_equal(barlint_count_compare(0x8000000, 0x80000000), BARLINT_INIT_COUNT_MISMATCH);
}

static struct barlint_stuck ask(const struct barlint_mbarrier *m, uint32_t arrivals,
                                uint32_t waiters, uint32_t exited, uint32_t elsewhere)
{
    struct barlint_supply supply = barlint_supply_none();
    supply.arrivals = arrivals;
    supply.from_waiters = waiters;
    supply.from_exited = exited;
    supply.from_live = elsewhere;
    supply.arrived = m->expected - m->pending;
    return barlint_mbarrier_check_stuck(m, m->phase, supply);
}

static void test_stuck_for_arrivals(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(64);
    barlint_mbarrier_arrive(&m, NULL, 62, NULL);
    assert_false(ask(&m, 2, 0, 0, 0).for_ever);
    struct barlint_stuck stuck = ask(&m, 1, 0, 0, 0);
    assert_true(stuck.for_ever);
    assert_int_equal(stuck.missing, 1);
    assert_int_equal(stuck.tx, 0);
    EXPECT_SET(stuck.violations, INIT_COUNT_MISMATCH);
    EXPECT_SET(ask(&m, 0, 2, 0, 0).violations, PHASE_SELF_DEADLOCK);
    EXPECT_SET(ask(&m, 0, 0, 2, 0).violations, EXIT_MISSING_DROP);
    EXPECT_SET(ask(&m, 0, 0, 0, 2).violations, ARRIVE_DIVERGENT);
    expect_set(ask(&m, 0, 1, 0, 0).violations,
               set_of(BARLINT_PHASE_SELF_DEADLOCK, BARLINT_INIT_COUNT_MISMATCH, NONE, NONE),
               __FILE__, __LINE__);
    barlint_mbarrier_async_issue(&m, NULL, BARLINT_ASYNC_NOINC); // will arrive by itself
    assert_false(ask(&m, 1, 0, 0, 0).for_ever);
    m = live(128);
    barlint_mbarrier_arrive(&m, NULL, 4, NULL); // one a warp
    EXPECT_SET(ask(&m, 0, 0, 0, 0).violations, ARRIVE_GRANULARITY);
    assert_false(barlint_mbarrier_check_stuck(&m, 1, barlint_supply_none()).for_ever);
}

static void test_stuck_for_bytes(void **state)
{
    (void)state;
    struct barlint_supply none = barlint_supply_none(), some = none;
    some.transactions = true;
    struct barlint_mbarrier m = live(1);
    barlint_mbarrier_arrive_expect_tx(&m, NULL, 64, NULL);
    barlint_mbarrier_issue_copy(&m, NULL, 64);
    assert_false(barlint_mbarrier_check_stuck(&m, 0, none).for_ever); // they will land
    barlint_mbarrier_land_copy(&m, 32);
    assert_false(barlint_mbarrier_check_stuck(&m, 0, none).for_ever);
    m = live(1);
    barlint_mbarrier_arrive_expect_tx(&m, NULL, 64, NULL);
    barlint_mbarrier_issue_copy(&m, NULL, 48);
    struct barlint_stuck stuck = barlint_mbarrier_check_stuck(&m, 0, none);
    assert_true(stuck.for_ever);
    assert_int_equal(stuck.tx, 16);
    EXPECT_SET(stuck.violations, TX_BYTES_MANY);
    assert_false(barlint_mbarrier_check_stuck(&m, 0, some).for_ever);
    m = live(1); // S27: too few: it may or may not touch 0 before the last piece
    barlint_mbarrier_arrive_expect_tx(&m, NULL, 16, NULL);
    barlint_mbarrier_issue_copy(&m, NULL, 32);
    assert_false(barlint_mbarrier_check_stuck(&m, 0, none).for_ever);
    barlint_mbarrier_land_copy(&m, 32);
    stuck = barlint_mbarrier_check_stuck(&m, 0, none);
    assert_int_equal(stuck.tx, -16);
    EXPECT_SET(stuck.violations, TX_BYTES_FEW);
    m = live(1);
    barlint_mbarrier_issue_copy(&m, NULL, 32);
    barlint_mbarrier_land_copy(&m, 32);
    barlint_mbarrier_arrive(&m, NULL, 1, NULL);
    EXPECT_SET(barlint_mbarrier_check_stuck(&m, 0, none).violations, TX_NO_EXPECT);
}

static void test_stuck_two_phases_late(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1);
    for (int i = 0; i < 2; i++) {
        barlint_mbarrier_arrive(&m, NULL, 1, NULL);
        barlint_mbarrier_test_parity(&m, NULL, (uint32_t)i);
    }
    struct barlint_stuck stuck = barlint_mbarrier_check_stuck(&m, 0, barlint_supply_none());
    assert_true(stuck.for_ever);
    expect_set(stuck.violations,
               set_of(BARLINT_PHASE_PARITY_LAG, BARLINT_INIT_COUNT_MISMATCH, NONE, NONE), __FILE__,
               __LINE__);
    struct barlint_supply supply = barlint_supply_none();
    supply.arrivals = 1; // a later phase will let it through
    stuck = barlint_mbarrier_check_stuck(&m, 0, supply);
    assert_false(stuck.for_ever);
    EXPECT_SET(stuck.violations, PHASE_PARITY_LAG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classify_all),      cmocka_unit_test(test_next_phase),
        cmocka_unit_test(test_ignored_test),      cmocka_unit_test(test_drop_then_use),
        cmocka_unit_test(test_exit_without_drop), cmocka_unit_test(test_late_expect),
        cmocka_unit_test(test_count_compare),     cmocka_unit_test(test_stuck_for_arrivals),
        cmocka_unit_test(test_stuck_for_bytes),   cmocka_unit_test(test_stuck_two_phases_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
