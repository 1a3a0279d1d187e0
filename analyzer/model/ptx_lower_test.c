// The lowering: what each shape of inline PTX becomes in the IR, as text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "model/ptx_lower.h"

// A kernel with one asm statement. Its operands: %0 "=r" out, %1 "r" a, %2 "r" n, %3 "l" p,
// %4 "f" x; the names of the values are v0 (address of out) and v1 to v4.
struct statement {
    struct ir_unit unit;
    struct ir_builder builder;
    struct ptx_asm_operand operand[5];
    bool parsed;
};

static ir_value add_param(struct statement *statement, const char *name, ir_type_id type)
{
    struct ir_function *function = ir_builder_function(&statement->builder);
    struct ir_param param = {.name = name, .type = type};
    arrput(function->param, param);
    return ir_build(&statement->builder, IR_PARAM, type, NULL, 0, arrlen(function->param) - 1);
}

static void lower(struct statement *statement, const char *text, const char *output_constraint)
{
    ir_unit_init(&statement->unit);
    struct ir_unit *unit = &statement->unit;
    statement->builder = (struct ir_builder){.unit = unit};
    struct ir_builder *builder = &statement->builder;
    builder->function = ir_function_add(unit, "f", NULL, NULL);
    ir_type_id u32 = ir_type_int(unit, 32, false);
    ir_type_id pointer = ir_type_pointer(unit, ir_type_int(unit, 64, false));
    builder->block = ir_build_block(builder);
    uint32_t local = ir_build_local(builder, "out", u32);
    ir_value out = ir_build(builder, IR_LOCAL, ir_type_pointer(unit, u32), NULL, 0, local);
    struct ptx_asm_operand *operand = statement->operand;
    ir_type_id f32 = ir_type_float(unit, 32);
    operand[0] = (struct ptx_asm_operand){output_constraint, "out", IR_NONE, out, u32};
    operand[1] = (struct ptx_asm_operand){"r", "a", add_param(statement, "a", u32), IR_NONE, u32};
    operand[2] = (struct ptx_asm_operand){"r", "n", add_param(statement, "n", u32), IR_NONE, u32};
    operand[3] =
        (struct ptx_asm_operand){"l", "p", add_param(statement, "p", pointer), IR_NONE, pointer};
    operand[4] = (struct ptx_asm_operand){"f", "x", add_param(statement, "x", f32), IR_NONE, f32};
    struct ptx_asm given = {.template_text = text,
                            .operand = operand,
                            .output_count = 1,
                            .input_count = 4,
                            .is_volatile = true};
    statement->parsed = ptx_lower_asm(builder, &given);
    if (!ir_builder_ended(builder))
        ir_build(builder, IR_RET, IR_NONE, NULL, 0, 0);
    struct error error = {0};
    if (!ir_verify_unit(unit, &error))
        fail_msg("'%s': %s", text, error.text);
}

// The lines of the body behind the operands, with single blanks and ';' between them.
static char *body(struct statement *statement)
{
    char *text = NULL, *out = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ir_print_function(stream, &statement->unit, statement->builder.function);
    fclose(stream);
    const char *at = strstr(text, "param %x");
    at = at ? strchr(at, '\n') : text;
    stream = open_memstream(&out, &size);
    bool fresh = false;
    for (; *at && *at != '}'; ++at) {
        if (*at == '\n') {
            fresh = true;
            continue;
        }
        if (fresh && *at == ' ')
            continue;
        if (fresh && ftell(stream) > 0)
            fputs("; ", stream);
        fresh = false;
        fputc(*at, stream);
    }
    fclose(stream);
    free(text);
    return out;
}

static void check(const char *source, const char *expected)
{
    struct statement statement;
    lower(&statement, source, "=r");
    assert_true(statement.parsed);
    char *text = body(&statement);
    assert_string_equal(text, expected);
    free(text);
    ir_unit_release(&statement.unit);
}

static void check_contains(const char *source, const char *expected)
{
    struct statement statement;
    lower(&statement, source, "=r");
    char *text = body(&statement);
    if (!strstr(text, expected))
        fail_msg("'%s' gives '%s' without '%s'", source, text, expected);
    free(text);
    ir_unit_release(&statement.unit);
}

// --- Wait loops --------------------------------------------------------------------------------

