// The mbarrier machine, one violation and one subtle truth at a time.
#include "expect.h"

static struct barlint_actor thread_of(uint32_t thread)
{
    return barlint_actor_of(thread, 0);
}

static struct barlint_mbarrier live(uint32_t count)
{
    struct barlint_mbarrier m;
    barlint_mbarrier_clear(&m, 7, 0);
    EXPECT_CLEAN(barlint_mbarrier_init(&m, NULL, BARLINT_LAYOUT_V0, count, 0));
    return m;
}

// Completes the current phase of an object of count 1 and sees it.
static void turn(struct barlint_mbarrier *m)
{
    EXPECT_CLEAN(barlint_mbarrier_arrive(m, NULL, 1, NULL));
    EXPECT_CLEAN(barlint_mbarrier_test_parity(m, NULL, (m->phase - 1) & 1));
}

static void test_init_sets_the_first_phase(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(128);
    assert_int_equal(m.state, BARLINT_LIVE);
    assert_int_equal(m.phase, 0);
    assert_int_equal(m.pending, 128);
    assert_int_equal(m.expected, 128);
    assert_int_equal(m.tx, 0);
    assert_true(m.seen);
}

// S32: zeroed or untouched memory is no object; an arrive aborts, a test answers.
static void test_use_before_init(void **state)
{
    (void)state;
    struct barlint_mbarrier m;
    barlint_mbarrier_clear(&m, 1, 0);
    struct barlint_token token;
    EXPECT_ONE(barlint_mbarrier_arrive(&m, NULL, 1, &token), INIT_MISSING, TRAPS);
    assert_int_equal(token.state, BARLINT_TOKEN_ISSUED);
    struct barlint_effect effect = barlint_mbarrier_test_parity(&m, NULL, 0);
    EXPECT_ONE(effect, INIT_MISSING, CONTINUES);
    assert_false(effect.passed);
    effect = barlint_mbarrier_test_parity(&m, NULL, 1);
    assert_true(effect.passed);
    EXPECT_ONE(barlint_mbarrier_expect_tx(&m, NULL, 16), INIT_MISSING, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_complete_tx(&m, NULL, 16), INIT_MISSING, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_inval(&m, NULL, 0), INIT_MISSING, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_async_issue(&m, NULL, BARLINT_ASYNC_INC), INIT_MISSING, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_async_arrive(&m, BARLINT_ASYNC_INC), INIT_MISSING, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_issue_copy(&m, NULL, 16), INIT_MISSING, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_land_copy(&m, 16), INIT_MISSING, UNKNOWN);
    assert_int_equal(m.state, BARLINT_RAW);
    EXPECT_CLEAN(barlint_mbarrier_touch(&m, true));
}

static void test_init_needs_a_barrier_before_other_threads(void **state)
{
    (void)state;
    struct barlint_mbarrier m;
    struct barlint_actor a = thread_of(0), b = thread_of(40), c = thread_of(3);
    barlint_mbarrier_clear(&m, 1, 0);
    EXPECT_CLEAN(barlint_mbarrier_init(&m, &a, BARLINT_LAYOUT_V0, 8, 0));
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, &a, 1, NULL));
    EXPECT_ONE(barlint_mbarrier_arrive(&m, &b, 1, NULL), INIT_NO_SYNC, CONTINUES);
    // __syncwarp helps the initialising warp only.
    b.warp_epoch = 1;
    EXPECT_ONE(barlint_mbarrier_arrive(&m, &b, 1, NULL), INIT_NO_SYNC, CONTINUES);
    EXPECT_ONE(barlint_mbarrier_arrive(&m, &c, 1, NULL), INIT_NO_SYNC, CONTINUES);
    c.warp_epoch = 1;
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, &c, 1, NULL));
    b.block_epoch = 1;
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, &b, 1, NULL));
    b.block_epoch = 0;
    b.cluster_epoch = 1;
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, &b, 1, NULL));
    b.cluster_epoch = 0;
    b.ordered = true;
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, &b, 1, NULL));
}

