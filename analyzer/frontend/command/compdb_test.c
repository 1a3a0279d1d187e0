#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <utime.h>

#include <cmocka.h>

#include "base/vec.h"
#include "frontend/command/compdb.h"
#include "frontend/command/dependencies.h"
#include "frontend/command/header_command.h"
#include "frontend/command/test_folder.h"

struct fixture {
    struct arena arena;
    struct compile_database database;
    struct error error;
};

static bool parse(struct fixture *fixture, const char *text)
{
    *fixture = (struct fixture){0};
    arena_init(&fixture->arena);
    return compile_database_parse(&fixture->arena, "/p/out/compile_commands.json", text,
                                  strlen(text), &fixture->database, &fixture->error);
}

static void drop(struct fixture *fixture)
{
    compile_database_release(&fixture->database);
    arena_release(&fixture->arena);
}

static void both_forms(void **state)
{
    (void)state;
    struct fixture f;
    assert_true(parse(&f, "[{\"directory\":\"/p/out\",\"file\":\"../k.cu\",\"command\":"
                          "\"nvcc -DA=\\\\\\\"x\\\\\\\" -c ../k.cu\",\"output\":\"k.o\"},"
                          "{\"file\":\"/q/l.cu\",\"arguments\":[\"nvcc\",\"-DB=a b\",\"l.cu\"],"
                          "\"directory\":\"..\"}]"));
    assert_int_equal(f.database.count, 2);
    assert_null(f.database.damage);
    struct compile_command *first = compile_database_first(&f.database, "/p/k.cu");
    assert_non_null(first);
    assert_string_equal(first->directory, "/p/out");
    assert_string_equal(first->output, "k.o");
    struct word_list words = compile_command_words(&f.arena, first);
    assert_int_equal(words.count, 4);
    assert_string_equal(words.word[1], "-DA=\"x\"");
    struct compile_command *second = compile_database_first(&f.database, "/q/l.cu");
    assert_non_null(second);
    assert_string_equal(second->directory, "/p");
    assert_string_equal(compile_command_words(&f.arena, second).word[1], "-DB=a b");
    assert_null(compile_database_first(&f.database, "/p/none.cu"));
    drop(&f);
}

static void several_entries_for_one_file(void **state)
{
    (void)state;
    struct fixture f;
    assert_true(parse(&f, "[{\"directory\":\"/p\",\"file\":\"a.cu\",\"command\":\"nvcc -DX a.cu\"},"
                          "{\"directory\":\"/p\",\"file\":\"b.cu\",\"command\":\"nvcc b.cu\"},"
                          "{\"directory\":\"/p\",\"file\":\"./a.cu\",\"command\":\"nvcc a.cu\"},"
                          "{\"directory\":\"/p\",\"file\":\"a.cu\",\"arguments\":[\"nvcc\","
                          "\"a.cu\"]}]"));
    struct compile_command *at = compile_database_first(&f.database, "/p/a.cu");
    assert_ptr_equal(at, &f.database.entry[0]);
    at = compile_database_next(&f.database, at);
    assert_ptr_equal(at, &f.database.entry[2]);
    at = compile_database_next(&f.database, at);
    assert_ptr_equal(at, &f.database.entry[3]);
    assert_null(compile_database_next(&f.database, at));
    // The last two say the same.
    struct compile_command **cuda = NULL;
    compile_database_cuda(&f.database, &cuda);
    assert_int_equal(arrlen(cuda), 3);
    assert_ptr_equal(cuda[2], &f.database.entry[2]);
    arrfree(cuda);
    drop(&f);
}

