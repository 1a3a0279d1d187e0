// The text form: what is written reads back to the same text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "ir/ir.h"

static char *print(const struct ir_unit *unit, size_t *out_length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, out_length);
    assert_non_null(out);
    ir_print_unit(out, unit);
    fclose(out);
    return text;
}

static char *read_whole(const char *name, size_t *out_length)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", BARLINT_TESTDATA_IR, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be opened", path);
    char *text = NULL;
    FILE *copy = open_memstream(&text, out_length);
    for (int c; (c = fgetc(file)) != EOF;)
        fputc(c, copy);
    fclose(copy);
    fclose(file);
    return text;
}

static void read_good(struct ir_unit *unit, const char *text, size_t length)
{
    struct error error = {0};
    if (!ir_read_unit(unit, text, length, &error)) {
        fprintf(stderr, "%.*s", (int)length, text);
        fail_msg("%s", error.text);
    }
}

static void everything_is_its_own_print(void **state)
{
    (void)state;
    size_t length, again_length;
    char *text = read_whole("everything.ir", &length);
    struct ir_unit unit;
    struct error error = {0};
    read_good(&unit, text, length);
    if (!ir_verify_unit(&unit, &error))
        fail_msg("%s", error.text);
    char *again = print(&unit, &again_length);
    assert_string_equal(again, text);

    assert_string_equal(unit.target, "sm_90a");
    assert_true(unit.file[2].is_system);
    assert_string_equal(unit.file[2].path, "cuda/\"barrier\"\t\x01");
    const struct ir_global *bar = &unit.global[0];
    assert_int_equal(bar->owner, 0);
    assert_int_equal(unit.type[bar->type].size, 16);
    assert_int_equal(unit.global[1].value, -5);
    const struct ir_function *kernel = &unit.function[0];
    assert_int_equal(kernel->attributes.max_threads, 128);
    assert_int_equal(kernel->attributes.cluster[0], 2);
    assert_true(kernel->param[2].is_this);
    assert_true(kernel->param[3].is_result);
    assert_int_equal(kernel->op[2].loc.file, 2);
    assert_int_equal(kernel->op[2].loc.end_line, 8);
    assert_int_equal(kernel->op[2].loc.end_column, 5);
    const struct ir_op *end = ir_terminator(kernel, 1);
    assert_int_equal(end->case_count, 3);
    assert_int_equal(kernel->cases[end->imm + 1].high, 5);
    free(text);
    free(again);
    ir_unit_release(&unit);
}

static void by_hand(void **state)
{
    (void)state;
    size_t length, expected_length, again_length;
    char *text = read_whole("by_hand.ir", &length);
    char *expected = read_whole("by_hand.expected.ir", &expected_length);
    struct ir_unit unit;
    struct error error = {0};
    read_good(&unit, text, length);
    if (!ir_verify_unit(&unit, &error))
        fail_msg("%s", error.text);
    char *again = print(&unit, &again_length);
    assert_string_equal(again, expected);
    free(text);
    free(expected);
    free(again);
    ir_unit_release(&unit);
}

static void one_function(void **state)
{
    (void)state;
    static const char text[] = "unit \"\"\nfunc @f () {\nb0:\n  call @g\n  ret\n}\nfunc @g ()\n";
    struct ir_unit unit;
    read_good(&unit, text, strlen(text));
    char *printed = NULL;
    size_t length;
    FILE *out = open_memstream(&printed, &length);
    ir_print_function(out, &unit, 0);
    fclose(out);
    assert_string_equal(printed, "func @f () {\nb0:\n  call @g\n  ret\n}\n");
    free(printed);
    ir_unit_release(&unit);
}

// --- Random units ----------------------------------------------------------------------------

struct random {
    unsigned seed;
    struct ir_unit *unit;
};

static uint32_t pick(struct random *random, uint32_t below)
{
    return below ? (uint32_t)rand_r(&random->seed) % below : 0;
}

