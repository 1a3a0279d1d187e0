// Pipelines: the calls of one thread, exhaustively; the stage against the pair of mbarriers it
// stands for, in all interleavings; CUTLASS's ring state against its closed form.
#include "expect.h"

// One thread. The reference reads the calls so far as a string.

#define LONGEST 7

static int count_calls(const char *calls, char call)
{
    int count = 0;
    for (; *calls; calls++) {
        count += *calls == call;
    }
    return count;
}

// Of two calls, did `a` come after the last `b`?
static bool is_open(const char *calls, char a, char b)
{
    const char *last_a = strrchr(calls, a), *last_b = strrchr(calls, b);
    return last_a && (!last_b || last_a > last_b);
}

static struct barlint_violations judge(const char *calls, char call, int role, int stages,
                                       int furthest)
{
    struct barlint_violations set = barlint_violations_none();
    bool produces = call == 'a' || call == 'c', consumes = call == 'w' || call == 'r';
    int kept = count_calls(calls, 'c') - count_calls(calls, 'r');
    bool acquired = is_open(calls, 'a', 'c'), waited = is_open(calls, 'w', 'r');
    if (strchr(calls, 'q')) {
        barlint_violations_add(&set, BARLINT_PIPE_AFTER_QUIT);
        if (call == 'q') {
            return set;
        }
    }
    if ((produces && role == BARLINT_PIPE_CONSUMER) ||
        (consumes && role == BARLINT_PIPE_PRODUCER)) {
        barlint_violations_add(&set, BARLINT_PIPE_ROLE);
    }
    if (call == 'a' && acquired) {
        barlint_violations_add(&set, BARLINT_PIPE_ACQUIRE_TWICE);
    }
    if (call == 'a' && role == BARLINT_PIPE_BOTH && kept >= stages) {
        barlint_violations_add(&set, BARLINT_PIPE_OVERRUN);
    }
    if (call == 'c' && !acquired) {
        barlint_violations_add(&set, BARLINT_PIPE_COMMIT_ALONE);
    }
    if (call == 'w' && waited) {
        barlint_violations_add(&set, BARLINT_PIPE_WAIT_TWICE);
    }
    if (call == 'w' && role == BARLINT_PIPE_BOTH && kept <= 0) {
        barlint_violations_add(&set, BARLINT_PIPE_WAIT_EMPTY);
    }
    if (call == 'r' && !waited) {
        barlint_violations_add(&set, BARLINT_PIPE_RELEASE_ALONE);
    }
    if (call == 'q') {
        int done = count_calls(calls, role == BARLINT_PIPE_CONSUMER ? 'r' : 'c');
        if (acquired || waited || (role == BARLINT_PIPE_BOTH && kept != 0)) {
            barlint_violations_add(&set, BARLINT_PIPE_LEFT_OPEN);
        }
        if (done < furthest) {
            barlint_violations_add(&set, BARLINT_PIPE_QUIT);
        }
    }
    return set;
}

static long extend(struct barlint_pipe_thread before, char *calls, int length)
{
    long compared = 0;
    for (const char *call = "acwrq"; *call; call++) {
        struct barlint_pipe_thread thread = before;
        struct barlint_violations want = judge(calls, *call, thread.role, 2, 2);
        struct barlint_effect effect = *call == 'a'   ? barlint_pipe_acquire(&thread)
                                       : *call == 'c' ? barlint_pipe_commit(&thread)
                                       : *call == 'w' ? barlint_pipe_wait(&thread)
                                       : *call == 'r' ? barlint_pipe_release(&thread)
                                                      : barlint_pipe_leave(&thread, 2);
        if (!same_set(effect.violations, want)) {
            print_set("got", effect.violations);
            print_set("want", want);
            fail_msg("role %d: '%c' after '%s'", thread.role, *call, calls);
        }
        compared++;
        if (length + 1 < LONGEST) {
            calls[length] = *call;
            calls[length + 1] = 0;
            compared += extend(thread, calls, length + 1);
            calls[length] = 0;
        }
    }
    return compared;
}

