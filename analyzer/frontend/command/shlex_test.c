#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/command/response.h"
#include "frontend/command/shlex.h"
#include "frontend/command/test_folder.h"

#include "base/vec.h"

// Splits and joins with '|' so that one string tells all.
static void expect_split(const char *text, enum quoting quoting, const char *joined)
{
    struct arena arena;
    arena_init(&arena);
    struct word_list list = shlex_split(&arena, text, quoting);
    char *shown = arena_strdup(&arena, "");
    for (size_t i = 0; i < list.count; i++) {
        shown = arena_printf(&arena, "%s%s%s", shown, i ? "|" : "", list.word[i]);
    }
    assert_string_equal(shown, joined);
    assert_null(list.word[list.count]);
    arena_release(&arena);
}

static void shell_words(void **state)
{
    (void)state;
    expect_split("nvcc  -c\ta.cu\n", QUOTING_SHELL, "nvcc|-c|a.cu");
    expect_split("-DNAME=\"\\\"a b\\\"\"", QUOTING_SHELL, "-DNAME=\"a b\"");
    expect_split("-DQ='a \"b\\'", QUOTING_SHELL, "-DQ=a \"b\\");
    expect_split("'it'\\''s'", QUOTING_SHELL, "it's");
    expect_split("a\\ b \"c\\d\" \"\"", QUOTING_SHELL, "a b|c\\d|");
    expect_split("a\\\nb \"c\\\nd\"", QUOTING_SHELL, "ab|cd");
    expect_split("$HOME `ls` #x *", QUOTING_SHELL, "$HOME|`ls`|#x|*");
    expect_split("", QUOTING_SHELL, "");
}

static void broken_shell_words(void **state)
{
    (void)state;
    expect_split("a 'open", QUOTING_SHELL, "a|open");
    expect_split("a \"open\\", QUOTING_SHELL, "a|open\\");
    expect_split("a\\", QUOTING_SHELL, "a\\");
}

// What nvcc 13.0 did with the same lines in an options file.
static void nvcc_options_file_words(void **state)
{
    (void)state;
    expect_split("-I\"/a,b\"", QUOTING_NVCC, "-I/a,b");
    expect_split("-DX=\\\"q\\\"", QUOTING_NVCC, "-DX=q");
    expect_split("-DW=\"str ing\" \"-DZ=a b\" -I/x\\ y", QUOTING_NVCC,
                 "-DW=str ing|-DZ=a b|-I/x y");
    expect_split("-DV=a\\\\b", QUOTING_NVCC, "-DV=ab");
    expect_split("-DT='q'", QUOTING_NVCC, "-DT='q'");
    expect_split("-DX=\"\\\"q r\\\"\"", QUOTING_NVCC, "-DX=q r");
}

static void gnu_response_file_words(void **state)
{
    (void)state;
    expect_split("-DQ='a b' -I\\\\x 'it\\'s' \"q\\\"r\"", QUOTING_GNU, "-DQ=a b|-I\\x|it's|q\"r");
}

static void expect_list(const char *text, const char *joined)
{
    struct arena arena;
    arena_init(&arena);
    struct word_list list = shlex_split_list(&arena, text);
    char *shown = arena_strdup(&arena, "");
    for (size_t i = 0; i < list.count; i++) {
        shown = arena_printf(&arena, "%s%s%s", shown, i ? "|" : "", list.word[i]);
    }
    assert_string_equal(shown, joined);
    arena_release(&arena);
}

static void comma_lists(void **state)
{
    (void)state;
    expect_list("a,b,,c,", "a|b|c");
    expect_list("\"i,c\",d", "\"i,c\"|d");
    expect_list("X=\"a,b\"", "X=\"a,b\"");
    expect_list("X=\\\"a,b\\\"", "X=\"a|b\"");
    expect_list("F(a\\,b)=a", "F(a,b)=a");
    expect_list("", "");
    expect_list(",", "");
}

