// Variables in frames, loops whose end a function decides that they call, what lambdas capture:
// kernels of testdata/engine/frames.ir.
#include "engine/walk/test_case.h"

static int setup(void **state)
{
    static struct cases cases;
    cases_init(&cases, "frames");
    *state = &cases;
    return 0;
}

static int teardown(void **state)
{
    cases_release(*state);
    return 0;
}

static struct engine_result run(void **state, const char *kernel)
{
    return case_run(*state, kernel, case_shape(64, 1, 1), NULL);
}

static void variables_hold_what_each_thread_stored(void **state)
{
    struct engine_result result = run(state, "variables");
    assert_probed_value(&result, 1, 10); // stored by some of the threads that met again
    assert_probed_value(&result, 2, 1);  // and what the others kept
    const struct engine_event *chosen = probe(&result, 3); // stored where n > 100
    assert_non_null(chosen);
    assert_false(chosen->count.known);
    assert_int_equal(chosen->count.low, 2);
    assert_int_equal(chosen->count.high, 3);
    assert_probed_value(&result, 4, 6); // of a loop, by way of a variable made anew in each round
    assert_probed_value(&result, 5, 8);
    assert_probed_value(&result, 6, 7); // set through its address
    assert_probed_value(&result, 7, 9); // volatile
    engine_result_release(&result);
}

static void a_loop_ends_although_a_function_it_calls_decides(void **state)
{
    struct engine_result result = run(state, "tiles_of");
    assert_false(result.statistics.cut_short);
    assert_probe(&result, 1, "threads 0-63 of 64");
    // From no round to as many as a loop is followed for.
    assert_int_equal(probe(&result, 1)->runs, 10);
    engine_result_release(&result);
}

static void a_loop_within_such_a_loop_takes_a_few_rounds_each_time(void **state)
{
    struct engine_result result = run(state, "nested");
    assert_probe(&result, 1, "threads 0-63 of 64");
    assert_int_equal(probe(&result, 1)->runs, result.statistics.runs);
    assert_true(result.statistics.steps < 20000);
    engine_result_release(&result);
}

static void what_else_a_lambda_captures_is_not_followed(void **state)
{
    struct engine_result result = run(state, "captured");
    assert_probe(&result, 1, "threads 0-7 of 64");
    assert_true(result.statistics.steps < 100);
    engine_result_release(&result);
}

static void copies_of_closures_hold_what_was_captured(void **state)
{
    struct engine_result result = run(state, "copied");
    assert_probed_value(&result, 1, 11);
    assert_probed_value(&result, 2, 22);
    engine_result_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_hold_what_each_thread_stored),
        cmocka_unit_test(a_loop_ends_although_a_function_it_calls_decides),
        cmocka_unit_test(a_loop_within_such_a_loop_takes_a_few_rounds_each_time),
        cmocka_unit_test(what_else_a_lambda_captures_is_not_followed),
        cmocka_unit_test(copies_of_closures_hold_what_was_captured),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
