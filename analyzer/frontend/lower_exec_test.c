// Runs what the lowering makes: the cases of testdata/lowering/exec are compiled by the host's C++
// compiler and run, and lowered to the IR and interpreted here; both must give the same numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "frontend/frontend.h"

// --- An interpreter of the IR over the memory of this process -------------------------------

union word {
    int64_t i;
    double f;
};

struct machine {
    const struct ir_unit *unit;
    void **global;
    size_t steps;
    const char *stopped; // why the run cannot go on, or NULL
    uint32_t line;
};

static union word run(struct machine *m, ir_function_id id, const union word *argument,
                      size_t count, unsigned depth);

static const struct ir_type *type_at(struct machine *m, ir_type_id id)
{
    return id < arrlenu(m->unit->type) ? &m->unit->type[id] : &m->unit->type[0];
}

static int64_t wrap(const struct ir_type *type, int64_t value)
{
    if (type->kind != IR_TYPE_INT || type->bits >= 64)
        return value;
    if (type->bits == 1)
        return value & 1;
    uint64_t mask = (UINT64_C(1) << type->bits) - 1;
    uint64_t bits = (uint64_t)value & mask;
    if (type->is_signed && bits >> (type->bits - 1))
        bits |= ~mask;
    return (int64_t)bits;
}

static union word load(const struct ir_type *type, const void *from)
{
    union word value = {0};
    if (type->kind == IR_TYPE_FLOAT && type->bits == 32) {
        float number;
        memcpy(&number, from, sizeof number);
        value.f = number;
    } else if (type->kind == IR_TYPE_FLOAT) {
        memcpy(&value.f, from, sizeof value.f);
    } else {
        uint64_t bits = 0;
        memcpy(&bits, from, type->kind == IR_TYPE_INT ? (type->bits + 7) / 8 : 8);
        value.i = wrap(type, (int64_t)bits);
    }
    return value;
}

static void store(const struct ir_type *type, void *to, union word value)
{
    if (type->kind == IR_TYPE_FLOAT && type->bits == 32) {
        float number = (float)value.f;
        memcpy(to, &number, sizeof number);
    } else {
        memcpy(to, &value, type->kind == IR_TYPE_INT ? (type->bits + 7) / 8 : 8);
    }
}

static int64_t compare(enum ir_op_code code, bool is_signed, union word a, union word b)
{
    uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
    switch (code) {
    case IR_EQ:
        return x == y;
    case IR_NE:
        return x != y;
    case IR_LT:
        return is_signed ? a.i < b.i : x < y;
    case IR_LE:
        return is_signed ? a.i <= b.i : x <= y;
    case IR_GT:
        return is_signed ? a.i > b.i : x > y;
    default:
        return is_signed ? a.i >= b.i : x >= y;
    }
}

static int64_t compare_float(enum ir_op_code code, double a, double b)
{
    switch (code) {
    case IR_EQ:
        return a == b;
    case IR_NE:
        return a != b;
    case IR_LT:
        return a < b;
    case IR_LE:
        return a <= b;
    case IR_GT:
        return a > b;
    default:
        return a >= b;
    }
}