static void quoting_reads_back(void **state)
{
    (void)state;
    static const char *const words[] = {"plain", "",     "a b",  "it's", "\"q\"",
                                        "$x`y`", "-I/a", "a\\b", "*?[]", "new\nline"};
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *quoted = shlex_quote(&arena, words[i]);
        struct word_list list = shlex_split(&arena, quoted, QUOTING_SHELL);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.word[0], words[i]);
    }
    assert_string_equal(shlex_quote(&arena, "-I/a,b=c"), "-I/a,b=c");
    arena_release(&arena);
}

// ---- Options files ----

static struct word_list expand(struct test_folder *folder, const char *command,
                               enum compiler_kind kind, struct response_file **files)
{
    struct word_list words = shlex_split(&folder->arena, command, QUOTING_SHELL);
    return response_expand(&folder->arena, &words, folder->path, kind, files);
}

static void options_files_expand_in_place(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    test_folder_write(&folder, "sub/a.rsp", "-DA --options-file sub/b.rsp -DD");
    test_folder_write(&folder, "sub/b.rsp", "-DB\n-DC\n");
    struct response_file *files = NULL;
    struct word_list words =
        expand(&folder, "-c --options-file sub/a.rsp -o x", COMPILER_NVCC, &files);
    static const char *const expected[] = {"-c", "-DA", "-DB", "-DC", "-DD", "-o", "x"};
    assert_int_equal(words.count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(words.word[i], expected[i]);
    }
    assert_int_equal(arrlen(files), 2);
    assert_null(files[0].problem);
    assert_int_equal(files[1].words, 2);
    arrfree(files);
    test_folder_release(&folder);
}

static void options_files_that_cannot_be_read(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    test_folder_write(&folder, "circle.rsp", "-DA -optf circle.rsp");
    struct response_file *files = NULL;
    struct word_list words =
        expand(&folder, "-optf circle.rsp,missing.rsp -DB", COMPILER_NVCC, &files);
    assert_int_equal(words.count, 2);
    assert_string_equal(words.word[0], "-DA");
    assert_string_equal(words.word[1], "-DB");
    assert_int_equal(arrlen(files), 3);
    assert_string_equal(files[1].problem, "the file names itself");
    assert_non_null(strstr(files[2].problem, "no such file"));
    arrfree(files);
    test_folder_release(&folder);
}

// A file that names the next twice would double at every level.
static void options_files_are_bounded(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    for (int i = 0; i < 20; i++) {
        test_folder_write(
            &folder, arena_printf(&folder.arena, "%d.rsp", i),
            arena_printf(&folder.arena, "-DX -optf %d.rsp -optf %d.rsp", i + 1, i + 1));
    }
    struct response_file *files = NULL;
    struct word_list words = expand(&folder, "-optf 0.rsp", COMPILER_NVCC, &files);
    assert_true(words.count > 15);
    assert_true(words.count < 2000);
    assert_true(arrlen(files) < 2000);
    arrfree(files);
    test_folder_release(&folder);
}

static void value_of_an_option_is_no_file(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    test_folder_write(&folder, "a.rsp", "-DA");
    struct response_file *files = NULL;
    struct word_list words = expand(&folder, "-o @a.rsp @a.rsp", COMPILER_NVCC, &files);
    assert_int_equal(words.count, 3);
    assert_string_equal(words.word[1], "@a.rsp");
    assert_string_equal(words.word[2], "-DA");
    arrfree(files);
    test_folder_release(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shell_words),
        cmocka_unit_test(broken_shell_words),
        cmocka_unit_test(nvcc_options_file_words),
        cmocka_unit_test(gnu_response_file_words),
        cmocka_unit_test(comma_lists),
        cmocka_unit_test(quoting_reads_back),
        cmocka_unit_test(options_files_expand_in_place),
        cmocka_unit_test(options_files_that_cannot_be_read),
        cmocka_unit_test(options_files_are_bounded),
        cmocka_unit_test(value_of_an_option_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
