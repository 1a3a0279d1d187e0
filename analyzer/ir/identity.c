#include "ir/identity.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

// A function by itself. What it names (types, objects, functions, lines) is numbered by its first
// mention, so that the digest says how they are used; what they are follows from the lists.
struct part {
    bool is_made;
    struct digest digest;
    uint32_t *type, *global, *function; // stb_ds arrays
    uint64_t *line;                     // stb_ds array, ascending: file and line
};

// Numbers in the order in which things were met: IR_NONE for those that were not.
struct numbering {
    uint32_t *number; // stb_ds array, by what is numbered
    uint32_t *met;    // stb_ds array
};

struct ir_identities {
    const struct ir_unit *unit;
    struct part *part; // stb_ds array, by function
    struct {
        ir_type_id key;        // a class
        ir_function_id *value; // stb_ds array: its call operators
    } * operators;             // stb_ds map
    // Of the part or the identity that is being made.
    struct numbering type, global, function;
};

static uint64_t line_key(uint32_t file, uint32_t line)
{
    return (uint64_t)file << 32 | line;
}

// --- Numbers -------------------------------------------------------------------------------------

static uint32_t meet(struct numbering *numbering, uint32_t item)
{
    if (item >= arrlenu(numbering->number))
        return IR_NONE;
    if (numbering->number[item] == IR_NONE) {
        numbering->number[item] = (uint32_t)arrlenu(numbering->met);
        arrput(numbering->met, item);
    }
    return numbering->number[item];
}

static void forget(struct numbering *numbering)
{
    for (ptrdiff_t i = 0; i < arrlen(numbering->met); ++i)
        numbering->number[numbering->met[i]] = IR_NONE;
    arrsetlen(numbering->met, 0);
}

static void numbering_init(struct numbering *numbering, size_t count)
{
    arrsetlen(numbering->number, count);
    if (count)
        memset(numbering->number, 0xff, count * sizeof *numbering->number);
}

static int compare_line(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void sort_lines(uint64_t *line)
{
    size_t kept = 0, count = arrlenu(line);
    if (count)
        qsort(line, count, sizeof *line, compare_line);
    for (size_t i = 0; i < count; ++i) {
        if (kept == 0 || line[kept - 1] != line[i])
            line[kept++] = line[i];
    }
    if (count)
        arrsetlen(line, kept);
}

static uint32_t line_number(const uint64_t *line, uint64_t wanted)
{
    const uint64_t *found =
        arrlenu(line) ? bsearch(&wanted, line, arrlenu(line), sizeof *line, compare_line) : NULL;
    return found ? (uint32_t)(found - line) : IR_NONE;
}

// --- One function --------------------------------------------------------------------------------

static void note_loc(uint64_t **line, const struct ir_loc *loc)
{
    arrput(*line, line_key(loc->file, loc->line));
    arrput(*line, line_key(loc->file, loc->end_line));
}

static void note_lines(struct part *part, const struct ir_function *function)
{
    note_loc(&part->line, &function->loc);
    for (ptrdiff_t i = 0; i < arrlen(function->local); ++i)
        note_loc(&part->line, &function->local[i].loc);
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i)
        note_loc(&part->line, &function->op[i].loc);
    for (ptrdiff_t i = 0; i < arrlen(function->statement); ++i)
        note_loc(&part->line, &function->statement[i].loc);
    sort_lines(part->line);
}

static void add_loc(struct digester *digester, const uint64_t *line, const struct ir_loc *loc)
{
    const uint64_t number[] = {line_number(line, line_key(loc->file, loc->line)), loc->column,
                               line_number(line, line_key(loc->file, loc->end_line)),
                               loc->end_column, loc->in_macro};
    digester_add(digester, number, sizeof number);
}

static void add_arguments(struct ir_identities *identities, struct digester *digester,
                          const struct ir_template_arg *argument)
{
    digester_number(digester, arrlenu(argument));
    for (ptrdiff_t i = 0; i < arrlen(argument); ++i) {
        const uint64_t number[] = {argument[i].kind, (uint64_t)argument[i].value,
                                   meet(&identities->type, argument[i].type)};
        digester_add(digester, number, sizeof number);
        digester_text(digester, argument[i].text);
    }
}