static void entries_that_say_too_little(void **state)
{
    (void)state;
    struct fixture f;
    assert_true(parse(&f, "[{\"directory\":\"/p\",\"command\":\"nvcc\"},"
                          "{\"file\":\"a.cu\"}, 7, {\"file\":\"b.cu\",\"arguments\":[\"nvcc\",3]},"
                          "{\"file\":\"c.cu\",\"arguments\":[],\"command\":\"nvcc c.cu\"}]"));
    assert_int_equal(f.database.count, 1);
    assert_int_equal(f.database.skipped, 4);
    assert_non_null(strstr(f.database.damage, "entry 1"));
    assert_non_null(strstr(f.database.damage, "names no file"));
    drop(&f);
}

static void truncated_database(void **state)
{
    (void)state;
    static const char text[] = "[\n{\"directory\":\"/p\",\"file\":\"a.cu\",\"command\":\"nvcc\"},\n"
                               "{\"directory\":\"/p\",\"file\":\"b.cu\",\"comm";
    struct fixture f;
    assert_true(parse(&f, text));
    assert_int_equal(f.database.count, 1);
    assert_non_null(strstr(f.database.damage, "line 3"));
    drop(&f);
    // Wherever it is cut, nothing worse happens than that entries are missing.
    for (size_t cut = 0; cut < sizeof text; cut++) {
        struct fixture part = {0};
        arena_init(&part.arena);
        bool ok = compile_database_parse(&part.arena, "/p/c.json", text, cut, &part.database,
                                         &part.error);
        assert_true(ok ? part.database.damage != NULL : part.error.kind == ERROR_USAGE);
        drop(&part);
    }
}

static void text_that_is_no_database(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "{}", "nvcc -c a.cu", "[", "[1", "[{", "\xff\xfe[]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fixture f;
        assert_false(parse(&f, texts[i]));
        assert_int_equal(f.error.kind, ERROR_USAGE);
        assert_non_null(strstr(f.error.text, "/p/out/compile_commands.json"));
        drop(&f);
    }
    struct fixture empty;
    assert_true(parse(&empty, " [ ] "));
    assert_int_equal(empty.database.count, 0);
    drop(&empty);
    assert_true(parse(&empty, "\xEF\xBB\xBF[]"));
    drop(&empty);
}

static bool is_cuda(const char *file, const char *text)
{
    struct arena arena;
    arena_init(&arena);
    struct compile_command command = {.directory = "/p", .file = file, .text = text};
    bool result = compile_command_is_cuda(&arena, &command);
    arena_release(&arena);
    return result;
}

static void which_entries_are_cuda(void **state)
{
    (void)state;
    assert_true(is_cuda("/p/a.cu", "g++ a.cu"));
    assert_true(is_cuda("/p/a.cpp", "ccache nvcc -x cu a.cpp"));
    assert_true(is_cuda("/p/a.cpp", "nvcc -x=cu a.cpp"));
    assert_true(is_cuda("/p/a.cc", "clang++ -xcuda --cuda-gpu-arch=sm_80 a.cc"));
    assert_true(is_cuda("/p/a.cpp", "/opt/rocm/bin/hipcc -c a.cpp"));
    assert_false(is_cuda("/p/a.cpp", "nvcc -c a.cpp"));
    assert_false(is_cuda("/p/a.cpp", "g++ -Icuda/include -c a.cpp"));
    assert_false(is_cuda("/p/a.cpp", "nvcc -x c++ a.cpp -DX=-xcu"));
    assert_false(is_cuda("/p/a.cpp", ""));
}

static size_t launchers_of(const char *text)
{
    struct arena arena;
    arena_init(&arena);
    struct word_list words = shlex_split(&arena, text, QUOTING_SHELL);
    size_t skip = compile_command_launchers(&words);
    arena_release(&arena);
    return skip;
}

