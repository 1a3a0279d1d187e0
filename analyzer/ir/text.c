// The printer of the text form, which text.h describes.
#include "ir/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

const struct ir_word ir_op_flag_words[] = {
    {IR_VOLATILE, "volatile"},
    {IR_MAY_BARRIER, "may_barrier"},
    {IR_MEMORY_CLOBBER, "memory_clobber"},
    {IR_RETURN_USED, "return_used"},
    {IR_VIRTUAL, "virtual"},
    {IR_LOOP, "loop"},
    {IR_EXPLICIT_DROP, "explicit_drop"},
    {IR_ATOMIC, "atomic"},
    {IR_RELEASE, "release"},
    {IR_AT_BRACE, "at_brace"},
    {0, NULL},
};

const struct ir_word ir_function_flag_words[] = {
    {IR_FN_KERNEL, "kernel"},
    {IR_FN_DEVICE, "device"},
    {IR_FN_HOST, "host"},
    {IR_FN_PARTIAL, "partial"},
    {IR_FN_PATTERN, "pattern"},
    {IR_FN_NORETURN, "noreturn"},
    {IR_FN_LAMBDA, "lambda"},
    {IR_FN_CONSTRUCTOR, "constructor"},
    {IR_FN_DESTRUCTOR, "destructor"},
    {IR_FN_SYSTEM, "system"},
    {IR_FN_NODISCARD, "nodiscard"},
    {IR_FN_INTERNAL, "internal"},
    {0, NULL},
};

const struct ir_word ir_space_words[] = {
    {IR_SPACE_GLOBAL, "global"}, {IR_SPACE_CONSTANT, "constant"},
    {IR_SPACE_SHARED, "shared"}, {IR_SPACE_SHARED_DYNAMIC, "shared_dynamic"},
    {IR_SPACE_HOST, "host"},     {0, NULL},
};

const char *ir_imm_word(enum ir_op_code code)
{
    switch (code) {
    case IR_OFFSET:
        return "+";
    case IR_INDEX:
        return "*";
    case IR_COPY:
    case IR_ZERO:
        return "bytes";
    case IR_PTX:
        return "outputs";
    default:
        return "imm";
    }
}

bool ir_imm_is_special(enum ir_op_code code)
{
    switch (code) {
    case IR_CONST:
    case IR_PARAM:
    case IR_LOCAL:
    case IR_GLOBAL:
    case IR_FUNC:
    case IR_SPECIAL:
    case IR_DECLARE:
    case IR_CALL:
    case IR_LAUNCH:
    case IR_SWITCH:
        return true;
    default:
        return false;
    }
}

bool ir_is_label_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
}

// --- Labels ----------------------------------------------------------------------------------

enum { LABEL_LENGTH = 64 };

struct label_count {
    char *key;
    uint32_t value; // how often it was wanted
};

// Labels of one kind of thing, unique among themselves.
struct labels {
    struct arena *arena;
    struct label_count *count; // stb_ds string map
    const char **label;        // stb_ds array, by number of the thing
};

static void labels_init(struct labels *labels, struct arena *arena)
{
    *labels = (struct labels){.arena = arena};
    sh_new_arena(labels->count);
}

static void labels_release(struct labels *labels)
{
    shfree(labels->count);
    arrfree(labels->label);
}

// Derives the next label from a qualified name: its last part, without template arguments and
// without anything that is no letter, digit or underscore. NULL stands for a thing without a label.
static void labels_add(struct labels *labels, const char *name)
{
    if (!name) {
        arrput(labels->label, NULL);
        return;
    }
    const char *part = name, *end = name;
    for (; *end && *end != '<'; ++end)
        if (end[0] == ':' && end[1] == ':')
            part = end + 2;
    char label[LABEL_LENGTH + 1];
    size_t length = 0;
    for (; part < end && length < LABEL_LENGTH; ++part)
        if (ir_is_label_char(*part) && *part != '.' && *part != '$')
            label[length++] = *part;
    label[length] = '\0';
    if (length == 0)
        strcpy(label, "anon");
    uint32_t before = shgeti(labels->count, label) >= 0 ? shget(labels->count, label) : 0;
    shput(labels->count, label, before + 1);
    // A derived label holds no dot, so that the number makes it unique.
    const char *kept = before ? arena_printf(labels->arena, "%s.%" PRIu32, label, before + 1)
                              : arena_strdup(labels->arena, label);
    arrput(labels->label, kept);
}

// --- Small parts -----------------------------------------------------------------------------

