// What comes of barriers: rings that complete, hangs and who is missing, clusters, budgets, and the
// schedule of a run. Kernels of testdata/engine/ring.ir, threads.ir, cluster.ir and barriers.ir.
#include "engine/walk/test_case.h"

enum { RING, THREADS, CLUSTER, BARRIERS, CASES };

static int setup(void **state)
{
    static const char *const names[CASES] = {"ring", "threads", "cluster", "barriers"};
    static struct cases cases[CASES];
    for (int i = 0; i < CASES; ++i)
        cases_init(&cases[i], names[i]);
    *state = cases;
    return 0;
}

static int teardown(void **state)
{
    struct cases *cases = *state;
    for (int i = 0; i < CASES; ++i)
        cases_release(&cases[i]);
    return 0;
}

static struct engine_result run(void **state, int which, const char *kernel, int64_t threads,
                                int64_t blocks, const struct engine_options *options)
{
    const struct cases *cases = *state;
    return case_run(&cases[which], kernel, case_shape(threads, 1, blocks), options);
}

// --- Rings -----------------------------------------------------------------------------------

static void check_ring(void **state, const char *kernel)
{
    static const char *const names[] = {"full[0]",  "full[1]",  "full[2]",
                                        "empty[0]", "empty[1]", "empty[2]"};
    struct engine_result result = run(state, RING, kernel, 128, 1, NULL);
    assert_int_equal(arrlen(result.incident), 0);
    assert_false(result.statistics.cut_short);
    assert_int_equal(result.statistics.unknown_objects, 0);
    assert_int_equal(arrlen(result.object), 6);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        assert_non_null(object_of(&result, names[i]));
        assert_true(object_of(&result, names[i])->completes);
    }
    engine_result_release(&result);
}

static void a_ring_of_three_stages_completes(void **state)
{
    check_ring(state, "ring");       // for any number of tiles
    check_ring(state, "known_ring"); // for twenty of them
}

static void a_count_that_nobody_reaches_hangs(void **state)
{
    struct engine_result result = run(state, RING, "known_hang", 128, 1, NULL);
    const struct engine_incident *incident = incident_of(&result, "init-count-mismatch");
    assert_non_null(incident);
    assert_int_equal(incident->kind, ENGINE_DEADLOCK);
    assert_string_equal(result.object[incident->object].name, "empty[0]");
    assert_string_equal(incident->threads.text, "thread 0 of 128");
    assert_string_equal(incident->missing.text, "threads 1-31 of 128");
    assert_int_equal(incident->missing.count, 31);
    assert_int_equal(incident->number[0], 128); // expected
    assert_int_equal(incident->number[1], 32);  // still pending
    assert_int_equal(incident->number[2], 0);   // phase
    assert_true(incident->certain);
    assert_null(incident->assumption);
    // The consumers wait for the producer, who is told about: one hang is told once.
    assert_int_equal(arrlen(result.incident), 1);
    engine_result_release(&result);
}

static void a_hang_by_assumption_says_so(void **state)
{
    struct engine_result result = run(state, RING, "hang", 128, 1, NULL);
    const struct engine_incident *incident = incident_of(&result, "init-count-mismatch");
    assert_non_null(incident);
    assert_string_equal(incident->missing.text, "threads 1-31 of 128");
    // With fewer tiles than stages nobody waits for a stage to be empty again.
    assert_non_null(incident->assumption);
    assert_non_null(strstr(incident->assumption, "'tiles' >= 4"));
    assert_false(incident->certain);
    assert_true(incident->supported);
    engine_result_release(&result);
}

// --- Named barriers --------------------------------------------------------------------------

static void named_barriers_match_across_arms(void **state)
{
    struct engine_result result = run(state, THREADS, "arms", 96, 1, NULL);
    assert_int_equal(arrlen(result.incident), 0);
    assert_probe(&result, 3, "threads 0-95 of 96");
    engine_result_release(&result);
}

static void named_barriers_in_opposite_orders_hang(void **state)
{
    struct engine_result result = run(state, THREADS, "crossed", 64, 1, NULL);
    const struct engine_incident *incident = incident_of(&result, "named-order-cycle");
    assert_non_null(incident);
    assert_int_equal(incident->kind, ENGINE_DEADLOCK);
    assert_int_equal(incident->threads.count, 32);
    assert_int_equal(incident->missing.count, 32);
    engine_result_release(&result);
}

// --- Clusters --------------------------------------------------------------------------------

