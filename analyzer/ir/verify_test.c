// The builder keeps its promises, and the verifier refuses each broken one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "ir/ir.h"

// --- The builder -----------------------------------------------------------------------------

static void equal_types_are_one(void **state)
{
    (void)state;
    struct ir_unit unit;
    ir_unit_init(&unit);
    assert_int_equal(ir_type_void(&unit), 0);
    ir_type_id u32 = ir_type_int(&unit, 32, false);
    assert_int_equal(ir_type_int(&unit, 32, false), u32);
    assert_int_not_equal(ir_type_int(&unit, 32, true), u32);
    assert_int_equal(ir_type_bool(&unit), ir_type_int(&unit, 1, false));
    assert_int_not_equal(ir_type_float(&unit, 32), u32);
    assert_int_equal(ir_type_pointer(&unit, u32), ir_type_pointer(&unit, u32));
    assert_int_not_equal(ir_type_pointer(&unit, u32), ir_type_pointer(&unit, 0));
    ir_type_id array = ir_type_array(&unit, u32, 5);
    assert_int_equal(ir_type_array(&unit, u32, 5), array);
    assert_int_not_equal(ir_type_array(&unit, u32, 6), array);
    assert_int_equal(unit.type[array].size, 20);
    assert_int_equal(unit.type[array].align, 4);
    assert_int_equal(ir_type_opaque(&unit, "a", 8, 8), ir_type_opaque(&unit, "a", 8, 8));
    assert_int_not_equal(ir_type_opaque(&unit, "a", 8, 8), ir_type_opaque(&unit, "b", 8, 8));
    assert_int_not_equal(ir_type_opaque(&unit, "a", 8, 8), ir_type_opaque(&unit, "a", 4, 4));
    assert_int_not_equal(ir_type_record(&unit, "r"), ir_type_record(&unit, "r"));
    assert_int_equal(ir_type_function(&unit), ir_type_function(&unit));
    // Enough types to make the table grow, each found again afterwards.
    for (uint64_t i = 0; i < 5000; ++i)
        ir_type_array(&unit, u32, 100 + i);
    ptrdiff_t count = arrlen(unit.type);
    for (uint64_t i = 0; i < 5000; ++i)
        assert_int_equal(unit.type[ir_type_array(&unit, u32, 100 + i)].count, 100 + i);
    assert_int_equal(arrlen(unit.type), count);
    ir_unit_release(&unit);
}

static void array_of_a_record_completed_later(void **state)
{
    (void)state;
    struct ir_unit unit;
    ir_unit_init(&unit);
    ir_type_id record = ir_type_record(&unit, "r");
    ir_type_id array = ir_type_array(&unit, record, 3);
    assert_int_equal(unit.type[array].size, 0);
    unit.type[record].size = 8;
    unit.type[record].align = 4;
    assert_int_equal(ir_type_array(&unit, record, 3), array);
    assert_int_equal(unit.type[array].size, 24);
    ir_type_id huge = ir_type_array(&unit, record, UINT64_MAX);
    assert_int_equal(unit.type[huge].size, 0);
    ir_unit_release(&unit);
}