static union word arithmetic(struct machine *m, enum ir_op_code code, const struct ir_type *type,
                             const struct ir_type *from, union word a, union word b)
{
    union word out = {0};
    if (code >= IR_EQ && code <= IR_GE) {
        out.i = from->kind == IR_TYPE_FLOAT ? compare_float(code, a.f, b.f)
                                            : compare(code, from->is_signed, a, b);
        return out;
    }
    if (from->kind == IR_TYPE_FLOAT) {
        out.f = code == IR_ADD   ? a.f + b.f
                : code == IR_SUB ? a.f - b.f
                : code == IR_MUL ? a.f * b.f
                                 : a.f / b.f;
        if (type->bits == 32)
            out.f = (float)out.f;
        return out;
    }
    uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
    switch (code) {
    case IR_ADD:
        out.i = (int64_t)(x + y);
        break;
    case IR_SUB:
        out.i = (int64_t)(x - y);
        break;
    case IR_MUL:
        out.i = (int64_t)(x * y);
        break;
    case IR_DIV:
    case IR_REM:
        if (b.i == 0) {
            m->stopped = "division by zero";
            break;
        }
        if (from->is_signed)
            out.i = code == IR_DIV ? a.i / b.i : a.i % b.i;
        else
            out.i = (int64_t)(code == IR_DIV ? x / y : x % y);
        break;
    case IR_SHL:
        out.i = (int64_t)(x << (y & 63));
        break;
    case IR_SHR:
        out.i = from->is_signed ? a.i >> (y & 63) : (int64_t)(x >> (y & 63));
        break;
    case IR_AND:
        out.i = a.i & b.i;
        break;
    case IR_OR:
        out.i = a.i | b.i;
        break;
    default:
        out.i = a.i ^ b.i;
        break;
    }
    out.i = wrap(type, out.i);
    return out;
}

static union word cast(const struct ir_type *to, const struct ir_type *from, union word a)
{
    union word out = a;
    if (to->kind == IR_TYPE_FLOAT && from->kind != IR_TYPE_FLOAT)
        out.f = from->is_signed ? (double)a.i : (double)(uint64_t)a.i;
    else if (to->kind != IR_TYPE_FLOAT && from->kind == IR_TYPE_FLOAT)
        out.i = wrap(to, (int64_t)a.f);
    else if (to->kind == IR_TYPE_INT)
        out.i = wrap(to, a.i);
    if (to->kind == IR_TYPE_FLOAT && to->bits == 32)
        out.f = (float)out.f;
    return out;
}

static union word call(struct machine *m, ir_function_id id, const union word *argument,
                       size_t count, unsigned depth)
{
    const struct ir_function *callee = &m->unit->function[id];
    union word out = {0};
    if (strcmp(callee->lookup, "__builtin_memcpy") == 0) {
        memcpy((void *)(intptr_t)argument[0].i, (void *)(intptr_t)argument[1].i,
               (size_t)argument[2].i);
        out = argument[0];
    } else if (callee->flags & IR_FN_BODY) {
        out = run(m, id, argument, count, depth + 1);
    } else if (!m->stopped) {
        m->stopped = callee->name;
    }
    return out;
}

struct frame {
    const struct ir_function *function;
    union word *value;
    char *local; // one stretch of memory for all of them
    size_t *offset;
};