static void add_head(struct ir_identities *identities, struct digester *digester,
                     const struct part *part, const struct ir_function *function)
{
    digester_text(digester, function->name);
    digester_text(digester, function->lookup);
    digester_number(digester, function->flags);
    digester_number(digester, meet(&identities->type, function->result));
    digester_add(digester, &function->attributes, sizeof function->attributes);
    add_loc(digester, part->line, &function->loc);
    add_arguments(identities, digester, function->template_arg);
    add_arguments(identities, digester, function->class_arg);
    digester_number(digester, arrlenu(function->param));
    for (ptrdiff_t i = 0; i < arrlen(function->param); ++i) {
        const struct ir_param *param = &function->param[i];
        const uint64_t number[] = {meet(&identities->type, param->type), param->is_this,
                                   param->is_result};
        digester_add(digester, number, sizeof number);
        digester_text(digester, param->name);
    }
}

static uint64_t immediate(struct ir_identities *identities, const struct ir_op *op)
{
    switch ((enum ir_op_code)op->code) {
    case IR_GLOBAL:
        return meet(&identities->global, (uint32_t)op->imm);
    case IR_FUNC:
    case IR_CALL:
        return meet(&identities->function, (uint32_t)op->imm);
    case IR_LAUNCH:
        return op->imm < 0 ? UINT64_MAX : meet(&identities->function, (uint32_t)op->imm);
    default:
        return (uint64_t)op->imm;
    }
}

static void add_ops(struct ir_identities *identities, struct digester *digester,
                    const struct part *part, const struct ir_function *function)
{
    digester_number(digester, arrlenu(function->op));
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        const uint64_t number[] = {
            op->code,      op->flags,         meet(&identities->type, op->type),
            op->operand,   op->operand_count, immediate(identities, op),
            op->target[0], op->target[1],     op->case_count};
        digester_add(digester, number, sizeof number);
        digester_text(digester, op->text);
        add_loc(digester, part->line, &op->loc);
    }
}

static void add_body(struct ir_identities *identities, struct digester *digester,
                     const struct part *part, const struct ir_function *function)
{
    digester_number(digester, arrlenu(function->local));
    for (ptrdiff_t i = 0; i < arrlen(function->local); ++i) {
        digester_text(digester, function->local[i].name);
        digester_number(digester, meet(&identities->type, function->local[i].type));
        add_loc(digester, part->line, &function->local[i].loc);
    }
    add_ops(identities, digester, part, function);
    digester_number(digester, arrlenu(function->block));
    for (ptrdiff_t i = 0; i < arrlen(function->block); ++i)
        digester_add(digester, function->block[i].op,
                     arrlenu(function->block[i].op) * sizeof *function->block[i].op);
    digester_add(digester, function->operand, arrlenu(function->operand) * sizeof(ir_value));
    digester_number(digester, arrlenu(function->cases));
    for (ptrdiff_t i = 0; i < arrlen(function->cases); ++i) {
        const struct ir_case *one = &function->cases[i];
        const uint64_t number[] = {(uint64_t)one->low, (uint64_t)one->high, one->target};
        digester_add(digester, number, sizeof number);
    }
    digester_number(digester, arrlenu(function->statement));
    for (ptrdiff_t i = 0; i < arrlen(function->statement); ++i) {
        digester_number(digester, function->statement[i].kind);
        digester_number(digester, function->statement[i].parent);
        add_loc(digester, part->line, &function->statement[i].loc);
    }
}

static uint32_t *take_met(struct numbering *numbering)
{
    uint32_t *met = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(numbering->met); ++i)
        arrput(met, numbering->met[i]);
    forget(numbering);
    return met;
}

// A library calls what it is given: the call operators of the classes among the arguments of its
// class template belong to the function.
static void meet_operators(struct ir_identities *identities, const struct ir_function *function)
{
    for (ptrdiff_t i = 0; i < arrlen(function->class_arg); ++i) {
        ptrdiff_t class = function->class_arg[i].kind == IR_ARG_TYPE
                              ? hmgeti(identities->operators, function->class_arg[i].type)
                              : -1;
        for (ptrdiff_t k = 0; class >= 0 && k < arrlen(identities->operators[class].value); ++k)
            meet(&identities->function, identities->operators[class].value[k]);
    }
}

static void part_make(struct ir_identities *identities, ir_function_id id)
{
    struct part *part = &identities->part[id];
    const struct ir_function *function = &identities->unit->function[id];
    struct digester *digester = digester_new();
    note_lines(part, function);
    add_head(identities, digester, part, function);
    add_body(identities, digester, part, function);
    meet_operators(identities, function);
    part->digest = digester_end(digester);
    part->type = take_met(&identities->type);
    part->global = take_met(&identities->global);
    part->function = take_met(&identities->function);
    part->is_made = true;
}

static void part_release(struct part *part)
{
    arrfree(part->type);
    arrfree(part->global);
    arrfree(part->function);
    arrfree(part->line);
}

// --- A function with what it reaches -------------------------------------------------------------

