// Reads the bodies of functions in the text form. Values and blocks may be named before the line
// that defines them: names are numbered as they are met and replaced at the end of the body.
#include "ir/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ir/text.h"

// A name of a value or a block.
struct mention {
    const char *name;
    uint32_t line;   // where it was met first
    uint32_t number; // what it stands for; IR_NONE until it is defined
};

struct names {
    struct label_number *place; // in `mention`
    struct mention *mention;
};

struct body {
    struct reader *reader;
    struct ir_function *function;
    ir_block_id block; // being read; IR_NONE before the first
    struct names values, blocks;
};

// A number that is read as soon as the type is known.
struct const_text {
    const char *at, *end;
};

static uint32_t name_place(struct names *names, const char *name, uint32_t line)
{
    ptrdiff_t found = shgeti(names->place, name);
    if (found >= 0)
        return names->place[found].value;
    uint32_t place = (uint32_t)arrlenu(names->mention);
    shput(names->place, (char *)name, place);
    arrput(names->mention, ((struct mention){name, line, IR_NONE}));
    return place;
}

static bool name_define(struct scan *scan, struct names *names, const char *name, uint32_t line,
                        uint32_t number)
{
    uint32_t place = name_place(names, name, line);
    struct mention *mention = &names->mention[place];
    if (mention->number != IR_NONE)
        return scan_fail_at(scan, line, "expected a new name, '%.64s' is defined already", name);
    mention->number = number;
    return true;
}

static bool is_reserved(const char *word)
{
    static const char *const reserved[] = {"_", "at", "imm", "bytes", "outputs", "else"};
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; ++i)
        if (strcmp(word, reserved[i]) == 0)
            return true;
    return false;
}

// Reads the name of a value or block, or `_`. Gives its place among the names, or IR_NONE.
static bool read_name(struct scan *scan, struct names *names, const char *what, uint32_t *out_place)
{
    const char *name;
    struct scan before = *scan;
    if (!scan_label(scan, what, &name))
        return false;
    *out_place = IR_NONE;
    if (strcmp(name, "_") == 0)
        return true;
    if (is_reserved(name)) {
        *scan = before;
        return scan_fail(scan, what);
    }
    *out_place = name_place(names, name, scan->line);
    return true;
}

// --- Operands --------------------------------------------------------------------------------

static bool at_imm_word(struct scan *scan)
{
    return scan_accept(scan, '+') || scan_accept(scan, '*') || scan_accept_word(scan, "bytes") ||
           scan_accept_word(scan, "outputs") || scan_accept_word(scan, "imm");
}

static bool read_operands(struct body *body, struct ir_op *op)
{
    struct scan *scan = &body->reader->scan;
    op->operand = (uint32_t)arrlenu(body->function->operand);
    uint32_t most = op->code == IR_BR ? 0 : op->code == IR_CONDBR ? 1 : UINT32_MAX;
    while (op->operand_count < most && ir_is_label_char(scan_peek(scan))) {
        struct scan before = *scan;
        if (at_imm_word(scan) || scan_accept_word(scan, "at")) {
            *scan = before;
            break;
        }
        uint32_t place;
        if (!read_name(scan, &body->values, "a value", &place))
            return false;
        arrput(body->function->operand, place);
        ++op->operand_count;
    }
    if (!ir_imm_is_special(op->code) && at_imm_word(scan))
        return scan_i64(scan, &op->imm);
    return !scan->failed;
}

// A label with its sign that is in the map, or a plain number.
static bool read_subject_label(struct body *body, char sign, struct label_number **map,
                               const char *what, int64_t *out_imm)
{
    struct scan *scan = &body->reader->scan;
    uint32_t number;
    if (scan_peek(scan) != sign)
        return scan_peek(scan) == '-' || (scan_peek(scan) >= '0' && scan_peek(scan) <= '9')
                   ? scan_i64(scan, out_imm)
                   : scan_fail(scan, what);
    if (!reader_lookup(body->reader, sign, map, what, &number))
        return false;
    *out_imm = number;
    return true;
}

static bool read_special(struct scan *scan, int64_t *out_imm)
{
    for (int special = 0; special < IR_SPECIAL_COUNT_; ++special) {
        if (scan_accept_word(scan, ir_special_name((enum ir_special)special))) {
            *out_imm = special;
            return true;
        }
    }
    char next = scan_peek(scan);
    if (next == '-' || (next >= '0' && next <= '9'))
        return scan_i64(scan, out_imm);
    return scan_fail(scan, "a special register (tid.x)");
}

static bool read_const_text(struct scan *scan, struct const_text *out_text)
{
    if (scan_peek(scan) == '\0')
        return scan_fail(scan, "a number");
    out_text->at = scan->at;
    while (scan->at < scan->end &&
           (ir_is_label_char(*scan->at) || *scan->at == '+' || *scan->at == '-'))
        ++scan->at;
    out_text->end = scan->at;
    return out_text->at < out_text->end || scan_fail(scan, "a number");
}