static union word step(struct machine *m, struct frame *frame, const struct ir_op *op,
                       const union word *argument, unsigned depth)
{
    const struct ir_function *function = frame->function;
    union word in[3] = {{0}}, out = {0};
    for (uint32_t i = 0; i < op->operand_count && i < 3; ++i)
        in[i] = frame->value[ir_operand(function, op, i)];
    const struct ir_op *first = ir_op_at(function, ir_operand(function, op, 0));
    const struct ir_type *from = first ? type_at(m, first->type) : NULL;
    const struct ir_type *type = type_at(m, op->type);
    void *to = (void *)(intptr_t)in[0].i;
    switch (op->code) {
    case IR_CONST:
        if (type->kind == IR_TYPE_FLOAT)
            memcpy(&out.f, &op->imm, sizeof out.f);
        else
            out.i = op->imm;
        break;
    case IR_PARAM:
        out = argument[op->imm];
        break;
    case IR_LOCAL:
        out.i = (int64_t)(intptr_t)(frame->local + frame->offset[op->imm]);
        break;
    case IR_GLOBAL:
        out.i = (int64_t)(intptr_t)m->global[op->imm];
        break;
    case IR_FUNC:
        out.i = op->imm + 1;
        break;
    case IR_DECLARE:
        memset(frame->local + frame->offset[op->imm], 0xcd,
               frame->offset[op->imm + 1] - frame->offset[op->imm]);
        break;
    case IR_LOAD:
        out = load(type, to);
        break;
    case IR_STORE: {
        const struct ir_op *value = ir_op_at(function, ir_operand(function, op, 1));
        store(type_at(m, value->type), to, in[1]);
        break;
    }
    case IR_COPY:
        memmove(to, (void *)(intptr_t)in[1].i, (size_t)op->imm);
        break;
    case IR_ZERO:
        memset(to, 0, (size_t)op->imm);
        break;
    case IR_OFFSET:
        out.i = in[0].i + op->imm;
        break;
    case IR_INDEX:
        out.i = in[0].i + in[1].i * op->imm;
        break;
    case IR_NEG:
        if (from->kind == IR_TYPE_FLOAT)
            out.f = -in[0].f;
        else
            out.i = wrap(type, -in[0].i);
        break;
    case IR_NOT:
        out.i = wrap(type, ~in[0].i);
        break;
    case IR_CAST:
        out = cast(type, from, in[0]);
        break;
    case IR_SELECT:
        out = in[0].i ? in[1] : in[2];
        break;
    case IR_CALL:
    case IR_CALLI: {
        union word *arguments = calloc(op->operand_count + 1, sizeof *arguments);
        for (uint32_t i = 0; i < op->operand_count; ++i)
            arguments[i] = frame->value[ir_operand(function, op, i)];
        bool direct = op->code == IR_CALL;
        int64_t id = direct ? op->imm : arguments[0].i - 1;
        if (id < 0 || id >= arrlen(m->unit->function))
            m->stopped = "call of no function";
        else
            out = call(m, (ir_function_id)id, arguments + !direct,
                       op->operand_count - (uint32_t)!direct, depth);
        free(arguments);
        break;
    }
    case IR_OPAQUE:
        m->stopped = op->text;
        break;
    default:
        if (op->code >= IR_ADD && op->code <= IR_GE)
            out = arithmetic(m, op->code, type, from, in[0], in[1]);
        else
            m->stopped = ir_op_name(op->code);
        break;
    }
    return out;
}

// Where control goes after the last operation of a block; IR_NONE after a return.
static ir_block_id next_block(struct machine *m, struct frame *frame, const struct ir_op *op,
                              union word *result)
{
    const struct ir_function *function = frame->function;
    union word in = {0};
    if (op->operand_count)
        in = frame->value[ir_operand(function, op, 0)];
    switch (op->code) {
    case IR_BR:
        return op->target[0];
    case IR_CONDBR:
        return in.i ? op->target[0] : op->target[1];
    case IR_SWITCH:
        for (uint32_t i = 0; i < op->case_count; ++i) {
            struct ir_case at = function->cases[op->imm + i];
            if (in.i >= at.low && in.i <= at.high)
                return at.target;
        }
        return op->target[0];
    case IR_RET:
        *result = in;
        return IR_NONE;
    default:
        m->stopped = op->text ? op->text : "end";
        return IR_NONE;
    }
}

static union word run(struct machine *m, ir_function_id id, const union word *argument,
                      size_t count, unsigned depth)
{
    const struct ir_function *function = &m->unit->function[id];
    union word result = {0};
    if (count < arrlenu(function->param) || depth > 100) {
        m->stopped = depth > 100 ? "recursion" : "too few arguments";
        return result;
    }
    size_t locals = arrlenu(function->local);
    struct frame frame = {.function = function};
    frame.value = calloc(arrlenu(function->op) + 1, sizeof *frame.value);
    frame.offset = calloc(locals + 1, sizeof *frame.offset);
    for (size_t i = 0; i < locals; ++i)
        frame.offset[i + 1] =
            frame.offset[i] + ((type_at(m, function->local[i].type)->size + 31) & ~UINT64_C(15));
    frame.local = calloc(1, frame.offset[locals] + 1);
    ir_block_id block = 0;
    while (block != IR_NONE && !m->stopped) {
        const ir_value *op = function->block[block].op;
        for (ptrdiff_t i = 0; i < arrlen(op) && !m->stopped; ++i) {
            m->line = function->op[op[i]].loc.line;
            if (++m->steps > 1000000)
                m->stopped = "too many steps";
            else if (ir_is_terminator(function->op[op[i]].code))
                block = next_block(m, &frame, &function->op[op[i]], &result);
            else
                frame.value[op[i]] = step(m, &frame, &function->op[op[i]], argument, depth);
        }
    }
    free(frame.value);
    free(frame.offset);
    free(frame.local);
    return result;
}