static const struct part *part_of(struct ir_identities *identities, ir_function_id function)
{
    return &identities->part[function];
}

// Makes all parts that the function reaches: while that is done, the numbers serve the parts.
static ir_function_id *reach(struct ir_identities *identities, ir_function_id root)
{
    ir_function_id *reached = NULL; // stb_ds array
    bool *seen = calloc(arrlenu(identities->unit->function) + 1, sizeof *seen);
    arrput(reached, root);
    seen[root] = true;
    for (ptrdiff_t i = 0; i < arrlen(reached); ++i) {
        if (!part_of(identities, reached[i])->is_made)
            part_make(identities, reached[i]);
        const struct part *part = part_of(identities, reached[i]);
        for (ptrdiff_t k = 0; k < arrlen(part->function); ++k) {
            if (!seen[part->function[k]])
                arrput(reached, part->function[k]);
            seen[part->function[k]] = true;
        }
    }
    free(seen);
    return reached;
}

static void add_numbers(struct digester *digester, struct numbering *numbering,
                        const uint32_t *item)
{
    digester_number(digester, arrlenu(item));
    for (ptrdiff_t i = 0; i < arrlen(item); ++i)
        digester_number(digester, meet(numbering, item[i]));
}

// Objects that reached functions declare, used or not, and those they use.
static void add_globals(struct ir_identities *identities, struct digester *digester,
                        const uint64_t *line)
{
    const struct ir_unit *unit = identities->unit;
    for (ptrdiff_t i = 0; i < arrlen(identities->global.met); ++i) {
        const struct ir_global *global = &unit->global[identities->global.met[i]];
        uint32_t owner =
            global->owner == IR_NONE ? IR_NONE : identities->function.number[global->owner];
        const uint64_t number[] = {meet(&identities->type, global->type),
                                   global->space,
                                   global->align,
                                   global->owner != IR_NONE,
                                   owner,
                                   global->has_value,
                                   (uint64_t)global->value};
        digester_add(digester, number, sizeof number);
        digester_text(digester, global->name);
        add_loc(digester, line, &global->loc);
    }
}

static void add_types(struct ir_identities *identities, struct digester *digester)
{
    for (ptrdiff_t i = 0; i < arrlen(identities->type.met); ++i) {
        const struct ir_type *type = &identities->unit->type[identities->type.met[i]];
        const uint64_t number[] = {type->kind,
                                   type->is_signed,
                                   type->is_union,
                                   type->bits,
                                   meet(&identities->type, type->elem),
                                   type->count,
                                   type->size,
                                   type->align,
                                   arrlenu(type->field)};
        digester_add(digester, number, sizeof number);
        digester_text(digester, type->name);
        for (ptrdiff_t k = 0; k < arrlen(type->field); ++k) {
            const struct ir_field *field = &type->field[k];
            const uint64_t place[] = {meet(&identities->type, field->type), field->offset,
                                      field->bit_offset, field->bit_width};
            digester_add(digester, place, sizeof place);
            digester_text(digester, field->name);
        }
    }
}

// Which of the things that were met come before which in the unit: some analyses go by that.
static void add_order(struct digester *digester, const struct numbering *numbering)
{
    uint64_t *order = NULL; // stb_ds array: pairs of the unit's number and the one given here
    for (ptrdiff_t i = 0; i < arrlen(numbering->met); ++i)
        arrput(order, line_key(numbering->met[i], (uint32_t)i));
    sort_lines(order);
    for (ptrdiff_t i = 0; i < arrlen(order); ++i)
        digester_number(digester, (uint32_t)order[i]);
    arrfree(order);
}

// What an analysis may ask of the whole unit.
static void add_unit(struct digester *digester, const struct ir_unit *unit)
{
    digester_text(digester, unit->target);
    digester_number(digester, unit->lacks_headers);
    digester_number(digester, unit->cccl);
    for (ptrdiff_t i = 0; i < arrlen(unit->type); ++i) {
        if (unit->type[i].kind == IR_TYPE_INT)
            digester_number(digester, unit->type[i].bits * 2 + unit->type[i].is_signed);
    }
    digester_number(digester, 0);
}

static void split_lines(struct digester *digester, const struct ir_unit *unit, const uint64_t *line,
                        struct ir_identity *out)
{
    for (ptrdiff_t i = 0; i < arrlen(line); ++i) {
        uint32_t file = (uint32_t)(line[i] >> 32);
        if (i == 0 || arrlast(out->lines).file != file) {
            arrput(out->lines, ((struct ir_lines){.file = file}));
            digester_number(digester, (uint64_t)i);
            digester_text(digester, unit->file[file].path);
            digester_number(digester, unit->file[file].is_system);
        }
        arrput(arrlast(out->lines).line, (uint32_t)line[i]);
    }
}