// A use in the same epoch is as wrong when it happens to come before the init.
static void test_late_init_without_barrier(void **state)
{
    (void)state;
    struct barlint_mbarrier m;
    struct barlint_actor a = thread_of(0), b = thread_of(40);
    barlint_mbarrier_clear(&m, 1, 0);
    EXPECT_ONE(barlint_mbarrier_arrive(&m, &b, 1, NULL), INIT_MISSING, TRAPS);
    EXPECT_ONE(barlint_mbarrier_init(&m, &a, BARLINT_LAYOUT_V0, 8, 0), INIT_NO_SYNC, CONTINUES);
    barlint_mbarrier_clear(&m, 1, 0);
    EXPECT_ONE(barlint_mbarrier_arrive(&m, &b, 1, NULL), INIT_MISSING, TRAPS);
    a.block_epoch = 1; // then it was missing, and a barrier would not have helped
    EXPECT_CLEAN(barlint_mbarrier_init(&m, &a, BARLINT_LAYOUT_V0, 8, 0));
}

static void test_init_by_many_and_again(void **state)
{
    (void)state;
    struct barlint_mbarrier m;
    struct barlint_actor a = thread_of(0), b = thread_of(1);
    barlint_mbarrier_clear(&m, 1, 0);
    EXPECT_CLEAN(barlint_mbarrier_init(&m, &a, BARLINT_LAYOUT_V0, 2, 0));
    EXPECT_ONE(barlint_mbarrier_init(&m, &b, BARLINT_LAYOUT_V0, 2, 0), INIT_BY_MANY, CONTINUES);
    EXPECT_ONE(barlint_mbarrier_init(&m, &b, BARLINT_LAYOUT_V0, 2, 0), INIT_REINIT_LIVE, CONTINUES);
    a.block_epoch = 1;
    EXPECT_ONE(barlint_mbarrier_init(&m, &a, BARLINT_LAYOUT_V0, 2, 0), INIT_REINIT_LIVE, CONTINUES);
    EXPECT_CLEAN(barlint_mbarrier_inval(&m, &a, 0));
    EXPECT_CLEAN(barlint_mbarrier_init(&m, &b, BARLINT_LAYOUT_V0, 2, 0));
    assert_int_equal(m.life, 5);
}

// S36: the range depends on the layout and on the API.
static void test_init_count_range(void **state)
{
    (void)state;
    struct {
        enum barlint_layout layout;
        uint32_t count, api;
        enum barlint_violation want;
        enum barlint_hardware hardware;
    } row[] = {
        {BARLINT_LAYOUT_V0, 1, 0, NONE, BARLINT_CONTINUES},
        {BARLINT_LAYOUT_V0, 0, 0, BARLINT_INIT_COUNT_ZERO, BARLINT_UNKNOWN},
        {BARLINT_LAYOUT_V0, 0xfffff, 0, NONE, BARLINT_CONTINUES},
        {BARLINT_LAYOUT_V0, 0x100000, 0, BARLINT_INIT_COUNT_ABOVE, BARLINT_UNKNOWN},
        {BARLINT_LAYOUT_V0, 0xffffffff, 0, BARLINT_INIT_COUNT_ABOVE, BARLINT_UNKNOWN},
        {BARLINT_LAYOUT_V0, 16383, 16383, NONE, BARLINT_CONTINUES},
        {BARLINT_LAYOUT_V0, 16384, 16383, BARLINT_INIT_COUNT_API, BARLINT_CONTINUES},
        {BARLINT_LAYOUT_V1, 511, 0, NONE, BARLINT_CONTINUES},
        {BARLINT_LAYOUT_V1, 512, 0, BARLINT_INIT_COUNT_ABOVE, BARLINT_UNKNOWN},
        {BARLINT_LAYOUT_SOFTWARE, 0x7fffffff, 0, NONE, BARLINT_CONTINUES},
        {BARLINT_LAYOUT_SOFTWARE, 0x80000000, 0, BARLINT_INIT_COUNT_ABOVE, BARLINT_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct barlint_mbarrier m;
        barlint_mbarrier_clear(&m, 1, 0);
        struct barlint_effect effect =
            barlint_mbarrier_init(&m, NULL, row[i].layout, row[i].count, row[i].api);
        expect_effect(effect, set_of(row[i].want, NONE, NONE, NONE), row[i].hardware, __FILE__,
                      __LINE__);
        assert_int_equal(m.state, BARLINT_LIVE);
        assert_true(m.expected <= barlint_count_max(row[i].layout));
    }
}

// S31: inval is needed before the bytes are used again, and only then.
static void test_inval_and_after(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(2);
    EXPECT_ONE(barlint_mbarrier_touch(&m, true), INIT_RAW_ACCESS, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_touch(&m, false), INIT_RAW_ACCESS, CONTINUES);
    EXPECT_CLEAN(barlint_mbarrier_cta_end(&m));
    EXPECT_CLEAN(barlint_mbarrier_inval(&m, NULL, 0));
    assert_int_equal(m.state, BARLINT_DEAD);
    EXPECT_CLEAN(barlint_mbarrier_touch(&m, true));
    EXPECT_ONE(barlint_mbarrier_arrive(&m, NULL, 1, NULL), INIT_USE_AFTER_INVAL, CONTINUES);
    EXPECT_ONE(barlint_mbarrier_test_parity(&m, NULL, 0), INIT_USE_AFTER_INVAL, CONTINUES);
    EXPECT_TWO(barlint_mbarrier_inval(&m, NULL, 0), INIT_USE_AFTER_INVAL, INIT_INVAL_MID_PHASE,
               CONTINUES);
}

static void test_inval_in_use(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(2);
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, NULL, 1, NULL));
    EXPECT_TWO(barlint_mbarrier_inval(&m, NULL, 1), INIT_INVAL_WAITERS, INIT_INVAL_MID_PHASE,
               UNKNOWN);
    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, 16));
    EXPECT_ONE(barlint_mbarrier_inval(&m, NULL, 0), EXIT_INFLIGHT, UNKNOWN);
    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_async_issue(&m, NULL, BARLINT_ASYNC_NOINC));
    EXPECT_ONE(barlint_mbarrier_inval(&m, NULL, 0), EXIT_INFLIGHT, UNKNOWN);
}

