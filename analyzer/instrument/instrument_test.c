// What the golden files in testdata/instrument do not show: the reader on odd text, and the table.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "instrument/inline.h"
#include "instrument/instruction.h"
#include "instrument/instrument.h"
#include "instrument/items.h"
#include "instrument/registers.h"
#include "instrument/shown_name.h"

static void expect_items(const char *text, const enum item_kind *kind, size_t count)
{
    struct items items;
    items_init(&items, text, strlen(text));
    for (size_t i = 0; i < count; ++i) {
        struct item item = items_next(&items);
        assert_int_equal(item.kind, kind[i]);
    }
    assert_int_equal(items_next(&items).kind, ITEM_END);
}

#define EXPECT_ITEMS(text, ...)                                                                    \
    do {                                                                                           \
        const enum item_kind kinds_[] = {__VA_ARGS__};                                             \
        expect_items(text, kinds_, sizeof kinds_ / sizeof kinds_[0]);                              \
    } while (0)

static void test_items(void **state)
{
    (void)state;
    EXPECT_ITEMS(".version 9.0\n.target sm_90\n", ITEM_LINE, ITEM_LINE);
    EXPECT_ITEMS(".global .b8 t[2] = {1, 2};\n.extern .func f();", ITEM_DECLARATION, ITEM_FUNCTION);
    EXPECT_ITEMS(".visible .entry k(.param .u64 p)\n.maxntid 128 // {\n{ ret; }", ITEM_FUNCTION,
                 ITEM_OPEN, ITEM_INSTRUCTION, ITEM_CLOSE);
    EXPECT_ITEMS(".func (.param .b32 r) f(.param .b32 a) { $L: @p bra $L; }", ITEM_FUNCTION,
                 ITEM_OPEN, ITEM_LABEL, ITEM_INSTRUCTION, ITEM_CLOSE);
    EXPECT_ITEMS("mov.b64 {%r1, %r2}, %rd1; /* } ; */ call (r), f, (a);", ITEM_INSTRUCTION,
                 ITEM_INSTRUCTION);
    EXPECT_ITEMS(".section .debug_str\n{\n$L:\n.b8 90,0\n}\n.file 1 \"a;b\"", ITEM_SECTION,
                 ITEM_LINE);
    EXPECT_ITEMS("{ .reg .pred p; mbarrier.x p }", ITEM_OPEN, ITEM_DECLARATION, ITEM_INSTRUCTION,
                 ITEM_CLOSE);
    EXPECT_ITEMS("p: .branchtargets a, b;", ITEM_LABEL, ITEM_DECLARATION);
    EXPECT_ITEMS("/* never closed", ITEM_END);
}

static void test_instruction(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    static const char text[] = "@!%p1 mbarrier.try_wait // token\n .shared::cta.b64 p , [%r1 + 8],"
                               "\t{%r2, %r3}, 0x10 ;";
    struct instruction instruction;
    assert_true(instruction_parse(&arena, text, strlen(text), &instruction));
    assert_string_equal(instruction.guard, "%p1");
    assert_true(instruction.guard_negated);
    assert_string_equal(instruction.mnemonic, "mbarrier.try_wait.shared::cta.b64");
    assert_int_equal(instruction.operand_count, 4);
    assert_string_equal(instruction.operand[0], "p");
    assert_string_equal(instruction.operand[1], "[%r1 + 8]");
    assert_string_equal(instruction.operand[2], "{%r2, %r3}");
    assert_string_equal(instruction.operand[3], "0x10");
    assert_true(instruction_is(&instruction, "mbarrier.try_wait"));
    assert_false(instruction_is(&instruction, "mbarrier.try"));
    assert_true(instruction_parse(&arena, "bar.sync 0;", 11, &instruction));
    assert_null(instruction.guard);
    assert_int_equal(instruction.operand_count, 1);
    assert_true(instruction_parse(&arena, "ret;", 4, &instruction));
    assert_int_equal(instruction.operand_count, 0);
    assert_false(instruction_parse(&arena, "@ ;", 3, &instruction));
    arena_release(&arena);
}