struct printer {
    FILE *out;
    const struct ir_unit *unit;
    struct arena arena;
    struct labels types, globals, functions;
    // Of the function being printed.
    const struct ir_function *function;
    struct labels params, locals;
    uint32_t *number; // of values, in the order of the blocks
};

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static void print_string(struct printer *printer, const char *text)
{
    fputc('"', printer->out);
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(printer->out, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", printer->out);
        else if (c == '\t')
            fputs("\\t", printer->out);
        else if (c < 0x20 || c == 0x7f)
            fprintf(printer->out, "\\x%02x", c);
        else
            fputc(c, printer->out);
    }
    fputc('"', printer->out);
}

// The label with its sign, and the name where that is another.
static void print_declared(struct printer *printer, char sign, const char *label, const char *name)
{
    fprintf(printer->out, "%c%s", sign, label);
    if (strcmp(label, text_or_empty(name)) != 0) {
        fputc(' ', printer->out);
        print_string(printer, text_or_empty(name));
    }
}

// The label of a thing by its number, or the number where there is no such thing.
static void print_label(struct printer *printer, char sign, const struct labels *labels,
                        int64_t number)
{
    if (number >= 0 && (uint64_t)number < arrlenu(labels->label) && labels->label[number])
        fprintf(printer->out, " %c%s", sign, labels->label[number]);
    else
        fprintf(printer->out, " %" PRId64, number);
}

static void print_type(struct printer *printer, ir_type_id id)
{
    const struct ir_type *types = printer->unit->type;
    size_t brackets = 0;
    // An element stands before its pointers and arrays in the table, so that this ends.
    for (; id < arrlenu(types); id = types[id].elem) {
        if (types[id].kind == IR_TYPE_POINTER) {
            fputs("ptr ", printer->out);
        } else if (types[id].kind == IR_TYPE_ARRAY) {
            fprintf(printer->out, "[%" PRIu64 " x ", types[id].count);
            ++brackets;
        } else {
            break;
        }
        if (types[id].elem >= id)
            id = IR_NONE;
        if (id == IR_NONE)
            break;
    }
    const struct ir_type *type = id < arrlenu(types) ? &types[id] : NULL;
    if (!type)
        fputs("?", printer->out);
    else if (type->kind == IR_TYPE_VOID)
        fputs("void", printer->out);
    else if (type->kind == IR_TYPE_INT && type->bits == 1 && !type->is_signed)
        fputs("bool", printer->out);
    else if (type->kind == IR_TYPE_INT)
        fprintf(printer->out, "%c%" PRIu32, type->is_signed ? 'i' : 'u', type->bits);
    else if (type->kind == IR_TYPE_FLOAT)
        fprintf(printer->out, "f%" PRIu32, type->bits);
    else if (type->kind == IR_TYPE_FUNCTION)
        fputs("fn", printer->out);
    else
        fprintf(printer->out, "%%%s", text_or_empty(printer->types.label[id]));
    while (brackets-- > 0)
        fputc(']', printer->out);
}

static void print_location(struct printer *printer, const struct ir_loc *loc)
{
    bool has_end = loc->end_line || loc->end_column;
    if (!loc->file && !loc->line && !loc->column && !has_end)
        return;
    fprintf(printer->out, " at %" PRIu32 ":%" PRIu32 ":%" PRIu32, loc->file, loc->line,
            loc->column);
    if (has_end && loc->end_line == loc->line)
        fprintf(printer->out, "-%" PRIu32, loc->end_column);
    else if (has_end)
        fprintf(printer->out, "-%" PRIu32 ":%" PRIu32, loc->end_line, loc->end_column);
}

static void print_words(struct printer *printer, const struct ir_word *words, uint32_t bits,
                        const char *before)
{
    for (; words->word; ++words)
        if (bits & words->bit)
            fprintf(printer->out, "%s%s", before, words->word);
}

// --- Declarations ----------------------------------------------------------------------------

static void print_type_declaration(struct printer *printer, ir_type_id id)
{
    const struct ir_type *type = &printer->unit->type[id];
    if (type->kind != IR_TYPE_RECORD && type->kind != IR_TYPE_OPAQUE)
        return;
    const char *word = type->kind == IR_TYPE_OPAQUE ? "opaque"
                       : type->is_union             ? "union"
                                                    : "record";
    fprintf(printer->out, "type %%%s = %s ", printer->types.label[id], word);
    print_string(printer, text_or_empty(type->name));
    if (type->size || type->align)
        fprintf(printer->out, " size %" PRIu64 " align %" PRIu64, type->size, type->align);
    if (arrlen(type->field) > 0) {
        fputs(" {\n", printer->out);
        for (ptrdiff_t i = 0; i < arrlen(type->field); ++i) {
            const struct ir_field *field = &type->field[i];
            fprintf(printer->out, "  +%" PRIu64 " ", field->offset);
            print_type(printer, field->type);
            if (field->name && *field->name) {
                fputc(' ', printer->out);
                print_string(printer, field->name);
            }
            if (field->bit_offset || field->bit_width)
                fprintf(printer->out, " bits %" PRIu32 " %" PRIu32, field->bit_offset,
                        field->bit_width);
            fputc('\n', printer->out);
        }
        fputc('}', printer->out);
    }
    fputc('\n', printer->out);
}