static void building(void **state)
{
    (void)state;
    struct ir_unit unit;
    ir_unit_init(&unit);
    struct ir_builder builder = {.unit = &unit, .loc = {.line = 7}};
    char name[] = "k";
    builder.function = ir_function_add(&unit, name, NULL, "key");
    name[0] = 'x';
    builder.block = ir_build_block(&builder);
    ir_type_id i32 = ir_type_int(&unit, 32, true);
    ir_block_id then = ir_build_block(&builder), end = ir_build_block(&builder);
    uint32_t local = ir_build_local(&builder, "l", i32);
    ir_value address = ir_build(&builder, IR_LOCAL, ir_type_pointer(&unit, i32), NULL, 0, local);
    ir_value five = ir_build_const(&builder, i32, 5);
    ir_value pair[] = {address, five};
    ir_value store = ir_build(&builder, IR_STORE, ir_type_void(&unit), pair, 2, 0);
    assert_false(ir_builder_ended(&builder));
    ir_build_condbr(&builder, five, then, end);
    assert_true(ir_builder_ended(&builder));
    // After the end of a block a new one begins, which nothing reaches.
    ir_value lost = ir_build_const(&builder, i32, 6);
    assert_int_equal(builder.block, 3);
    ir_build_br(&builder, end);
    builder.block = then;
    struct ir_case cases[] = {{1, 2, end}, {4, 4, then}};
    ir_value choice = ir_build_switch(&builder, five, end, cases, 2);
    builder.block = end;
    ir_value stop = ir_build(&builder, IR_UNREACHABLE, IR_NONE, NULL, 0, 0);
    ir_build_text(&builder, stop, "trap");

    const struct ir_function *function = ir_builder_function(&builder);
    assert_string_equal(function->name, "k");
    assert_string_equal(function->lookup, "k");
    assert_string_equal(function->key, "key");
    assert_int_equal(function->flags, IR_FN_BODY);
    const struct ir_op *op = ir_op_at(function, store);
    assert_int_equal(op->type, IR_NONE);
    assert_int_equal(op->loc.line, 7);
    assert_int_equal(ir_operand(function, op, 0), address);
    assert_int_equal(ir_operand(function, op, 1), five);
    assert_int_equal(ir_operand(function, op, 2), IR_NONE);
    assert_null(ir_op_at(function, IR_NONE));
    assert_int_equal(ir_terminator(function, 0)->target[1], end);
    assert_null(ir_terminator(function, IR_NONE));
    assert_int_equal(function->block[3].op[0], lost);
    assert_int_equal(ir_op_at(function, choice)->case_count, 2);
    assert_int_equal(function->cases[1].target, then);
    assert_string_equal(ir_op_at(function, stop)->text, "trap");
    struct error error = {0};
    if (!ir_verify_unit(&unit, &error))
        fail_msg("%s", error.text);
    ir_unit_release(&unit);
}

static void names(void **state)
{
    (void)state;
    for (int special = 0; special < IR_SPECIAL_COUNT_; ++special)
        assert_non_null(ir_special_name((enum ir_special)special));
    assert_string_equal(ir_special_name(IR_CLUSTER_NCTARANK), "cluster_nctarank");
    assert_string_equal(ir_op_name(IR_SELECT), "select");
    assert_int_equal(ir_operand_arity(IR_SELECT), 3);
    assert_int_equal(ir_operand_arity(IR_CALL), -1);
    assert_true(ir_is_terminator(IR_EXIT));
    assert_false(ir_is_terminator(IR_CALL));
    assert_true(ir_has_value(IR_CALL));
    assert_false(ir_has_value(IR_STORE));
}

// --- Promises broken in the text -------------------------------------------------------------

