// Toolkits of every layout, made of a few empty headers in a temporary folder.
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

#include "frontend/command/resource.h"
#include "frontend/command/test_folder.h"
#include "frontend/command/toolkit.h"

// Nothing of this machine may be seen: no variable, no PATH, and a root of our own.
static void clear_environment(void)
{
    static const char *const names[] = {"CUDA_PATH",    "CUDA_HOME",   "CUDACXX",
                                        "CONDA_PREFIX", "VIRTUAL_ENV", "BARLINT_RESOURCE_DIR"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsetenv(names[i]);
    }
    setenv("PATH", "", 1);
}

static void write_toolkit(struct test_folder *folder, const char *name, int version)
{
    struct arena *arena = &folder->arena;
    test_folder_write(folder, arena_printf(arena, "%s/include/cuda_runtime.h", name), "");
    test_folder_write(folder, arena_printf(arena, "%s/include/cuda.h", name),
                      arena_printf(arena,
                                   "// CUDA_VERSION 1\n#define CUDA_VERSIONS 9\n"
                                   "#  define CUDA_VERSION %d\n",
                                   version));
}

static struct toolkit probe(struct test_folder *folder, const char *name)
{
    struct toolkit toolkit = {0};
    struct error error = {0};
    if (!toolkit_probe(&folder->arena, test_folder_path(folder, name), &toolkit, &error)) {
        fail_msg("%s", error.text);
    }
    return toolkit;
}

static void ordinary_toolkit(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    write_toolkit(&folder, "cuda", 12040);
    struct toolkit toolkit = probe(&folder, "cuda");
    assert_int_equal(toolkit.version_major, 12);
    assert_int_equal(toolkit.version_minor, 4);
    assert_int_equal(toolkit.include_count, 1);
    assert_string_equal(toolkit.include[0], test_folder_path(&folder, "cuda/include"));
    assert_false(toolkit.has_random_kernel);
    // A folder inside it and nvcc itself lead to it.
    assert_string_equal(probe(&folder, "cuda/include").path, toolkit.path);
    test_folder_write(&folder, "cuda/bin/nvcc", "");
    assert_string_equal(probe(&folder, "cuda/bin/nvcc").path, toolkit.path);
    assert_string_equal(probe(&folder, "cuda/bin").path, toolkit.path);
    test_folder_release(&folder);
}

static void toolkit_13_has_cccl_apart(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    write_toolkit(&folder, "cuda", 0);
    test_folder_write(&folder, "cuda/include/cccl/cuda/barrier", "");
    test_folder_write(&folder, "cuda/include/curand_mtgp32_kernel.h", "");
    test_folder_write(
        &folder, "cuda/version.json",
        "{\"cuda\":{\"version\":\"13.0.1\"},\"cuda_nvcc\":{\"version\":\"13.0.88\"}}");
    struct toolkit toolkit = probe(&folder, "cuda");
    assert_int_equal(toolkit.version_major, 13);
    assert_int_equal(toolkit.version_minor, 0);
    assert_int_equal(toolkit.version_build, 88);
    assert_int_equal(toolkit.include_count, 2);
    assert_string_equal(toolkit.include[1], test_folder_path(&folder, "cuda/include/cccl"));
    assert_true(toolkit.has_random_kernel);
    test_folder_release(&folder);
}

static void other_layouts(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    write_toolkit(&folder, "conda/targets/x86_64-linux", 12060);
    struct toolkit toolkit = probe(&folder, "conda");
    assert_int_equal(toolkit.version_minor, 6);
    assert_string_equal(toolkit.include[0],
                        test_folder_path(&folder, "conda/targets/x86_64-linux/include"));

    write_toolkit(&folder, "wheels/nvidia/cuda_runtime", 12090);
    test_folder_write(&folder, "wheels/nvidia/cuda_nvcc/include/crt/host_config.h", "");
    test_folder_write(&folder, "wheels/nvidia/cuda_cccl/include/cuda/barrier", "");
    toolkit = probe(&folder, "wheels/nvidia");
    assert_int_equal(toolkit.version_major, 12);
    assert_int_equal(toolkit.include_count, 3);
    // With only the runtime's wheel in hand, the others are beside it.
    assert_int_equal(probe(&folder, "wheels").include_count, 3);

    write_toolkit(&folder, "site/nvidia/cu13", 13050);
    assert_int_equal(probe(&folder, "site/nvidia").version_minor, 5);
    test_folder_release(&folder);
}

