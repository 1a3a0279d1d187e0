// Which threads come where, with which values: kernels of testdata/engine/threads.ir and memory.ir.
#include "engine/walk/test_case.h"

static int setup(void **state)
{
    static struct cases cases[2];
    cases_init(&cases[0], "threads");
    cases_init(&cases[1], "memory");
    *state = cases;
    return 0;
}

static int teardown(void **state)
{
    struct cases *cases = *state;
    cases_release(&cases[0]);
    cases_release(&cases[1]);
    return 0;
}

static struct engine_result run_threads(void **state, const char *kernel, int64_t threads)
{
    const struct cases *cases = *state;
    return case_run(&cases[0], kernel, case_shape(threads, 1, 1), NULL);
}

static struct engine_result run_memory(void **state, const char *kernel, int64_t threads)
{
    const struct cases *cases = *state;
    return case_run(&cases[1], kernel, case_shape(threads, 1, 1), NULL);
}

// --- Splits ----------------------------------------------------------------------------------

static void conditions_on_the_number_split_exactly(void **state)
{
    struct engine_result result = run_threads(state, "by_number", 96);
    assert_probe(&result, 1, "threads 32-63 of 96");             // tid / 32 == 1
    assert_probe(&result, 2, "threads 0-2, 32-34, 64-66 of 96"); // tid % 32 < 3
    assert_probe(&result, 3, "threads 25, 65 of 96");            // (tid * 3 + 5) % 40 == 0
    assert_probe(&result, 4, "threads 64-95 of 96");             // tid & 64
    assert_probe(&result, 5, "threads 0-31 of 96");              // a switch
    assert_probe(&result, 6, "threads 64-95 of 96");
    assert_probe(&result, 7, "threads 32-63 of 96");
    assert_probe(&result, 8, "threads 31, 63, 95 of 96"); // %laneid == 31
    assert_probed_value(&result, 8, 31);
    assert_probe(&result, 9, "threads 10-14, 16-19 of 96"); // two comparisons and a hole
    assert_null(probe(&result, 10));                        // nobody
    assert_int_equal(result.statistics.unknown_operations, 0);
    engine_result_release(&result);
}

static void a_split_leaves_out_threads_that_are_not_there(void **state)
{
    struct engine_result result = run_threads(state, "by_number", 40);
    assert_probe(&result, 1, "threads 32-39 of 40");
    assert_probe(&result, 8, "thread 31 of 40");
    assert_null(probe(&result, 4));
    engine_result_release(&result);
}

static void blocks_of_two_dimensions(void **state)
{
    const struct cases *cases = *state;
    struct engine_result result = case_run(&cases[0], "plane", case_shape(8, 4, 1), NULL);
    assert_probe(&result, 1, "threads 8-15 of 32");
    assert_probe(&result, 2, "threads 0, 9, 18, 27 of 32");
    assert_probed_value(&result, 2, 804);
    engine_result_release(&result);
}

// --- Decisions -------------------------------------------------------------------------------

static void roles_agree_on_a_uniform_value(void **state)
{
    struct engine_result result = run_threads(state, "agree", 64);
    assert_int_equal(arrlen(result.incident), 0);
    // Each warp has been both ways, and both warps the same way.
    assert_true(result.statistics.runs > 2);
    assert_int_equal(probe(&result, 2)->runs, 2);
    uint32_t syncs = 0;
    for (ptrdiff_t i = 0; i < arrlen(result.event); ++i) {
        if (result.event[i].model.kind != MODEL_NAMED_SYNC)
            continue;
        ++syncs;
        assert_int_equal(result.event[i].runs, 1);
    }
    assert_int_equal(syncs, 2);
    engine_result_release(&result);
}

static void what_roles_do_not_agree_on_hangs_by_assumption(void **state)
{
    struct engine_result result = run_threads(state, "disagree", 64);
    const struct engine_incident *incident = incident_of(&result, "named-exit");
    incident = incident ? incident : incident_of(&result, "named-participants");
    assert_non_null(incident);
    assert_int_equal(incident->kind, ENGINE_DEADLOCK);
    assert_string_equal(incident->threads.text, "threads 0-31 of 64");
    assert_string_equal(incident->missing.text, "threads 32-63 of 64");
    assert_false(incident->certain);
    assert_non_null(strstr(incident->assumption, "'n' is 4"));
    engine_result_release(&result);
}