// Copies that are under way when the CTA ends: announced, in part, or by nobody.
static void test_end_with_copies(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(2);
    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, 16));
    EXPECT_ONE(barlint_mbarrier_cta_end(&m), TX_NO_EXPECT, UNKNOWN);
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, 16));
    EXPECT_ONE(barlint_mbarrier_cta_end(&m), EXIT_INFLIGHT, UNKNOWN);
    EXPECT_CLEAN(barlint_mbarrier_land_copy(&m, 16));
    EXPECT_CLEAN(barlint_mbarrier_cta_end(&m));
    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, 16));
    EXPECT_ONE(barlint_mbarrier_cta_end(&m), EXIT_INFLIGHT, UNKNOWN);
}

static void test_placement(void **state)
{
    (void)state;
    enum barlint_place own = BARLINT_PLACE_OWN, peer = BARLINT_PLACE_PEER;
    EXPECT_CLEAN(barlint_mbarrier_check_address(1024, own, BARLINT_ADDRESS_OWNER));
    EXPECT_ONE(barlint_mbarrier_check_address(1028, own, BARLINT_ADDRESS_OWNER), INIT_MISALIGNED,
               TRAPS);
    EXPECT_ONE(barlint_mbarrier_check_address(0, BARLINT_PLACE_OTHER, BARLINT_ADDRESS_SHARED),
               INIT_PLACE_OTHER, TRAPS);
    EXPECT_ONE(barlint_mbarrier_check_address(0, peer, BARLINT_ADDRESS_OWNER), INIT_PLACE_PEER,
               UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_check_address(0, peer, BARLINT_ADDRESS_TOKEN), PHASE_REMOTE_TOKEN,
               UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_check_address(0, peer, BARLINT_ADDRESS_WAIT), PHASE_WAIT_REMOTE,
               TRAPS);
    EXPECT_CLEAN(barlint_mbarrier_check_address(0, peer, BARLINT_ADDRESS_SHARED));
    struct barlint_mbarrier m;
    struct barlint_actor other = barlint_actor_of(0, 1);
    barlint_mbarrier_clear(&m, 1, 0);
    EXPECT_ONE(barlint_mbarrier_init(&m, &other, BARLINT_LAYOUT_V0, 1, 0), INIT_PLACE_PEER,
               UNKNOWN);
    m = live(1);
    EXPECT_ONE(barlint_mbarrier_inval(&m, &other, 0), INIT_PLACE_PEER, UNKNOWN);
}