static void launchers(void **state)
{
    (void)state;
    assert_int_equal(launchers_of("nvcc -c a.cu"), 0);
    assert_int_equal(launchers_of("/usr/bin/ccache nvcc -c a.cu"), 1);
    assert_int_equal(launchers_of("ccache distcc /x/nvcc -c a.cu"), 2);
    assert_int_equal(launchers_of("env -u X A=b nvcc"), 4);
    assert_int_equal(launchers_of("CUDA=1 nvcc a.cu"), 1);
    assert_int_equal(launchers_of("cmake -E time nvcc a.cu"), 3);
    assert_int_equal(launchers_of("cmake -E env A=b nvcc a.cu"), 4);
    assert_int_equal(launchers_of("bear -- nvcc a.cu"), 2);
    assert_int_equal(launchers_of("ccache"), 0);
    assert_int_equal(launchers_of("env A=b"), 0);
    assert_int_equal(launchers_of(""), 0);
}

static void compiler_kinds(void **state)
{
    (void)state;
    assert_int_equal(compiler_kind_of("/usr/local/cuda-12.4/bin/nvcc"), COMPILER_NVCC);
    assert_int_equal(compiler_kind_of("nvcc.exe"), COMPILER_NVCC);
    assert_int_equal(compiler_kind_of("/opt/nvcc_wrapper"), COMPILER_NVCC);
    assert_int_equal(compiler_kind_of("clang++-22"), COMPILER_CLANG);
    assert_int_equal(compiler_kind_of("hipcc"), COMPILER_HIPCC);
    assert_int_equal(compiler_kind_of("x86_64-linux-gnu-g++-12"), COMPILER_HOST);
}

