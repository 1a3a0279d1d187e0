// The mbarrier machine against the documents' prose, exhaustively: all sequences of operations up
// to a length, and all interleavings of small sets of threads. The reference keeps no state: it
// looks at the list of events so far and works every answer out again.
#include "expect.h"

enum event {
    ARRIVE_1,
    ARRIVE_2,
    NO_COMPLETE,
    DROP,
    EXPECT_TX,
    COMPLETE_TX,
    ARRIVE_EXPECT,
    INC,
    INC_LANDS,
    NOINC_LANDS,
    TEST_0,
    TEST_1,
    TEST_FIRST_TOKEN,
    TEST_LAST_TOKEN,
    EVENTS,
};

#define LONGEST 6

static int arrivals_of(enum event e)
{
    return e == ARRIVE_2 ? 2
           : e == ARRIVE_1 || e == NO_COMPLETE || e == DROP || e == ARRIVE_EXPECT ||
                   e == INC_LANDS || e == NOINC_LANDS
               ? 1
               : 0;
}

static int bytes_of(enum event e)
{
    return e == EXPECT_TX || e == ARRIVE_EXPECT ? 16 : e == COMPLETE_TX ? -16 : 0;
}

static int sum(const enum event *list, int from, int to, int (*value)(enum event))
{
    int total = 0;
    for (int i = from; i < to; i++) {
        total += value(list[i]);
    }
    return total;
}

static int is_drop(enum event e)
{
    return e == DROP;
}

static int is_inc(enum event e)
{
    return e == INC;
}

// The expected count of the phase that began with event `start`: drops of earlier phases lower it.
static int expected_at(const enum event *list, int count, int start)
{
    int left = count - sum(list, 0, start, is_drop);
    return left > 0 ? left : 0;
}

// A phase ends once its pending count and the transaction count are zero together: was that so
// after event `at`, for the phase that began with event `start`?
static bool ends_phase(const enum event *list, int count, int start, int at)
{
    int wanted = expected_at(list, count, start) + sum(list, start, at + 1, is_inc);
    bool counts = arrivals_of(list[at]) != 0 || bytes_of(list[at]) != 0;
    return counts && sum(list, start, at + 1, arrivals_of) == wanted &&
           sum(list, 0, at + 1, bytes_of) == 0;
}

// The phase that event `at` happens in, and the event it began with.
static int phase_at(const enum event *list, int count, int at, int *out_start)
{
    int phase = 0;
    *out_start = 0;
    for (int i = 0; i < at; i++) {
        if (ends_phase(list, count, *out_start, i)) {
            phase++;
            *out_start = i + 1;
        }
    }
    return phase;
}

// The event that issued the first or the last token before `at`; -1 if none did.
static int token_event(const enum event *list, int at, bool first)
{
    int found = -1;
    for (int i = 0; i < at; i++) {
        if (list[i] <= NO_COMPLETE && !(first && found >= 0)) {
            found = i;
        }
    }
    return found;
}

// The answer of a test: true if the phase it names is the one that was completed last, by the only
// bit the hardware has.
static bool answer_at(const enum event *list, int count, int at)
{
    int start;
    int phase = phase_at(list, count, at, &start);
    if (list[at] == TEST_0 || list[at] == TEST_1) {
        return (phase + 1) % 2 == (list[at] == TEST_1);
    }
    int token = token_event(list, at, list[at] == TEST_FIRST_TOKEN);
    return token >= 0 && (phase + 1) % 2 == phase_at(list, count, token, &start) % 2;
}

static bool was_seen(const enum event *list, int count, int start, int at)
{
    for (int i = start; i < at; i++) {
        if (list[i] >= TEST_0 && answer_at(list, count, i)) {
            return true;
        }
    }
    return false;
}