// S33, S38: other CTAs need the fence and the cluster barrier, in that order; they never wait here.
static void test_other_ctas(void **state)
{
    (void)state;
    struct barlint_mbarrier m;
    struct barlint_actor a = thread_of(0), other = barlint_actor_of(0, 1), peer = thread_of(9);
    barlint_mbarrier_clear(&m, 1, 0);
    EXPECT_CLEAN(barlint_mbarrier_init(&m, &a, BARLINT_LAYOUT_V0, 8, 0));
    EXPECT_ONE(barlint_mbarrier_arrive(&m, &other, 1, NULL), INIT_CLUSTER_SYNC, CONTINUES);
    other.block_epoch = 5; // a block barrier of another CTA publishes nothing
    EXPECT_ONE(barlint_mbarrier_arrive(&m, &other, 1, NULL), INIT_CLUSTER_SYNC, CONTINUES);
    other.cluster_epoch = 1;
    EXPECT_ONE(barlint_mbarrier_arrive(&m, &other, 1, NULL), INIT_CLUSTER_FENCE, CONTINUES);
    barlint_mbarrier_fence(&m, &peer); // by a thread that did not initialise
    assert_false(m.fenced);
    a.cluster_epoch = 1;
    barlint_mbarrier_fence(&m, &a); // after the cluster barrier: too late
    assert_false(m.fenced);
    a.cluster_epoch = 0;
    barlint_mbarrier_fence(&m, &a);
    struct barlint_token token;
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, &other, 1, &token));
    assert_true(token.remote);
    EXPECT_ONE(barlint_mbarrier_test_parity(&m, &other, 0), PHASE_WAIT_REMOTE, TRAPS);
    EXPECT_TWO(barlint_mbarrier_test_token(&m, &other, &token), PHASE_WAIT_REMOTE,
               PHASE_REMOTE_TOKEN, TRAPS);
    EXPECT_ONE(barlint_mbarrier_test_token(&m, &a, &token), PHASE_REMOTE_TOKEN, UNKNOWN);
}

// S35: a software barrier may be waited for by other blocks and knows no transactions.
static void test_software_barrier(void **state)
{
    (void)state;
    struct barlint_mbarrier m;
    struct barlint_actor other = barlint_actor_of(0, 1);
    struct barlint_token token;
    barlint_mbarrier_clear(&m, 1, 0);
    EXPECT_CLEAN(barlint_mbarrier_init(&m, NULL, BARLINT_LAYOUT_SOFTWARE, 1, 0));
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, &other, 1, &token));
    EXPECT_CLEAN(barlint_mbarrier_test_token(&m, &other, &token));
    EXPECT_ONE(barlint_mbarrier_expect_tx(&m, NULL, 16), TX_SOFTWARE, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_complete_tx(&m, NULL, 16), TX_SOFTWARE, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_issue_copy(&m, NULL, 16), TX_SOFTWARE, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_arrive_expect_tx(&m, NULL, 16, NULL), TX_SOFTWARE, UNKNOWN);
    EXPECT_CLEAN(barlint_mbarrier_touch(&m, true));
    struct barlint_actor a = thread_of(4);
    barlint_mbarrier_completion_begin(&m, &a);
    EXPECT_ONE(barlint_mbarrier_arrive(&m, &a, 1, NULL), ARRIVE_COMPLETION_FN, HANGS);
    barlint_mbarrier_completion_end(&m);
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, &a, 1, NULL));
    a.thread = 0;
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, &a, 1, NULL));
}