// Gives a constant its number: bits where it is hexadecimal, a fraction where the type is a
// floating one.
static bool settle_const(struct body *body, struct ir_op *op, const struct const_text *text)
{
    struct scan *scan = &body->reader->scan;
    const struct ir_type *types = body->reader->unit->type;
    bool is_float = op->type < arrlenu(types) && types[op->type].kind == IR_TYPE_FLOAT;
    bool is_hex = text->end - text->at > 1 && text->at[0] == '0' &&
                  (text->at[1] == 'x' || text->at[1] == 'X');
    if (is_float && !is_hex) {
        char copy[64], *end;
        size_t length = (size_t)(text->end - text->at);
        if (length >= sizeof copy)
            return scan_fail_at(scan, scan->line, "expected a number of fewer digits");
        memcpy(copy, text->at, length);
        copy[length] = '\0';
        double value = strtod(copy, &end);
        if (*end)
            return scan_fail_at(scan, scan->line, "expected a number, found '%s'", copy);
        memcpy(&op->imm, &value, sizeof op->imm);
        return true;
    }
    struct scan number = *scan;
    number.at = text->at;
    number.end = text->end;
    bool good = scan_i64(&number, &op->imm) &&
                (number.at == number.end || scan_fail(&number, "a whole number"));
    scan->failed = number.failed;
    return good;
}

static bool read_subject(struct body *body, struct ir_op *op, struct const_text *out_const)
{
    struct reader *reader = body->reader;
    switch (op->code) {
    case IR_CONST:
        return read_const_text(&reader->scan, out_const);
    case IR_PARAM:
        return read_subject_label(body, '%', &reader->param, "a parameter", &op->imm);
    case IR_LOCAL:
    case IR_DECLARE:
        return read_subject_label(body, '%', &reader->local, "a local", &op->imm);
    case IR_GLOBAL:
        return read_subject_label(body, '@', &reader->global, "an object", &op->imm);
    case IR_LAUNCH:
        if (scan_accept_word(&reader->scan, "_")) {
            op->imm = -1;
            return true;
        }
        return read_subject_label(body, '@', &reader->function, "a kernel or '_'", &op->imm);
    case IR_FUNC:
    case IR_CALL:
        return read_subject_label(body, '@', &reader->function, "a function", &op->imm);
    case IR_SPECIAL:
        return read_special(&reader->scan, &op->imm);
    default:
        return true;
    }
}

// --- Targets ---------------------------------------------------------------------------------

static bool read_cases(struct body *body, struct ir_op *op)
{
    struct scan *scan = &body->reader->scan;
    op->imm = (int64_t)arrlen(body->function->cases);
    if (!scan_expect(scan, '['))
        return false;
    while (!scan_accept(scan, ']')) {
        struct ir_case one;
        if (op->case_count > 0 && !scan_expect(scan, ','))
            return false;
        if (!scan_i64(scan, &one.low))
            return false;
        one.high = one.low;
        if (scan_accept(scan, '.') && (!scan_expect(scan, '.') || !scan_i64(scan, &one.high)))
            return false;
        if (!scan_expect(scan, ':') ||
            !read_name(scan, &body->blocks, "a block or '_'", &one.target))
            return false;
        arrput(body->function->cases, one);
        ++op->case_count;
    }
    if (!scan_accept_word(scan, "else"))
        return scan_fail(scan, "'else' and a block");
    return true;
}

static bool read_targets(struct body *body, struct ir_op *op)
{
    struct scan *scan = &body->reader->scan;
    if (op->code == IR_SWITCH && !read_cases(body, op))
        return false;
    if (op->code == IR_BR || op->code == IR_CONDBR || op->code == IR_SWITCH)
        if (!read_name(scan, &body->blocks, "a block or '_'", &op->target[0]))
            return false;
    return op->code != IR_CONDBR ||
           read_name(scan, &body->blocks, "a block or '_'", &op->target[1]);
}

// --- Operations ------------------------------------------------------------------------------

static bool read_op_flags(struct scan *scan, uint16_t *flags)
{
    while (scan_accept(scan, '!')) {
        const struct ir_word *flag = ir_op_flag_words;
        while (flag->word && !scan_accept_word(scan, flag->word))
            ++flag;
        if (!flag->word)
            return scan_fail(scan, "a flag of an operation (volatile)");
        *flags |= (uint16_t)flag->bit;
    }
    return !scan->failed;
}

static bool find_code(struct scan *scan, const struct scan *before, const char *word,
                      struct ir_op *op)
{
    for (int code = 0; code < IR_OP_COUNT_; ++code) {
        if (strcmp(word, ir_op_name((enum ir_op_code)code)) == 0) {
            op->code = (uint16_t)code;
            return true;
        }
    }
    *scan = *before;
    return scan_fail(scan, "an operation");
}