static void folders_that_are_no_toolkit(void **state)
{
    (void)state;
    struct test_folder folder;
    test_folder_init(&folder);
    test_folder_write(&folder, "other/include/stdio.h", "");
    struct toolkit toolkit;
    struct error error = {0};
    char *other = test_folder_path(&folder, "other");
    assert_false(toolkit_probe(&folder.arena, other, &toolkit, &error));
    assert_int_equal(error.kind, ERROR_ENVIRONMENT);
    assert_non_null(strstr(error.text, "is no CUDA toolkit"));
    assert_non_null(strstr(error.text, other));
    char *missing = test_folder_path(&folder, "missing");
    assert_false(toolkit_probe(&folder.arena, missing, &toolkit, &error));
    assert_non_null(strstr(error.text, "does not exist"));
    assert_false(toolkit_probe(&folder.arena, "", &toolkit, &error));
    test_folder_release(&folder);
}

static void broken_version_files(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "{", "{\"cuda\":7}", "{\"cuda\":{\"version\":\"x\"}}",
                                        "{\"cuda\":{\"version\":\"-3.99999999999999\"}}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct test_folder folder;
        test_folder_init(&folder);
        write_toolkit(&folder, "cuda", 12010);
        test_folder_write(&folder, "cuda/version.json", texts[i]);
        assert_int_equal(probe(&folder, "cuda").version_major, 12);
        test_folder_release(&folder);
    }
}

// ---- Looking around ----

static bool find(struct test_folder *folder, struct toolkit_search search, struct toolkit *out,
                 char **note)
{
    struct error error = {0};
    search.root = folder->path;
    *note = NULL;
    return toolkit_find(&folder->arena, &search, out, note, &error);
}