// S22: the hardware compares one bit; tokens carry their identity here.
static void test_tokens(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1), n = live(1);
    struct barlint_token t0, t1, foreign, none = barlint_token_none();
    n.object = 8;
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, NULL, 1, &t0));
    struct barlint_effect effect = barlint_mbarrier_test_token(&m, NULL, &t0);
    EXPECT_CLEAN(effect);
    assert_true(effect.passed);
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, NULL, 1, &t1));
    effect = barlint_mbarrier_test_token(&m, NULL, &t0); // two phases old: blocks
    EXPECT_ONE(effect, PHASE_STALE_TOKEN, CONTINUES);
    assert_false(effect.passed);
    assert_true(barlint_mbarrier_test_token(&m, NULL, &t1).passed);
    turn(&m);
    effect = barlint_mbarrier_test_token(&m, NULL, &t0); // three: passes as if it were the last
    EXPECT_ONE(effect, PHASE_STALE_TOKEN, CONTINUES);
    assert_true(effect.passed);
    EXPECT_CLEAN(barlint_mbarrier_arrive(&n, NULL, 1, &foreign));
    effect = barlint_mbarrier_test_token(&m, NULL, &foreign);
    EXPECT_ONE(effect, PHASE_FOREIGN_TOKEN, CONTINUES);
    assert_true(effect.passed); // bit 0 against phase 3
    EXPECT_ONE(barlint_mbarrier_test_token(&m, NULL, &none), PHASE_TOKEN_NEVER_ISSUED, UNKNOWN);
    barlint_token_consume(&t1);
    EXPECT_TWO(barlint_mbarrier_test_token(&m, NULL, &t1), PHASE_TOKEN_CONSUMED, PHASE_STALE_TOKEN,
               CONTINUES);
    barlint_token_consume(&none);
    assert_int_equal(none.state, BARLINT_TOKEN_NONE);
}

static void test_token_of_an_earlier_life(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(2);
    struct barlint_token token;
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, NULL, 1, &token));
    EXPECT_ONE(barlint_mbarrier_init(&m, NULL, BARLINT_LAYOUT_V0, 2, 0), INIT_REINIT_LIVE,
               CONTINUES);
    EXPECT_ONE(barlint_mbarrier_test_token(&m, NULL, &token), PHASE_STALE_TOKEN, CONTINUES);
}

// S42: one wait must return true in every phase, before anybody arrives in the next.
static void test_unobserved_phase(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, NULL, 1, NULL));
    EXPECT_ONE(barlint_mbarrier_arrive(&m, NULL, 1, NULL), PHASE_UNOBSERVED, CONTINUES);
    EXPECT_CLEAN(barlint_mbarrier_test_parity(&m, NULL, 0)); // of phase 2: false, sees nothing
    EXPECT_ONE(barlint_mbarrier_arrive(&m, NULL, 1, NULL), PHASE_UNOBSERVED, CONTINUES);
    EXPECT_CLEAN(barlint_mbarrier_test_parity(&m, NULL, 0));
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, NULL, 1, NULL));
}

// S20: on a fresh object parity 1 is over, parity 0 is not.
static void test_fresh_parities(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1);
    assert_false(barlint_mbarrier_test_parity(&m, NULL, 0).passed);
    assert_true(barlint_mbarrier_test_parity(&m, NULL, 1).passed);
    EXPECT_ONE(barlint_mbarrier_test_parity(&m, NULL, 2), PHASE_PARITY_RANGE, CONTINUES);
    assert_false(barlint_mbarrier_test_parity(&m, NULL, 2).passed); // its lowest bit counts
    assert_true(barlint_mbarrier_test_parity(&m, NULL, 3).passed);
}

// S24, S28: a merged arrive underflows at once; the same lanes one by one go through phases.
static void test_arrive_over(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1);
    EXPECT_ONE(barlint_mbarrier_arrive(&m, NULL, 32, NULL), ARRIVE_OVER, TRAPS);
    m = live(1);
    for (int lane = 0; lane < 32; lane++) {
        struct barlint_effect effect = barlint_mbarrier_arrive(&m, NULL, 1, NULL);
        assert_true(effect.completed);
        assert_int_equal(effect.hardware, BARLINT_CONTINUES);
    }
    assert_int_equal(m.phase, 32);
    m = live(4);
    EXPECT_ONE(barlint_mbarrier_arrive(&m, NULL, 0, NULL), ARRIVE_COUNT_ZERO, CONTINUES);
    assert_int_equal(m.pending, 4);
    EXPECT_TWO(barlint_mbarrier_arrive(&m, NULL, 0x100000, NULL), ARRIVE_OVER, ARRIVE_COUNT_RANGE,
               TRAPS);
}