static void an_open_loop_runs_for_no_round_and_for_some(void **state)
{
    struct engine_result result = run_threads(state, "rounds", 64);
    const struct engine_event *inside = probe(&result, 1), *behind = probe(&result, 2);
    assert_non_null(inside);
    assert_non_null(behind);
    assert_int_equal(arrlen(result.incident), 0);
    assert_int_equal(inside->count.low, 0);
    assert_true(inside->count.high >= 2);
    assert_int_equal(behind->runs, inside->runs + 1); // the way without a round
    assert_true(inside->in_loop);
    assert_false(behind->in_loop);
    engine_result_release(&result);
}

static void a_loop_without_a_round_makes_the_wait_hang(void **state)
{
    struct engine_result result = run_threads(state, "no_round", 32);
    assert_int_equal(arrlen(result.incident), 1);
    const struct engine_incident *incident = &result.incident[0];
    assert_int_equal(incident->kind, ENGINE_DEADLOCK);
    assert_string_equal(incident->threads.text, "threads 0-31 of 32");
    assert_string_equal(incident->assumption, "if 'n' < 1");
    assert_false(incident->certain);
    assert_true(incident->runs < incident->reached);
    engine_result_release(&result);
}

// --- Ways that show nothing new ----------------------------------------------------------------

static void conditions_that_change_nothing_are_not_combined(void **state)
{
    struct engine_result result = run_threads(state, "indifferent", 64);
    assert_true(result.statistics.runs > 6);  // each of six has been either way
    assert_true(result.statistics.runs < 20); // of 64 ways
    assert_false(result.statistics.cut_short);
    engine_result_release(&result);
}

static void rounds_are_followed_beyond_some_that_are_alike(void **state)
{
    struct engine_result result = run_threads(state, "every_fourth", 64);
    assert_non_null(probe(&result, 1));
    assert_int_equal(probe(&result, 1)->count.low, 3); // of the fourth, the first that is unlike
    engine_result_release(&result);
}

static struct engine_result run_again(void **state, const char *kernel, int64_t threads)
{
    const struct cases *cases = *state;
    struct engine_options options = {.again = true};
    return case_run(&cases[0], kernel, case_shape(threads, 1, 1), &options);
}

static void a_further_shape_tries_what_showed_something(void **state)
{
    struct engine_result first = run_threads(state, "indifferent", 64);
    struct engine_result second = run_again(state, "indifferent", 64);
    assert_int_equal(arrlen(second.event), arrlen(first.event));
    assert_true(second.statistics.runs < first.statistics.runs);
    engine_result_release(&first);
    engine_result_release(&second);
    first = run_threads(state, "every_fourth", 64);
    second = run_again(state, "every_fourth", 64);
    assert_non_null(probe(&second, 1));
    assert_int_equal(probe(&second, 1)->count.low, 3);
    engine_result_release(&first);
    engine_result_release(&second);
}

static void a_first_shape_does_not_rely_on_another_kernel(void **state)
{
    struct engine_result other = run_threads(state, "indifferent", 64);
    struct engine_result result = run_again(state, "every_fourth", 64);
    assert_non_null(probe(&result, 1));
    engine_result_release(&other);
    engine_result_release(&result);
}

static void loops_over_what_lanes_only_execute_together_are_left(void **state)
{
    struct engine_result result = run_threads(state, "together", 128);
    assert_int_equal(arrlen(result.event), 1);
    assert_string_equal(result.event[0].threads.text, "threads 0-127 of 128");
    assert_true(result.statistics.steps < 100); // the loop has 1000 rounds
    engine_result_release(&result);
}

// --- Exits -----------------------------------------------------------------------------------

static void a_warp_that_left_is_not_waited_for_by_the_block(void **state)
{
    struct engine_result result = run_threads(state, "warp_leaves", 96);
    assert_probe(&result, 1, "threads 0-31, 64-95 of 96");
    // Told, because other hardware would wait for ever; but no hang.
    const struct engine_incident *incident = incident_of(&result, "exit-before-sync");
    assert_non_null(incident);
    assert_int_equal(incident->kind, ENGINE_VIOLATION);
    assert_int_equal(arrlen(result.incident), 1);
    engine_result_release(&result);
}

static void lanes_that_left_are_not_waited_for_by_their_warp(void **state)
{
    struct engine_result result = run_threads(state, "lanes_leave", 32);
    assert_probe(&result, 1, "threads 16-31 of 32");
    for (ptrdiff_t i = 0; i < arrlen(result.incident); ++i)
        assert_int_not_equal(result.incident[i].kind, ENGINE_DEADLOCK);
    engine_result_release(&result);
}