static void test_all_calls(void **state)
{
    (void)state;
    for (int role = BARLINT_PIPE_PRODUCER; role <= BARLINT_PIPE_BOTH; role++) {
        struct barlint_pipe_thread thread;
        char calls[LONGEST + 1] = "";
        barlint_pipe_start(&thread, 2, (enum barlint_pipe_role)role, false);
        assert_true(extend(thread, calls, 0) > 50000);
    }
}

// What the hardware does about it: only a shared pipeline can hang.
static void test_hangs(void **state)
{
    (void)state;
    for (int local = 0; local < 2; local++) {
        struct barlint_pipe_thread thread;
        uint8_t hangs = local ? BARLINT_CONTINUES : BARLINT_HANGS;
        barlint_pipe_start(&thread, 1, BARLINT_PIPE_BOTH, local);
        assert_int_equal(barlint_pipe_wait(&thread).hardware, hangs);
        barlint_pipe_start(&thread, 1, BARLINT_PIPE_BOTH, local);
        barlint_pipe_acquire(&thread);
        barlint_pipe_commit(&thread);
        assert_int_equal(barlint_pipe_acquire(&thread).hardware, hangs);
        barlint_pipe_start(&thread, 1, BARLINT_PIPE_PRODUCER, local);
        assert_int_equal(barlint_pipe_leave(&thread, 1).hardware, hangs);
    }
    EXPECT_NO_SET(barlint_pipe_check_producers(1, 2));
    EXPECT_SET(barlint_pipe_check_producers(0, 2), PIPE_PRODUCER_COUNT);
    EXPECT_SET(barlint_pipe_check_producers(2, 2), PIPE_PRODUCER_COUNT);
}

// Two stages, two producers, two consumers, four items: in every interleaving the stage machine and
// the full and empty mbarriers agree on who may go on.

#define STAGES 2
#define ROLES 4
#define ITEMS 4

struct scene {
    struct barlint_pipe_stage stage[STAGES];
    struct barlint_mbarrier full[STAGES], empty[STAGES];
    int steps[ROLES]; // even: acquire or wait next; odd: commit or release
};

static unsigned char visited[2 * ITEMS + 1][2 * ITEMS + 1][2 * ITEMS + 1][2 * ITEMS + 1];

static void explore(const struct scene *before, long *ends)
{
    bool moved = false;
    const int *s = before->steps;
    if (visited[s[0]][s[1]][s[2]][s[3]]++) {
        return;
    }
    for (int t = 0; t < ROLES; t++) {
        struct scene scene = *before;
        int item = scene.steps[t] / 2, at = item % STAGES;
        uint32_t round = (uint32_t)(item / STAGES);
        bool producer = t < 2;
        struct barlint_effect machine, barrier;
        if (item >= ITEMS) {
            continue;
        }
        if (scene.steps[t] % 2 == 0) {
            machine = producer ? barlint_pipe_stage_acquire(&scene.stage[at], round)
                               : barlint_pipe_stage_wait(&scene.stage[at], round);
            barrier = barlint_mbarrier_test_parity(producer ? &scene.empty[at] : &scene.full[at],
                                                   NULL, (round & 1) ^ (producer ? 1 : 0));
            assert_int_equal(machine.passed, barrier.passed);
            if (!machine.passed) {
                continue;
            }
        } else {
            machine = producer ? barlint_pipe_stage_commit(&scene.stage[at])
                               : barlint_pipe_stage_release(&scene.stage[at]);
            barrier = barlint_mbarrier_arrive(producer ? &scene.full[at] : &scene.empty[at], NULL,
                                              1, NULL);
            assert_int_equal(machine.completed, barrier.completed);
        }
        EXPECT_CLEAN(machine);
        EXPECT_CLEAN(barrier);
        scene.steps[t]++;
        moved = true;
        explore(&scene, ends);
    }
    if (!moved) {
        for (int t = 0; t < ROLES; t++) {
            assert_int_equal(before->steps[t], 2 * ITEMS);
        }
        (*ends)++;
    }
}

