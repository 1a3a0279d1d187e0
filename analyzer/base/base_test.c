#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/glob.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/utf8.h"
#include "base/wording.h"

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
    assert_string_equal(path_relative(&arena, "/a/b", "/a/b/c.cu"), "c.cu");
    assert_string_equal(path_relative(&arena, "/a/b", "/a/bc.cu"), "../bc.cu");
    assert_string_equal(path_relative(&arena, "/a/b", "/c"), "../../c");
    assert_string_equal(path_relative(&arena, "/", "/c"), "c");
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

static const char *agreed(const char *words)
{
    static char text[200];
    snprintf(text, sizeof text, "%s", words);
    wording_agree(text);
    return text;
}

static void test_wording(void **state)
{
    (void)state;
    assert_string_equal(agreed("thread 0 of 64 {waits|wait}"), "thread 0 of 64 waits");
    assert_string_equal(agreed("threads 1-3 of 64 {waits|wait}"), "threads 1-3 of 64 wait");
    assert_string_equal(agreed("some threads {do|does}"), "some threads does");
    assert_string_equal(agreed("threads 0-3 {come|come} for thread 4, which {has|have} left"),
                        "threads 0-3 come for thread 4, which has left");
    assert_string_equal(agreed("thread 4 for threads 0-3, which {it has|they have}"),
                        "thread 4 for threads 0-3, which they have");
    // What else has braces.
    assert_string_equal(agreed("thread 0 of 'f{a | b}' {"), "thread 0 of 'f{a | b}' {");
    assert_string_equal(agreed("thread 0 {a|b"), "thread 0 {a|b");
    assert_string_equal(agreed("thread 0 {A|b}{}{|}"), "thread 0 {A|b}{}");
    assert_string_equal(agreed(""), "");
}

static void test_arena(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (int round = 0; round < 3; ++round) { // what is used again is zeroed as well
        for (size_t size = 1; size < 200000; size = size * 3 + 1) {
            unsigned char *bytes = arena_alloc(&arena, size - (size_t)round % size);
            assert_int_equal((uintptr_t)bytes % 16, 0);
            for (size_t i = 0; i + (size_t)round % size < size; ++i)
                assert_int_equal(bytes[i], 0);
            memset(bytes, 0xff, size - (size_t)round % size);
        }
        if (round < 2)
            arena_clear(&arena);
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

static void assert_decoded(const char *text, const char *want)
{
    char got[256] = "";
    size_t length = strlen(text), used;
    for (size_t at = 0; at < length; at += used) {
        uint32_t code = utf8_decode(text + at, length - at, &used);
        sprintf(got + strlen(got), "%s%x", at ? " " : "", code);
    }
    assert_string_equal(got, want);
}

static void test_utf8(void **state)
{
    (void)state;
    assert_decoded("a\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80", "61 e9 6f22 1f600");
    assert_decoded("\xff\xc0\xaf", "fffd fffd fffd");
    assert_decoded("\xe6\xbc(\xf0\x9f\x98", "fffd 28 fffd");   // longest beginnings
    assert_decoded("\xed\xa0\x80", "fffd fffd fffd");          // a surrogate
    assert_decoded("\xf4\x90\x80\x80", "fffd fffd fffd fffd"); // behind the last code point
    struct arena arena;
    arena_init(&arena);
    assert_string_equal(utf8_clean(&arena, "a\xffz\xc3\xa9"), "a\xef\xbf\xbdz\xc3\xa9");
    // Whatever the bytes are, they come back, and what is between is UTF-8.
    static const char *const texts[] = {
        "", "plain", "a\xffz\xc3\xa9\xc3", "\xef\xbf\xbd", "\xf4\x8f\xbc\x80\xf4\x8f\xbf\xbf",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        char *escaped = utf8_escape(&arena, texts[i]);
        assert_string_equal(utf8_clean(&arena, escaped), escaped);
        assert_string_equal(utf8_unescape(&arena, escaped), texts[i]);
    }
    arena_release(&arena);
}

static void test_glob(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *path;
        bool matches;
    } cases[] = {
        {"*.cu", "a.cu", true},
        {"*.cu", "deep/down/a.cu", true},
        {"*.cu", "a.cuh", false},
        {"third_party", "x/third_party/y/a.cu", true},
        {"third_party/", "third_party/a.cu", true},
        {"third_party", "third_party2/a.cu", false},
        {"src/*.cu", "src/a.cu", true},
        {"src/*.cu", "src/b/a.cu", false},
        {"src/*.cu", "x/src/a.cu", false},
        {"src/**/a.cu", "src/a.cu", true},
        {"src/**/a.cu", "src/x/y/a.cu", true},
        {"**/gen/*", "x/gen/a.cu", true},
        {"**/gen/*", "gen/a.cu", true},
        {"src/**", "src/x/y", true},
        {"/top.cu", "top.cu", true},
        {"/top.cu", "x/top.cu", false},
        {"./top.cu", "top.cu", true},
        {"a?.cu", "ab.cu", true},
        {"a?.cu", "a/.cu", false},
        {"[a-c]x.cu", "bx.cu", true},
        {"[!a-c]x.cu", "bx.cu", false},
        {"[!a-c]x.cu", "dx.cu", true},
        {"[]]x", "]x", true},
        {"[ab", "[ab", true},
        {"\\*.cu", "*.cu", true},
        {"\\*.cu", "a.cu", false},
        {"", "a.cu", false},
        {"/", "a.cu", false},
        {"*", "a.cu", true},
        {"a*b*c", "axxbxxc", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_int_equal(glob_match(cases[i].pattern, cases[i].path), cases[i].matches);
    char slow[4001];
    memset(slow, 'a', sizeof slow - 1);
    slow[sizeof slow - 1] = '\0';
    assert_false(glob_match("*a*a*a*a*a*a*a*a*a*a*a*b", slow));
    assert_false(glob_match(slow, "a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path_absolute), cmocka_unit_test(test_path_parts),
        cmocka_unit_test(test_nearest),       cmocka_unit_test(test_arena),
        cmocka_unit_test(test_error),         cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_glob),          cmocka_unit_test(test_wording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
