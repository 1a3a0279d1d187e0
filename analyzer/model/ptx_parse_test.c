// The parser: every family of instruction, every odd spelling, and what it must refuse.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/ptx_parse.h"

// --- A short form of what was parsed -----------------------------------------------------------

static void write_operand(FILE *out, const struct ptx_operand *operand);

static void write_list(FILE *out, const struct ptx_operand *operand, const char *separator)
{
    for (uint32_t i = 0; i < operand->element_count; ++i) {
        fputs(i ? separator : "", out);
        write_operand(out, &operand->element[i]);
    }
}

static void write_operand(FILE *out, const struct ptx_operand *operand)
{
    if (operand->negated)
        fputc('!', out);
    switch (operand->kind) {
    case PTX_ARGUMENT:
        if (operand->value < 0)
            fprintf(out, "arg[%s]", operand->name);
        else
            fprintf(out, "arg%d", (int)operand->value);
        break;
    case PTX_REGISTER:
        fprintf(out, "reg%d", (int)operand->value);
        break;
    case PTX_SPECIAL:
        fprintf(out, "%%%s", operand->name);
        break;
    case PTX_INTEGER:
        fprintf(out, "%lld", (long long)operand->value);
        break;
    case PTX_FLOAT: {
        double number;
        memcpy(&number, &operand->value, sizeof number);
        fprintf(out, "f%g", number);
        break;
    }
    case PTX_SYMBOL:
        fprintf(out, "'%s'", operand->name);
        break;
    case PTX_SINK:
        fputc('_', out);
        break;
    case PTX_ADDRESS:
        fputc('[', out);
        write_list(out, operand, ",");
        if (operand->value)
            fprintf(out, "%+lld", (long long)operand->value);
        fputc(']', out);
        break;
    case PTX_VECTOR:
        fputc('{', out);
        write_list(out, operand, ",");
        fputc('}', out);
        break;
    case PTX_PAIR:
        write_list(out, operand, "|");
        break;
    case PTX_SUM:
        fputs("sum(", out);
        write_list(out, operand, ",");
        fprintf(out, ",%lld)", (long long)operand->value);
        break;
    }
    if (operand->component)
        fprintf(out, ".%u", operand->component);
}

static char *describe(const struct ptx_program *program)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (uint32_t i = 0; i < program->instruction_count; ++i) {
        const struct ptx_instruction *instruction = &program->instruction[i];
        fputs(i ? "; " : "", out);
        if (instruction->guarded) {
            fputc('@', out);
            write_operand(out, &instruction->guard);
            fputc(' ', out);
        }
        fputs(instruction->text, out);
        for (uint32_t j = 0; j < instruction->operand_count && instruction->target < 0; ++j) {
            fputs(j ? ", " : " ", out);
            write_operand(out, &instruction->operand[j]);
        }
        if (instruction->target >= 0)
            fprintf(out, " ->%d", (int)instruction->target);
    }
    fclose(out);
    return text;
}

static void check(const char *source, const char *expected)
{
    struct arena arena;
    arena_init(&arena);
    struct ptx_program program;
    struct error error = {0};
    if (!ptx_parse(&arena, source, &program, &error))
        fail_msg("'%s' does not parse: %s", source, error.text);
    char *text = describe(&program);
    assert_string_equal(text, expected);
    free(text);
    arena_release(&arena);
}

// `offset`: where the message must point.
static void check_refused(const char *source, const char *message, int offset)
{
    struct arena arena;
    arena_init(&arena);
    struct ptx_program program;
    struct error error = {0};
    if (ptx_parse(&arena, source, &program, &error))
        fail_msg("'%s' parses", source);
    if (!strstr(error.text, message))
        fail_msg("'%s': '%s' is not in '%s'", source, message, error.text);
    char place[64];
    snprintf(place, sizeof place, "at offset %d of", offset);
    if (!strstr(error.text, place))
        fail_msg("'%s': '%s' is not in '%s'", source, place, error.text);
    assert_int_equal(program.instruction_count, 0);
    arena_release(&arena);
}

// --- Tests -------------------------------------------------------------------------------------

