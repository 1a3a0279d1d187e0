// Every row of both tables in every form it takes, and the matching rules.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/command/gpu_arch.h"
#include "frontend/command/option_table.h"

static bool match(struct arena *arena, const struct option_table *table, const char *first,
                  const char *second, struct option_use *use)
{
    char *words[3] = {arena_strdup(arena, first), second ? arena_strdup(arena, second) : NULL};
    return option_match(arena, table, words, second ? 2 : 1, use);
}

// A second row may share a spelling, as long as it takes it in another form: the row found must
// then at least do the same.
static void expect_row(const struct option_row *row, const struct option_use *use, const char *word)
{
    if (use->row != row && use->row->action != row->action) {
        fail_msg("'%s' was read as '%s', not as '%s'", word, use->row->name, row->name);
    }
}

static void check_spelling(struct arena *arena, const struct option_table *table,
                           const struct option_row *row, const char *name)
{
    struct option_use use;
    if (row->form == FORM_FLAG) {
        assert_true(match(arena, table, name, "next", &use));
        expect_row(row, &use, name);
        assert_int_equal(use.words, 1);
        assert_int_equal(use.value_count, 0);
    }
    if (row->form & FORM_SEPARATE) {
        assert_true(match(arena, table, name, "next", &use));
        expect_row(row, &use, name);
        assert_int_equal(use.words, 2);
        assert_string_equal(use.value[0], "next");
        assert_true(match(arena, table, name, NULL, &use));
        assert_true(use.value_lacks);
        assert_int_equal(use.words, 1);
    }
    if (row->form & FORM_EQUALS) {
        char *word = arena_printf(arena, "%s=1", name);
        assert_true(match(arena, table, word, "next", &use));
        expect_row(row, &use, word);
        assert_int_equal(use.words, 1);
        assert_string_equal(use.value[0], "1");
    }
    if (row->form & (FORM_JOINED | FORM_DIGITS)) {
        char *word = arena_printf(arena, "%s7", name);
        assert_true(match(arena, table, word, "next", &use));
        expect_row(row, &use, word);
        assert_int_equal(use.words, 1);
        assert_string_equal(use.value[0], "7");
    }
    if ((row->form & FORM_LIST) && (row->form & FORM_EQUALS)) {
        char *word = arena_printf(arena, "%s=a,b", name);
        assert_true(match(arena, table, word, NULL, &use));
        assert_int_equal(use.value_count, 2);
        assert_string_equal(use.value[1], "b");
    }
}

static void check_table(const struct option_table *table)
{
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < table->count; i++) {
        const struct option_row *row = &table->row[i];
        assert_true(row->name[0] == '-');
        assert_true(strlen(row->reason) > 5);
        check_spelling(&arena, table, row, row->name);
        if (row->alias[0]) {
            check_spelling(&arena, table, row, row->alias);
        }
        if (row->until) {
            assert_true(row->until >= row->since);
        }
        bool keeps = row->action == OPTION_KEEP || row->action == OPTION_KEEP_PATH ||
                     row->action == OPTION_DEFINE || row->action == OPTION_PRE_INCLUDE;
        if (keeps) {
            assert_true(row->detail[0] != '\0');
        } else {
            assert_string_equal(row->detail, "");
        }
    }
    arena_release(&arena);
}

static void every_nvcc_row(void **state)
{
    (void)state;
    check_table(&nvcc_options);
}

static void every_host_row(void **state)
{
    (void)state;
    check_table(&host_options);
}

// nvcc has no two options of one spelling.
static void nvcc_spellings_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < nvcc_options.count; i++) {
        const struct option_row *a = &nvcc_options.row[i];
        for (size_t k = i + 1; k < nvcc_options.count; k++) {
            const struct option_row *b = &nvcc_options.row[k];
            assert_string_not_equal(a->name, b->name);
            if (a->alias[0]) {
                assert_string_not_equal(a->alias, b->alias);
            }
        }
    }
}