// --- The cases -------------------------------------------------------------------------------

struct expectation {
    char *key;
    int value;
};

static struct expectation *native_numbers(void)
{
    struct expectation *expected = NULL;
    char line[256], name[200];
    int number;
    sh_new_strdup(expected);
    FILE *pipe = popen(BARLINT_EXEC_NATIVE, "r");
    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe))
        if (sscanf(line, "%199s %d", name, &number) == 2)
            shput(expected, name, number);
    assert_int_equal(pclose(pipe), 0);
    return expected;
}

static size_t run_file(const char *file, struct expectation *expected, size_t *out_wrong)
{
    static const char *const argument[] = {
        "-x",         "cuda",       "--cuda-device-only", "--cuda-gpu-arch=sm_90",
        "-nocudainc", "-nocudalib", "-std=c++17",         "-Wno-unknown-cuda-version"};
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", BARLINT_EXEC_CASES, file);
    struct frontend_job job = {.argument = argument,
                               .argument_count = sizeof argument / sizeof argument[0],
                               .main_file = path};
    struct ir_unit unit;
    struct frontend_report report;
    struct error error = {0};
    if (!frontend_parse(&job, &unit, &report, &error))
        fail_msg("%s: %s", file, error.text);
    size_t wrong = 0, seen = 0;
    for (ptrdiff_t i = 0; i < arrlen(unit.function); ++i) {
        const struct ir_function *function = &unit.function[i];
        ptrdiff_t known = shgeti(expected, function->name);
        if (known < 0)
            continue;
        ++seen;
        struct machine m = {.unit = &unit};
        m.global = calloc(arrlenu(unit.global) + 1, sizeof *m.global);
        for (ptrdiff_t g = 0; g < arrlen(unit.global); ++g) {
            m.global[g] = calloc(1, unit.type[unit.global[g].type].size + 16);
            // A literal carries its text as its name.
            if (unit.global[g].owner == IR_NONE && unit.global[g].name[0] == '"')
                memcpy(m.global[g], unit.global[g].name + 1, strlen(unit.global[g].name) - 2);
        }
        union word result = run(&m, (ir_function_id)i, NULL, 0, 0);
        if (m.stopped || (int)result.i != expected[known].value) {
            ++wrong;
            print_error("%s: %s: got %d, expected %d%s%s near line %u\n", file, function->name,
                        (int)result.i, expected[known].value, m.stopped ? ", stopped: " : "",
                        m.stopped ? m.stopped : "", m.line);
        }
        for (ptrdiff_t g = 0; g < arrlen(unit.global); ++g)
            free(m.global[g]);
        free(m.global);
    }
    ir_unit_release(&unit);
    frontend_report_release(&report);
    *out_wrong += wrong;
    return seen;
}

static void same_numbers(void **state)
{
    (void)state;
    struct expectation *expected = native_numbers();
    static const char *const file[] = {BARLINT_EXEC_FILES};
    size_t seen = 0, wrong = 0;
    for (size_t i = 0; i < sizeof file / sizeof file[0]; ++i)
        seen += run_file(file[i], expected, &wrong);
    assert_int_equal(wrong, 0);
    assert_int_equal(seen, shlenu(expected));
    assert_true(seen > 0);
    shfree(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