static void test_instruction_families(void **state)
{
    (void)state;
    static const struct {
        const char *source, *expected;
    } row[] = {
        {"bar.sync 0;", "bar.sync 0"},
        {"bar.sync %0, %1;", "bar.sync arg0, arg1"},
        {"barrier.cta.sync.aligned 1, 128;", "barrier.cta.sync.aligned 1, 128"},
        {"bar.arrive 0x5, 96;", "bar.arrive 5, 96"},
        {"bar.red.popc.u32 %0, 1, 64, !%2;", "bar.red.popc.u32 arg0, 1, 64, !arg2"},
        {"bar.warp.sync 0xffffffff;", "bar.warp.sync 4294967295"},
        {"barrier.cluster.arrive.release.aligned;", "barrier.cluster.arrive.release.aligned"},
        {"mbarrier.init.shared::cta.b64 [%0], %1;", "mbarrier.init.shared::cta.b64 [arg0], arg1"},
        {"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];",
         "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [arg0]"},
        {"mbarrier.arrive.expect_tx.shared.b64 %0, [%1+16], 4096;",
         "mbarrier.arrive.expect_tx.shared.b64 arg0, [arg1+16], 4096"},
        {"mbarrier.try_wait.parity.shared::cta.b64 %0, [%1], %2, %3;",
         "mbarrier.try_wait.parity.shared::cta.b64 arg0, [arg1], arg2, arg3"},
        {"cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;",
         "cp.async.cg.shared.global.L2::128B [arg0], [arg1], 16, arg2"},
        {"cp.async.wait_group 0 ;", "cp.async.wait_group 0"},
        {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
         " [%0], [%1, {%3, %4}], [%2];",
         "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
         " [arg0], [arg1,{arg3,arg4}], [arg2]"},
        {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1,%2}, [%3];",
         "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [arg0], {arg1,arg2}, "
         "[arg3]"},
        {"elect.sync _|%0, %1;", "elect.sync _|arg0, arg1"},
        {"shfl.sync.down.b32 %0|%1, %2, 0x4, 0x1f, -1;",
         "shfl.sync.down.b32 arg0|arg1, arg2, 4, 31, -1"},
        {"match.all.sync.b32 %0|%1, %2, %3;", "match.all.sync.b32 arg0|arg1, arg2, arg3"},
        {"wgmma.wait_group.sync.aligned %0;", "wgmma.wait_group.sync.aligned arg0"},
        {"setmaxnreg.inc.sync.aligned.u32 240;", "setmaxnreg.inc.sync.aligned.u32 240"},
        {"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];",
         "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [arg0]"},
        {"fence.proxy.async.shared::cta;", "fence.proxy.async.shared::cta"},
        {"griddepcontrol.wait;", "griddepcontrol.wait"},
        {"mapa.shared::cluster.u32 %0, %1, %2;", "mapa.shared::cluster.u32 arg0, arg1, arg2"},
        {"mov.b64 {%0, %1}, %2;", "mov.b64 {arg0,arg1}, arg2"},
        {"ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];",
         "ld.global.nc.L1::no_allocate.v4.f32 {arg0,arg1,arg2,arg3}, [arg4]"},
        {"atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;",
         "atom.acq_rel.gpu.global.add.u32 arg0, [arg1], 1"},
        {"mul.wide.u32 %0, %1, 1 ;", "mul.wide.u32 arg0, arg1, 1"},
        {"call (%0), f, (%1, %2);", "call {arg0}, 'f', {arg1,arg2}"},
        {"tex.2d.v4.f32.s32 {%0,%1,%2,%3}, [%4, {%5,%6}];",
         "tex.2d.v4.f32.s32 {arg0,arg1,arg2,arg3}, [arg4,{arg5,arg6}]"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i)
        check(row[i].source, row[i].expected);
}

static void test_operand_spellings(void **state)
{
    (void)state;
    // As in the source, and as clang renders it.
    check("bar.sync %[id], %[n];", "bar.sync arg[id], arg[n]");
    check("bar.sync $0, ${1:x};", "bar.sync arg0, arg1");
    check("mov.u32 %0, %%laneid;", "mov.u32 arg0, %laneid");
    check("mov.u32 %0, %laneid;", "mov.u32 arg0, %laneid");
    check("mov.u32 $0, %tid.x;", "mov.u32 arg0, %tid.x");
    check("mov.u32 %0, %%tid.x;", "mov.u32 arg0, %tid.x");
    check("mov.u32 %0, %%cluster_ctaid.z;", "mov.u32 arg0, %cluster_ctaid.z");
    check("mov.u32 %0, WARP_SZ;", "mov.u32 arg0, 'WARP_SZ'");
    check("mov.u64 %0, buffer+8;", "mov.u64 arg0, sum('buffer',8)");
    check("st.shared.u32 [buffer], 0;", "st.shared.u32 ['buffer'], 0");
    check("st.shared.u32 [ %0 + 4 ], 017;", "st.shared.u32 [arg0+4], 15");
    check("st.shared.u32 [%0+-4], 0b101U;", "st.shared.u32 [arg0-4], 5");
    check("st.shared.u32 [%0-8], -1;", "st.shared.u32 [arg0-8], -1");
    check("st.shared.u32 [%0+4*2+1], 1;", "st.shared.u32 [arg0+9], 1");
    check("st.shared.u32 [%0+%1], 1;", "st.shared.u32 [sum(arg0,arg1,0)], 1");
    check("st.shared.u32 [%0+%1+4], 1;", "st.shared.u32 [sum(arg0,arg1,4)], 1");
    check("st.shared.u32 [64], 1;", "st.shared.u32 [64], 1");
    check("mov.f32 %0, 0f3F800000;", "mov.f32 arg0, f1");
    check("mov.f64 %0, 0d4000000000000000;", "mov.f64 arg0, f2");
    check("mov.f64 %0, 1.5e1;", "mov.f64 arg0, f15");
    check("mov.f64 %0, -0.5;", "mov.f64 arg0, f-0.5");
    check("mov.b128 %0, {%1,%2};", "mov.b128 arg0, {arg1,arg2}");
}