static void declare(struct registers *registers, const char *text)
{
    registers_declare(registers, text, strlen(text));
}

static void test_registers(void **state)
{
    (void)state;
    struct registers registers = {0};
    registers_open(&registers);
    declare(&registers, ".reg .b32 %r<10>, x;");
    declare(&registers, ".reg .b64 %rd<3>;");
    declare(&registers, ".reg .pred %p<2>;");
    assert_int_equal(registers_bits(&registers, "%r9"), 32);
    assert_int_equal(registers_bits(&registers, "%r10"), 0);
    assert_int_equal(registers_bits(&registers, "%rd2"), 64);
    assert_int_equal(registers_bits(&registers, "%p1"), 1);
    assert_int_equal(registers_bits(&registers, "x"), 32);
    registers_open(&registers);
    declare(&registers, ".reg .b64 x;");
    assert_int_equal(registers_bits(&registers, "x"), 64);
    registers_close(&registers);
    assert_int_equal(registers_bits(&registers, "x"), 32);
    registers_close(&registers);
    assert_int_equal(registers_bits(&registers, "x"), 0);
    registers_release(&registers);
}

static const char placed[] = ".version 9.0\n.target sm_90a, debug\n.address_size 64\n"
                             ".global .u64 _ZL16barlint_rt_state;\n"
                             ".visible .entry k()\n{\n"
                             ".loc 1 10 0\n"
                             ".loc 1 12 3\n"
                             ".loc 2 40 5, function_name $L0+0, inlined_at 1 12 3\n"
                             ".loc 2 50 7, function_name $L1, inlined_at 2 40 5\n"
                             "bar.sync 0, 64;\nret;\n}\n"
                             ".file 1 \"/src/a.cu\"\n.file 2 \"/src/b \\\"q\\\".h\"\n"
                             ".section .debug_str\n{\n$L0:\n.b8 102,0\n$L1:\n.b8 103,103,0\n}\n";

static void test_places(void **state)
{
    (void)state;
    struct instrument_options options = {.module = 5, .first_site = 20};
    struct instrumented module;
    instrument_ptx(&module, placed, strlen(placed), &options);
    assert_string_equal(module.target, "sm_90a");
    assert_string_equal(module.state, "_ZL16barlint_rt_state");
    assert_int_equal(module.count, 1);
    // The entry, the barrier with two callers, the end with two.
    assert_int_equal(module.site_count, 7);
    assert_int_equal(module.site[0].line, 10);
    assert_string_equal(module.site[0].function, "k");
    const struct instrument_site *site = &module.site[1];
    assert_string_equal(site->instruction, "bar.sync");
    assert_string_equal(site->file, "/src/b \"q\".h");
    assert_int_equal(site->line, 50);
    assert_int_equal(site->column, 7);
    assert_string_equal(site->function, "gg");
    // Callers come after all places, so that those of a kernel have numbers in a row.
    assert_string_equal(module.site[2].instruction, "ret");
    assert_int_equal(site->inlined_at, 20 + 3 + 1);
    assert_string_equal(module.site[3].function, "f");
    assert_int_equal(module.site[3].line, 40);
    assert_int_equal(module.site[3].inlined_at, 20 + 4 + 1);
    assert_string_equal(module.site[4].function, "k");
    assert_string_equal(module.site[4].file, "/src/a.cu");
    assert_int_equal(module.site[4].inlined_at, 0);
    assert_non_null(strstr(module.text, "[bl_5], 21474836501;")); // 5 << 32 | 21
    instrumented_release(&module);
}