// The contracts that event `at` breaks.
static struct barlint_violations judge(const enum event *list, int count, int at)
{
    struct barlint_violations set = barlint_violations_none();
    int start;
    int phase = phase_at(list, count, at, &start);
    enum event e = list[at];
    int wanted = expected_at(list, count, start) + sum(list, start, at, is_inc);
    int pending = wanted - sum(list, start, at, arrivals_of);
    if (arrivals_of(e) > 0 && phase > 0 && !was_seen(list, count, start, at)) {
        barlint_violations_add(&set, BARLINT_PHASE_UNOBSERVED);
    }
    if (arrivals_of(e) > pending) {
        barlint_violations_add(&set, e == NOINC_LANDS ? BARLINT_TX_NOINC : BARLINT_ARRIVE_OVER);
    }
    if (e == NO_COMPLETE && ends_phase(list, count, start, at)) {
        barlint_violations_add(&set, BARLINT_ARRIVE_NOCOMPLETE);
    }
    if (e == DROP && count - sum(list, 0, at + 1, is_drop) < 1) {
        barlint_violations_add(&set, BARLINT_EXIT_DROP_TO_ZERO);
    }
    // Bytes that are owed while no copy is under way keep the phase open.
    if (e == EXPECT_TX && pending == 0 && sum(list, 0, at, bytes_of) <= 0) {
        barlint_violations_add(&set, BARLINT_TX_LATE_EXPECT);
    }
    if (e == TEST_FIRST_TOKEN || e == TEST_LAST_TOKEN) {
        int ignored, token = token_event(list, at, e == TEST_FIRST_TOKEN);
        if (phase - phase_at(list, count, token, &ignored) > 1) {
            barlint_violations_add(&set, BARLINT_PHASE_STALE_TOKEN);
        }
    }
    return set;
}

struct run {
    struct barlint_mbarrier m;
    struct barlint_token first, last;
};

static struct barlint_effect perform(struct run *run, enum event e)
{
    struct barlint_mbarrier *m = &run->m;
    struct barlint_effect effect = barlint_effect_none();
    struct barlint_token token = barlint_token_none();
    switch (e) {
    case ARRIVE_1:
        effect = barlint_mbarrier_arrive(m, NULL, 1, &token);
        break;
    case ARRIVE_2:
        effect = barlint_mbarrier_arrive(m, NULL, 2, &token);
        break;
    case NO_COMPLETE:
        effect = barlint_mbarrier_arrive_no_complete(m, NULL, 1, &token);
        break;
    case DROP:
        effect = barlint_mbarrier_arrive_drop(m, NULL, 1, NULL);
        break;
    case EXPECT_TX:
        effect = barlint_mbarrier_expect_tx(m, NULL, 16);
        break;
    case COMPLETE_TX:
        effect = barlint_mbarrier_complete_tx(m, NULL, 16);
        break;
    case ARRIVE_EXPECT:
        effect = barlint_mbarrier_arrive_expect_tx(m, NULL, 16, NULL);
        break;
    case INC:
        effect = barlint_mbarrier_async_issue(m, NULL, BARLINT_ASYNC_INC);
        break;
    case INC_LANDS:
        effect = barlint_mbarrier_async_arrive(m, BARLINT_ASYNC_INC);
        break;
    case NOINC_LANDS:
        effect = barlint_mbarrier_async_arrive(m, BARLINT_ASYNC_NOINC);
        break;
    case TEST_0:
    case TEST_1:
        effect = barlint_mbarrier_test_parity(m, NULL, e == TEST_1);
        break;
    case TEST_FIRST_TOKEN:
    case TEST_LAST_TOKEN:
        effect =
            barlint_mbarrier_test_token(m, NULL, e == TEST_FIRST_TOKEN ? &run->first : &run->last);
        break;
    case EVENTS:
        break;
    }
    if (token.state == BARLINT_TOKEN_ISSUED) {
        run->last = token;
        if (run->first.state == BARLINT_TOKEN_NONE) {
            run->first = token;
        }
    }
    return effect;
}

// One more event than `length` in every way; returns how many were compared.
static long extend(const struct run *before, enum event *list, int length, int longest, int count)
{
    long compared = 0;
    for (int e = 0; e < EVENTS; e++) {
        bool test = e >= TEST_0;
        if (e >= TEST_FIRST_TOKEN && before->last.state == BARLINT_TOKEN_NONE) {
            continue;
        }
        struct run run = *before;
        list[length] = (enum event)e;
        struct barlint_effect effect = perform(&run, (enum event)e);
        struct barlint_violations want = judge(list, count, length);
        int start;
        int phase = phase_at(list, count, length, &start);
        bool trap = effect.hardware == BARLINT_TRAPS;
        bool over = barlint_violations_has(want, BARLINT_ARRIVE_OVER) ||
                    barlint_violations_has(want, BARLINT_TX_NOINC);
        bool ended = ends_phase(list, count, start, length);
        if (!same_set(effect.violations, want) || trap != over ||
            (!trap && effect.completed != ended) ||
            (!trap && run.m.phase != (uint32_t)(phase + ended)) ||
            (test && effect.passed != answer_at(list, count, length))) {
            for (int i = 0; i <= length; i++) {
                fprintf(stderr, "%d ", list[i]);
            }
            print_set("\ngot", effect.violations);
            print_set("want", want);
            fail_msg("count %d: the machine and the documents differ", count);
        }
        compared++;
        if (!trap && length + 1 < longest) {
            compared += extend(&run, list, length + 1, longest, count);
        }
    }
    return compared;
}