static const char *pick_name(struct random *random)
{
    static const char *const names[] = {
        "",        "a",          "b",   "ns::a",   "ns::t<x::y>::a",
        "a<b<c>>", "operator()", "1",   "with \"", "tab\there",
        "v0",      "at",         "imm", "a.2",     "\xc3\xa4",
        "$",
    };
    return arena_strdup(&random->unit->arena, names[pick(random, sizeof names / sizeof names[0])]);
}

static int64_t pick_number(struct random *random)
{
    switch (pick(random, 5)) {
    case 0:
        return INT64_MIN;
    case 1:
        return INT64_MAX;
    case 2:
        return -(int64_t)pick(random, 100);
    default:
        return pick(random, 100);
    }
}

static struct ir_loc pick_loc(struct random *random)
{
    struct ir_loc loc = {0};
    if (pick(random, 3) == 0)
        return loc;
    loc.file = pick(random, 3);
    loc.line = pick(random, 4);
    loc.column = pick(random, 4);
    if (pick(random, 2)) {
        loc.end_line = pick(random, 4);
        loc.end_column = pick(random, 3);
    }
    return loc;
}

static ir_type_id pick_type(struct random *random)
{
    return pick(random, (uint32_t)arrlenu(random->unit->type));
}

static void add_types(struct random *random)
{
    static const uint32_t bits[] = {1, 8, 16, 32, 64, 128};
    struct ir_unit *unit = random->unit;
    for (uint32_t i = 0, count = 2 + pick(random, 12); i < count; ++i) {
        switch (pick(random, 7)) {
        case 0:
            ir_type_int(unit, bits[pick(random, 6)], pick(random, 2));
            break;
        case 1:
            ir_type_float(unit, bits[1 + pick(random, 5)]);
            break;
        case 2:
            ir_type_pointer(unit, pick_type(random));
            break;
        case 3:
            ir_type_array(unit, pick_type(random), (uint64_t)pick_number(random));
            break;
        case 4:
            ir_type_opaque(unit, pick_name(random), pick(random, 3), pick(random, 3));
            break;
        case 5:
            ir_type_function(unit);
            break;
        default: {
            ir_type_id id = ir_type_record(unit, pick_name(random));
            struct ir_type *type = &unit->type[id];
            type->size = pick(random, 100);
            type->align = pick(random, 9);
            type->is_union = pick(random, 2);
        }
        }
    }
    for (ptrdiff_t id = 0; id < arrlen(unit->type); ++id) {
        struct ir_type *type = &unit->type[id];
        for (uint32_t i = pick(random, 4); type->kind == IR_TYPE_RECORD && i > 0; --i) {
            struct ir_field field = {.name = pick_name(random), .type = pick_type(random)};
            field.offset = pick(random, 64);
            field.bit_offset = pick(random, 3);
            field.bit_width = pick(random, 3);
            arrput(type->field, field);
        }
    }
}

static void add_args(struct random *random, struct ir_template_arg **args)
{
    for (uint32_t i = pick(random, 3); i > 0; --i) {
        struct ir_template_arg arg = {.kind = (enum ir_template_arg_kind)pick(random, 3),
                                      .text = pick_name(random)};
        arg.type = pick_type(random);
        arg.value = pick_number(random);
        arrput(*args, arg);
    }
}

static void add_operation(struct random *random, struct ir_builder *builder)
{
    struct ir_function *function = ir_builder_function(builder);
    enum ir_op_code code = (enum ir_op_code)pick(random, IR_OP_COUNT_);
    ir_type_id type = ir_has_value(code) ? pick_type(random) : IR_NONE;
    ir_value operand[4];
    int arity = ir_operand_arity(code);
    size_t count = arity < 0 ? pick(random, 4) : (size_t)arity;
    for (size_t i = 0; i < count; ++i) {
        operand[i] = pick(random, (uint32_t)arrlenu(function->op));
        if (operand[i] >= arrlenu(function->op) || function->op[operand[i]].type == IR_NONE)
            operand[i] = IR_NONE;
    }
    int64_t imm = pick_number(random);
    builder->loc = pick_loc(random);
    if (code == IR_SWITCH) {
        struct ir_case cases[2] = {{-1, 5, pick(random, 3)}, {7, 7, pick(random, 3)}};
        ir_build_switch(builder, operand[0], pick(random, 3), cases, pick(random, 3));
        return;
    }
    ir_value value = ir_build(builder, code, type, operand, count, imm);
    struct ir_op *op = &ir_builder_function(builder)->op[value];
    op->flags = (uint16_t)pick(random, IR_AT_BRACE << 1);
    if (code == IR_BR || code == IR_CONDBR)
        op->target[0] = pick(random, 3);
    if (code == IR_CONDBR)
        op->target[1] = pick(random, 3);
    if (pick(random, 4) == 0)
        op->text = pick_name(random);
}

