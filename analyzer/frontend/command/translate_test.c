// What the golden tests do not show: barlint's own arguments, several architectures, options of
// the caller, commands made up without a build, and the printed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/command/test_folder.h"
#include "frontend/command/translate.h"

struct fixture {
    struct arena arena;
    struct toolkit toolkit;
    struct translate_options options;
    struct translation_list list;
    struct error error;
};

static void init(struct fixture *fixture)
{
    *fixture = (struct fixture){0};
    arena_init(&fixture->arena);
    fixture->toolkit = (struct toolkit){.version_major = 12, .version_minor = 4};
    fixture->toolkit.path = arena_strdup(&fixture->arena, "/cuda");
    fixture->toolkit.include = arena_array(&fixture->arena, char *, 1);
    fixture->toolkit.include[0] = arena_strdup(&fixture->arena, "/cuda/include");
    fixture->toolkit.include_count = 1;
    fixture->options = (struct translate_options){
        .toolkit = &fixture->toolkit, .resource = "/share", .clang_resource = "/clang"};
}

static bool translate(struct fixture *fixture, const char *text)
{
    struct compile_command command = {.directory = "/p", .file = "/p/k.cu", .text = text};
    return translate_command(&fixture->arena, &command, &fixture->options, &fixture->list,
                             &fixture->error);
}

// The position of an argument (and of the one behind it, when given), or -1.
static int position(const struct translation *translation, const char *first, const char *second)
{
    for (size_t i = 0; i < translation->count; i++) {
        bool next = !second || (i + 1 < translation->count &&
                                strcmp(translation->argument[i + 1], second) == 0);
        if (strcmp(translation->argument[i], first) == 0 && next) {
            return (int)i;
        }
    }
    return -1;
}

static void own_arguments(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    assert_true(translate(&f, "nvcc -arch=sm_90a -Iinc -include x.h -c k.cu"));
    const struct translation *t = &f.list.item[0];
    static const char *const wanted[] = {
        "--cuda-device-only",
        "-nocudalib",
        "-nocudainc",
        "-fgpu-rdc",
        "-ferror-limit=0",
        "-std=c++17",
        "--cuda-gpu-arch=sm_90a",
        "-Wno-register",
        "-resource-dir=/clang",
        "-D__CUDACC_VER_MAJOR__=12",
        "-D__CUDACC_VER_MINOR__=4",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_true(position(t, wanted[i], NULL) >= 0);
    }
    assert_true(position(t, "-x", "cuda") >= 0);
    assert_true(position(t, "-Xclang", "-target-sdk-version=12.9") >= 0);
    // The prelude, which includes clang's CUDA wrapper; then what the user says; then the toolkit.
    int prelude = position(t, "-include", "/share/barlint/prelude.h");
    int folder = position(t, "-I/p/inc", NULL);
    int header = position(t, "-include", "x.h");
    int toolkit = position(t, "-isystem", "/cuda/include");
    assert_true(0 <= prelude && prelude < folder && folder < header);
    assert_true(header < toolkit);
    // That toolkit has no cuRAND, and knows no __CUDA_ARCH_SPECIFIC__.
    assert_true(position(t, "-isystem", "/share/barlint/shim") > toolkit);
    assert_int_equal(position(t, "-D__CUDA_ARCH_SPECIFIC__=900", NULL), -1);
    assert_null(t->argument[t->count]);
    assert_string_equal(t->file, "/p/k.cu");
    for (size_t i = 0; i < t->step_count; i++) {
        assert_true(strlen(t->step[i].reason) > 0);
    }
    arena_release(&f.arena);
}