// Units that read well and are refused, and what the message says.
static const struct {
    const char *text, *message;
} refused[] = {
    {"func @f () {\n}", "the flag for a body and the blocks do not agree"},
    {"func @f () {\nb0:\n}", "control gets here and there is no operation"},
    {"func @f () {\nb0:\n br b1\nb1:\n}", "block 1: control gets here and there is no operation"},
    {"func @f () {\nb0:\n v0 = const 1 : u8\n}", "the block does not end with a terminator"},
    {"func @f () {\nb0:\n ret\n ret\n}", "a terminator in the middle of the block"},
    {"func @f () {\nb0:\n v0 = const 1 : u8\n v1 = add v0 : u8\n ret\n}", "has 1 operands, not 2"},
    {"func @f () {\nb0:\n v0 = add v1 v1 : u8\n v1 = const 1 : u8\n ret\n}",
     "operand 0 is not defined on every path"},
    {"func @f () {\nb0:\n v0 = neg v0 : u8\n ret\n}", "operand 0 is not defined on every path"},
    {"func @f () {\nb0:\n v0 = const 1 : bool\n condbr v0 b1 b2\nb1:\n v1 = const 1 : u8\n br "
     "b2\nb2:\n v2 = neg v1 : u8\n ret\n}",
     "block 2: operation 4 (neg): operand 0 is not defined on every path"},
    {"func @f () {\nb0:\n v0 = neg _ : u8\n ret\n}", "operand 0 out of range"},
    {"func @f () {\nb0:\n v0 = store _ _ : u8\n ret\n}", "has a type and yields no value"},
    {"func @f () {\nb0:\n const 1\n ret\n}", "yields a value and has no type"},
    {"type %r = record \"r\"\nfunc @f () {\nb0:\n v0 = const 1 : %r\n ret\n}",
     "its type is no scalar"},
    {"func @f () {\nb0:\n v0 = const 1 : void\n ret\n}", "its type is no scalar"},
    {"func @f () {\nb0:\n v0 = const 1 : [2 x u8]\n ret\n}", "its type is no scalar"},
    {"func @f () {\nb0:\n v0 = const 1 : fn\n ret\n}", "its type is no scalar"},
    {"func @f () {\n local %i : u8\nb0:\n v0 = local %i : u64\n ret\n}",
     "yields an address and its type is no pointer"},
    {"func @f () {\nb0:\n v0 = const 1 : u8\n v1 = eq v0 v0 : u8\n ret\n}",
     "is a comparison and its type is not bool"},
    {"func @f () {\nb0:\n v0 = param 0 : u8\n ret\n}", "parameter 0 out of range"},
    {"func @f () {\nb0:\n v0 = local 0 : ptr u8\n ret\n}", "local 0 out of range"},
    {"func @f () {\nb0:\n declare 2\n ret\n}", "local 2 out of range"},
    {"func @f () {\nb0:\n v0 = global -1 : ptr u8\n ret\n}", "object -1 out of range"},
    {"func @f () {\nb0:\n v0 = func 1 : ptr fn\n ret\n}", "function 1 out of range"},
    {"func @f () {\nb0:\n call 1\n ret\n}", "function 1 out of range"},
    {"func @f () {\nb0:\n v0 = special 99 : u32\n ret\n}", "special register 99 out of range"},
    {"func @f () {\nb0:\n calli\n ret\n}", "has no operand for the function"},
    {"func @f () {\n local %i : u8\nb0:\n v0 = local %i : ptr u8\n zero v0 bytes -1\n ret\n}",
     "has a negative length"},
    {"func @f () {\nb0:\n ptx\n ret\n}", "has no text"},
    {"func @f () {\nb0:\n ptx \"mov\" outputs 1\n ret\n}", "has not as many operands as outputs"},
    {"func @f () {\nb0:\n v0 = const 1 : u32\n ptx \"mov\" v0 outputs 1\n ret\n}",
     "output 0 is no address"},
    {"func @f () {\nb0:\n opaque\n ret\n}", "has no text"},
    {"func @f () {\nb0:\n launch @f _\n ret\n}", "has fewer operands than a launch"},
    {"func @f () {\nb0:\n launch _ _ _ _ _ _ _ _ _ _ _ _ _ _\n ret\n}", "operand 0 out of range"},
    {"func @f () {\nb0:\n launch @f _ _ _ _ _ _ _ _ _ _ _ _ _ _\n ret\n}",
     "operand 13 out of range"},
    {"func @f () {\nb0:\n launch 7 _ _ _ _ _ _ _ _ _ _ _ _ _\n ret\n}", "kernel 7 out of range"},
    {"func @f () {\nb0:\n br _\n}", "target 0 out of range"},
    {"func @f () {\nb0:\n v0 = const 1 : bool\n condbr v0 b0 _\n}", "target 1 out of range"},
    {"func @f () {\nb0:\n v0 = const 1 : u8\n switch v0 [3..2: b0] else b0\n}", "case 0 is empty"},
    {"func @f () {\nb0:\n v0 = const 1 : u8\n switch v0 [1: _] else b0\n}",
     "target of case 0 out of range"},
    {"func @f () {\nb0:\n v0 = const 1 : u8\n switch v0 [] else _\n}", "target 0 out of range"},
    {"func @f () {\nb0:\n v0 = const 1 : u8\n ret v0\n}",
     "has more operands than the function has results"},
    {"func @f () -> u8 {\nb0:\n v0 = const 1 : u8\n ret v0 v0\n}",
     "has more operands than the function has results"},
    {"func @f () {\nb0:\n ret at 3:1:1\n}", "file 3 of its place is out of range"},
    {"func @f () at 1:1:1", "file 1 of its place is out of range"},
    {"func @f () {\n local %i : u8 at 9:1:1\nb0:\n ret\n}", "file 9 of its place"},
    {"global @a : u8 host at 2:1:1", "file 2 of its place is out of range"},
    {"type %r = record \"r\" {\n +0 %r\n}", "type 1: record holds itself"},
    {"type %a = record \"a\" {\n +0 [2 x [1 x %b]]\n}\ntype %b = record \"b\" {\n +0 u8\n +8 "
     "%a\n}",
     "record holds itself"},
    {"type %r = record \"r\" {\n +8 u8\n +0 u8\n}", "type 1: field 1 is not in order of offset"},
};

static void refused_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
        struct ir_unit unit;
        struct error error = {0};
        if (!ir_read_unit(&unit, refused[i].text, strlen(refused[i].text), &error))
            fail_msg("%s in\n%s", error.text, refused[i].text);
        if (ir_verify_unit(&unit, &error))
            fail_msg("accepted:\n%s", refused[i].text);
        if (!strstr(error.text, refused[i].message))
            fail_msg("'%s' is not in '%s'", refused[i].message, error.text);
        assert_int_equal(error.kind, ERROR_INTERNAL);
        ir_unit_release(&unit);
    }
}

