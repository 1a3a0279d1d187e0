// When a result is found again, and when it is not even kept.
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/vec.h"
#include "store/store.h"

struct place {
    char folder[64];
    char database[128], file[128], missing[128];
};

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// What is written from now on is newer than that time.
static struct timespec time_after_now(void)
{
    struct timespec pause = {0, 20 * 1000 * 1000}, now;
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return now;
}

static int set_up(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    strcpy(place->folder, "/tmp/barlint-store-XXXXXX");
    if (!mkdtemp(place->folder))
        return -1;
    snprintf(place->database, sizeof place->database, "%s/store.sqlite", place->folder);
    snprintf(place->file, sizeof place->file, "%s/file.cu", place->folder);
    snprintf(place->missing, sizeof place->missing, "%s/missing.h", place->folder);
    write_file(place->file, "first");
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    unlink(place->database);
    unlink(place->file);
    unlink(place->missing);
    rmdir(place->folder);
    free(place);
    return 0;
}

static const struct digest key = {1, 2};

static void keep(struct store *store, const struct place *place, struct timespec begun)
{
    struct store_input input[] = {{place->file, false}, {place->missing, true}};
    struct store_record record = {
        .key = key,
        .source = place->file,
        .unit = {3, 4},
        .begun = begun,
        .input = input,
        .input_count = 2,
        .result = "{\"status\":\"ok\"}",
        .links = "[]",
        .facts = "{}",
    };
    store_keep(store, &record);
}

static bool is_found(const struct place *place)
{
    struct store *store = store_open(place->database);
    struct store_query query = {.key = key};
    store_find(store, &query, 1);
    assert_null(store_problem(store));
    bool found = query.result && strcmp(query.result, "{\"status\":\"ok\"}") == 0;
    store_close(store);
    return found;
}

static void keep_now(const struct place *place)
{
    struct store *store = store_open(place->database);
    keep(store, place, time_after_now());
    store_close(store);
}

static void kept_is_found(void **state)
{
    assert_false(is_found(*state));
    keep_now(*state);
    assert_true(is_found(*state));
    assert_true(is_found(*state));
}

static void other_content_is_not_found(void **state)
{
    struct place *place = *state;
    keep_now(place);
    struct stat before;
    assert_int_equal(stat(place->file, &before), 0);
    write_file(place->file, "other");
    struct timespec times[2] = {before.st_atim, before.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, place->file, times, 0), 0);
    assert_false(is_found(place));
    write_file(place->file, "first");
    assert_true(is_found(place));
}

static void absent_file_that_comes_is_noticed(void **state)
{
    struct place *place = *state;
    keep_now(place);
    write_file(place->missing, "");
    assert_false(is_found(place));
    unlink(place->missing);
    assert_true(is_found(place));
}

// Whichever of the two contents the result is of.
static void file_touched_meanwhile(void **state)
{
    struct place *place = *state;
    struct store *store = store_open(place->database);
    struct timespec begun = time_after_now();
    write_file(place->file, "other");
    keep(store, place, begun);
    store_close(store);
    assert_false(is_found(place));
    write_file(place->file, "first");
    assert_false(is_found(place));
}

static void absent_file_that_came_meanwhile(void **state)
{
    struct place *place = *state;
    struct store *store = store_open(place->database);
    struct timespec begun = time_after_now();
    write_file(place->missing, "");
    keep(store, place, begun);
    store_close(store);
    assert_false(is_found(place));
    unlink(place->missing);
    assert_false(is_found(place));
}

// The second content is met after the first was looked at in the same run.
static void two_results_of_one_run(void **state)
{
    struct place *place = *state;
    struct store *store = store_open(place->database);
    keep(store, place, time_after_now());
    write_file(place->file, "other");
    keep(store, place, time_after_now());
    store_close(store);
    assert_true(is_found(place));
    write_file(place->file, "first");
    assert_false(is_found(place));
}

static void unusable_store_is_no_error(void **state)
{
    struct place *place = *state;
    assert_int_equal(mkdir(place->database, 0777), 0);
    struct store *store = store_open(place->database);
    assert_non_null(store_problem(store));
    struct store_query query = {.key = key};
    keep(store, place, time_after_now());
    store_find(store, &query, 1);
    assert_null(query.result);
    struct store_run run = {.folder = "", .arguments = ""};
    store_add_run(store, &run);
    assert_int_equal(store_size(store), 0);
    store_close(store);
    rmdir(place->database);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kept_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_content_is_not_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(absent_file_that_comes_is_noticed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(file_touched_meanwhile, set_up, tear_down),
        cmocka_unit_test_setup_teardown(absent_file_that_came_meanwhile, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_results_of_one_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unusable_store_is_no_error, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