static void test_all_sequences(void **state)
{
    (void)state;
    for (int count = 1; count <= 3; count++) {
        struct run run;
        enum event list[LONGEST];
        barlint_mbarrier_clear(&run.m, 1, 0);
        barlint_mbarrier_init(&run.m, NULL, BARLINT_LAYOUT_V0, (uint32_t)count, 0);
        run.first = run.last = barlint_token_none();
        assert_true(extend(&run, list, 0, count == 2 ? LONGEST : LONGEST - 1, count) > 100000);
    }
}

// Threads that arrive and wait, three phases long, in every order. Each step of a thread is an
// event (thread, phase, arrive or wait); the reference knows only the list of them.

#define THREADS_MAX 4
#define PHASES 3

enum leaving {
    STAYS,
    LEAVES_WITH_DROP,
    LEAVES_WITHOUT,
};

struct crew {
    int threads;
    bool parity;          // wait by parity, else by token
    enum leaving leaving; // what thread 0 does in phase 1: its arrive there is its last
    bool memo;            // visit each combination of positions once
};

struct step {
    int thread, phase;
    bool wait;
};

struct scene {
    struct barlint_mbarrier m;
    struct barlint_token token[THREADS_MAX];
    int position[THREADS_MAX]; // steps taken: even arrives next, odd waits next
    struct step list[THREADS_MAX * PHASES * 2];
    int length;
};

static int steps_of(const struct crew *crew, int thread)
{
    return thread == 0 && crew->leaving == LEAVES_WITH_DROP ? 3
           : thread == 0 && crew->leaving == LEAVES_WITHOUT ? 2
                                                            : 2 * PHASES;
}

// A wait for a phase may return once every thread that has not dropped out before has arrived in
// it.
static bool may_step(const struct crew *crew, const struct scene *scene, int thread)
{
    int position = scene->position[thread];
    int phase = position / 2;
    if (position >= steps_of(crew, thread)) {
        return false;
    }
    if (position % 2 == 0) {
        return true;
    }
    for (int t = 0; t < crew->threads; t++) {
        bool arrived = t == 0 && crew->leaving == LEAVES_WITH_DROP && phase > 1;
        for (int i = 0; i < scene->length; i++) {
            const struct step *step = &scene->list[i];
            arrived = arrived || (step->thread == t && step->phase == phase && !step->wait);
        }
        if (!arrived) {
            return false;
        }
    }
    return true;
}

static unsigned char visited[7 * 7 * 7 * 7];

static bool take_step(const struct crew *crew, struct scene *scene, int thread)
{
    int phase = scene->position[thread] / 2;
    bool wait = scene->position[thread] % 2 == 1;
    bool last = thread == 0 && phase == 1 && crew->leaving == LEAVES_WITH_DROP;
    struct barlint_effect effect;
    if (!wait) {
        effect = last ? barlint_mbarrier_arrive_drop(&scene->m, NULL, 1, &scene->token[thread])
                      : barlint_mbarrier_arrive(&scene->m, NULL, 1, &scene->token[thread]);
    } else if (crew->parity) {
        struct barlint_wait judged =
            barlint_wait_classify(&scene->m, (uint32_t)phase, (uint32_t)phase & 1);
        assert_true(barlint_violations_empty(judged.violations));
        effect = barlint_mbarrier_test_parity(&scene->m, NULL, (uint32_t)phase & 1);
        assert_int_equal(judged.passes, effect.passed);
        assert_int_equal(judged.ended, effect.passed);
    } else {
        effect = barlint_mbarrier_test_token(&scene->m, NULL, &scene->token[thread]);
    }
    EXPECT_CLEAN(effect);
    if (wait && !effect.passed) {
        return false;
    }
    scene->list[scene->length++] = (struct step){thread, phase, wait};
    scene->position[thread]++;
    return true;
}