// --- Promises that the text cannot break -----------------------------------------------------

static const char good[] = "unit \"sm_90\"\n"
                           "type %r = record \"r\" size 4 align 4 {\n +0 u32 \"a\"\n}\n"
                           "global @g : ptr [3 x %r] shared\n"
                           "func @f template(type u32 \"u\") (%p : i32) -> u32 {\n"
                           " local %l : f32\n"
                           "b0:\n v0 = const 1 : bool\n v1 = not v0 : bool\n"
                           " condbr v0 b1 b2\n"
                           "b1:\n switch v0 [1: b2] else b2\n"
                           "b2:\n ret\n}\n";

static void break_file(struct ir_unit *unit)
{
    unit->file[0].path = "a";
}

static void break_type_kind(struct ir_unit *unit)
{
    unit->type[1].kind = (enum ir_type_kind)99;
}

static ir_type_id type_of_kind(const struct ir_unit *unit, enum ir_type_kind kind)
{
    for (ptrdiff_t i = 0; i < arrlen(unit->type); ++i)
        if (unit->type[i].kind == kind)
            return (ir_type_id)i;
    fail_msg("no type of kind %d", (int)kind);
    return IR_NONE;
}

static void break_void(struct ir_unit *unit)
{
    unit->type[0].kind = IR_TYPE_FUNCTION;
}

static void break_element(struct ir_unit *unit)
{
    ir_type_id id = type_of_kind(unit, IR_TYPE_POINTER);
    unit->type[id].elem = id;
}

static void break_no_element(struct ir_unit *unit)
{
    unit->type[type_of_kind(unit, IR_TYPE_INT)].elem = 0;
}

static void break_int_bits(struct ir_unit *unit)
{
    unit->type[type_of_kind(unit, IR_TYPE_INT)].bits = 7;
}

static void break_float_bits(struct ir_unit *unit)
{
    unit->type[type_of_kind(unit, IR_TYPE_FLOAT)].bits = 1;
}

static void break_type_name(struct ir_unit *unit)
{
    unit->type[type_of_kind(unit, IR_TYPE_RECORD)].name = NULL;
}

static void break_field_type(struct ir_unit *unit)
{
    unit->type[type_of_kind(unit, IR_TYPE_RECORD)].field[0].type = 1000;
}

static void break_fields(struct ir_unit *unit)
{
    arrput(unit->type[type_of_kind(unit, IR_TYPE_INT)].field, ((struct ir_field){.name = ""}));
}

static void break_global_type(struct ir_unit *unit)
{
    unit->global[0].type = IR_NONE;
}

static void break_space(struct ir_unit *unit)
{
    unit->global[0].space = (enum ir_space)9;
}

static void break_owner(struct ir_unit *unit)
{
    unit->global[0].owner = 1;
}

static void break_name(struct ir_unit *unit)
{
    unit->function[0].key = NULL;
}

static void break_flags(struct ir_unit *unit)
{
    unit->function[0].flags |= 1u << 30;
}

static void break_body_flag(struct ir_unit *unit)
{
    unit->function[0].flags &= ~(uint32_t)IR_FN_BODY;
}

static void break_result(struct ir_unit *unit)
{
    unit->function[0].result = IR_NONE;
}

static void break_param(struct ir_unit *unit)
{
    unit->function[0].param[0].type = IR_NONE;
}

static void break_local(struct ir_unit *unit)
{
    unit->function[0].local[0].type = IR_NONE;
}

static void break_argument_kind(struct ir_unit *unit)
{
    unit->function[0].template_arg[0].kind = (enum ir_template_arg_kind)3;
}

static void break_argument_type(struct ir_unit *unit)
{
    unit->function[0].template_arg[0].type = IR_NONE;
}

static void break_block(struct ir_unit *unit)
{
    unit->function[0].block[0].op[0] = 77;
}

static void break_twice(struct ir_unit *unit)
{
    unit->function[0].block[0].op[1] = unit->function[0].block[0].op[0];
}

static void break_code(struct ir_unit *unit)
{
    unit->function[0].op[0].code = IR_OP_COUNT_;
}

static void break_op_flags(struct ir_unit *unit)
{
    unit->function[0].op[0].flags = 1u << 15;
}