static void architecture_macros(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    f.toolkit.version_minor = 9;
    assert_true(translate(&f, "nvcc -arch=sm_100a -c k.cu"));
    assert_true(position(&f.list.item[0], "-D__CUDA_ARCH_SPECIFIC__=1000", NULL) >= 0);
    assert_true(position(&f.list.item[0], "-D__CUDA_ARCH_FAMILY_SPECIFIC__=1000", NULL) >= 0);
    assert_true(translate(&f, "nvcc -arch=sm_100f -c k.cu"));
    assert_int_equal(position(&f.list.item[0], "-D__CUDA_ARCH_SPECIFIC__=1000", NULL), -1);
    assert_true(position(&f.list.item[0], "-D__CUDA_ARCH_FAMILY_SPECIFIC__=1000", NULL) >= 0);
    // One clang has not heard of keeps its __CUDA_ARCH__.
    assert_true(translate(&f, "nvcc -arch=sm_107a -c k.cu"));
    const struct translation *t = &f.list.item[0];
    assert_int_equal(t->arch.number, 107);
    assert_int_equal(t->clang_arch.number, 103);
    int undefine = position(t, "-U__CUDA_ARCH__", "-D__CUDA_ARCH__=1070");
    assert_true(undefine >= 0);
    assert_true(position(t, "-D__CUDA_ARCH_FEAT_SM107_ALL=1", NULL) > undefine);
    assert_true(position(t, "--cuda-gpu-arch=sm_103", NULL) >= 0);
    arena_release(&f.arena);
}

static void several_architectures(void **state)
{
    (void)state;
    static const char command[] = "nvcc -gencode arch=compute_90a,code=sm_90a -gencode "
                                  "arch=compute_80,code=[sm_80,sm_86] -arch=compute_90a k.cu";
    struct fixture f;
    init(&f);
    assert_true(translate(&f, command));
    assert_int_equal(f.list.count, 1);
    assert_int_equal(f.list.item[0].arch.number, 90);
    assert_int_equal(f.list.item[0].named_count, 2);
    size_t steps = f.list.item[0].step_count;

    f.options.arch = "all";
    assert_true(translate(&f, command));
    assert_int_equal(f.list.count, 2);
    assert_int_equal(f.list.item[0].arch.number, 80);
    assert_int_equal(f.list.item[0].arch.suffix, 0);
    assert_int_equal(f.list.item[1].arch.suffix, 'a');
    assert_int_equal(f.list.item[1].step_count, steps);
    assert_true(position(&f.list.item[0], "--cuda-gpu-arch=sm_80", NULL) >= 0);
    assert_int_equal(position(&f.list.item[0], "--cuda-gpu-arch=sm_90a", NULL), -1);

    f.options.arch = "sm_75";
    assert_true(translate(&f, command));
    assert_int_equal(f.list.count, 1);
    assert_int_equal(f.list.item[0].arch.number, 75);

    f.options.arch = "hopper";
    assert_false(translate(&f, command));
    assert_int_equal(f.error.kind, ERROR_USAGE);
    assert_non_null(strstr(f.error.text, "'hopper'"));
    arena_release(&f.arena);
}

static void extra_arguments_and_dashes(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    char *extra[] = {arena_strdup(&f.arena, "--rdc=true"), arena_strdup(&f.arena, "-DEXTRA"),
                     arena_strdup(&f.arena, "-gpu-architecture=sm_89")};
    f.options.extra = extra;
    f.options.extra_count = 3;
    f.options.define_nvcc = true;
    assert_true(translate(&f, "nvcc -c k.cu"));
    const struct translation *t = &f.list.item[0];
    assert_true(position(t, "-D__CUDACC_RDC__", NULL) >= 0);
    assert_true(position(t, "-DEXTRA", NULL) >= 0);
    assert_true(position(t, "-D__NVCC__", NULL) >= 0);
    assert_int_equal(t->arch.number, 89);
    arena_release(&f.arena);
}

static void hostile_commands(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "nvcc",
        "ccache",
        "nvcc -",
        "nvcc --",
        "nvcc -- -c",
        "nvcc -D",
        "nvcc -D ''",
        "nvcc -I=",
        "nvcc -gencode",
        "nvcc -gencode ,,,arch=,",
        "nvcc -arch=",
        "nvcc -arch sm_",
        "nvcc -Xcompiler -Xcompiler,-Xclang,-Xclang",
        "nvcc -Xcompiler '\"'",
        "nvcc -std=",
        "nvcc --options-file ''",
        "nvcc -optf /dev/zero",
        "nvcc -optf .",
        "clang++ @",
        "clang++ @/",
        "clang++ -Xarch_device -Xarch_device -Xarch_device -DX",
        "hipcc -x",
        "'",
        "nvcc -x=",
        "nvcc -include ''",
        "nvcc -isystem ,,",
        "nvcc --use_fast_math=7",
        "nvcc -rdc",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fixture f;
        init(&f);
        assert_true(translate(&f, texts[i]));
        assert_int_equal(f.list.count, 1);
        arena_release(&f.arena);
    }
}

