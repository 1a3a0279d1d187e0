// Whole compile databases of build systems, and the translation each must have. The databases of
// testdata/commands are captures with the project in /home/dev/project; the expected text stands
// beside them in expected.txt. BARLINT_BLESS=1 rewrites it, to be read before it is kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "frontend/command/compdb.h"
#include "frontend/command/file.h"
#include "frontend/command/translate.h"

static const char neutral[] = "/home/dev/project";

// Returns `text` with every `from` replaced by `to`.
static char *replace(struct arena *arena, const char *text, const char *from, const char *to)
{
    char *out = arena_strdup(arena, "");
    const char *at = text;
    for (const char *hit; (hit = strstr(at, from)) != NULL; at = hit + strlen(from)) {
        out = arena_printf(arena, "%s%.*s%s", out, (int)(hit - at), at, to);
    }
    return arena_printf(arena, "%s%s", out, at);
}

// The same toolkit whatever this machine has.
static struct toolkit fixed_toolkit(struct arena *arena)
{
    struct toolkit toolkit = {.version_major = 13, .version_minor = 0, .version_build = 88};
    toolkit.path = arena_strdup(arena, "/usr/local/cuda");
    toolkit.include = arena_array(arena, char *, 2);
    toolkit.include[toolkit.include_count++] = arena_strdup(arena, "/usr/local/cuda/include");
    toolkit.include[toolkit.include_count++] = arena_strdup(arena, "/usr/local/cuda/include/cccl");
    toolkit.has_random_kernel = true;
    return toolkit;
}

static void show(const struct translation *translation, FILE *out)
{
    fprintf(out, "== %s (%s)\n", translation->file, compiler_kind_name(translation->kind));
    fputs("architectures:", out);
    for (size_t i = 0; i < translation->named_count; i++) {
        char suffix[2] = {translation->named[i].suffix, '\0'};
        fprintf(out, " %d%s", translation->named[i].number, suffix);
    }
    char suffix[2] = {translation->arch.suffix, '\0'};
    fprintf(out, "; analysed for %d%s; %s\n", translation->arch.number, suffix,
            translation->language_standard);
    for (size_t i = 0; i < translation->step_count; i++) {
        const struct translation_step *step = &translation->step[i];
        static const char *const names[] = {"kept",     "changed",   "dropped", "defined",
                                            "expanded", "unwrapped", "chosen"};
        if (step->action == STEP_ADDED) {
            continue;
        }
        fprintf(out, "%s%s %s", step->warning ? "! " : "  ", names[step->action], step->original);
        fprintf(out, "%s%s  [%s]\n", *step->result ? " => " : "", step->result, step->reason);
    }
    fputs("arguments:", out);
    bool own = true; // before the prelude stand the arguments every unit gets
    for (size_t i = 0; i < translation->count; i++) {
        if (!own) {
            fprintf(out, "\n  %s", translation->argument[i]);
        }
        own = own && !strstr(translation->argument[i], "barlint/prelude.h");
    }
    fputs("\n\n", out);
}

static void check_database(const char *name, const char *database_path)
{
    struct arena arena;
    arena_init(&arena);
    struct error error = {0};
    char *folder = arena_printf(&arena, "%s/%s", BARLINT_TESTDATA_COMMANDS, name);
    char *path = path_join(&arena, folder, database_path);
    char *text;
    size_t size;
    assert_true(path_read(&arena, path, 1 << 20, &text, &size, &error));
    text = replace(&arena, text, neutral, folder);
    struct compile_database database;
    assert_true(compile_database_parse(&arena, path, text, strlen(text), &database, &error));
    struct compile_command **commands = NULL;
    compile_database_cuda(&database, &commands);
    struct toolkit toolkit = fixed_toolkit(&arena);
    struct translate_options options = {
        .toolkit = &toolkit,
        .resource = "/barlint",
        .clang_resource = "/clang",
    };
    char *shown = NULL;
    size_t shown_size = 0;
    FILE *out = open_memstream(&shown, &shown_size);
    for (ptrdiff_t i = 0; i < arrlen(commands); i++) {
        struct translation_list list;
        assert_true(translate_command(&arena, commands[i], &options, &list, &error));
        assert_int_equal(list.count, 1);
        show(&list.item[0], out);
    }
    fclose(out);
    char *actual = replace(&arena, shown, folder, neutral);
    char *expected_path = arena_printf(&arena, "%s/expected.txt", folder);
    if (getenv("BARLINT_BLESS")) {
        FILE *file = fopen(expected_path, "w");
        assert_non_null(file);
        fputs(actual, file);
        fclose(file);
    }
    char *expected;
    assert_true(path_read(&arena, expected_path, 1 << 20, &expected, &size, &error));
    assert_string_equal(actual, expected);
    free(shown);
    arrfree(commands);
    compile_database_release(&database);
    arena_release(&arena);
}

static void cmake_makefiles(void **state)
{
    (void)state;
    check_database("cmake-make", "out/compile_commands.json");
}

static void cmake_ninja(void **state)
{
    (void)state;
    check_database("cmake-ninja", "out/compile_commands.json");
}

static void meson(void **state)
{
    (void)state;
    check_database("meson", "out/compile_commands.json");
}

static void pytorch(void **state)
{
    (void)state;
    check_database("pytorch", "out/compile_commands.json");
}

static void bear(void **state)
{
    (void)state;
    check_database("bear", "compile_commands.json");
}

static void xmake(void **state)
{
    (void)state;
    check_database("xmake", "compile_commands.json");
}

static void bazel(void **state)
{
    (void)state;
    check_database("bazel", "compile_commands.json");
}

static void clang(void **state)
{
    (void)state;
    check_database("clang", "compile_commands.json");
}

static void hipcc(void **state)
{
    (void)state;
    check_database("hipcc", "compile_commands.json");
}

static void launchers(void **state)
{
    (void)state;
    check_database("launchers", "compile_commands.json");
}

static void options_file(void **state)
{
    (void)state;
    check_database("options-file", "compile_commands.json");
}

static void plain(void **state)
{
    (void)state;
    check_database("plain", "compile_commands.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cmake_makefiles), cmocka_unit_test(cmake_ninja),  cmocka_unit_test(meson),
        cmocka_unit_test(pytorch),         cmocka_unit_test(bear),         cmocka_unit_test(xmake),
        cmocka_unit_test(bazel),           cmocka_unit_test(clang),        cmocka_unit_test(hipcc),
        cmocka_unit_test(launchers),       cmocka_unit_test(options_file), cmocka_unit_test(plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