static void add_function(struct random *random)
{
    struct ir_unit *unit = random->unit;
    ir_function_id id =
        ir_function_add(unit, pick_name(random), pick(random, 2) ? pick_name(random) : NULL,
                        pick(random, 2) ? pick_name(random) : NULL);
    struct ir_function *function = &unit->function[id];
    function->flags = pick(random, IR_FN_INTERNAL << 1) & ~(uint32_t)IR_FN_BODY;
    function->result = pick_type(random);
    function->loc = pick_loc(random);
    add_args(random, &function->template_arg);
    add_args(random, &function->class_arg);
    int64_t *extents = (int64_t *)&function->attributes;
    for (size_t i = 0; i < sizeof function->attributes / sizeof *extents; ++i)
        if (pick(random, 4) == 0)
            extents[i] = pick_number(random);
    for (uint32_t i = pick(random, 4); i > 0; --i) {
        struct ir_param param = {pick_name(random), pick_type(random), pick(random, 2),
                                 pick(random, 2)};
        arrput(function->param, param);
    }
    struct ir_builder builder = {.unit = unit, .function = id, .block = IR_NONE};
    if (pick(random, 4) == 0)
        return;
    for (uint32_t i = pick(random, 4); i > 0; --i)
        ir_build_local(&builder, pick_name(random), pick_type(random));
    for (int i = 0; i < 3; ++i)
        ir_build_block(&builder);
    builder.block = pick(random, 3);
    for (uint32_t i = pick(random, 40); i > 0; --i)
        add_operation(random, &builder);
}

static void add_everything(struct random *random)
{
    struct ir_unit *unit = random->unit;
    unit->target = pick_name(random);
    for (uint32_t i = pick(random, 3); i > 0; --i)
        arrput(unit->file, ((struct ir_file){pick_name(random), pick(random, 2)}));
    add_types(random);
    for (uint32_t i = 1 + pick(random, 3); i > 0; --i)
        add_function(random);
    for (uint32_t i = pick(random, 4); i > 0; --i) {
        struct ir_global global = {.name = pick_name(random), .type = pick_type(random)};
        global.space = (enum ir_space)pick(random, IR_SPACE_HOST + 1);
        global.align = pick(random, 9);
        global.owner = pick(random, 2) ? IR_NONE : pick(random, (uint32_t)arrlenu(unit->function));
        global.has_value = pick(random, 2);
        global.value = global.has_value ? pick_number(random) : 0;
        global.loc = pick_loc(random);
        arrput(unit->global, global);
    }
}

static void same_name(const char *a, const char *b)
{
    assert_string_equal(a ? a : "", b ? b : "");
}