static void test_layout(void **state)
{
    (void)state;
    check("", "");
    check("  \n\t// nothing\n/* at all */ ;;", "");
    check("bar.sync 0", "bar.sync 0");
    check("{ bar.sync 0 }", "bar.sync 0");
    // A block that reaches over several statements.
    check("{ .reg .pred p; bar.sync 0;", "bar.sync 0");
    check("bar.sync 0; } bar.sync 1;", "bar.sync 0; bar.sync 1");
    check("bar.sync 0; // first; bar.sync 1;\n bar.sync 2;", "bar.sync 0; bar.sync 2");
    check("bar.sync /* id */ 0;bar.arrive 1,32;", "bar.sync 0; bar.arrive 1, 32");
    check("bar .sync\n0;", "bar.sync 0");
    check("\tmbarrier.arrive\n.release.cta.b64 _, [%0];",
          "mbarrier.arrive.release.cta.b64 _, [arg0]");
    check(".pragma \"nounroll\"; bar.sync 0;", "bar.sync 0");
    check(".loc 1 42 7, function_name info, inlined_at 1 2 3\nbar.sync 0;", "bar.sync 0");
    check("{ .shared .align 8 .b8 buf[16]; bar.sync 0; }", "bar.sync 0");
}

static void test_registers_and_scopes(void **state)
{
    (void)state;
    check("{.reg .pred p; setp.ne.b32 p, %0, 0; @p bar.sync 1;}",
          "setp.ne.b32 reg0, arg0, 0; @reg0 bar.sync 1");
    check("{.reg .pred p, q; setp.lt.u32 p|q, %0, 4; @!q exit;}",
          "setp.lt.u32 reg0|reg1, arg0, 4; @!reg1 exit");
    check("{ .reg .b32 %%r<3>; add.u32 %%r2, %%r0, 1; }", "add.u32 reg2, reg0, 1");
    check("{ .reg .b32 r<3>, x; add.u32 x, r1, r2; }", "add.u32 reg3, reg1, reg2");
    check("{ .reg .b32 r<3>; mov.u32 %0, r3; }", "mov.u32 arg0, 'r3'");
    check("{ .reg .v4 .f32 v; mov.f32 %0, v.z; }", "mov.f32 arg0, reg0.3");
    // An inner scope hides a name and gives it back.
    check("{ .reg .u32 t; { .reg .u32 t; mov.u32 t, 1; } mov.u32 t, 2; }",
          "mov.u32 reg1, 1; mov.u32 reg0, 2");
    // Outside its scope a name is unknown.
    check("{ .reg .u32 t; } mov.u32 t, 2;", "mov.u32 't', 2");
    check(".reg .b64 %%addr; mov.u64 %%addr, %0;", "mov.u64 reg0, arg0");
}

static void test_labels(void **state)
{
    (void)state;
    check("{ .reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;"
          " @P1 bra DONE; bra LAB_WAIT; DONE: }",
          "mbarrier.try_wait.parity.shared::cta.b64 reg0, [arg0], arg1; @reg0 bra ->3; bra ->0");
    check("{ .reg .pred P1; WAIT: mbarrier.try_wait.shared.b64 P1, [%0], %1; @!P1 bra.uni WAIT; }",
          "mbarrier.try_wait.shared.b64 reg0, [arg0], arg1; @!reg0 bra.uni ->0");
    // Every way to make a label unique.
    check("LAB_%=: bra LAB_%=;", "bra ->0");
    check("LAB_${:uid}: bra LAB_${:uid};", "bra ->0");
    check("$$L1: bra $$L1;", "bra ->0");
    check("$L1: bra $L1;", "bra ->0");
    check("L_%0: bra L_%0;", "bra ->0");
    check("%%done: bra %%done;", "bra ->0");
    // Two scopes may use one name; the nearest wins.
    check("{ A: bra A; } { A: bra A; }", "bra ->0; bra ->1");
    check("A: { A: bra A; bra A; } bra A;", "bra ->0; bra ->0; bra ->0");
    check("{ bra A; } nanosleep.u32 1; A:", "bra ->2; nanosleep.u32 1");
    check("A: B: bra A; bra B;", "bra ->0; bra ->0");
}