// Every hand-written wait is a loop whose condition is an IR_PTX test. `rest` is what stands
// between the template's own lines.
static void test_wait_loops(void **state)
{
    (void)state;
    // Leave when true, else go round.
    check("{ .reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 P1, [%1], %2;"
          " @P1 bra DONE; bra LAB_WAIT; DONE: }",
          "declare %P1; v6 = local %P1 : ptr bool; br b2; "
          "b1:; ret; "
          "b2:; ptx \"mbarrier.try_wait.parity.shared::cta.b64\" v6 v1 v2 outputs 1 !volatile; "
          "v10 = load v6 : bool; condbr v10 b1 b3 !loop; "
          "b3:; br b2");
    // Go round while false.
    check("{ .reg .pred P1; WAIT: mbarrier.test_wait.shared.b64 P1, [%1+8], %3;"
          " @!P1 bra WAIT; }",
          "declare %P1; v6 = local %P1 : ptr bool; br b1; "
          "b1:; v8 = const 8 : u32; v9 = add v1 v8 : u32; "
          "ptx \"mbarrier.test_wait.shared.b64\" v6 v9 v3 outputs 1 !volatile; "
          "v11 = load v6 : bool; condbr v11 b2 b1 !loop; "
          "b2:; ret");
    // With a pause, as in spinning code.
    check_contains("{ .reg .pred p; W: mbarrier.try_wait.parity.b64 p, [%1], %2; @p bra.uni D;"
                   " nanosleep.u32 5; bra.uni W; D: }",
                   "ptx \"nanosleep.u32\"");
    // The C++ loop kind: one test, the predicate as a number.
    check("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
          " selp.u32 %0, 1, 0, p; }",
          "declare %p; v6 = local %p : ptr bool; "
          "ptx \"mbarrier.try_wait.parity.shared::cta.b64\" v6 v1 v2 outputs 1 !volatile; "
          "v8 = const 1 : u32; v9 = const 0 : u32; v10 = load v6 : bool; "
          "v11 = select v10 v8 v9 : u32; store v0 v11; ret");
}