// What the text does not show directly: the tables have the same entries in the same order.
static void compare_units(const struct ir_unit *a, const struct ir_unit *b)
{
    assert_int_equal(arrlen(a->file), arrlen(b->file));
    assert_int_equal(arrlen(a->global), arrlen(b->global));
    assert_int_equal(arrlen(a->function), arrlen(b->function));
    for (ptrdiff_t i = 0; i < arrlen(a->global); ++i) {
        same_name(a->global[i].name, b->global[i].name);
        assert_int_equal(a->global[i].owner, b->global[i].owner);
        assert_int_equal(a->global[i].value, b->global[i].value);
        assert_memory_equal(&a->global[i].loc, &b->global[i].loc, sizeof(struct ir_loc));
    }
    for (ptrdiff_t i = 0; i < arrlen(a->function); ++i) {
        const struct ir_function *f = &a->function[i], *g = &b->function[i];
        same_name(f->name, g->name);
        same_name(f->lookup, g->lookup);
        same_name(f->key, g->key);
        assert_int_equal(f->flags, g->flags);
        assert_memory_equal(&f->attributes, &g->attributes, sizeof f->attributes);
        assert_memory_equal(&f->loc, &g->loc, sizeof f->loc);
        assert_int_equal(arrlen(f->param), arrlen(g->param));
        for (ptrdiff_t j = 0; j < arrlen(f->param); ++j) {
            same_name(f->param[j].name, g->param[j].name);
            assert_int_equal(f->param[j].is_this, g->param[j].is_this);
            assert_int_equal(f->param[j].is_result, g->param[j].is_result);
        }
        assert_int_equal(arrlen(f->local), arrlen(g->local));
        assert_int_equal(arrlen(f->block), arrlen(g->block));
        assert_int_equal(arrlen(f->op), arrlen(g->op));
        assert_int_equal(arrlen(f->cases), arrlen(g->cases));
        for (ptrdiff_t block = 0; block < arrlen(f->block); ++block) {
            assert_int_equal(arrlen(f->block[block].op), arrlen(g->block[block].op));
            for (ptrdiff_t j = 0; j < arrlen(f->block[block].op); ++j) {
                const struct ir_op *p = &f->op[f->block[block].op[j]];
                const struct ir_op *q = &g->op[g->block[block].op[j]];
                assert_int_equal(p->code, q->code);
                assert_int_equal(p->flags, q->flags);
                assert_int_equal(p->operand_count, q->operand_count);
                assert_int_equal(p->case_count, q->case_count);
                if (p->code != IR_SWITCH)
                    assert_int_equal(p->imm, q->imm);
                assert_int_equal(p->text == NULL, q->text == NULL);
                same_name(p->text, q->text);
                assert_memory_equal(p->target, q->target, sizeof p->target);
                assert_memory_equal(&p->loc, &q->loc, sizeof p->loc);
            }
        }
    }
}

static void random_units(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 3000; ++seed) {
        struct ir_unit unit, read;
        ir_unit_init(&unit);
        struct random random = {seed, &unit};
        add_everything(&random);
        size_t length, again_length;
        char *text = print(&unit, &length);
        read_good(&read, text, length);
        compare_units(&unit, &read);
        char *again = print(&read, &again_length);
        assert_string_equal(again, text);
        free(text);
        free(again);
        ir_unit_release(&unit);
        ir_unit_release(&read);
    }
}