// 10,000 entries, most of them plain C++, must be read and asked in a moment.
static void large_database_is_quick(void **state)
{
    (void)state;
    enum { ENTRIES = 10000 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fputc('[', out);
    for (int i = 0; i < ENTRIES; i++) {
        fprintf(out,
                "%s{\"directory\":\"/p/build\",\"file\":\"/p/src/m%d/f%d.%s\",\"command\":\"%s "
                "-DNDEBUG -I/p/include -I/p/third_party/a -O3 -std=c++17 -c f -o f.o\"}",
                i ? "," : "", i % 100, i, i % 10 ? "cpp" : "cu", i % 10 ? "g++" : "nvcc");
    }
    fputc(']', out);
    fclose(out);
    clock_t before = clock();
    struct fixture f;
    assert_true(parse(&f, text));
    struct compile_command **cuda = NULL;
    compile_database_cuda(&f.database, &cuda);
    assert_int_equal(arrlen(cuda), ENTRIES / 10);
    for (int i = 0; i < ENTRIES; i++) {
        char name[64];
        snprintf(name, sizeof name, "/p/src/m%d/f%d.%s", i % 100, i, i % 10 ? "cpp" : "cu");
        assert_non_null(compile_database_first(&f.database, name));
    }
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    // About 0.05 s in an optimised build; the bound only catches quadratic work.
    assert_true(seconds < 5.0);
    arrfree(cuda);
    drop(&f);
    free(text);
}

// ---- Finding ----

static void finding_a_database(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    struct error error = {0};
    char *source = test_folder_write(&folder, "repo/src/deep/k.cu", "");
    char *old = test_folder_write(&folder, "repo/build-a/compile_commands.json", "[]");
    char *new = test_folder_write(&folder, "repo/build[b]/compile_commands.json", "[]");
    struct utimbuf past = {.actime = 1000, .modtime = 1000};
    assert_int_equal(utime(old, &past), 0);
    struct arena *arena = &folder.arena;
    assert_string_equal(compile_database_find(arena, NULL, source, &error), new);
    char *near = test_folder_write(&folder, "repo/src/out/debug/compile_commands.json", "[]");
    assert_string_equal(compile_database_find(arena, NULL, source, &error), near);
    char *own = test_folder_write(&folder, "repo/src/deep/compile_commands.json", "[]");
    assert_string_equal(compile_database_find(arena, NULL, source, &error), own);
    // A folder or the file itself may be named.
    char *build = test_folder_path(&folder, "repo/build-a");
    assert_string_equal(compile_database_find(arena, build, source, &error), old);
    assert_string_equal(compile_database_find(arena, old, NULL, &error), old);
    char *empty = test_folder_path(&folder, "repo/src");
    assert_null(compile_database_find(arena, empty, NULL, &error));
    assert_int_equal(error.kind, ERROR_USAGE);
    test_folder_release(&folder);
}

static void unreadable_database(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    struct error error = {0};
    struct compile_database database;
    char *missing = test_folder_path(&folder, "compile_commands.json");
    assert_false(compile_database_read(&folder.arena, missing, &database, &error));
    assert_int_equal(error.kind, ERROR_ENVIRONMENT);
    assert_false(compile_database_read(&folder.arena, folder.path, &database, &error));
    assert_int_equal(error.kind, ERROR_ENVIRONMENT);
    test_folder_release(&folder);
}

// ---- Headers ----

static struct compile_command borrow(struct test_folder *folder, const char *header,
                                     const char *entries)
{
    char *text = arena_strdup(&folder->arena, "[");
    for (const char *name = entries; *name; name += strlen(name) + 1) {
        text =
            arena_printf(&folder->arena,
                         "%s%s{\"directory\":\"%s\",\"file\":\"%s\",\"command\":\"nvcc -Iinclude "
                         "-c %s -o %s.o\"}",
                         text, text[1] ? "," : "", folder->path, name, name, name);
    }
    text = arena_printf(&folder->arena, "%s]", text);
    char *path = test_folder_write(folder, "compile_commands.json", text);
    struct compile_database database;
    struct compile_command command = {0};
    assert_true(compile_database_read(&folder->arena, path, &database, NULL));
    bool any = compile_database_borrow(&database, test_folder_path(folder, header), &command);
    assert_int_equal(any, *entries != '\0');
    compile_database_release(&database);
    return command;
}

static void header_borrows_from_what_includes_it(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    test_folder_write(&folder, "src/near.cu", "#include <cstdio>\n");
    test_folder_write(&folder, "lib/far.cu", " # include \"mid.cuh\"\n");
    test_folder_write(&folder, "lib/mid.cuh", "#include <tile/ring.cuh>\n");
    char *header = test_folder_write(&folder, "include/tile/ring.cuh", "");
    struct compile_command command =
        borrow(&folder, "include/tile/ring.cuh", "src/near.cu\0lib/far.cu\0");
    assert_string_equal(command.file, header);
    assert_non_null(strstr(command.borrowed, "lib/far.cu"));
    assert_non_null(strstr(command.borrowed, "which includes it"));
    assert_null(command.output);
    test_folder_release(&folder);
}

static void dependency_file_decides(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    test_folder_write(&folder, "a/ring.cu", "#include \"../a/ring.cuh\"\n");
    test_folder_write(&folder, "b/other.cu", "");
    test_folder_write(&folder, "a/ring.cuh", "");
    test_folder_write(&folder, "b/other.cu.o.d",
                      "b/other.cu.o: b/other.cu \\\n  a/my\\ file.h \\\n a/ring.cuh\n");
    struct compile_command command = borrow(&folder, "a/ring.cuh", "a/ring.cu\0b/other.cu\0");
    assert_non_null(strstr(command.borrowed, "b/other.cu"));
    assert_non_null(strstr(command.borrowed, "other.cu.o.d"));
    test_folder_release(&folder);
}

static void nearest_without_any_trace(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    struct compile_command command =
        borrow(&folder, "a/x/ring.cuh", "b/far.cu\0a/x/near.cu\0c/ring.cu\0");
    assert_non_null(strstr(command.borrowed, "c/ring.cu"));
    assert_non_null(strstr(command.borrowed, "nearest"));
    command = borrow(&folder, "a/x/other.cuh", "b/far.cu\0a/x/near.cu\0c/ring.cu\0");
    assert_non_null(strstr(command.borrowed, "a/x/near.cu"));
    borrow(&folder, "a/x/other.cuh", "");
    test_folder_release(&folder);
}

static void includes_in_a_circle_end(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    test_folder_write(&folder, "a.cu", "#include \"a.cuh\"\n#include \"a.cu\"\n");
    test_folder_write(&folder, "a.cuh", "#include \"a.cuh\"\n#include \"a.cu\"\n#include \"");
    struct compile_command command = borrow(&folder, "z.cuh", "a.cu\0");
    assert_non_null(strstr(command.borrowed, "nearest"));
    test_folder_release(&folder);
}

static void depfile_syntax(void **state)
{
    (void)state;
    static const char text[] = "out/k.o: /p/k.cu \\\n ../inc/a\\ b.h\\\n sub//c$$d.h e\\#f.h";
    assert_true(depfile_names(text, strlen(text), "/p/out", "/p/k.cu"));
    assert_true(depfile_names(text, strlen(text), "/p/out", "/p/inc/a b.h"));
    assert_true(depfile_names(text, strlen(text), "/p/out", "/p/out/sub/c$d.h"));
    assert_true(depfile_names(text, strlen(text), "/p/out", "/p/out/e#f.h"));
    assert_false(depfile_names(text, strlen(text), "/p/out", "/p/b.h"));
    assert_false(depfile_names("", 0, "/p", "/p/b.h"));
}

static void put_word(FILE *out, uint32_t word)
{
    for (int i = 0; i < 4; i++) {
        fputc((int)(word >> (8 * i) & 255), out);
    }
}

// The log `ninja` writes: two paths, then the second depends on... the first.
static void ninja_log(void **state)
{
    (void)state;
    char *log = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&log, &size);
    fputs("# ninjadeps\n", out);
    put_word(out, 4);
    put_word(out, 12); // "k.cu.o" padded to 8, and the checksum
    fputs("k.cu.o", out);
    fwrite("\0", 1, 2, out);
    put_word(out, ~0u);
    put_word(out, 12); // "../a.cuh"
    fputs("../a.cuh", out);
    put_word(out, ~1u);
    put_word(out, 0x80000000u | 16);
    put_word(out, 0);
    put_word(out, 1);
    put_word(out, 2);
    put_word(out, 1);
    fclose(out);
    struct arena arena;
    arena_init(&arena);
    char **outputs = NULL;
    const unsigned char *data = (const unsigned char *)log;
    assert_true(ninja_log_outputs(&arena, data, size, "/p/out", "/p/a.cuh", &outputs));
    assert_int_equal(arrlen(outputs), 1);
    assert_string_equal(outputs[0], "k.cu.o");
    arrsetlen(outputs, 0);
    assert_true(ninja_log_outputs(&arena, data, size, "/p/out", "/p/b.cuh", &outputs));
    assert_int_equal(arrlen(outputs), 0);
    // A log cut anywhere gives no answer or the same one.
    for (size_t cut = 0; cut < size; cut++) {
        ninja_log_outputs(&arena, data, cut, "/p/out", "/p/a.cuh", &outputs);
        assert_int_equal(arrlen(outputs), 0);
    }
    arrfree(outputs);
    free(log);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms),
        cmocka_unit_test(several_entries_for_one_file),
        cmocka_unit_test(entries_that_say_too_little),
        cmocka_unit_test(truncated_database),
        cmocka_unit_test(text_that_is_no_database),
        cmocka_unit_test(which_entries_are_cuda),
        cmocka_unit_test(launchers),
        cmocka_unit_test(compiler_kinds),
        cmocka_unit_test(large_database_is_quick),
        cmocka_unit_test(finding_a_database),
        cmocka_unit_test(unreadable_database),
        cmocka_unit_test(header_borrows_from_what_includes_it),
        cmocka_unit_test(dependency_file_decides),
        cmocka_unit_test(nearest_without_any_trace),
        cmocka_unit_test(includes_in_a_circle_end),
        cmocka_unit_test(depfile_syntax),
        cmocka_unit_test(ninja_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