static void an_arrival_from_another_block_counts(void **state)
{
    struct engine_result result = run(state, CLUSTER, "remote", 32, 2, NULL);
    assert_int_equal(arrlen(result.incident), 0);
    uint32_t remote = 0;
    for (ptrdiff_t i = 0; i < arrlen(result.event); ++i) {
        const struct engine_event *event = &result.event[i];
        if (event->model.kind != MODEL_MBARRIER_ARRIVE)
            continue;
        ++remote;
        assert_true(event->remote);
        assert_string_equal(event->threads.text, "thread 0 of 32 in every block of the cluster");
        assert_true(result.object[event->object].completes);
    }
    assert_int_equal(remote, 1);
    engine_result_release(&result);
}

static void a_block_that_nobody_arrives_at_hangs_alone(void **state)
{
    struct engine_result result = run(state, CLUSTER, "nobody", 32, 2, NULL);
    uint32_t hangs = 0;
    for (ptrdiff_t i = 0; i < arrlen(result.incident); ++i) {
        const struct engine_incident *incident = &result.incident[i];
        if (incident->kind != ENGINE_DEADLOCK)
            continue;
        ++hangs;
        assert_string_equal(incident->threads.text, "threads 0-31 of 32 in block 0 of the cluster");
    }
    assert_int_equal(hangs, 1);
    engine_result_release(&result);
}

// --- mbarriers -------------------------------------------------------------------------------

static void check_completes(void **state, const char *kernel, int64_t threads)
{
    struct engine_result result = run(state, BARRIERS, kernel, threads, 1, NULL);
    assert_int_equal(arrlen(result.incident), 0);
    assert_non_null(probe(&result, 1));
    assert_int_equal(arrlen(result.object), 1);
    assert_true(result.object[0].completes);
    engine_result_release(&result);
}

static void phases_end_with_the_bytes_that_were_announced(void **state)
{
    check_completes(state, "all_bytes", 64);
    struct engine_result result = run(state, BARRIERS, "bytes_few", 64, 1, NULL);
    assert_null(probe(&result, 1));
    assert_int_equal(arrlen(result.incident), 1);
    assert_int_equal(result.incident[0].kind, ENGINE_DEADLOCK);
    assert_int_equal(result.incident[0].violation, BARLINT_TX_BYTES_MANY);
    assert_string_equal(result.incident[0].threads.text, "threads 0-63 of 64");
    assert_int_equal(result.incident[0].missing.count, 0);
    engine_result_release(&result);
}

static void threads_that_drop_out_are_not_waited_for(void **state)
{
    check_completes(state, "dropped", 64);
}

static void a_token_waits_for_its_phase(void **state)
{
    check_completes(state, "token", 32);
}

static void who_waits_before_arriving_waits_for_itself(void **state)
{
    struct engine_result result = run(state, BARRIERS, "waits_first", 32, 1, NULL);
    assert_int_equal(arrlen(result.incident), 1);
    assert_string_equal(result.incident[0].rule, "phase-self-deadlock");
    assert_string_equal(result.incident[0].missing.text, "threads 0-31 of 32");
    assert_true(result.incident[0].certain);
    engine_result_release(&result);
}

static void a_barrier_that_is_none_is_told_and_nothing_follows_from_it(void **state)
{
    struct engine_result result = run(state, BARRIERS, "not_initialised", 32, 1, NULL);
    assert_int_equal(arrlen(result.incident), 2); // the arrival and the wait
    for (ptrdiff_t i = 0; i < 2; ++i)
        assert_string_equal(result.incident[i].rule, "init-missing");
    assert_non_null(probe(&result, 1));
    engine_result_release(&result);
}

static void lanes_that_pass_a_barrier_by(void **state)
{
    struct engine_result result = run(state, BARRIERS, "skipped", 64, 1, NULL);
    const struct engine_incident *incident = incident_of(&result, "sync-divergent");
    assert_non_null(incident);
    assert_int_equal(incident->kind, ENGINE_SKIPPED);
    assert_string_equal(incident->threads.text, "threads 0-15, 32-47 of 64");
    assert_string_equal(incident->missing.text, "threads 16-31, 48-63 of 64");
    assert_true(incident->branch.line != 0);
    engine_result_release(&result);
}

// The reason told in the end is that of all runs together: in the schedule too.
static void an_arrival_that_some_skip(void **state)
{
    struct engine_options options = {.schedule = true};
    struct engine_result result = run(state, BARRIERS, "apart", 64, 1, &options);
    const struct engine_incident *incident = incident_of(&result, "arrive-divergent");
    assert_non_null(incident);
    assert_string_equal(incident->missing.text, "threads 48-63 of 64");
    assert_string_equal(incident->assumption, "if 'n' < 101");
    assert_int_equal(arrlen(result.incident), 1);
    const struct engine_moment *last = &arrlast(result.schedule->moment);
    assert_int_equal(last->kind, ENGINE_MOMENT_HANG);
    assert_string_equal(last->rule, "arrive-divergent");
    engine_result_release(&result);
}