static void a_count_waits_for_warps_that_left(void **state)
{
    struct engine_result result = run_threads(state, "counted_leave", 96);
    assert_null(probe(&result, 2));
    const struct engine_incident *incident = incident_of(&result, "named-exit");
    assert_non_null(incident);
    assert_int_equal(incident->kind, ENGINE_DEADLOCK);
    assert_string_equal(incident->missing.text, "threads 32-63 of 96");
    assert_true(incident->certain);
    assert_null(incident->assumption);
    engine_result_release(&result);
}

// --- Memory ----------------------------------------------------------------------------------

static void values_come_back_from_memory(void **state)
{
    struct engine_result result = run_memory(state, "values", 96);
    assert_probed_value(&result, 1, 77);                // of a local array, through a pointer
    assert_probed_value(&result, 2, 10 + 11 + 77 + 13); // summed by a loop
    assert_probed_value(&result, 3, 48);                // what thread 0 stored, read by all
    assert_probe(&result, 3, "threads 0-95 of 96");
    assert_probed_value(&result, 4, 37);             // what the first lane of warp 1 stored
    assert_probed_value(&result, 5, 3);              // a member
    assert_probed_value(&result, 6, 55 + 102);       // members through pointers and references
    assert_probe(&result, 7, "threads 64-95 of 96"); // each warp its own element
    assert_probed_value(&result, 8, 100);            // of a copy of the record
    engine_result_release(&result);
}

static void what_is_not_known_is_not_invented(void **state)
{
    struct engine_result result = run_memory(state, "values", 96);
    const struct engine_event *parameter = probe(&result, 9), *one = probe(&result, 10);
    assert_non_null(parameter);
    assert_false(parameter->count.known);
    assert_true(parameter->count.uniform);
    assert_string_equal(parameter->count.text, "n");
    // An element of an array that every thread stored to: thread 7's value, or none.
    assert_non_null(one);
    assert_true(!one->count.known || (one->count.low == 14 && one->count.high == 14));
    engine_result_release(&result);
}

static void barriers_in_records_are_told_apart(void **state)
{
    struct engine_result result = run_memory(state, "objects", 66);
    assert_int_equal(arrlen(result.incident), 0);
    assert_int_equal(arrlen(result.object), 6);
    const struct engine_object *last = object_of(&result, "shared.stage[2].full");
    assert_non_null(last);
    assert_true(last->completes);
    assert_true(last->in_shared);
    assert_false(object_of(&result, "shared.stage[0].full")->completes);
    for (ptrdiff_t i = 0; i < arrlen(result.event); ++i) {
        const struct engine_event *event = &result.event[i];
        if (event->model.kind != MODEL_MBARRIER_INIT)
            continue;
        const struct engine_object *object = &result.object[event->object];
        int64_t count = strstr(object->name, "full") ? 1 : 64 + object->name[13] - '0';
        assert_string_equal(event->threads.text, "thread 0 of 66");
        assert_int_equal(event->count.low, count);
        assert_int_equal(event->count.high, count);
    }
    engine_result_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_on_the_number_split_exactly),
        cmocka_unit_test(a_split_leaves_out_threads_that_are_not_there),
        cmocka_unit_test(blocks_of_two_dimensions),
        cmocka_unit_test(roles_agree_on_a_uniform_value),
        cmocka_unit_test(what_roles_do_not_agree_on_hangs_by_assumption),
        cmocka_unit_test(an_open_loop_runs_for_no_round_and_for_some),
        cmocka_unit_test(a_loop_without_a_round_makes_the_wait_hang),
        cmocka_unit_test(conditions_that_change_nothing_are_not_combined),
        cmocka_unit_test(rounds_are_followed_beyond_some_that_are_alike),
        cmocka_unit_test(a_further_shape_tries_what_showed_something),
        cmocka_unit_test(a_first_shape_does_not_rely_on_another_kernel),
        cmocka_unit_test(loops_over_what_lanes_only_execute_together_are_left),
        cmocka_unit_test(a_warp_that_left_is_not_waited_for_by_the_block),
        cmocka_unit_test(lanes_that_left_are_not_waited_for_by_their_warp),
        cmocka_unit_test(a_count_waits_for_warps_that_left),
        cmocka_unit_test(values_come_back_from_memory),
        cmocka_unit_test(what_is_not_known_is_not_invented),
        cmocka_unit_test(barriers_in_records_are_told_apart),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