static void test_stages_are_two_mbarriers(void **state)
{
    (void)state;
    struct scene scene;
    long ends = 0;
    memset(&scene, 0, sizeof scene);
    for (int i = 0; i < STAGES; i++) {
        barlint_pipe_stage_start(&scene.stage[i], 2, 2);
        barlint_mbarrier_clear(&scene.full[i], (uint32_t)i, 0);
        barlint_mbarrier_clear(&scene.empty[i], (uint32_t)(STAGES + i), 0);
        barlint_mbarrier_init(&scene.full[i], NULL, BARLINT_LAYOUT_V0, 2, 0);
        barlint_mbarrier_init(&scene.empty[i], NULL, BARLINT_LAYOUT_V0, 2, 0);
    }
    explore(&scene, &ends);
    assert_int_equal(ends, 1);
}

static void test_stage_order(void **state)
{
    (void)state;
    struct barlint_pipe_stage stage;
    barlint_pipe_stage_start(&stage, 1, 1);
    EXPECT_ONE(barlint_pipe_stage_release(&stage), PIPE_STAGE_ORDER, UNKNOWN); // nothing in it
    barlint_pipe_stage_start(&stage, 1, 1);
    EXPECT_ONE(barlint_pipe_stage_commit(&stage), PIPE_STAGE_ORDER, UNKNOWN); // not acquired
    barlint_pipe_stage_start(&stage, 2, 1);
    EXPECT_CLEAN(barlint_pipe_stage_acquire(&stage, 0));
    EXPECT_CLEAN(barlint_pipe_stage_commit(&stage));
    EXPECT_ONE(barlint_pipe_stage_commit(&stage), PIPE_STAGE_ORDER, UNKNOWN); // acquired once
    barlint_pipe_stage_start(&stage, 1, 1);
    assert_false(barlint_pipe_stage_acquire(&stage, 1).passed); // round 0 is to come
    EXPECT_CLEAN(barlint_pipe_stage_acquire(&stage, 0));
    EXPECT_CLEAN(barlint_pipe_stage_commit(&stage));
    EXPECT_ONE(barlint_pipe_stage_acquire(&stage, 0), PIPE_STAGE_ORDER, UNKNOWN); // full already
    EXPECT_CLEAN(barlint_pipe_stage_wait(&stage, 0));
    EXPECT_CLEAN(barlint_pipe_stage_release(&stage));
    EXPECT_ONE(barlint_pipe_stage_wait(&stage, 0), PIPE_STAGE_ORDER, UNKNOWN); // too late
    EXPECT_ONE(barlint_pipe_stage_acquire(&stage, 0), PIPE_STAGE_ORDER, UNKNOWN);
}

static void test_ring(void **state)
{
    (void)state;
    for (uint32_t stages = 1; stages <= 5; stages++) {
        for (int producer = 0; producer < 2; producer++) {
            struct barlint_ring ring, before;
            barlint_ring_start(&ring, stages, producer);
            EXPECT_NO_SET(barlint_ring_check_start(&ring, producer));
            EXPECT_SET(barlint_ring_check_start(&ring, !producer), PIPE_START);
            for (uint32_t n = 0; n < 20; n++) {
                uint32_t round = n / stages;
                assert_int_equal(ring.count, n);
                assert_int_equal(ring.index, n % stages);
                assert_int_equal(ring.phase, (round & 1) ^ (producer ? 1 : 0));
                before = ring;
                barlint_ring_advance(&ring);
                EXPECT_NO_SET(barlint_ring_check_step(&before, &ring));
                struct barlint_ring wrong = ring;
                wrong.phase ^= 1; // a flip too few or too many
                EXPECT_SET(barlint_ring_check_step(&before, &wrong), PIPE_STATE);
                wrong = ring;
                wrong.index++;
                EXPECT_SET(barlint_ring_check_step(&before, &wrong), PIPE_STATE);
            }
            ring.index = stages;
            ring.phase = producer ? 1 : 0;
            EXPECT_SET(barlint_ring_check_start(&ring, producer), PIPE_STATE);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_calls),
        cmocka_unit_test(test_hangs),
        cmocka_unit_test(test_stages_are_two_mbarriers),
        cmocka_unit_test(test_stage_order),
        cmocka_unit_test(test_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