// --- Budgets ---------------------------------------------------------------------------------

static void a_walk_cut_short_says_so_and_claims_nothing(void **state)
{
    struct engine_options options = {.max_steps = 120};
    struct engine_result result = run(state, RING, "known_hang", 128, 1, &options);
    assert_true(result.statistics.cut_short);
    assert_int_equal(arrlen(result.incident), 0);     // the hang comes later
    assert_true(result.statistics.steps <= 120 + 10); // the last may have made some values
    engine_result_release(&result);

    options = (struct engine_options){.max_runs = 1};
    result = run(state, THREADS, "disagree", 64, 1, &options);
    assert_true(result.statistics.cut_short);
    assert_int_equal(result.statistics.runs, 3); // one way, with each order of the threads
    engine_result_release(&result);
}

static void every_budget_ends_the_walk(void **state)
{
    for (uint64_t steps = 1; steps < 3000; steps += 97) {
        struct engine_options options = {.max_steps = steps, .schedule = true};
        struct engine_result result = run(state, RING, "hang", 128, 1, &options);
        for (ptrdiff_t i = 0; i < arrlen(result.incident); ++i)
            assert_string_equal(result.incident[i].rule, "init-count-mismatch");
        engine_result_release(&result);
    }
}

static void shapes_that_cannot_be_launched_are_not_run(void **state)
{
    struct engine_options options = {.schedule = true};
    struct engine_result result = run(state, RING, "ring", 1025, 1, &options);
    assert_int_equal(result.statistics.runs, 0);
    assert_int_equal(arrlen(result.event), 0);
    assert_null(result.schedule);
    engine_result_release(&result);
}

// --- The same again --------------------------------------------------------------------------

static void the_same_kernel_gives_the_same_result(void **state)
{
    static const struct {
        int which;
        const char *kernel;
        int64_t threads, blocks;
    } row[] = {
        {RING, "ring", 128, 1},          {RING, "hang", 128, 1},       {RING, "known_hang", 128, 1},
        {THREADS, "by_number", 96, 1},   {THREADS, "disagree", 64, 1}, {THREADS, "rounds", 64, 1},
        {THREADS, "warp_leaves", 96, 1}, {CLUSTER, "remote", 32, 2},   {CLUSTER, "nobody", 32, 2}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        // Whether the steps are kept makes no difference either.
        struct engine_options kept = {.schedule = true};
        char *text[3];
        for (int n = 0; n < 3; ++n) {
            struct engine_result result = run(state, row[i].which, row[i].kernel, row[i].threads,
                                              row[i].blocks, n == 2 ? &kept : NULL);
            assert_int_equal(result.schedule != NULL, n == 2);
            text[n] = result_text(&result);
            engine_result_release(&result);
        }
        assert_true(strlen(text[0]) > 100);
        assert_string_equal(text[0], text[1]);
        assert_string_equal(text[0], text[2]);
        for (int n = 0; n < 3; ++n)
            free(text[n]);
    }
}

// --- Schedules -------------------------------------------------------------------------------

static const struct engine_moment *find_moment(const struct engine_schedule *schedule,
                                               enum engine_moment_kind kind, uint32_t nth)
{
    for (ptrdiff_t i = 0; i < arrlen(schedule->moment); ++i) {
        if (schedule->moment[i].kind == kind && nth-- == 0)
            return &schedule->moment[i];
    }
    fail_msg("there is no such moment");
    return NULL;
}

static void a_schedule_has_the_lanes_of_the_roles(void **state)
{
    struct engine_options options = {.schedule = true};
    struct engine_result result = run(state, RING, "known_hang", 128, 1, &options);
    const struct engine_schedule *schedule = result.schedule;
    assert_non_null(schedule);
    assert_int_equal(schedule->ending, ENGINE_ENDING_HANG);
    assert_int_equal(arrlen(schedule->lane), 3);
    assert_string_equal(schedule->lane[0].name, "thread 0");
    assert_string_equal(schedule->lane[1].name, "threads 1-31");
    assert_string_equal(schedule->lane[2].name, "warps 1-3");
    // Who stands where at the end.
    const struct engine_moment *producer = find_moment(schedule, ENGINE_MOMENT_HANG, 0);
    const struct engine_moment *consumer = find_moment(schedule, ENGINE_MOMENT_HANG, 1);
    assert_int_equal(producer->part[0].lane, 0);
    assert_int_equal(producer->expected, 128);
    assert_int_equal(producer->pending, 32);
    assert_string_equal(producer->missing.text, "threads 1-31 of 128");
    assert_true(producer->missing_exited);
    assert_string_equal(producer->rule, "init-count-mismatch");
    assert_int_equal(consumer->part[0].lane, 2);
    assert_string_equal(consumer->missing.text, "thread 0 of 128");
    assert_null(consumer->rule);
    engine_result_release(&result);
}