static void test_no_complete(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(2);
    struct barlint_token token, plain;
    uint32_t count = 0;
    EXPECT_CLEAN(barlint_mbarrier_arrive_no_complete(&m, NULL, 1, &token));
    EXPECT_CLEAN(barlint_token_pending_count(&token, &count));
    assert_int_equal(count, 2);
    struct barlint_effect effect = barlint_mbarrier_arrive_no_complete(&m, NULL, 1, &token);
    EXPECT_ONE(effect, ARRIVE_NOCOMPLETE, CONTINUES); // measured: it completes
    assert_true(effect.completed);
    m = live(1); // bytes on their way keep the phase open: no violation
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, 16));
    EXPECT_CLEAN(barlint_mbarrier_arrive_no_complete(&m, NULL, 1, NULL));
    assert_true(barlint_mbarrier_complete_tx(&m, NULL, 16).completed);
    m = live(2);
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, NULL, 1, &plain));
    EXPECT_ONE(barlint_token_pending_count(&plain, &count), ARRIVE_PENDING_COUNT, UNKNOWN);
    plain = barlint_token_none();
    EXPECT_ONE(barlint_token_pending_count(&plain, &count), PHASE_TOKEN_NEVER_ISSUED, UNKNOWN);
    EXPECT_CLEAN(barlint_mbarrier_check_arrive_form(2, true, 80));
    EXPECT_CLEAN(barlint_mbarrier_check_arrive_form(1, false, 80));
    EXPECT_CLEAN(barlint_mbarrier_check_arrive_form(2, false, 90));
    EXPECT_ONE(barlint_mbarrier_check_arrive_form(2, false, 86), ARRIVE_COUNT_SM80, UNKNOWN);
}

// S29, S30: a drop lowers the count of later phases; the last one leaves nothing to use.
static void test_drop(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(2);
    struct barlint_effect effect = barlint_mbarrier_arrive_drop(&m, NULL, 1, NULL);
    EXPECT_CLEAN(effect);
    assert_int_equal(m.expected, 1);
    assert_int_equal(m.pending, 1);
    turn(&m);
    assert_int_equal(m.pending, 1);
    effect = barlint_mbarrier_arrive_drop(&m, NULL, 1, NULL);
    EXPECT_ONE(effect, EXIT_DROP_TO_ZERO, CONTINUES);
    assert_true(effect.completed);
    assert_int_equal(m.pending, 0);
    EXPECT_CLEAN(barlint_mbarrier_test_parity(&m, NULL, 1));
    EXPECT_ONE(barlint_mbarrier_arrive(&m, NULL, 1, NULL), ARRIVE_OVER, TRAPS);
    m = live(2);
    EXPECT_TWO(barlint_mbarrier_arrive_drop(&m, NULL, 3, NULL), EXIT_DROP_TO_ZERO, ARRIVE_OVER,
               TRAPS);
}

// S26: both counts must be 0 at one instant; announcing after the last arrival is too late.
static void test_transactions(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, 16)); // the copy may be quicker
    EXPECT_CLEAN(barlint_mbarrier_land_copy(&m, 16));
    assert_int_equal(m.tx, -16);
    assert_true(barlint_mbarrier_arrive_expect_tx(&m, NULL, 16, NULL).completed);
    EXPECT_CLEAN(barlint_mbarrier_test_parity(&m, NULL, 0));

    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, 16));
    struct barlint_effect effect = barlint_mbarrier_arrive(&m, NULL, 1, NULL);
    EXPECT_ONE(effect, TX_NO_EXPECT, CONTINUES);
    assert_true(effect.completed);
    EXPECT_ONE(barlint_mbarrier_expect_tx(&m, NULL, 16), TX_LATE_EXPECT, CONTINUES);
    EXPECT_CLEAN(barlint_mbarrier_land_copy(&m, 16));

    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_complete_tx(&m, NULL, 16));
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, NULL, 1, NULL));
    effect = barlint_mbarrier_expect_tx(&m, NULL, 16); // measured: ends the phase
    EXPECT_ONE(effect, TX_LATE_EXPECT, CONTINUES);
    assert_true(effect.completed);

    // More than the last arrival announced, before a copy has been issued: the phase is open still.
    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_arrive_expect_tx(&m, NULL, 16, NULL));
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, 32));
    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, 32));
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, 16)); // 16 are owed
    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, 32));
    EXPECT_ONE(barlint_mbarrier_expect_tx(&m, NULL, 16), TX_LATE_EXPECT, CONTINUES);
}

// S27: too few bytes announced may end the phase between two pieces of the copy.
static void test_too_few_bytes(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_arrive_expect_tx(&m, NULL, 16, NULL));
    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, 32));
    struct barlint_effect effect = barlint_mbarrier_land_copy(&m, 16);
    EXPECT_ONE(effect, TX_BYTES_FEW, CONTINUES);
    assert_true(effect.completed);
    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_arrive_expect_tx(&m, NULL, 16, NULL));
    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, 32));
    assert_false(barlint_mbarrier_land_copy(&m, 32).completed); // at once: below 0, and stays
    assert_int_equal(m.tx, -16);
}