// The 69 label loops of public code are these, with other labels and modifiers.
static void test_loop_spellings(void **state)
{
    (void)state;
    static const char *const label[] = {"LAB_WAIT",  "LAB_WAIT%=", "$$L",
                                        "L_${:uid}", "waitLoop",   "P_%2"};
    static const char *const test[] = {
        "mbarrier.try_wait.parity.shared::cta.b64", "mbarrier.try_wait.parity.shared.b64",
        "mbarrier.test_wait.parity.shared::cta.b64", "mbarrier.try_wait.parity.acquire.cta.b64",
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64"};
    static const char *const shape[] = {
        "{\n.reg .pred P1;\n%s:\n%s P1, [%%1], %%2;\n@P1 bra DONE;\nbra %s;\nDONE:\n}",
        "{\n.reg .pred P1;\n%s:\n%s P1, [%%1], %%2;\n@P1 bra.uni DONE;\nbra.uni %s;\nDONE:\n}",
        "{\n.reg .pred P1;\n%s:\n%s P1, [%%1], %%2;\n@!P1 bra %s;\n}",
        "{\n.reg .pred P1;\n%s:\n%s P1, [%%1], %%2, 0x989680;\n@!P1 bra.uni %s;\n}",
        "{.reg .pred P1;%s: %s P1, [%%1], %%2; @P1 bra DONE; nanosleep.u32 20; bra %s; DONE: }",
    };
    for (size_t i = 0; i < sizeof shape / sizeof shape[0]; ++i) {
        for (size_t j = 0; j < sizeof test / sizeof test[0]; ++j) {
            for (size_t k = 0; k < sizeof label / sizeof label[0]; ++k) {
                char source[512], expected[128];
                snprintf(source, sizeof source, shape[i], label[k], test[j], label[k]);
                snprintf(expected, sizeof expected, "ptx \"%s\"", test[j]);
                check_contains(source, expected);
                check_contains(source, "!loop");
            }
        }
    }
}

// --- Registers, guards, ends --------------------------------------------------------------------

static void test_guards(void **state)
{
    (void)state;
    check("{ .reg .pred q; setp.ne.b32 q, %2, 0; @q mbarrier.arrive.shared.b64 _, [%1]; }",
          "declare %q; v6 = local %q : ptr bool; v7 = const 0 : u32; v8 = ne v2 v7 : bool; "
          "store v6 v8; v10 = load v6 : bool; condbr v10 b1 b2; "
          "b1:; v12 = local %_ : ptr u64; "
          "ptx \"mbarrier.arrive.shared.b64\" v12 v1 outputs 1 !volatile; br b2; "
          "b2:; ret");
    check("{ .reg .pred q; setp.eq.s32 q, %2, 1; @!q exit; bar.sync 0; }",
          "declare %q; v6 = local %q : ptr bool; v7 = cast v2 : i32; v8 = const 1 : i32; "
          "v9 = eq v7 v8 : bool; store v6 v9; v11 = load v6 : bool; condbr v11 b2 b1; "
          "b1:; exit; "
          "b2:; v14 = const 0 : u32; ptx \"bar.sync\" v14 !volatile; ret");
    check("trap; bar.sync 0;", "unreachable \"trap\"");
    check("ret;", "ret");
}

static void test_outputs(void **state)
{
    (void)state;
    // A result that is used again is read back.
    check("mov.u32 %0, %1; add.u32 %0, %0, 1;",
          "store v0 v1; v6 = load v0 : u32; v7 = const 1 : u32; v8 = add v6 v7 : u32; "
          "store v0 v8; ret");
    // An input tied to an output by its number begins as its value.
    struct statement statement;
    lower(&statement, "", "=r");
    ir_unit_release(&statement.unit);
    ir_unit_init(&statement.unit);
    struct ir_unit *unit = &statement.unit;
    struct ir_builder builder = {.unit = unit, .function = ir_function_add(unit, "g", NULL, NULL)};
    builder.block = ir_build_block(&builder);
    ir_type_id u32 = ir_type_int(unit, 32, false);
    uint32_t local = ir_build_local(&builder, "r", u32);
    ir_value address = ir_build(&builder, IR_LOCAL, ir_type_pointer(unit, u32), NULL, 0, local);
    ir_value five = ir_build_const(&builder, u32, 5);
    struct ptx_asm_operand operand[2] = {{"=r", NULL, IR_NONE, address, u32},
                                         {"0", NULL, five, IR_NONE, u32}};
    struct ptx_asm given = {"add.u32 %0, %0, 1;", operand, 1, 1, false, true};
    assert_true(ptx_lower_asm(&builder, &given));
    const struct ir_function *function = &unit->function[builder.function];
    const struct ir_op *store = ir_op_at(function, five + 1);
    assert_int_equal(store->code, IR_STORE);
    assert_int_equal(ir_operand(function, store, 0), address);
    assert_int_equal(ir_operand(function, store, 1), five);
    ir_unit_release(unit);
}

static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *source, *expected;
    } row[] = {
        {"mov.u32 %0, %%laneid;", "v5 = special laneid : u32; store v0 v5; ret"},
        {"mov.u32 %0, %tid.x;", "v5 = special tid.x : u32; store v0 v5; ret"},
        {"mov.u32 %0, %cluster_ctarank;", "v5 = special cluster_ctarank : u32; store v0 v5; ret"},
        {"mov.u32 %0, WARP_SZ;", "v5 = const 32 : u32; store v0 v5; ret"},
        {"cvta.to.shared.u64 %0, %3;", "v5 = cast v3 : u64; v6 = cast v5 : u32; store v0 v6; ret"},
        {"sub.s32 %0, %1, %2;", "v5 = cast v1 : i32; v6 = cast v2 : i32; v7 = sub v5 v6 : i32; "
                                "v8 = cast v7 : u32; store v0 v8; ret"},
        {"mul.lo.u32 %0, %1, 3;", "v5 = const 3 : u32; v6 = mul v1 v5 : u32; store v0 v6; ret"},
        {"mad.lo.u32 %0, %1, %2, 7;", "v5 = mul v1 v2 : u32; v6 = const 7 : u32; "
                                      "v7 = add v5 v6 : u32; store v0 v7; ret"},
        {"shr.u32 %0, %1, 5;", "v5 = const 5 : u32; v6 = shr v1 v5 : u32; store v0 v6; ret"},
        {"and.b32 %0, %1, 31;", "v5 = const 31 : u32; v6 = and v1 v5 : u32; store v0 v6; ret"},
        {"not.b32 %0, %1;", "v5 = not v1 : u32; store v0 v5; ret"},
        {"min.u32 %0, %1, %2;", "v5 = min v1 v2 : u32; store v0 v5; ret"},
        {"abs.s32 %0, %1;", "v5 = cast v1 : i32; v6 = const 0 : i32; v7 = lt v5 v6 : bool; "
                            "v8 = neg v5 : i32; v9 = select v7 v8 v5 : i32; v10 = cast v9 : u32; "
                            "store v0 v10; ret"},
        {"cvt.u32.u64 %0, %3;", "v5 = cast v3 : u64; v6 = cast v5 : u32; store v0 v6; ret"},
        {"mov.b64 {%0, _}, %3;", "v5 = cast v3 : u64; v6 = cast v5 : u32; store v0 v6; "
                                 "v8 = const 32 : u64; v9 = shr v5 v8 : u64; v10 = cast v9 : u32; "
                                 "ret"},
        {"mov.b32 %0, {1, 2};", "v5 = const 1 : u16; v6 = cast v5 : u32; v7 = const 2 : u16; "
                                "v8 = cast v7 : u32; v9 = const 16 : u32; v10 = shl v8 v9 : u32; "
                                "v11 = or v6 v10 : u32; store v0 v11; ret"},
        {"ld.shared.u32 %0, [%1+4];", "v5 = const 4 : u32; v6 = add v1 v5 : u32; "
                                      "v7 = cast v6 : ptr u32; v8 = load v7 : u32; store v0 v8; "
                                      "ret"},
        {"ld.volatile.global.u32 %0, [%3+8];", "v5 = offset v3 + 8 : ptr u64; "
                                               "v6 = cast v5 : ptr u32; "
                                               "v7 = load v6 : u32 !volatile; store v0 v7; ret"},
        {"ld.acquire.gpu.global.u32 %0, [%3];",
         "v5 = cast v3 : ptr u32; v6 = load v5 : u32 !volatile !atomic; store v0 v6; ret"},
        {"st.shared.v2.u32 [%1], {%2, 0};",
         "v5 = cast v1 : ptr u32; store v5 v2; v7 = offset v5 + 4 : ptr u32; v8 = const 0 : u32; "
         "store v7 v8; ret"},
        {"st.global.f32 [%3], %4;", "v5 = cast v3 : ptr f32; store v5 v4; ret"},
        {"st.global.b32 [%3], %4;", "v5 = cast v3 : ptr f32; store v5 v4; ret"},
        {"slct.u32.s32 %0, 1, 2, %2;",
         "v5 = const 1 : u32; v6 = const 2 : u32; v7 = cast v2 : i32; v8 = const 0 : i32; "
         "v9 = ge v7 v8 : bool; v10 = select v9 v5 v6 : u32; store v0 v10; ret"},
        {"set.lt.u32.u32 %0, %1, %2;",
         "v5 = lt v1 v2 : bool; v6 = const 4294967295 : u32; v7 = const 0 : u32; "
         "v8 = select v5 v6 v7 : u32; store v0 v8; ret"},
        {"mul.wide.u32 _, %1, %2;", "v5 = cast v1 : u64; v6 = cast v2 : u64; v7 = mul v5 v6 : u64; "
                                    "ret"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i)
        check(row[i].source, row[i].expected);
    // setp with a second result and a boolean.
    check("{ .reg .pred p, q, c; setp.gt.and.u32 p|q, %1, %2, !c; }",
          "declare %p; v6 = local %p : ptr bool; declare %q; v8 = local %q : ptr bool; "
          "declare %c; v10 = local %c : ptr bool; v11 = gt v1 v2 : bool; "
          "v12 = load v10 : bool; v13 = const 0 : bool; v14 = eq v12 v13 : bool; "
          "v15 = and v11 v14 : bool; v16 = gt v1 v2 : bool; v17 = const 0 : bool; "
          "v18 = eq v16 v17 : bool; v19 = load v10 : bool; v20 = const 0 : bool; "
          "v21 = eq v19 v20 : bool; v22 = and v18 v21 : bool; store v6 v15; store v8 v22; ret");
}