static void unknown_options_are_warnings(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    assert_true(translate(&f, "nvcc --frobnicate -c k.cu"));
    size_t warnings = 0;
    for (size_t i = 0; i < f.list.item[0].step_count; i++) {
        const struct translation_step *step = &f.list.item[0].step[i];
        if (step->warning) {
            assert_string_equal(step->original, "--frobnicate");
            assert_int_equal(step->action, STEP_DROPPED);
            warnings++;
        }
    }
    assert_int_equal(warnings, 1);
    arena_release(&f.arena);
}

static void built_in_headers(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    f.options.headers = HEADERS_BUILTIN;
    assert_true(translate(&f, "nvcc -arch=sm_90 -c k.cu"));
    const struct translation *t = &f.list.item[0];
    assert_int_equal(t->headers, HEADERS_BUILTIN);
    assert_true(position(t, "-isystem", "/share/barlint/builtin") >= 0);
    assert_true(position(t, "-DBARLINT_BUILTIN_HEADERS", NULL) >= 0);
    assert_int_equal(position(t, "-isystem", "/cuda/include"), -1);
    arena_release(&f.arena);
}

static void toolkit_of_the_command(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    test_folder_write(&folder, "cuda/include/cuda_runtime.h", "");
    test_folder_write(&folder, "cuda/include/cuda.h", "#define CUDA_VERSION 12020\n");
    char *nvcc = test_folder_write(&folder, "cuda/bin/nvcc", "");
    struct fixture f;
    init(&f);
    f.options.toolkit = NULL;
    assert_true(translate(&f, arena_printf(&f.arena, "ccache %s -c k.cu", nvcc)));
    assert_int_equal(f.list.item[0].toolkit.version_minor, 2);
    assert_int_equal(f.list.item[0].arch.number, 52); // nvcc 12's default
    f.options.cuda_path = folder.path;
    assert_false(translate(&f, "nvcc -c k.cu"));
    assert_int_equal(f.error.kind, ERROR_ENVIRONMENT);
    arena_release(&f.arena);
    test_folder_release(&folder);
}

static void toolkit_of_an_include_folder(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    char *header = test_folder_write(&folder, "cuda/include/cuda_runtime.h", "");
    test_folder_write(&folder, "cuda/include/cuda.h", "#define CUDA_VERSION 12030\n");
    char *include = path_folder(&folder.arena, header);
    char *text = arena_printf(&folder.arena, "clang++ -x cuda -I%s -c k.cu", include);
    struct fixture f;
    init(&f);
    f.options.toolkit = NULL;
    assert_true(translate(&f, text));
    assert_int_equal(f.list.item[0].toolkit.version_minor, 3);
    // The built-in declarations must not meet a toolkit's.
    f.options.headers = HEADERS_BUILTIN;
    assert_true(translate(&f, text));
    assert_int_equal(position(&f.list.item[0], arena_printf(&f.arena, "-I%s", include), NULL), -1);
    arena_release(&f.arena);
    test_folder_release(&folder);
}

// ---- Commands made up ----

static void command_without_a_build(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    test_folder_write(&folder, ".git/HEAD", "");
    test_folder_write(&folder, "include/a.h", "");
    char *source = test_folder_write(&folder, "src/with,comma/k.cu", "");
    struct fixture f;
    init(&f);
    struct compile_command command = compile_command_assume(&f.arena, source);
    assert_true(command.assumed);
    assert_true(translate_command(&f.arena, &command, &f.options, &f.list, &f.error));
    const struct translation *t = &f.list.item[0];
    assert_true(t->assumed);
    assert_int_equal(t->arch.number, 90);
    assert_int_equal(t->arch.suffix, 'a');
    char *own = arena_printf(&f.arena, "-I%s", test_folder_path(&folder, "src/with,comma"));
    char *include = arena_printf(&f.arena, "-I%s", test_folder_path(&folder, "include"));
    assert_true(position(t, own, NULL) >= 0);
    assert_true(position(t, include, NULL) > position(t, own, NULL));
    arena_release(&f.arena);
    test_folder_release(&folder);
}