static void test_tx_range(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, BARLINT_TX_MAX));
    EXPECT_ONE(barlint_mbarrier_expect_tx(&m, NULL, 1), TX_RANGE, UNKNOWN);
    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_complete_tx(&m, NULL, BARLINT_TX_MAX));
    EXPECT_ONE(barlint_mbarrier_complete_tx(&m, NULL, 1), TX_RANGE, TRAPS);
    m = live(1);
    EXPECT_ONE(barlint_mbarrier_expect_tx(&m, NULL, 0x100000), TX_RANGE, TRAPS);
    m = live(1);
    EXPECT_ONE(barlint_mbarrier_complete_tx(&m, NULL, UINT32_MAX), TX_RANGE, TRAPS);
    assert_int_equal(m.tx, INT32_MIN);
    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, BARLINT_TX_MAX));
    EXPECT_ONE(barlint_mbarrier_complete_tx(&m, NULL, BARLINT_TX_MAX + 1), TX_RANGE, TRAPS);
    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, UINT32_MAX - 1));
    EXPECT_CLEAN(barlint_mbarrier_issue_copy(&m, NULL, 5));
    assert_int_equal(m.bytes_in_flight, UINT32_MAX);
    barlint_mbarrier_land_copy(&m, UINT32_MAX);
    assert_int_equal(m.bytes_in_flight, 0);
    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, 16));
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, 32));
    assert_int_equal(m.announced, 48);
    m.announced = UINT32_MAX - 5;
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, 16));
    assert_int_equal(m.announced, UINT32_MAX);
    m = live(1); // a small negative operand takes away
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, 16));
    EXPECT_ONE(barlint_mbarrier_expect_tx(&m, NULL, UINT32_MAX - 15), TX_RANGE, CONTINUES);
    assert_int_equal(m.tx, 0);
}

static void test_leader(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1);
    struct barlint_actor a = thread_of(0), b = thread_of(1);
    EXPECT_CLEAN(barlint_mbarrier_arrive_expect_tx(&m, &a, 16, NULL));
    struct barlint_mbarrier again = m;
    EXPECT_TWO(barlint_mbarrier_arrive_expect_tx(&m, &b, 16, NULL), TX_LEADER, ARRIVE_OVER, TRAPS);
    EXPECT_ONE(barlint_mbarrier_arrive_expect_tx(&again, &a, 16, NULL), ARRIVE_OVER, TRAPS);
    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_arrive_expect_tx(&m, &b, 16, NULL));
    EXPECT_ONE(barlint_mbarrier_arrive_expect_tx(&m, &b, 16, NULL), ARRIVE_OVER, TRAPS);
    m = live(2); // two announcers that are both counted: right
    EXPECT_CLEAN(barlint_mbarrier_arrive_expect_tx(&m, &a, 16, NULL));
    EXPECT_CLEAN(barlint_mbarrier_arrive_expect_tx(&m, &b, 16, NULL));
}

// S25, S39: asynchronous arrivals count; the plain form leaves the balance unchanged.
static void test_async_arrivals(void **state)
{
    (void)state;
    struct barlint_mbarrier m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_async_issue(&m, NULL, BARLINT_ASYNC_INC));
    assert_int_equal(m.pending, 2);
    struct barlint_effect effect = barlint_mbarrier_async_arrive(&m, BARLINT_ASYNC_INC);
    EXPECT_CLEAN(effect);
    assert_false(effect.completed); // somebody must still arrive
    assert_true(barlint_mbarrier_arrive(&m, NULL, 1, NULL).completed);
    assert_int_equal(m.pending, 1); // the increment was for that phase only
    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_async_issue(&m, NULL, BARLINT_ASYNC_NOINC));
    assert_true(barlint_mbarrier_async_arrive(&m, BARLINT_ASYNC_NOINC).completed);
    m = live(1);
    EXPECT_CLEAN(barlint_mbarrier_expect_tx(&m, NULL, 16));
    EXPECT_CLEAN(barlint_mbarrier_arrive(&m, NULL, 1, NULL));
    EXPECT_ONE(barlint_mbarrier_async_arrive(&m, BARLINT_ASYNC_NOINC), TX_NOINC, TRAPS);
    EXPECT_ONE(barlint_mbarrier_async_arrive(&m, BARLINT_ASYNC_COMMIT), INIT_COUNT_MISMATCH, TRAPS);
    EXPECT_ONE(barlint_mbarrier_async_arrive(&m, BARLINT_ASYNC_INC), ARRIVE_OVER, TRAPS);
    m = live(BARLINT_COUNT_MAX_V0);
    EXPECT_ONE(barlint_mbarrier_async_issue(&m, NULL, BARLINT_ASYNC_INC), TX_INC_RANGE, UNKNOWN);
    EXPECT_ONE(barlint_mbarrier_cta_end(&m), EXIT_INFLIGHT, UNKNOWN);
}