static void print_global(struct printer *printer, ir_global_id id)
{
    const struct ir_global *global = &printer->unit->global[id];
    fputs("global ", printer->out);
    print_declared(printer, '@', printer->globals.label[id], global->name);
    fputs(" : ", printer->out);
    print_type(printer, global->type);
    for (const struct ir_word *space = ir_space_words; space->word; ++space)
        if (space->bit == (uint32_t)global->space)
            fprintf(printer->out, " %s", space->word);
    if (global->align)
        fprintf(printer->out, " align %" PRIu64, global->align);
    if (global->owner != IR_NONE) {
        fputs(" owner", printer->out);
        print_label(printer, '@', &printer->functions, global->owner);
    }
    if (global->has_value)
        fprintf(printer->out, " value %" PRId64, global->value);
    print_location(printer, &global->loc);
    fputc('\n', printer->out);
}

static void print_template_args(struct printer *printer, const char *word,
                                const struct ir_template_arg *args)
{
    if (arrlen(args) == 0)
        return;
    fprintf(printer->out, " %s(", word);
    for (ptrdiff_t i = 0; i < arrlen(args); ++i) {
        if (i > 0)
            fputs(", ", printer->out);
        if (args[i].kind == IR_ARG_TYPE) {
            fputs("type ", printer->out);
            print_type(printer, args[i].type);
        } else if (args[i].kind == IR_ARG_INT) {
            fprintf(printer->out, "int %" PRId64, args[i].value);
        } else {
            fputs("other", printer->out);
        }
        if (args[i].text && *args[i].text) {
            fputc(' ', printer->out);
            print_string(printer, args[i].text);
        }
    }
    fputc(')', printer->out);
}

static void print_extents(struct printer *printer, const char *word, int64_t a, int64_t b,
                          int64_t c)
{
    if (a || b || c)
        fprintf(printer->out, " %s(%" PRId64 " %" PRId64 " %" PRId64 ")", word, a, b, c);
}

static void print_function_head(struct printer *printer, ir_function_id id)
{
    const struct ir_function *function = &printer->unit->function[id];
    const char *name = text_or_empty(function->name);
    fputs("func ", printer->out);
    print_declared(printer, '@', printer->functions.label[id], name);
    if (strcmp(text_or_empty(function->lookup), name) != 0) {
        fputs(" lookup ", printer->out);
        print_string(printer, text_or_empty(function->lookup));
    }
    if (strcmp(text_or_empty(function->key), name) != 0) {
        fputs(" key ", printer->out);
        print_string(printer, text_or_empty(function->key));
    }
    print_words(printer, ir_function_flag_words, function->flags, " ");
    print_template_args(printer, "template", function->template_arg);
    print_template_args(printer, "class", function->class_arg);
    const struct ir_launch_attributes *given = &function->attributes;
    print_extents(printer, "bounds", given->max_threads, given->min_blocks, given->max_blocks);
    print_extents(printer, "cluster", given->cluster[0], given->cluster[1], given->cluster[2]);
    print_extents(printer, "block", given->block[0], given->block[1], given->block[2]);
    if (given->max_registers)
        fprintf(printer->out, " maxreg(%" PRId64 ")", given->max_registers);
    fputs(" (", printer->out);
    for (ptrdiff_t i = 0; i < arrlen(function->param); ++i) {
        const struct ir_param *param = &function->param[i];
        if (i > 0)
            fputs(", ", printer->out);
        print_declared(printer, '%', printer->params.label[i], param->name);
        fprintf(printer->out, " : %s%s", param->is_this ? "this " : "",
                param->is_result ? "result " : "");
        print_type(printer, param->type);
    }
    fputc(')', printer->out);
    if (function->result >= arrlenu(printer->unit->type) ||
        printer->unit->type[function->result].kind != IR_TYPE_VOID) {
        fputs(" -> ", printer->out);
        print_type(printer, function->result);
    }
    print_location(printer, &function->loc);
}

