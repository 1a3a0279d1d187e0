#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/path.h"

static void test_path_absolute(void **state)
{
    (void)state;
    static const struct {
        const char *folder, *path, *want;
    } row[] = {
        {"/a/b", "c.cu", "/a/b/c.cu"},
        {"/a/b", "../c.cu", "/a/c.cu"},
        {"/a/b", "./d/./c.cu", "/a/b/d/c.cu"},
        {"/a/b", "/x//y/../z.cu", "/x/z.cu"},
        {"/a", "../../../c.cu", "/c.cu"},
        {"/", "c.cu", "/c.cu"},
        {"/a", "..", "/"},
        {"/a/b", "", "/a/b"},
        {"/a", "...", "/a/..."},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i)
        assert_string_equal(path_absolute(&arena, row[i].folder, row[i].path), row[i].want);
    arena_release(&arena);
}

static void test_path_parts(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    assert_string_equal(path_shown("/a/b", "/a/b/c.cu"), "c.cu");
    assert_string_equal(path_shown("/a/b", "/a/bc.cu"), "/a/bc.cu");
    assert_string_equal(path_shown("/", "/a"), "/a");
    assert_string_equal(path_folder(&arena, "/a/b"), "/a");
    assert_string_equal(path_folder(&arena, "/a"), "/");
    assert_string_equal(path_folder(&arena, "a"), ".");
    assert_string_equal(path_name("/a/b.cu"), "b.cu");
    assert_true(path_has_ending("/a/b.cu", ".cu"));
    assert_false(path_has_ending("/a/.cu", ".cu"));
    assert_false(path_has_ending("/a/b.cuh", ".cu"));
    arena_release(&arena);
}

static const char *near_to(const char *word)
{
    struct nearest nearest;
    nearest_init(&nearest, word);
    nearest_offer(&nearest, "named-id-range");
    nearest_offer(&nearest, "named-red-mix");
    nearest_offer(&nearest, "on");
    return nearest.best;
}

static void test_nearest(void **state)
{
    (void)state;
    assert_string_equal(near_to("named-id-rnage"), "named-id-range");
    assert_string_equal(near_to("named-id"), "named-id-range");
    assert_string_equal(near_to("no"), "on");
    assert_null(near_to("something else"));
    assert_null(near_to(""));
    char lengthy[300];
    memset(lengthy, 'x', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    assert_null(near_to(lengthy));
}

static void test_arena(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (size_t size = 1; size < 200000; size = size * 3 + 1) {
        unsigned char *bytes = arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        for (size_t i = 0; i < size; ++i)
            assert_int_equal(bytes[i], 0);
        memset(bytes, 0xff, size);
    }
    assert_string_equal(arena_printf(&arena, "%s %d", "threads", 32), "threads 32");
    arena_release(&arena);
    assert_null(arena.chunk);
}

static void test_error(void **state)
{
    (void)state;
    struct error error = {0};
    assert_false(error_set(&error, ERROR_USAGE, "no such rule '%s'", "x"));
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_string_equal(error.text, "no such rule 'x'");
    assert_false(error_set(NULL, ERROR_INTERNAL, "nobody listens"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path_absolute), cmocka_unit_test(test_path_parts),
        cmocka_unit_test(test_nearest),       cmocka_unit_test(test_arena),
        cmocka_unit_test(test_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