static void order_of_places(void **state)
{
    (void)state;
    clear_environment();
    struct test_folder folder;
    test_folder_init(&folder);
    struct toolkit toolkit;
    char *note;
    assert_false(find(&folder, (struct toolkit_search){0}, &toolkit, &note));

    write_toolkit(&folder, "usr", 11050);
    assert_true(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_string_equal(toolkit.origin, "/usr");
    write_toolkit(&folder, "usr/local/cuda-9.2", 9020);
    write_toolkit(&folder, "usr/local/cuda-12.4", 12040);
    write_toolkit(&folder, "usr/local/cuda-11.8", 11080);
    assert_true(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_string_equal(toolkit.origin, "/usr/local/cuda-12.4");
    write_toolkit(&folder, "usr/local/cuda", 12030);
    assert_true(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_string_equal(toolkit.origin, "/usr/local/cuda");

    write_toolkit(&folder, "path", 12020);
    chmod(test_folder_write(&folder, "path/bin/nvcc", "\177ELF"), 0755);
    setenv("PATH", test_folder_path(&folder, "path/bin"), 1);
    assert_true(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_string_equal(toolkit.origin, "nvcc on PATH");
    write_toolkit(&folder, "home", 12010);
    setenv("CUDA_HOME", test_folder_path(&folder, "home"), 1);
    assert_true(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_string_equal(toolkit.origin, "CUDA_HOME");

    write_toolkit(&folder, "command", 13000);
    char *nvcc = test_folder_write(&folder, "command/bin/nvcc", "\177ELF");
    struct toolkit_search search = {.command_nvcc = nvcc};
    assert_true(find(&folder, search, &toolkit, &note));
    assert_int_equal(toolkit.version_major, 13);
    search.option = test_folder_path(&folder, "usr/local/cuda-11.8");
    assert_true(find(&folder, search, &toolkit, &note));
    assert_int_equal(toolkit.version_major, 11);
    search.option = test_folder_path(&folder, "path/bin/nowhere");
    assert_false(find(&folder, search, &toolkit, &note));
    clear_environment();
    test_folder_release(&folder);
}

static void named_places_that_are_none(void **state)
{
    (void)state;
    clear_environment();
    struct test_folder folder;
    test_folder_init(&folder);
    write_toolkit(&folder, "opt/cuda", 12080);
    struct toolkit toolkit;
    char *note;
    setenv("CUDA_PATH", test_folder_path(&folder, "gone"), 1);
    assert_true(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_string_equal(toolkit.origin, "/opt/cuda");
    assert_non_null(strstr(note, "CUDA_PATH: '"));
    unsetenv("CUDA_PATH");
    struct toolkit_search search = {.command_nvcc = "/nowhere/cuda-12.4/bin/nvcc"};
    assert_true(find(&folder, search, &toolkit, &note));
    assert_non_null(strstr(note, "the command's nvcc: '/nowhere/cuda-12.4/bin/nvcc'"));
    clear_environment();
    test_folder_release(&folder);
}

static void nvcc_behind_links_and_scripts(void **state)
{
    (void)state;
    clear_environment();
    struct test_folder folder;
    test_folder_init(&folder);
    write_toolkit(&folder, "deep/cuda", 12050);
    char *real = test_folder_write(&folder, "deep/cuda/bin/nvcc", "\177ELF");
    chmod(real, 0755);
    struct toolkit toolkit;
    char *note;

    test_folder_write(&folder, "bin/keep", "");
    char *link = test_folder_path(&folder, "bin/nvcc");
    assert_int_equal(symlink(real, link), 0);
    setenv("PATH", arena_printf(&folder.arena, ":/nowhere:%s", test_folder_path(&folder, "bin")),
           1);
    assert_true(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_int_equal(toolkit.version_minor, 5);

    remove(link);
    char *script =
        arena_printf(&folder.arena, "#!/bin/sh\nCC=/usr/bin/nvcc-gcc\nexec \"%s\" \"$@\"\n", real);
    chmod(test_folder_write(&folder, "bin/nvcc", script), 0755);
    assert_true(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_int_equal(toolkit.version_minor, 5);

    // A script that starts itself must not be followed for ever.
    script = arena_printf(&folder.arena, "#!/bin/sh\nexec %s $@\n", link);
    test_folder_write(&folder, "bin/nvcc", script);
    assert_false(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_non_null(strstr(note, "is in no CUDA toolkit"));
    clear_environment();
    test_folder_release(&folder);
}

static void python_environments(void **state)
{
    (void)state;
    clear_environment();
    struct test_folder folder;
    test_folder_init(&folder);
    write_toolkit(&folder, "venv/lib/python3.11/site-packages/nvidia/cu13", 13010);
    setenv("VIRTUAL_ENV", test_folder_path(&folder, "venv"), 1);
    struct toolkit toolkit;
    char *note;
    assert_true(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_int_equal(toolkit.version_minor, 1);
    write_toolkit(&folder, "conda/targets/x86_64-linux", 12060);
    setenv("CONDA_PREFIX", test_folder_path(&folder, "conda"), 1);
    assert_true(find(&folder, (struct toolkit_search){0}, &toolkit, &note));
    assert_string_equal(toolkit.origin, "CONDA_PREFIX");
    clear_environment();
    test_folder_release(&folder);
}

static void own_headers(void **state)
{
    (void)state;
    clear_environment();
    struct test_folder folder;
    test_folder_init(&folder);
    struct error error = {0};
    test_folder_write(&folder, "share/barlint/prelude.h", "");
    setenv("BARLINT_RESOURCE_DIR", test_folder_path(&folder, "share"), 1);
    char *found = resource_directory(&folder.arena, &error);
    assert_non_null(found);
    assert_string_equal(found, test_folder_path(&folder, "share"));
    setenv("BARLINT_RESOURCE_DIR", folder.path, 1);
    assert_null(resource_directory(&folder.arena, &error));
    assert_int_equal(error.kind, ERROR_ENVIRONMENT);
    assert_non_null(strstr(error.text, "BARLINT_RESOURCE_DIR"));
    clear_environment();
    test_folder_release(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinary_toolkit),
        cmocka_unit_test(toolkit_13_has_cccl_apart),
        cmocka_unit_test(other_layouts),
        cmocka_unit_test(folders_that_are_no_toolkit),
        cmocka_unit_test(broken_version_files),
        cmocka_unit_test(order_of_places),
        cmocka_unit_test(named_places_that_are_none),
        cmocka_unit_test(nvcc_behind_links_and_scripts),
        cmocka_unit_test(python_environments),
        cmocka_unit_test(own_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