// What the IR cannot say stays an instruction: bits moved between kinds, saturation, carries.
static void test_left_over(void **state)
{
    (void)state;
    static const struct {
        const char *source, *expected;
    } row[] = {
        {"mov.b32 %0, %4;", "ptx \"mov.b32\" v0 v4 outputs 1 !volatile; ret"},
        {"add.cc.u32 %0, %1, %2;", "ptx \"add.cc.u32\" v0 v1 v2 outputs 1 !volatile; ret"},
        {"add.sat.s32 %0, %1, %2;", "ptx \"add.sat.s32\" v0 v1 v2 outputs 1 !volatile; ret"},
        {"mul.hi.u32 %0, %1, %2;", "ptx \"mul.hi.u32\" v0 v1 v2 outputs 1 !volatile; ret"},
        {"cvt.rn.f16x2.f32 %0, %4, %4;",
         "ptx \"cvt.rn.f16x2.f32\" v0 v4 v4 outputs 1 !volatile; ret"},
        {"bfe.u32 %0, %1, 4, 8;", "v5 = const 4 : u32; v6 = const 8 : u32; "
                                  "ptx \"bfe.u32\" v0 v1 v5 v6 outputs 1 !volatile; ret"},
        {"bar.sync %1, %2;", "ptx \"bar.sync\" v1 v2 !volatile; ret"},
        {"barrier.sync %1;", "ptx \"barrier.sync\" v1 !volatile; ret"},
        {"bar.red.popc.u32 %0, 1, 64, 1;",
         "v5 = const 1 : u32; v6 = const 64 : u32; v7 = const 1 : u32; "
         "ptx \"bar.red.popc.u32\" v0 v5 v6 v7 outputs 1 !volatile; ret"},
        {"mbarrier.init.shared.b64 [%1], %2;",
         "ptx \"mbarrier.init.shared.b64\" v1 v2 !volatile; ret"},
        {"mbarrier.arrive.expect_tx.shared.b64 _, [%1], 1024;",
         "v5 = local %_ : ptr u64; v6 = const 1024 : u32; "
         "ptx \"mbarrier.arrive.expect_tx.shared.b64\" v5 v1 v6 outputs 1 !volatile; ret"},
        {"mapa.shared::cluster.u32 %0, %1, %2;",
         "ptx \"mapa.shared::cluster.u32\" v0 v1 v2 outputs 1 !volatile; ret"},
        {"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
         "[%1], [%3, {%2, 0}], [%1+64];",
         "v5 = const 0 : u32; v6 = const 64 : u32; v7 = add v1 v6 : u32; "
         "ptx \"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes\""
         " v1 v3 v2 v5 v7 !volatile; ret"},
        {"setmaxnreg.dec.sync.aligned.u32 40;",
         "v5 = const 40 : u32; ptx \"setmaxnreg.dec.sync.aligned.u32\" v5 !volatile; ret"},
        {"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %1, %2;",
         "ptx \"tcgen05.dealloc.cta_group::1.sync.aligned.b32\" v1 v2 !volatile; ret"},
        {"call f, (%1);", "opaque \"a call inside asm\" !volatile !may_barrier; ret"},
        {"call (%0), f, (%1);", "opaque \"a call inside asm\" v0 !volatile !may_barrier; ret"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i)
        check_contains(row[i].source, row[i].expected);
}

// --- What cannot be followed --------------------------------------------------------------------

static void test_opaque(void **state)
{
    (void)state;
    struct statement statement;
    lower(&statement, "bar.sync 0 0 0;", "=r");
    assert_false(statement.parsed);
    char *text = body(&statement);
    assert_non_null(strstr(text, "opaque \"';' expected instead of '0' at offset 11"));
    assert_non_null(strstr(text, " v0 "));
    assert_non_null(strstr(text, "!may_barrier"));
    free(text);
    ir_unit_release(&statement.unit);
    lower(&statement, "add.u32 %0 %1;", "=r");
    assert_false(statement.parsed);
    text = body(&statement);
    assert_null(strstr(text, "!may_barrier"));
    free(text);
    ir_unit_release(&statement.unit);
    check_contains("mov.u32 %0, ", "!may_barrier");
    // Operands the statement does not have are unknown, and nothing is written.
    check_contains("mov.u32 %0, %9;", "opaque \"an operand the statement does not give\" : u32");
    check_contains("mov.u32 %0, %[other];", "opaque \"an operand the statement does not give\"");
    check_contains("mov.u32 %0, %%pm0;", "opaque \"a special register");
    check_contains("mov.u64 %0, elsewhere;", "opaque \"a name declared outside");
    check("mov.u32 %9, %1;",
          "v5 = local %_ : ptr u64; ptx \"mov.u32\" v5 v1 outputs 1 !volatile; ret");
    check("", "ret");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wait_loops), cmocka_unit_test(test_loop_spellings),
        cmocka_unit_test(test_guards),     cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_values),     cmocka_unit_test(test_left_over),
        cmocka_unit_test(test_opaque),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
