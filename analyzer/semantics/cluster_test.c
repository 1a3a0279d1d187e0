// The cluster barrier: its violations, and every sequence of steps of four threads in two CTAs
// against a reference that works from the list of events.
#include "expect.h"

static void test_in_and_out(void **state)
{
    (void)state;
    struct barlint_cluster cluster;
    struct barlint_cluster_thread a, b;
    barlint_cluster_start(&cluster, 2, 1);
    barlint_cluster_thread_clear(&a);
    barlint_cluster_thread_clear(&b);
    for (int round = 0; round < 3; round++) {
        EXPECT_CLEAN(barlint_cluster_arrive(&cluster, &a, 0));
        assert_false(barlint_cluster_wait(&cluster, &a).passed);
        assert_true(barlint_cluster_arrive(&cluster, &b, 1).completed);
        assert_true(barlint_cluster_wait(&cluster, &a).passed);
        assert_true(barlint_cluster_wait(&cluster, &b).passed);
        assert_false(a.in || b.in);
    }
    assert_int_equal(cluster.phase, 3);
}

// Two arrives without a wait and a wait without an arrive lose synchronisation silently.
static void test_pairing(void **state)
{
    (void)state;
    struct barlint_cluster cluster;
    struct barlint_cluster_thread a;
    barlint_cluster_start(&cluster, 2, 1);
    barlint_cluster_thread_clear(&a);
    struct barlint_effect effect = barlint_cluster_wait(&cluster, &a);
    EXPECT_ONE(effect, CLUSTER_WAIT_ALONE, CONTINUES);
    assert_true(effect.passed);
    EXPECT_CLEAN(barlint_cluster_arrive(&cluster, &a, 0));
    effect = barlint_cluster_arrive(&cluster, &a, 0);
    EXPECT_ONE(effect, CLUSTER_ARRIVE_TWICE, CONTINUES);
    assert_false(
        effect.passed); // it waits for the phase of the first one, then counts for the next
    struct barlint_cluster_thread b;
    barlint_cluster_thread_clear(&b);
    assert_true(barlint_cluster_arrive(&cluster, &b, 1).completed);
    effect = barlint_cluster_arrive(&cluster, &a, 0);
    EXPECT_ONE(effect, CLUSTER_ARRIVE_TWICE, CONTINUES);
    assert_true(effect.passed);
    assert_false(barlint_cluster_wait(&cluster, &a).passed);
    assert_int_equal(cluster.arrived[0], 1);
}

static void test_exit_and_peers(void **state)
{
    (void)state;
    struct barlint_cluster cluster;
    struct barlint_cluster_thread a, b;
    barlint_cluster_start(&cluster, 2, 1);
    barlint_cluster_thread_clear(&a);
    barlint_cluster_thread_clear(&b);
    EXPECT_CLEAN(barlint_cluster_arrive(&cluster, &a, 0));
    struct barlint_cluster_stuck stuck = barlint_cluster_check_stuck(&cluster, &a);
    assert_true(stuck.for_ever);
    assert_int_equal(stuck.missing[0], 0);
    assert_int_equal(stuck.missing[1], 1);
    EXPECT_SET(stuck.violations, CLUSTER_DIVERGENT);
    assert_true(barlint_cluster_thread_exit(&cluster, &b, 1).completed);
    assert_false(barlint_cluster_check_stuck(&cluster, &a).for_ever);
    assert_true(barlint_cluster_wait(&cluster, &a).passed);
    barlint_cluster_thread_exit(&cluster, &b, 1); // once more than there are threads
    assert_int_equal(cluster.live[1], 0);
    EXPECT_CLEAN(barlint_cluster_check_remote(1, false, true));
    EXPECT_ONE(barlint_cluster_check_remote(0, false, true), CLUSTER_DSMEM_START, UNKNOWN);
    EXPECT_ONE(barlint_cluster_check_remote(1, true, true), CLUSTER_EXIT, TRAPS);
    EXPECT_ONE(barlint_cluster_check_remote(1, true, false), CLUSTER_EXIT, CONTINUES);
    EXPECT_NO_SET(barlint_cluster_check_aligned(0xff, 0xff));
    EXPECT_SET(barlint_cluster_check_aligned(0xf, 0xff), CLUSTER_UNALIGNED);
}

// Without a cluster launch the barrier is that of the one CTA.
static void test_single_cta(void **state)
{
    (void)state;
    struct barlint_cluster cluster;
    struct barlint_cluster_thread a;
    barlint_cluster_start(&cluster, 1, 1);
    barlint_cluster_thread_clear(&a);
    assert_true(barlint_cluster_arrive(&cluster, &a, 0).completed);
    assert_true(barlint_cluster_wait(&cluster, &a).passed);
}

