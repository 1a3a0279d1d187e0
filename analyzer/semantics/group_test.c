// Cooperative-groups tokens: violations, and all sequences of steps of three threads against the
// list of events.
#include "expect.h"

static void test_token_of_another_group(void **state)
{
    (void)state;
    struct barlint_group a, b;
    struct barlint_group_thread in_a, in_b;
    struct barlint_group_token token;
    barlint_group_start(&a, 1, 1);
    barlint_group_start(&b, 2, 1);
    barlint_group_thread_clear(&in_a);
    barlint_group_thread_clear(&in_b);
    EXPECT_CLEAN(barlint_group_arrive(&a, &in_a, &token));
    EXPECT_TWO(barlint_group_wait(&b, &in_b, &token), GROUP_FOREIGN_TOKEN, GROUP_WAIT_NONE,
               CONTINUES);
    assert_false(token.valid);
    EXPECT_ONE(barlint_group_wait(&a, &in_a, &token), GROUP_WAIT_NONE, CONTINUES); // moved from
}

// S52: barrier_arrive of a block generates nothing; the contract holds all the same.
static void test_between_arrive_and_wait(void **state)
{
    (void)state;
    struct barlint_group group;
    struct barlint_group_thread thread;
    struct barlint_group_token token;
    barlint_group_start(&group, 1, 2);
    barlint_group_thread_clear(&thread);
    EXPECT_NO_SET(barlint_group_collective(&thread));
    EXPECT_CLEAN(barlint_group_arrive(&group, &thread, &token));
    EXPECT_SET(barlint_group_collective(&thread), GROUP_COLLECTIVE_HELD);
    assert_int_equal(barlint_group_missing(&group, &thread), 1);
    EXPECT_ONE(barlint_group_arrive(&group, &thread, &token), GROUP_ARRIVE_HELD, CONTINUES);
    assert_int_equal(barlint_group_missing(&group, &thread), 0);
    EXPECT_ONE(barlint_group_thread_exit(&group, &thread), GROUP_NEVER_WAITED, CONTINUES);
    EXPECT_CLEAN(barlint_group_thread_exit(&group, &thread));
}

#define THREADS 3
#define LONGEST 7

enum act {
    ARRIVE,
    WAIT,
    EXIT,
};

struct event {
    int thread;
    enum act act;
};

struct scene {
    struct barlint_group group;
    struct barlint_group_thread thread[THREADS];
    struct barlint_group_token token[THREADS];
    bool gone[THREADS];
};

// In the contract's terms: has everybody who has not left arrived as often as `thread` has?
// Sequences in which somebody arrives twice in a row are judged for their violations only.
static bool all_have_arrived(const struct event *list, int length, int thread)
{
    int own = 0;
    for (int i = 0; i < length; i++) {
        own += list[i].thread == thread && list[i].act == ARRIVE;
    }
    for (int t = 0; t < THREADS; t++) {
        int arrived = 0;
        bool gone = false;
        for (int i = 0; i < length; i++) {
            arrived += list[i].thread == t && list[i].act == ARRIVE;
            gone = gone || (list[i].thread == t && list[i].act == EXIT);
        }
        if (!gone && arrived < own) {
            return false;
        }
    }
    return true;
}

static bool holds(const struct event *list, int length, int thread)
{
    bool held = false;
    for (int i = 0; i < length; i++) {
        held = list[i].thread == thread ? list[i].act == ARRIVE : held;
    }
    return held;
}

static long extend(const struct scene *before, struct event *list, int length)
{
    long compared = 0;
    for (int t = 0; t < THREADS; t++) {
        for (int act = ARRIVE; act <= EXIT && !before->gone[t]; act++) {
            struct scene scene = *before;
            bool held = holds(list, length, t);
            struct barlint_effect effect;
            enum barlint_violation want = NONE;
            list[length] = (struct event){t, (enum act)act};
            compared++;
            if (act == ARRIVE) {
                effect = barlint_group_arrive(&scene.group, &scene.thread[t], &scene.token[t]);
                want = held ? BARLINT_GROUP_ARRIVE_HELD : NONE;
                assert_true(effect.passed);
            } else if (act == WAIT) {
                effect = barlint_group_wait(&scene.group, &scene.thread[t], &scene.token[t]);
                want = held ? NONE : BARLINT_GROUP_WAIT_NONE;
                assert_int_equal(effect.passed, !held || all_have_arrived(list, length, t));
            } else {
                effect = barlint_group_thread_exit(&scene.group, &scene.thread[t]);
                want = held ? BARLINT_GROUP_NEVER_WAITED : NONE;
                scene.gone[t] = true;
            }
            expect_set(effect.violations, set_of(want, NONE, NONE, NONE), __FILE__, __LINE__);
            bool undefined = want == BARLINT_GROUP_ARRIVE_HELD;
            if (length + 1 < LONGEST && !undefined && !(act == WAIT && !effect.passed)) {
                compared += extend(&scene, list, length + 1);
            }
        }
    }
    return compared;
}

static void test_all_sequences(void **state)
{
    (void)state;
    struct scene scene;
    struct event list[LONGEST];
    memset(&scene, 0, sizeof scene);
    barlint_group_start(&scene.group, 1, THREADS);
    assert_true(extend(&scene, list, 0) > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_token_of_another_group),
        cmocka_unit_test(test_between_arrive_and_wait),
        cmocka_unit_test(test_all_sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