static void break_op_type(struct ir_unit *unit)
{
    unit->function[0].op[0].type = 1000;
}

static void break_operand_range(struct ir_unit *unit)
{
    unit->function[0].op[1].operand = UINT32_MAX;
}

static void break_operand_void(struct ir_unit *unit)
{
    unit->function[0].operand[0] = 2;
}

static void break_operand_home(struct ir_unit *unit)
{
    arrdel(unit->function[0].block[0].op, 0);
}

static void break_extra_target(struct ir_unit *unit)
{
    unit->function[0].op[0].target[0] = 0;
}

static void break_case_count(struct ir_unit *unit)
{
    unit->function[0].op[0].case_count = 1;
}

static void break_case_range(struct ir_unit *unit)
{
    unit->function[0].op[3].case_count = 2;
}

static void break_case_start(struct ir_unit *unit)
{
    unit->function[0].op[3].imm = -1;
}

static void refused_units(void **state)
{
    (void)state;
    static const struct {
        void (*breaks)(struct ir_unit *unit);
        const char *message;
    } cases[] = {
        {break_file, "file 0 is not the unknown file"},
        {break_type_kind, "type 1: no such kind"},
        {break_void, "type 0 is not void"},
        {break_element, "its element does not come before it"},
        {break_no_element, "has an element and should not"},
        {break_int_bits, "integer of 7 bits"},
        {break_float_bits, "floating type of 1 bits"},
        {break_type_name, "has no name text"},
        {break_field_type, "type of field 0 is out of range"},
        {break_fields, "has fields and is no record"},
        {break_global_type, "object 0: type out of range"},
        {break_space, "object 0: no such space"},
        {break_owner, "object 0: owner out of range"},
        {break_name, "name, lookup or key is missing"},
        {break_flags, "function 'f': unknown flags"},
        {break_body_flag, "the flag for a body and the blocks do not agree"},
        {break_result, "type of the result is out of range"},
        {break_param, "parameter 0: no name text or type out of range"},
        {break_local, "local 0: no name text or type out of range"},
        {break_argument_kind, "template argument 0: no such kind"},
        {break_argument_type, "template argument 0: type out of range"},
        {break_block, "operation 77 out of range"},
        {break_twice, "operation 0 stands in two places"},
        {break_code, "operation 0 has no such code"},
        {break_op_flags, "operation 0 (const): unknown flags"},
        {break_op_type, "operation 0 (const): type out of range"},
        {break_operand_range, "operands out of range"},
        {break_operand_void, "operand 0 yields no value"},
        {break_operand_home, "operand 0 stands in no block"},
        {break_extra_target, "has a target and should not"},
        {break_case_count, "has cases and is no switch"},
        {break_case_range, "cases out of range"},
        {break_case_start, "cases out of range"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        struct ir_unit unit;
        struct error error = {0};
        if (!ir_read_unit(&unit, good, strlen(good), &error) || !ir_verify_unit(&unit, &error))
            fail_msg("%s", error.text);
        cases[i].breaks(&unit);
        if (ir_verify_unit(&unit, &error))
            fail_msg("case %zu accepted: %s", i, cases[i].message);
        if (!strstr(error.text, cases[i].message))
            fail_msg("'%s' is not in '%s'", cases[i].message, error.text);
        ir_unit_release(&unit);
    }
}

static void function_out_of_range(void **state)
{
    (void)state;
    struct ir_unit unit;
    struct error error = {0};
    ir_unit_init(&unit);
    assert_false(ir_verify_function(&unit, 0, &error));
    assert_non_null(strstr(error.text, "function 0 out of range"));
    ir_unit_release(&unit);
}

static void unreachable_code_may_use_what_never_was(void **state)
{
    (void)state;
    static const char text[] = "func @f () {\nb0:\n ret\nb1:\n v1 = neg v2 : u8\n v2 = const 1 : "
                               "u8\n br b0\nb2:\n}";
    struct ir_unit unit;
    struct error error = {0};
    assert_true(ir_read_unit(&unit, text, strlen(text), &error));
    if (!ir_verify_unit(&unit, &error))
        fail_msg("%s", error.text);
    ir_unit_release(&unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_types_are_one),
        cmocka_unit_test(array_of_a_record_completed_later),
        cmocka_unit_test(building),
        cmocka_unit_test(names),
        cmocka_unit_test(refused_texts),
        cmocka_unit_test(refused_units),
        cmocka_unit_test(function_out_of_range),
        cmocka_unit_test(unreachable_code_may_use_what_never_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