// --- Mistakes --------------------------------------------------------------------------------

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"nonsense", "line 1: expected 'unit', 'file', 'type', 'global' or 'func', found "
                     "'nonsense'"},
        {"unit \"x", "line 1: expected a closing '\"' on the line"},
        {"unit \"\\q\"", "line 1: expected one of \\\\ \\\" \\n \\t \\xHH in the string"},
        {"unit \"\\x00\"", "line 1: expected one of \\\\ \\\" \\n \\t \\xHH in the string"},
        {"\n\nfile 2 \"a\"", "line 3: expected the next number of a file, found '2'"},
        {"global @a : u7 host", "line 1: expected a type, found 'u7'"},
        {"global @a : [3 u8] host", "line 1: expected 'x' and the type of the elements, found "
                                    "'u8'"},
        {"global @a : %r host", "line 1: expected a record or opaque type, '%r' is not declared"},
        {"global @a : u8 there", "line 1: expected 'global', 'constant', 'shared', "
                                 "'shared_dynamic' or 'host', found 'there'"},
        {"global @a : u8 host\nglobal @a : u8 host",
         "line 2: expected a new label, 'a' is declared already"},
        {"func @f (", "line 1: expected a parameter's label, found the end of the line"},
        {"func @f () {", "line 1: expected an operation, a block, a local or '}', found the end "
                         "of the line"},
        {"func @f () {\n ret\n}", "line 2: expected a block ('b0:') before its operations, found "
                                  "'ret'"},
        {"func @f () {\nb0:\nb0:\n}", "line 3: expected a new name, 'b0' is defined already"},
        {"func @f () {\nb0:\n v0 = const 1 : u8\n v0 = const 1 : u8\n}",
         "line 4: expected a new name, 'v0' is defined already"},
        {"func @f () {\nb0:\n br b1\n}",
         "line 3: expected a block, 'b1' is defined nowhere in the function"},
        {"func @f () {\nb0:\n ret v1\n}",
         "line 3: expected a value, 'v1' is defined nowhere in the function"},
        {"func @f () {\nb0:\n frob\n}", "line 3: expected an operation, found 'frob'"},
        {"func @f () {\nb0:\n v0 = const 1\n}",
         "line 3: expected ':' and the type of the value, found the end of the line"},
        {"func @f () {\nb0:\n const 1 : u8\n}",
         "line 3: expected no type where the value has no name, found ':'"},
        {"func @f () {\nb0:\n v0 = const 1.5 : u8\n}", "line 3: expected a whole number, found "
                                                       "'.5'"},
        {"func @f () {\nb0:\n v0 = const 9223372036854775808 : u64\n}",
         "line 3: expected a number of 64 bits, found '9223372036854775808'"},
        {"func @f () {\nb0:\n v0 = const x : f32\n}", "line 3: expected a number, found 'x'"},
        {"func @f () {\nb0:\n v0 = special tid.w : u32\n}",
         "line 3: expected a special register (tid.x), found 'tid.w'"},
        {"func @f () {\nb0:\n ret !quick\n}",
         "line 3: expected a flag of an operation (volatile), found 'quick'"},
        {"func @f () {\nb0:\n ret at 1:2\n}", "line 3: expected ':', found the end of the line"},
        {"func @f () {\nb0:\n at = const 1 : u8\n}",
         "line 3: expected the name of a value, found 'at'"},
        {"func @f () {\nb0:\n call @g\n}", "line 3: expected a function, '@g' is not declared"},
        {"type %r = record \"r\" {\n u8\n}", "line 2: expected '+', found 'u8'"},
        {"file 99999999999 \"\"", "line 1: expected an unsigned number of 32 bits, found "
                                  "'99999999999'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        struct ir_unit unit;
        struct error error = {0};
        if (ir_read_unit(&unit, cases[i].text, strlen(cases[i].text), &error))
            fail_msg("read: %s", cases[i].text);
        assert_string_equal(error.text, cases[i].message);
        assert_int_equal(error.kind, ERROR_USAGE);
        assert_null(unit.type);
    }
}

static void empty_text(void **state)
{
    (void)state;
    struct ir_unit unit;
    struct error error = {0};
    assert_true(ir_read_unit(&unit, NULL, 0, &error));
    assert_true(ir_verify_unit(&unit, &error));
    ir_unit_release(&unit);
}

// A type of a hundred thousand pointers and arrays costs no stack.
static void deep_type(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length, again_length;
    FILE *out = open_memstream(&text, &length);
    fputs("unit \"\"\nglobal @a : ", out);
    for (int i = 0; i < 100000; ++i)
        fputs(i % 2 ? "ptr " : "[2 x ", out);
    fputs("u8", out);
    for (int i = 0; i < 50000; ++i)
        fputc(']', out);
    fputs(" host\n", out);
    fclose(out);
    struct ir_unit unit;
    struct error error = {0};
    read_good(&unit, text, length);
    assert_true(ir_verify_unit(&unit, &error));
    char *again = print(&unit, &again_length);
    assert_string_equal(again, text);
    free(text);
    free(again);
    ir_unit_release(&unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_its_own_print),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(one_function),
        cmocka_unit_test(random_units),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(empty_text),
        cmocka_unit_test(deep_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