void ir_identity_of(struct ir_identities *identities, ir_function_id function,
                    const struct ir_loc *more, size_t more_count, struct ir_identity *out)
{
    const struct ir_unit *unit = identities->unit;
    *out = (struct ir_identity){0};
    ir_function_id *reached = reach(identities, function);
    uint64_t *line = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(reached); ++i) {
        const struct part *part = part_of(identities, reached[i]);
        meet(&identities->function, reached[i]);
        for (ptrdiff_t k = 0; k < arrlen(part->line); ++k)
            arrput(line, part->line[k]);
        for (ptrdiff_t k = 0; k < arrlen(part->global); ++k)
            meet(&identities->global, part->global[k]);
    }
    for (ptrdiff_t i = 0; i < arrlen(unit->global); ++i) {
        ir_function_id owner = unit->global[i].owner;
        if (owner != IR_NONE && identities->function.number[owner] != IR_NONE)
            meet(&identities->global, (uint32_t)i);
    }
    for (ptrdiff_t i = 0; i < arrlen(identities->global.met); ++i)
        note_loc(&line, &unit->global[identities->global.met[i]].loc);
    for (size_t i = 0; i < more_count; ++i)
        note_loc(&line, &more[i]);
    sort_lines(line);

    struct digester *digester = digester_new();
    add_unit(digester, unit);
    split_lines(digester, unit, line, out);
    for (ptrdiff_t i = 0; i < arrlen(reached); ++i) {
        const struct part *part = part_of(identities, reached[i]);
        digester_add(digester, &part->digest, sizeof part->digest);
        add_numbers(digester, &identities->type, part->type);
        add_numbers(digester, &identities->global, part->global);
        add_numbers(digester, &identities->function, part->function);
        for (ptrdiff_t k = 0; k < arrlen(part->line); ++k)
            digester_number(digester, line_number(line, part->line[k]));
    }
    add_globals(identities, digester, line);
    add_types(identities, digester);
    add_order(digester, &identities->function);
    add_order(digester, &identities->global);
    for (size_t i = 0; i < more_count; ++i)
        add_loc(digester, line, &more[i]);
    out->digest = digester_end(digester);
    forget(&identities->type);
    forget(&identities->global);
    forget(&identities->function);
    arrfree(line);
    arrfree(reached);
}

void ir_identity_release(struct ir_identity *identity)
{
    for (ptrdiff_t i = 0; i < arrlen(identity->lines); ++i)
        arrfree(identity->lines[i].line);
    arrfree(identity->lines);
}

// --- The unit ------------------------------------------------------------------------------------

static bool is_call_operator(const struct ir_unit *unit, const struct ir_function *function)
{
    const char *name = strrchr(function->lookup, ':');
    return arrlen(function->param) > 0 && function->param[0].is_this &&
           function->param[0].type < arrlenu(unit->type) &&
           unit->type[function->param[0].type].kind == IR_TYPE_POINTER && name &&
           strcmp(name, ":operator()") == 0;
}

struct ir_identities *ir_identities_new(const struct ir_unit *unit)
{
    struct ir_identities *identities = calloc(1, sizeof *identities);
    if (!identities)
        abort();
    identities->unit = unit;
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i) {
        arrput(identities->part, ((struct part){0}));
        if (!is_call_operator(unit, &unit->function[i]))
            continue;
        ir_type_id class = unit->type[unit->function[i].param[0].type].elem;
        ir_function_id *list = hmget(identities->operators, class);
        arrput(list, (ir_function_id)i);
        hmput(identities->operators, class, list);
    }
    numbering_init(&identities->type, arrlenu(unit->type));
    numbering_init(&identities->global, arrlenu(unit->global));
    numbering_init(&identities->function, arrlenu(unit->function));
    return identities;
}

static void numbering_release(struct numbering *numbering)
{
    arrfree(numbering->number);
    arrfree(numbering->met);
}

void ir_identities_free(struct ir_identities *identities)
{
    if (!identities)
        return;
    for (ptrdiff_t i = 0; i < arrlen(identities->part); ++i)
        part_release(&identities->part[i]);
    arrfree(identities->part);
    for (ptrdiff_t i = 0; i < hmlen(identities->operators); ++i)
        arrfree(identities->operators[i].value);
    hmfree(identities->operators);
    numbering_release(&identities->type);
    numbering_release(&identities->global);
    numbering_release(&identities->function);
    free(identities);
}