static void test_shown_name(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"k", "k"},
        {"_Z1ki", "k"},
        {"_Zbroken", "_Zbroken"},
        {"_ZN35_INTERNAL_4bf089c1_5_aa_cu_fd8d3bcb4cuda3ptx15mbarrier_arriveIvEEmPmRKj",
         "cuda::ptx::mbarrier_arrive"},
        {"_ZNK4cuda3std3__427__barrier_poll_tester_phaseINS_7barrierIiEEEclEv",
         "cuda::std::__barrier_poll_tester_phase::operator()"},
        {"_ZN12_GLOBAL__N_11fEv", "{anonymous}::f"},
        {"_ZlsR1AS0_", "operator<<"},
        {"_ZNK1AcvbEv", "A::operator bool"},
        {"_ZNK1A1fEv", "A::f"},
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        assert_string_equal(shown_name(&arena, rows[i][0]), rows[i][1]);
    arena_release(&arena);
}

static void test_left_alone(void **state)
{
    (void)state;
    static const char text[] = ".version 9.0\n.target sm_90\n.address_size 64\n"
                               ".func f()\n{\n.reg .b64 t; .reg .b32 a;\n"
                               "mbarrier.test_wait.phase_type::primary.b64 p|q, [a], t;\n"
                               "mbarrier.unheard.b64 [a];\nbar.sync b;\n"
                               "vote.ballot.b32 a, p;\nret;\n}\n"
                               ".func _Z3barlint_rt_mine()\n{\nbar.sync 0;\nret;\n}\n";
    struct instrument_options options = {.module = 5};
    struct instrumented module;
    instrument_ptx(&module, text, strlen(text), &options);
    assert_int_equal(module.left_count, 3);
    assert_int_equal(shlen(module.left), 3);
    assert_int_equal(module.count, 0);
    assert_string_equal(module.text, text);
    assert_false(instrumented_is_needed(&module));
    instrumented_release(&module);
}

static void test_registration(void **state)
{
    (void)state;
    struct instrument_site site[] = {{"a\"\\\n?.cu", 1, 2, "f", "bar.sync", 2, 4},
                                     {"b.cu", 3, 4, "g", "", 0, 0}};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    instrument_registration(out, 77, site, 2);
    fclose(out);
    assert_non_null(strstr(text, "{\"a\\\"\\\\\\012\\077.cu\", 1, 2, \"f\", \"bar.sync\", 2, 4},"));
    assert_non_null(strstr(text, "&barlint_rt_state, 77u, barlint_rt_sites_of_unit, 2u, 0, 0}"));
    free(text);
}

// The hook before a barrier with a count of a module that has `more` too.
static void expect_hook(const char *more, bool is_relocatable, const char *expected)
{
    char text[1024];
    int length = snprintf(text, sizeof text,
                          ".version 9.0\n.target sm_90\n.address_size 64\n"
                          ".global .u64 barlint_rt_state;\n.entry k() {\n.reg .b32 %%r<2>;\n"
                          ".reg .b64 %%rd<2>;\nbar.sync %%r1, 64;\n%s\nret;\n}\n",
                          more);
    struct instrument_options options = {.module = 1, .is_relocatable = is_relocatable};
    struct instrumented module;
    instrument_ptx(&module, text, (size_t)length, &options);
    const char *call = strstr(module.text, "barlint_rt_named");
    assert_non_null(call);
    char got[64] = "";
    strncat(got, call, strcspn(call, ","));
    assert_string_equal(got, expected);
    instrumented_release(&module);
}

// Whoever waits looks for warps that have arrived and gone on only where there may be some.
static void test_givers(void **state)
{
    (void)state;
    expect_hook("", false, "barlint_rt_named");
    expect_hook("", true, "barlint_rt_named_mixed");
    expect_hook("bar.arrive 1, 64;", false, "barlint_rt_named_mixed");
    expect_hook("@%p1 barrier.cta.arrive 1, 64;", false, "barlint_rt_named_mixed");
    expect_hook("mbarrier.arrive.shared.b64 %rd1, [%r1];", false, "barlint_rt_named");
}