// The threads of a warp at once come to the same as one after the other.
static void test_many_at_once(void **state)
{
    (void)state;
    struct barlint_cluster one, many;
    struct barlint_cluster_thread a[8], b[8];
    barlint_cluster_start(&one, 2, 4);
    barlint_cluster_start(&many, 2, 4);
    for (int t = 0; t < 8; t++) {
        barlint_cluster_thread_clear(&a[t]);
        barlint_cluster_thread_clear(&b[t]);
    }
    for (uint32_t round = 0; round < 12; round++) {
        struct barlint_effect together = barlint_effect_none();
        uint32_t cta = round % 2, gone = round < 8 ? 0 : (round - 8) / 2, counted = 0, ended = 0;
        bool completed = false;
        uint32_t phase = many.phase;
        for (uint32_t t = 4 * cta + gone; t < 4 * cta + 4; t++) {
            if (round >= 8 && t % 4 == gone) {
                completed |= barlint_cluster_thread_exit(&one, &a[t], cta).completed;
                ended += barlint_cluster_thread_ends(&b[t], phase);
            } else {
                completed |= barlint_cluster_arrive(&one, &a[t], cta).completed;
                counted += barlint_cluster_thread_arrives(&b[t], phase).passed;
            }
        }
        barlint_cluster_leave(&many, cta, round >= 8, ended, &together);
        barlint_cluster_count(&many, cta, counted, &together);
        assert_int_equal(together.completed, completed);
        assert_memory_equal(&one, &many, sizeof one);
        for (int t = 0; t < 8; t++) {
            bool passes = barlint_cluster_wait(&one, &a[t]).passed;
            assert_int_equal(barlint_cluster_thread_waits(&b[t], many.phase).passed, passes);
        }
    }
    assert_int_equal(many.phase, 6);
    assert_int_equal(many.live_in_all, 4);
}

#define THREADS 4
#define LONGEST 6

enum act {
    ARRIVE,
    WAIT,
    EXIT,
};

struct event {
    int thread;
    enum act act;
};

// How many phases have ended, and since which event the present one runs: a phase ends when every
// thread that lives has arrived in it.
static int phases(const struct event *list, int length, int *out_start)
{
    int ended = 0, start = 0;
    for (int i = 0; i < length; i++) {
        bool over = list[i].act != WAIT, any = false;
        for (int t = 0; t < THREADS; t++) {
            bool gone = false, arrived = false;
            for (int k = 0; k <= i; k++) {
                gone = gone || (list[k].thread == t && list[k].act == EXIT);
                arrived = arrived || (k >= start && list[k].thread == t && list[k].act == ARRIVE);
            }
            any = any || (arrived && !gone);
            over = over && (gone || arrived);
        }
        if (over && any) {
            ended++;
            start = i + 1;
        }
    }
    *out_start = start;
    return ended;
}

// Was the last thing that `thread` did before event `at` to arrive?
static int last_arrive(const struct event *list, int at, int thread)
{
    for (int i = at - 1; i >= 0; i--) {
        if (list[i].thread == thread) {
            return list[i].act == ARRIVE ? i : -1;
        }
    }
    return -1;
}

static long extend(const struct barlint_cluster *cluster,
                   const struct barlint_cluster_thread *threads, const bool *gone,
                   struct event *list, int length)
{
    long compared = 0;
    for (int t = 0; t < THREADS; t++) {
        for (int act = ARRIVE; act <= EXIT && !gone[t]; act++) {
            struct barlint_cluster c = *cluster;
            struct barlint_cluster_thread next[THREADS];
            bool left[THREADS];
            int start;
            uint32_t cta = (uint32_t)t / 2;
            memcpy(next, threads, sizeof next);
            memcpy(left, gone, sizeof left);
            list[length] = (struct event){t, (enum act)act};
            int arrived = last_arrive(list, length, t);
            int before = phases(list, length, &start);
            struct barlint_effect effect = act == ARRIVE ? barlint_cluster_arrive(&c, &next[t], cta)
                                           : act == WAIT
                                               ? barlint_cluster_wait(&c, &next[t])
                                               : barlint_cluster_thread_exit(&c, &next[t], cta);
            if (act == WAIT) {
                // It passes when the phase arrived in has ended, or when it has arrived in none.
                bool passes = arrived < start;
                assert_int_equal(effect.passed, passes);
                expect_set(
                    effect.violations,
                    set_of(arrived < 0 ? BARLINT_CLUSTER_WAIT_ALONE : NONE, NONE, NONE, NONE),
                    __FILE__, __LINE__);
                if (!passes) {
                    continue;
                }
            } else {
                expect_set(
                    effect.violations,
                    set_of(act == ARRIVE && arrived >= 0 ? BARLINT_CLUSTER_ARRIVE_TWICE : NONE,
                           NONE, NONE, NONE),
                    __FILE__, __LINE__);
                if (act == ARRIVE) {
                    assert_int_equal(effect.passed, arrived < start);
                    if (arrived >= start) {
                        continue; // blocks, the event has not happened
                    }
                }
                int after = phases(list, length + 1, &start);
                assert_int_equal(effect.completed, after > before);
                assert_int_equal(c.phase, after);
                left[t] = act == EXIT;
            }
            compared++;
            if (length + 1 < LONGEST) {
                compared += extend(&c, next, left, list, length + 1);
            }
        }
    }
    return compared;
}

static void test_all_sequences(void **state)
{
    (void)state;
    struct barlint_cluster cluster;
    struct barlint_cluster_thread threads[THREADS];
    bool gone[THREADS] = {false};
    struct event list[LONGEST];
    barlint_cluster_start(&cluster, 2, 2);
    for (int t = 0; t < THREADS; t++) {
        barlint_cluster_thread_clear(&threads[t]);
    }
    assert_true(extend(&cluster, threads, gone, list, 0) > 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_and_out),     cmocka_unit_test(test_pairing),
        cmocka_unit_test(test_exit_and_peers), cmocka_unit_test(test_single_cta),
        cmocka_unit_test(test_many_at_once),   cmocka_unit_test(test_all_sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