static void a_wait_ends_where_its_phase_completes(void **state)
{
    struct engine_options options = {.schedule = true};
    struct engine_result result = run(state, RING, "known_ring", 128, 1, &options);
    const struct engine_schedule *schedule = result.schedule;
    assert_non_null(schedule);
    assert_int_equal(schedule->ending, ENGINE_ENDING_COMPLETE);
    uint32_t waits = 0;
    for (ptrdiff_t i = 0; i < arrlen(schedule->moment); ++i) {
        const struct engine_moment *moment = &schedule->moment[i];
        for (ptrdiff_t k = 0; moment->waits && k < arrlen(moment->part); ++k) {
            uint32_t until = moment->part[k].until;
            assert_true(until > (uint32_t)i && until < arrlenu(schedule->moment));
            const struct engine_moment *end = &schedule->moment[until];
            if (end->kind == ENGINE_MOMENT_REPEAT)
                continue; // in a round that is not told
            ++waits;
            assert_int_equal(end->kind, ENGINE_MOMENT_COMPLETE);
            assert_int_equal(end->barrier, moment->barrier);
            assert_int_equal(end->object, moment->object);
            assert_true(end->phase <= moment->phase && moment->phase <= end->last_phase);
        }
    }
    assert_true(waits > 4);
    engine_result_release(&result);
}

static void rounds_that_are_alike_are_folded(void **state)
{
    struct engine_options options = {.schedule = true};
    struct engine_result result = run(state, RING, "known_ring", 128, 1, &options);
    const struct engine_moment *repeat = find_moment(result.schedule, ENGINE_MOMENT_REPEAT, 0);
    assert_true(repeat->repeat_times >= 2);
    assert_true(repeat->repeat_length >= 6);
    // Twenty tiles of six objects would be far more.
    assert_true(arrlen(result.schedule->moment) < 100);
    engine_result_release(&result);
}

static void roles_of_a_cluster_are_named_by_block(void **state)
{
    struct engine_options options = {.schedule = true};
    struct engine_result result = run(state, CLUSTER, "nobody", 32, 2, &options);
    const struct engine_schedule *schedule = result.schedule;
    assert_non_null(schedule);
    assert_int_equal(schedule->blocks, 2);
    assert_string_equal(schedule->lane[0].name, "thread 0 of block 0");
    const struct engine_moment *arrive = find_moment(schedule, ENGINE_MOMENT_ARRIVE, 1);
    assert_true(arrive->remote);
    assert_int_equal(arrive->blocks, 2); // of block 1
    engine_result_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_three_stages_completes),
        cmocka_unit_test(a_count_that_nobody_reaches_hangs),
        cmocka_unit_test(a_hang_by_assumption_says_so),
        cmocka_unit_test(named_barriers_match_across_arms),
        cmocka_unit_test(named_barriers_in_opposite_orders_hang),
        cmocka_unit_test(an_arrival_from_another_block_counts),
        cmocka_unit_test(a_block_that_nobody_arrives_at_hangs_alone),
        cmocka_unit_test(phases_end_with_the_bytes_that_were_announced),
        cmocka_unit_test(threads_that_drop_out_are_not_waited_for),
        cmocka_unit_test(a_token_waits_for_its_phase),
        cmocka_unit_test(who_waits_before_arriving_waits_for_itself),
        cmocka_unit_test(a_barrier_that_is_none_is_told_and_nothing_follows_from_it),
        cmocka_unit_test(lanes_that_pass_a_barrier_by),
        cmocka_unit_test(an_arrival_that_some_skip),
        cmocka_unit_test(a_walk_cut_short_says_so_and_claims_nothing),
        cmocka_unit_test(every_budget_ends_the_walk),
        cmocka_unit_test(shapes_that_cannot_be_launched_are_not_run),
        cmocka_unit_test(the_same_kernel_gives_the_same_result),
        cmocka_unit_test(a_schedule_has_the_lanes_of_the_roles),
        cmocka_unit_test(a_wait_ends_where_its_phase_completes),
        cmocka_unit_test(rounds_that_are_alike_are_folded),
        cmocka_unit_test(roles_of_a_cluster_are_named_by_block),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