static void test_refusals(void **state)
{
    (void)state;
    check_refused("bar.sync 0,;", "an operand expected instead of ';'", 11);
    check_refused("bar.sync 0 1;", "';' expected", 11);
    check_refused("bar.sync [%0;", "']' expected", 12);
    check_refused("bar.sync [];", "an address expected", 11);
    check_refused("/* never ends", "the comment does not end", 0);
    check_refused("bar.sync \"x;", "the string does not end", 9);
    check_refused("bar.sync 0; \x01", "no meaning in PTX", 12);
    check_refused("bar. 0;", "a modifier is expected after '.'", 3);
    check_refused("bar.sync 12ab;", "not a PTX constant", 9);
    check_refused("bra NOWHERE;", "label 'NOWHERE' is not defined", 0);
    check_refused("} { A: } bra A;", "label 'A' is not defined", 9);
    check_refused("bra;", "a branch needs one label", 0);
    check_refused("bra %0;", "a branch needs one label", 0);
    check_refused("A: A: bra A;", "label 'A' is defined twice", 3);
    check_refused("brx.idx %0, list;", "indirect branches", 0);
    check_refused("@ bar.sync 0;", "an instruction expected instead of '0'", 11);
    check_refused("@0 bar.sync 0;", "the guard is not a predicate", 3);
    check_refused("%0 %1;", "an instruction expected", 0);
    check_refused("%%r0 1;", "is no instruction", 0);
    check_refused(".func f() { }", "a function is not followed", 0);
    check_refused(".reg .b32 r<0>;", "a number of registers expected", 12);
    check_refused(".reg .b32 r<99999999>;", "too many registers", 10);
    check_refused(".reg .b32 4;", "a register name expected", 10);
    check_refused("% ;", "a name is expected", 0);
}

static void test_limits(void **state)
{
    (void)state;
    char deep[512];
    memset(deep, '{', 64);
    strcpy(deep + 64, "bar.sync 0;");
    check_refused(deep, "braces are nested too deep", 33);
    strcpy(deep, "mov.b32 %0, ");
    memset(deep + 12, '{', 64);
    deep[76] = '\0';
    check_refused(deep, "operands are nested too deep", 21);
    strcpy(deep, "mov.b32 %0, ");
    memset(deep + 12, '-', 64);
    deep[76] = '\0';
    check_refused(deep, "operands are nested too deep", 21);
    size_t count = 40000;
    char *many = malloc(count + 1);
    for (size_t i = 0; i + 1 < count; i += 2)
        memcpy(many + i, "a;", 2);
    many[count] = '\0';
    check_refused(many, "too many instructions", 32768);
    memset(many, 'x', count);
    check_refused(many, "the name is too long", 0);
    free(many);
}

static void test_offsets(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    struct ptx_program program;
    assert_true(ptx_parse(&arena, "bar.sync 0;\n  @p bar.arrive 1, 32;", &program, NULL));
    assert_int_equal(program.instruction[0].offset, 0);
    assert_int_equal(program.instruction[1].offset, 14);
    assert_true(ptx_has(&program.instruction[1], "arrive"));
    assert_false(ptx_has(&program.instruction[1], "bar"));
    assert_false(ptx_has(&program.instruction[1], "sync"));
    arena_release(&arena);
}

static void test_may_barrier(void **state)
{
    (void)state;
    assert_true(ptx_may_barrier("bar.sync %0 %1"));
    assert_true(ptx_may_barrier("@p mbarrier.arrive"));
    assert_true(ptx_may_barrier("call f;"));
    assert_true(ptx_may_barrier("tcgen05.commit.mbarrier::arrive::one [%0]"));
    assert_true(ptx_may_barrier("add.u32 \x01"));
    assert_true(ptx_may_barrier("/* bar"));
    assert_false(ptx_may_barrier("add.u32 %0 %1"));
    assert_false(ptx_may_barrier("// bar.sync 0\nfoo bar_sync, rebar;"));
    assert_false(ptx_may_barrier(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_families),
        cmocka_unit_test(test_operand_spellings),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_registers_and_scopes),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_may_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