// The module's own barriers, and no others, are what sleepers can be freed from.
static void expect_arrive(const char *instructions, bool is_relocatable, const char *expected)
{
    char text[1024];
    int length = snprintf(text, sizeof text,
                          ".version 9.0\n.target sm_90\n.address_size 64\n"
                          ".global .u64 barlint_rt_state;\n.entry k() {\n.reg .b32 %%r<2>;\n"
                          "%s\nret;\n}\n",
                          instructions);
    static const char library[] = ".version 9.0\n.extern .func barlint_rt_arrive_at\n(\n"
                                  ".param .b32 a, .param .b32 b\n);\n";
    struct instrument_options options = {.module = 1, .is_relocatable = is_relocatable};
    struct instrumented module;
    instrument_ptx(&module, text, (size_t)length, &options);
    char *joined = NULL;
    size_t size;
    FILE *out = open_memstream(&joined, &size);
    instrument_join(out, &module, library, strlen(library));
    fclose(out);
    const char *function = strstr(joined, ".weak .func barlint_rt_arrive_at");
    assert_non_null(function);
    char got[256] = "";
    for (const char *at = function; (at = strstr(at, "barrier.arrive ")); at += 15)
        strncat(got, at + 15, strcspn(at + 15, ";") + 1);
    assert_string_equal(got, expected);
    free(joined);
    instrumented_release(&module);
}

static void test_arrive_at(void **state)
{
    (void)state;
    expect_arrive("bar.sync 0;", false, "");
    expect_arrive("bar.sync 3, 64;\nbar.arrive 9, 64;\nbar.sync 0;", false, "3, %c;9, %c;");
    expect_arrive("bar.sync 3, 64;\nbar.sync %r1, 64;", false, "%n, %c;");
    expect_arrive("bar.sync 3, 64;", true, "%n, %c;");
}

// A short hook is written out where it is called: its parameters and result are registers there,
// and it goes on behind itself. Rare calls, and those of modules that are linked with others, stay.
static void test_inlining(void **state)
{
    (void)state;
    static const char library[] = ".func (.param .b32 r) hook(.param .b64 a, .param .b32 b)\n{\n"
                                  ".reg .b32 %x;\nld.param.u32 %x, [b];\n@%p ret;\n"
                                  "st.param.b32 [r+0], %x;\nret;\n}\n";
    static const char call[] = "\t{\n\t.param .b64 bl_0;\n\tst.param.b64 [bl_0], 7;\n"
                               "\t.param .b32 bl_1;\n\tst.param.b32 [bl_1], %w;\n"
                               "\t.param .b32 bl_r;\n\tcall.uni (bl_r), hook, (bl_0, bl_1);\n"
                               "\tld.param.b32 %y, [bl_r];\n\t}\n";
    static const char written[] = "\t{\n\t.reg .b64 %bl_i0;\n\tmov.b64 %bl_i0, 7;\n"
                                  "\t.reg .b32 %bl_i1;\n\tmov.b32 %bl_i1, %w;\n"
                                  "\t.reg .b32 %bl_ir;\n\t{\n.reg .b32 %x;\n"
                                  "mov.b32 %x, %bl_i1;\n@%p bra $bl_end;\nmov.b32 %bl_ir, %x;\n"
                                  "bra $bl_end;\n$bl_end:\n\t}\n\tmov.b32 %y, %bl_ir;\n\t}\n";
    struct inlining inlining;
    inlining_init(&inlining, library, strlen(library));
    char text[2048], expected[2048], *got = NULL;
    snprintf(text, sizeof text, "a;\n%s%s%sb;\n", call, INLINING_RARE, call);
    snprintf(expected, sizeof expected, "a;\n%s%s%sb;\n", written, INLINING_RARE, call);
    size_t size;
    FILE *out = open_memstream(&got, &size);
    inlining_write(out, &inlining, text, strlen(text));
    fclose(out);
    assert_string_equal(got, expected);
    free(got);
    inlining_release(&inlining);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items),        cmocka_unit_test(test_instruction),
        cmocka_unit_test(test_registers),    cmocka_unit_test(test_places),
        cmocka_unit_test(test_shown_name),   cmocka_unit_test(test_left_alone),
        cmocka_unit_test(test_registration), cmocka_unit_test(test_arrive_at),
        cmocka_unit_test(test_inlining),     cmocka_unit_test(test_givers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