static void command_of_the_user(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    char *words[] = {arena_strdup(&f.arena, "-Iinc"), arena_strdup(&f.arena, "-arch=sm_80")};
    struct compile_command command = compile_command_from_words(&f.arena, "/p", "k.cu", words, 2);
    assert_string_equal(command.file, "/p/k.cu");
    assert_string_equal(command.argument[0], "nvcc");
    assert_int_equal(command.argument_count, 3);
    char *whole[] = {arena_strdup(&f.arena, "ccache"), arena_strdup(&f.arena, "clang++-22"),
                     arena_strdup(&f.arena, "-Iinc")};
    command = compile_command_from_words(&f.arena, "/p", "k.cu", whole, 3);
    assert_int_equal(command.argument_count, 3);
    assert_true(translate_command(&f.arena, &command, &f.options, &f.list, &f.error));
    assert_int_equal(f.list.item[0].kind, COMPILER_CLANG);
    arena_release(&f.arena);
}

// ---- Printing ----

static void printed_text(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    assert_true(translate(&f, "nvcc -arch=sm_90a -I a,b '-DX=a b' --what -c k.cu"));
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    translation_print(&f.list.item[0], out);
    fclose(out);
    static const char *const wanted[] = {
        "file:         /p/k.cu\n",
        "architecture: sm_90a; analysed for sm_90a\n",
        "  changed   -I a,b => -I/p/a -I/p/b\n",
        "! dropped   --what\n",
        "'-DX=a b'",
        "headers:      CUDA 12.4 in /cuda (given)\n",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (!strstr(text, wanted[i])) {
            fail_msg("'%s' is missing in:\n%s", wanted[i], text);
        }
    }
    free(text);
    arena_release(&f.arena);
}

static void printed_json(void **state)
{
    (void)state;
    struct fixture f;
    init(&f);
    assert_true(translate(&f, "nvcc -arch=sm_100f -DX=\xff -c k.cu"));
    json_t *root = translation_to_json(&f.list.item[0]);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "architecture")), "sm_100f");
    assert_string_equal(json_string_value(json_object_get(root, "headers")), "toolkit");
    assert_int_equal(json_array_size(json_object_get(root, "arguments")), f.list.item[0].count);
    json_t *steps = json_object_get(root, "steps");
    assert_int_equal(json_array_size(steps), f.list.item[0].step_count);
    json_t *define = json_array_get(steps, 2);
    assert_string_equal(json_string_value(json_object_get(define, "original")),
                        "'-DX=\xEF\xBF\xBD'");
    json_decref(root);
    arena_release(&f.arena);
}

static void environment_flags_are_noticed(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    unsetenv("NVCC_PREPEND_FLAGS");
    unsetenv("NVCC_APPEND_FLAGS");
    assert_null(translate_environment_note(&arena));
    setenv("NVCC_APPEND_FLAGS", "-DX", 1);
    assert_non_null(strstr(translate_environment_note(&arena), "NVCC_APPEND_FLAGS"));
    unsetenv("NVCC_APPEND_FLAGS");
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_arguments),
        cmocka_unit_test(architecture_macros),
        cmocka_unit_test(several_architectures),
        cmocka_unit_test(extra_arguments_and_dashes),
        cmocka_unit_test(hostile_commands),
        cmocka_unit_test(unknown_options_are_warnings),
        cmocka_unit_test(built_in_headers),
        cmocka_unit_test(toolkit_of_the_command),
        cmocka_unit_test(toolkit_of_an_include_folder),
        cmocka_unit_test(command_without_a_build),
        cmocka_unit_test(command_of_the_user),
        cmocka_unit_test(printed_text),
        cmocka_unit_test(printed_json),
        cmocka_unit_test(environment_flags_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