// Nothing can run: either all are done, or the missing drop holds the rest in phase 1.
static void check_end(const struct crew *crew, const struct scene *scene)
{
    for (int t = 0; t < crew->threads; t++) {
        if (scene->position[t] == steps_of(crew, t)) {
            continue;
        }
        assert_int_equal(crew->leaving, LEAVES_WITHOUT);
        struct barlint_supply supply = barlint_supply_none();
        supply.from_exited = 1;
        uint32_t wanted = (uint32_t)scene->position[t] / 2;
        struct barlint_stuck stuck = barlint_mbarrier_check_stuck(&scene->m, wanted, supply);
        assert_true(stuck.for_ever);
        assert_int_equal(stuck.missing, 1);
        EXPECT_SET(stuck.violations, EXIT_MISSING_DROP);
    }
    if (crew->leaving == LEAVES_WITHOUT) {
        assert_int_equal(scene->m.phase, 1);
    }
}

static long explore(const struct crew *crew, const struct scene *scene)
{
    long ways = 0;
    bool moved = false;
    if (crew->memo) {
        unsigned index = 0;
        for (int t = 0; t < THREADS_MAX; t++) {
            index = index * 7 + (unsigned)scene->position[t];
        }
        if (visited[index]++) {
            return 1;
        }
    }
    for (int t = 0; t < crew->threads; t++) {
        struct scene next = *scene;
        bool may = may_step(crew, scene, t);
        if (scene->position[t] >= steps_of(crew, t)) {
            continue;
        }
        if (take_step(crew, &next, t) != may) {
            fail_msg("thread %d in phase %d: the machine and the events differ", t,
                     scene->position[t] / 2);
        }
        if (may) {
            moved = true;
            ways += explore(crew, &next);
        }
    }
    if (!moved) {
        check_end(crew, scene);
        return 1;
    }
    return ways;
}

static void test_all_interleavings(void **state)
{
    (void)state;
    for (int threads = 2; threads <= THREADS_MAX; threads++) {
        for (int leaving = STAYS; leaving <= LEAVES_WITHOUT; leaving++) {
            for (int parity = 0; parity < 2; parity++) {
                struct crew crew = {threads, parity, (enum leaving)leaving, threads > 3};
                struct scene scene;
                memset(&scene, 0, sizeof scene);
                memset(visited, 0, sizeof visited);
                barlint_mbarrier_clear(&scene.m, 1, 0);
                barlint_mbarrier_init(&scene.m, NULL, BARLINT_LAYOUT_V0, (uint32_t)threads, 0);
                long ways = explore(&crew, &scene);
                assert_true(ways >= 4); // both orders of both phases, at least
            }
        }
    }
}

// A waiter that nobody waits for: an arriver completes phases 0..3 on its own (count 1) while
// another thread waits for 0, 1, 2 by parity. In every order the lag is what the events say, a
// wait passes exactly if an odd number of phases has ended since, and a waiter left behind for good
// is found.
static void chase(struct barlint_mbarrier m, int ended, int waited, bool blocked)
{
    if (ended < 4) {
        struct barlint_mbarrier next = m;
        assert_true(barlint_mbarrier_arrive(&next, NULL, 1, NULL).completed);
        chase(next, ended + 1, waited, false);
    }
    if (waited < 3 && !blocked) {
        struct barlint_wait wait =
            barlint_wait_classify(&m, (uint32_t)waited, (uint32_t)waited & 1);
        struct barlint_effect effect = barlint_mbarrier_test_parity(&m, NULL, (uint32_t)waited & 1);
        int lag = ended - waited;
        assert_int_equal(effect.passed, (lag % 2 + 2) % 2 == 1);
        assert_int_equal(wait.passes, effect.passed);
        assert_int_equal(wait.ended, lag > 0);
        assert_int_equal(barlint_violations_has(wait.violations, BARLINT_PHASE_PARITY_LAG),
                         lag >= 2);
        // Early: the parity of a phase not begun is that of the one just over.
        assert_int_equal(barlint_violations_has(wait.violations, BARLINT_PHASE_PARITY_FLIP),
                         lag < 0);
        chase(m, ended, waited + (effect.passed ? 1 : 0), !effect.passed);
        return;
    }
    if (waited < 3 && ended == 4) {
        struct barlint_stuck stuck =
            barlint_mbarrier_check_stuck(&m, (uint32_t)waited, barlint_supply_none());
        assert_true(stuck.for_ever);
        assert_int_equal(barlint_violations_has(stuck.violations, BARLINT_PHASE_PARITY_LAG),
                         ended - waited >= 2);
    }
}

static void test_lag(void **state)
{
    (void)state;
    struct barlint_mbarrier m;
    barlint_mbarrier_clear(&m, 1, 0);
    barlint_mbarrier_init(&m, NULL, BARLINT_LAYOUT_V0, 1, 0);
    chase(m, 0, 0, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_sequences),
        cmocka_unit_test(test_all_interleavings),
        cmocka_unit_test(test_lag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