// --- Operations ------------------------------------------------------------------------------

static void print_value(struct printer *printer, ir_value value)
{
    if (value == IR_NONE)
        fputs(" _", printer->out);
    else if (value < arrlenu(printer->function->op))
        fprintf(printer->out, " v%" PRIu32, printer->number[value]);
    else
        fputs(" ?", printer->out);
}

static void print_target(struct printer *printer, ir_block_id target)
{
    if (target == IR_NONE)
        fputs(" _", printer->out);
    else
        fprintf(printer->out, " b%" PRIu32, target);
}

// The integer, or the shortest decimal fraction that reads back to the same double; what is no
// finite number is written as its bits.
static void print_const(struct printer *printer, const struct ir_op *op)
{
    bool is_float = op->type < arrlenu(printer->unit->type) &&
                    printer->unit->type[op->type].kind == IR_TYPE_FLOAT;
    if (!is_float) {
        fprintf(printer->out, " %" PRId64, op->imm);
        return;
    }
    double value;
    memcpy(&value, &op->imm, sizeof value);
    if (!isfinite(value)) {
        fprintf(printer->out, " 0x%" PRIx64, (uint64_t)op->imm);
        return;
    }
    char text[64];
    for (int digits = 1; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fprintf(printer->out, " %s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

// The number of the operation where it stands for something that has a name.
static void print_subject(struct printer *printer, const struct ir_op *op)
{
    switch (op->code) {
    case IR_CONST:
        print_const(printer, op);
        break;
    case IR_PARAM:
        print_label(printer, '%', &printer->params, op->imm);
        break;
    case IR_LOCAL:
    case IR_DECLARE:
        print_label(printer, '%', &printer->locals, op->imm);
        break;
    case IR_GLOBAL:
        print_label(printer, '@', &printer->globals, op->imm);
        break;
    case IR_FUNC:
    case IR_CALL:
        print_label(printer, '@', &printer->functions, op->imm);
        break;
    case IR_LAUNCH:
        if (op->imm == -1)
            fputs(" _", printer->out);
        else
            print_label(printer, '@', &printer->functions, op->imm);
        break;
    case IR_SPECIAL:
        if (op->imm >= 0 && op->imm < IR_SPECIAL_COUNT_)
            fprintf(printer->out, " %s", ir_special_name((enum ir_special)op->imm));
        else
            fprintf(printer->out, " %" PRId64, op->imm);
        break;
    default:
        break;
    }
}

static void print_targets(struct printer *printer, const struct ir_op *op)
{
    const struct ir_function *function = printer->function;
    if (op->code == IR_BR || op->code == IR_CONDBR)
        print_target(printer, op->target[0]);
    if (op->code == IR_CONDBR)
        print_target(printer, op->target[1]);
    if (op->code != IR_SWITCH)
        return;
    fputs(" [", printer->out);
    for (uint32_t i = 0; i < op->case_count; ++i) {
        if (op->imm < 0 || (uint64_t)op->imm + i >= arrlenu(function->cases))
            break;
        const struct ir_case *one = &function->cases[op->imm + i];
        fprintf(printer->out, "%s%" PRId64, i > 0 ? ", " : "", one->low);
        if (one->high != one->low)
            fprintf(printer->out, "..%" PRId64, one->high);
        fputc(':', printer->out);
        print_target(printer, one->target);
    }
    fputs("] else", printer->out);
    print_target(printer, op->target[0]);
}

static void print_op(struct printer *printer, ir_value value)
{
    const struct ir_op *op = ir_op_at(printer->function, value);
    if (!op)
        return;
    fputs("  ", printer->out);
    if (op->type != IR_NONE)
        fprintf(printer->out, "v%" PRIu32 " = ", printer->number[value]);
    fputs(ir_op_name(op->code), printer->out);
    print_subject(printer, op);
    if (op->text) {
        fputc(' ', printer->out);
        print_string(printer, op->text);
    }
    for (uint32_t i = 0; i < op->operand_count; ++i)
        print_value(printer, ir_operand(printer->function, op, i));
    if (!ir_imm_is_special(op->code) && op->imm != 0)
        fprintf(printer->out, " %s %" PRId64, ir_imm_word(op->code), op->imm);
    print_targets(printer, op);
    if (op->type != IR_NONE) {
        fputs(" : ", printer->out);
        print_type(printer, op->type);
    }
    print_words(printer, ir_op_flag_words, op->flags, " !");
    print_location(printer, &op->loc);
    fputc('\n', printer->out);
}

static void print_body(struct printer *printer)
{
    const struct ir_function *function = printer->function;
    fputs(" {\n", printer->out);
    for (ptrdiff_t i = 0; i < arrlen(function->local); ++i) {
        fputs("  local ", printer->out);
        print_declared(printer, '%', printer->locals.label[i], function->local[i].name);
        fputs(" : ", printer->out);
        print_type(printer, function->local[i].type);
        print_location(printer, &function->local[i].loc);
        fputc('\n', printer->out);
    }
    for (ptrdiff_t block = 0; block < arrlen(function->block); ++block) {
        fprintf(printer->out, "b%td:\n", block);
        for (ptrdiff_t i = 0; i < arrlen(function->block[block].op); ++i)
            print_op(printer, function->block[block].op[i]);
    }
    fputc('}', printer->out);
}

static void number_values(struct printer *printer)
{
    const struct ir_function *function = printer->function;
    printer->number = arena_array(&printer->arena, uint32_t, arrlenu(function->op) + 1);
    uint32_t next = 0;
    for (ptrdiff_t block = 0; block < arrlen(function->block); ++block) {
        for (ptrdiff_t i = 0; i < arrlen(function->block[block].op); ++i, ++next)
            if (function->block[block].op[i] < arrlenu(function->op))
                printer->number[function->block[block].op[i]] = next;
    }
}

static void print_function(struct printer *printer, ir_function_id id)
{
    const struct ir_function *function = &printer->unit->function[id];
    printer->function = function;
    labels_init(&printer->params, &printer->arena);
    labels_init(&printer->locals, &printer->arena);
    for (ptrdiff_t i = 0; i < arrlen(function->param); ++i)
        labels_add(&printer->params, text_or_empty(function->param[i].name));
    for (ptrdiff_t i = 0; i < arrlen(function->local); ++i)
        labels_add(&printer->locals, text_or_empty(function->local[i].name));
    number_values(printer);
    print_function_head(printer, id);
    if ((function->flags & IR_FN_BODY) || arrlen(function->block) || arrlen(function->local))
        print_body(printer);
    fputc('\n', printer->out);
    labels_release(&printer->params);
    labels_release(&printer->locals);
}

// --- Interface -------------------------------------------------------------------------------

static void printer_init(struct printer *printer, FILE *out, const struct ir_unit *unit)
{
    *printer = (struct printer){.out = out, .unit = unit};
    arena_init(&printer->arena);
    labels_init(&printer->types, &printer->arena);
    labels_init(&printer->globals, &printer->arena);
    labels_init(&printer->functions, &printer->arena);
    for (ptrdiff_t i = 0; i < arrlen(unit->type); ++i) {
        bool named = unit->type[i].kind == IR_TYPE_RECORD || unit->type[i].kind == IR_TYPE_OPAQUE;
        labels_add(&printer->types, named ? text_or_empty(unit->type[i].name) : NULL);
    }
    for (ptrdiff_t i = 0; i < arrlen(unit->global); ++i)
        labels_add(&printer->globals, text_or_empty(unit->global[i].name));
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i)
        labels_add(&printer->functions, text_or_empty(unit->function[i].lookup));
}

static void printer_release(struct printer *printer)
{
    labels_release(&printer->types);
    labels_release(&printer->globals);
    labels_release(&printer->functions);
    arena_release(&printer->arena);
}

void ir_print_unit(FILE *out, const struct ir_unit *unit)
{
    struct printer printer;
    printer_init(&printer, out, unit);
    fputs("unit ", out);
    print_string(&printer, text_or_empty(unit->target));
    if (unit->cccl)
        fprintf(out, " cccl %" PRIu32, unit->cccl);
    fputc('\n', out);
    for (ptrdiff_t i = 1; i < arrlen(unit->file); ++i) {
        fprintf(out, "file %td%s ", i, unit->file[i].is_system ? " system" : "");
        print_string(&printer, text_or_empty(unit->file[i].path));
        fputc('\n', out);
    }
    for (ptrdiff_t i = 0; i < arrlen(unit->type); ++i)
        print_type_declaration(&printer, (ir_type_id)i);
    for (ptrdiff_t i = 0; i < arrlen(unit->global); ++i)
        print_global(&printer, (ir_global_id)i);
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i)
        print_function(&printer, (ir_function_id)i);
    printer_release(&printer);
}

void ir_print_function(FILE *out, const struct ir_unit *unit, ir_function_id function)
{
    struct printer printer;
    printer_init(&printer, out, unit);
    print_function(&printer, function);
    printer_release(&printer);
}