static void test_conditional_phase(void **state)
{
    (void)state;
    struct barlint_mbarrier m;
    barlint_mbarrier_clear(&m, 1, 0);
    EXPECT_CLEAN(barlint_mbarrier_init(&m, NULL, BARLINT_LAYOUT_V1, 1, 0));
    turn(&m);
    assert_true(barlint_mbarrier_test_conditional(&m, 0));
    barlint_mbarrier_report(&m);
    turn(&m);
    assert_int_equal(m.phase, 2);
    assert_false(barlint_mbarrier_test_conditional(&m, 1));
    turn(&m);
    assert_true(barlint_mbarrier_test_conditional(&m, 1));
}

static void test_names(void **state)
{
    (void)state;
    assert_true(BARLINT_VIOLATION_COUNT_ <= 128);
    for (uint32_t v = 0; v < BARLINT_VIOLATION_COUNT_; v++) {
        enum barlint_violation violation = (enum barlint_violation)v;
        assert_true(strlen(barlint_violation_rule(violation)) > 4);
        assert_non_null(strchr(barlint_violation_rule(violation), '-'));
        assert_true(strlen(barlint_violation_contract(violation)) > 10);
        assert_true(strlen(barlint_violation_section(violation)) > 3);
        struct barlint_violations one = set_of(violation, NONE, NONE, NONE);
        assert_int_equal(barlint_violations_next(one, 0), v);
        assert_int_equal(barlint_violations_next(one, v + 1), BARLINT_VIOLATION_COUNT_);
        assert_true(barlint_violations_has(one, violation));
        assert_false(barlint_violations_empty(one));
    }
    assert_string_equal(barlint_violation_rule(BARLINT_ARRIVE_OVER), "arrive-over");
    assert_string_equal(barlint_violation_rule(BARLINT_VIOLATION_COUNT_), "");
    assert_string_equal(barlint_violation_name(BARLINT_TX_RANGE), "TX_RANGE");
    for (uint32_t bits = 0; bits < 1u << 16; bits++) {
        uint32_t want = 0;
        for (uint32_t b = bits; b; b &= b - 1) {
            want++;
        }
        assert_int_equal(barlint_popcount(bits), want);
        assert_int_equal(barlint_popcount(bits << 16), want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_init_sets_the_first_phase),
        cmocka_unit_test(test_use_before_init),
        cmocka_unit_test(test_init_needs_a_barrier_before_other_threads),
        cmocka_unit_test(test_late_init_without_barrier),
        cmocka_unit_test(test_init_by_many_and_again),
        cmocka_unit_test(test_init_count_range),
        cmocka_unit_test(test_inval_and_after),
        cmocka_unit_test(test_inval_in_use),
        cmocka_unit_test(test_end_with_copies),
        cmocka_unit_test(test_placement),
        cmocka_unit_test(test_other_ctas),
        cmocka_unit_test(test_software_barrier),
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_token_of_an_earlier_life),
        cmocka_unit_test(test_unobserved_phase),
        cmocka_unit_test(test_fresh_parities),
        cmocka_unit_test(test_arrive_over),
        cmocka_unit_test(test_no_complete),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_transactions),
        cmocka_unit_test(test_too_few_bytes),
        cmocka_unit_test(test_tx_range),
        cmocka_unit_test(test_leader),
        cmocka_unit_test(test_async_arrivals),
        cmocka_unit_test(test_conditional_phase),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