// Reads an operation from behind its name; `value` is what stood before `=`, or NULL.
static bool read_op(struct body *body, struct ir_op *op, const char *value)
{
    struct scan *scan = &body->reader->scan;
    struct const_text number = {0};
    if (!read_subject(body, op, &number))
        return false;
    if (scan_peek(scan) == '"' && !scan_string(scan, &op->text))
        return false;
    if (!read_operands(body, op) || !read_targets(body, op))
        return false;
    if (value && !scan_accept(scan, ':'))
        return scan_fail(scan, "':' and the type of the value");
    if (!value && scan_peek(scan) == ':')
        return scan_fail(scan, "no type where the value has no name");
    if (value && !reader_type(body->reader, &op->type))
        return false;
    if (op->code == IR_CONST && !settle_const(body, op, &number))
        return false;
    return read_op_flags(scan, &op->flags) && scan_location(scan, &op->loc) && scan_end_line(scan);
}

static bool read_local(struct body *body)
{
    struct scan *scan = &body->reader->scan;
    struct ir_local local = {0};
    const char *label;
    if (!scan_signed_label(scan, '%', "the local's label", &label) ||
        !scan_optional_string(scan, label, &local.name) || !scan_expect(scan, ':') ||
        !reader_type(body->reader, &local.type) || !scan_location(scan, &local.loc) ||
        !reader_declare(body->reader, &body->reader->local, label,
                        (uint32_t)arrlenu(body->function->local)))
        return false;
    arrput(body->function->local, local);
    return scan_end_line(scan);
}

// Reads one line: a local, the start of a block, or an operation.
static bool read_line(struct body *body)
{
    struct scan *scan = &body->reader->scan;
    struct scan before = *scan;
    uint32_t line = scan->line;
    const char *word, *value = NULL;
    if (!scan_label(scan, "an operation, a block, a local or '}'", &word))
        return false;
    if (body->block == IR_NONE && strcmp(word, "local") == 0)
        return read_local(body);
    if (scan_accept(scan, ':')) {
        if (is_reserved(word)) {
            *scan = before;
            return scan_fail(scan, "the name of a block");
        }
        body->block = (ir_block_id)arrlenu(body->function->block);
        arrput(body->function->block, (struct ir_block){0});
        return name_define(scan, &body->blocks, word, line, body->block) && scan_end_line(scan);
    }
    if (body->block == IR_NONE) {
        *scan = before;
        return scan_fail(scan, "a block ('b0:') before its operations");
    }
    if (scan_accept(scan, '=')) {
        if (is_reserved(word)) {
            *scan = before;
            return scan_fail(scan, "the name of a value");
        }
        value = word;
        before = *scan;
        if (!scan_label(scan, "an operation", &word))
            return false;
    }
    struct ir_op op = {.type = IR_NONE, .target = {IR_NONE, IR_NONE}};
    if (!find_code(scan, &before, word, &op) || !read_op(body, &op, value))
        return false;
    ir_value number = (ir_value)arrlenu(body->function->op);
    arrput(body->function->op, op);
    arrput(body->function->block[body->block].op, number);
    return !value || name_define(scan, &body->values, value, line, number);
}

// --- Names into numbers ----------------------------------------------------------------------

static bool settle_names(struct scan *scan, const struct names *names, const char *what)
{
    for (ptrdiff_t i = 0; i < arrlen(names->mention); ++i)
        if (names->mention[i].number == IR_NONE)
            return scan_fail_at(scan, names->mention[i].line,
                                "expected %s, '%.64s' is defined nowhere in the function", what,
                                names->mention[i].name);
    return true;
}

static void replace(const struct names *names, uint32_t *place)
{
    if (*place != IR_NONE)
        *place = names->mention[*place].number;
}

static bool settle_body(struct body *body)
{
    struct scan *scan = &body->reader->scan;
    struct ir_function *function = body->function;
    if (!settle_names(scan, &body->values, "a value") ||
        !settle_names(scan, &body->blocks, "a block"))
        return false;
    for (ptrdiff_t i = 0; i < arrlen(function->operand); ++i)
        replace(&body->values, &function->operand[i]);
    for (ptrdiff_t i = 0; i < arrlen(function->cases); ++i)
        replace(&body->blocks, &function->cases[i].target);
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        replace(&body->blocks, &function->op[i].target[0]);
        replace(&body->blocks, &function->op[i].target[1]);
    }
    return true;
}

bool reader_body(struct reader *reader)
{
    struct body body = {
        .reader = reader, .function = &reader->unit->function[reader->current], .block = IR_NONE};
    bool good = true;
    while (good && !scan_accept(&reader->scan, '}'))
        good = read_line(&body);
    good = good && settle_body(&body) && scan_end_line(&reader->scan);
    shfree(body.values.place);
    arrfree(body.values.mention);
    shfree(body.blocks.place);
    arrfree(body.blocks.mention);
    return good;
}