static void longest_and_exact_win(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct option_use use;
    assert_true(match(&arena, &nvcc_options, "-odir", "x", &use));
    assert_string_equal(use.row->name, "--output-directory");
    assert_true(match(&arena, &nvcc_options, "-optf", "x", &use));
    assert_string_equal(use.row->name, "--options-file");
    assert_true(match(&arena, &nvcc_options, "-Ofc=max", NULL, &use));
    assert_string_equal(use.row->name, "--Ofast-compile");
    assert_true(match(&arena, &nvcc_options, "-lineinfo", NULL, &use));
    assert_string_equal(use.row->name, "--generate-line-info");
    assert_false(match(&arena, &nvcc_options, "-Wall", NULL, &use));
    assert_false(match(&arena, &nvcc_options, "-mavx2", NULL, &use));
    assert_false(match(&arena, &nvcc_options, "-Ofast", NULL, &use));
    assert_false(match(&arena, &nvcc_options, "--gpu-arch=sm_90", NULL, &use));
    assert_true(match(&arena, &host_options, "-Wno-foo", NULL, &use));
    assert_int_equal(use.row->action, OPTION_DROP);
    assert_true(match(&arena, &host_options, "-isystem/usr/x", NULL, &use));
    assert_string_equal(use.value[0], "/usr/x");
    assert_true(match(&arena, &host_options, "-fno-rtti", NULL, &use));
    assert_int_equal(use.row->action, OPTION_KEEP);
    arena_release(&arena);
}

// ---- Architectures ----

static void architecture_names(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct gpu_arch arch;
    static const char *const good[] = {"sm_90a", "compute_90a", "lto_90a", "90a"};
    for (size_t i = 0; i < 4; i++) {
        assert_true(gpu_arch_parse(good[i], &arch));
        assert_int_equal(arch.number, 90);
        assert_int_equal(arch.suffix, 'a');
        assert_string_equal(gpu_arch_name(&arena, arch), "sm_90a");
    }
    static const char *const bad[] = {"",        "sm_", "sm_9", "sm_90b",   "gfx90a",     "native",
                                      "sm_90af", "all", "sm_x", "sm_99999", "compute_9 0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(gpu_arch_parse(bad[i], &arch));
    }
    arena_release(&arena);
}

static void architecture_order(void **state)
{
    (void)state;
    static const char *const order[] = {"52", "80", "90", "90a", "100", "100f", "100a", "103"};
    for (size_t i = 0; i + 1 < sizeof order / sizeof *order; i++) {
        struct gpu_arch a, b;
        assert_true(gpu_arch_parse(order[i], &a));
        assert_true(gpu_arch_parse(order[i + 1], &b));
        assert_true(gpu_arch_compare(a, b) < 0);
        assert_true(gpu_arch_compare(b, a) > 0);
        assert_int_equal(gpu_arch_compare(a, a), 0);
    }
}

static void expect_clang(const char *name, const char *given)
{
    struct arena arena;
    arena_init(&arena);
    struct gpu_arch arch;
    assert_true(gpu_arch_parse(name, &arch));
    assert_string_equal(gpu_arch_name(&arena, gpu_arch_for_clang(arch)), given);
    arena_release(&arena);
}

static void architectures_clang_knows(void **state)
{
    (void)state;
    expect_clang("sm_90a", "sm_90a");
    expect_clang("sm_100f", "sm_100f");
    expect_clang("sm_90f", "sm_90");
    expect_clang("sm_107a", "sm_103");
    expect_clang("sm_999", "sm_121");
    expect_clang("sm_13", "sm_20");
}

static void architectures_of_a_toolkit(void **state)
{
    (void)state;
    struct gpu_arch all[GPU_ARCH_ALL_MAX];
    size_t count = gpu_arch_all(12, 4, false, all);
    assert_int_equal(all[0].number, 50);
    assert_int_equal(all[count - 1].number, 90);
    count = gpu_arch_all(13, 0, true, all);
    static const int major[] = {75, 80, 90, 100, 110, 120};
    assert_int_equal(count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(all[i].number, major[i]);
    }
    assert_true(gpu_arch_all(11, 8, false, all) <= GPU_ARCH_ALL_MAX);
    assert_int_equal(gpu_arch_default(12).number, 52);
    assert_int_equal(gpu_arch_default(13).number, 75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_nvcc_row),
        cmocka_unit_test(every_host_row),
        cmocka_unit_test(nvcc_spellings_are_unique),
        cmocka_unit_test(longest_and_exact_win),
        cmocka_unit_test(architecture_names),
        cmocka_unit_test(architecture_order),
        cmocka_unit_test(architectures_clang_knows),
        cmocka_unit_test(architectures_of_a_toolkit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
