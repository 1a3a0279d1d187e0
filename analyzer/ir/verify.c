// Checks what ir.h and ops.def promise. A breach is a fault of whoever built the unit, and the
// message is for its author.
#include "ir/ir.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "ir/cfg.h"

struct verifier {
    const struct ir_unit *unit;
    const struct ir_function *function;
    struct error *error;
    struct arena arena;
    struct cfg cfg;
    ir_block_id block;     // being checked; IR_NONE outside of blocks
    ir_value value;        // being checked; IR_NONE outside of operations
    ir_block_id *block_of; // of a value; IR_NONE where it stands in no block
    uint32_t *place_of;    // of a value in its block
};

static bool broken(const struct verifier *verifier, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Reports a broken promise at the place that is being checked. Returns false.
static bool broken(const struct verifier *verifier, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!verifier->function)
        return error_set(verifier->error, ERROR_INTERNAL, "broken IR: %s", text);
    const char *name = verifier->function->name ? verifier->function->name : "";
    if (verifier->block == IR_NONE)
        return error_set(verifier->error, ERROR_INTERNAL, "broken IR: function '%.200s': %s", name,
                         text);
    if (verifier->value == IR_NONE)
        return error_set(verifier->error, ERROR_INTERNAL,
                         "broken IR: function '%.200s': block %" PRIu32 ": %s", name,
                         verifier->block, text);
    const struct ir_op *op = &verifier->function->op[verifier->value];
    return error_set(verifier->error, ERROR_INTERNAL,
                     "broken IR: function '%.200s', line %" PRIu32 ": block %" PRIu32
                     ": operation %" PRIu32 " (%s): %s",
                     name, op->loc.line, verifier->block, verifier->value, ir_op_name(op->code),
                     text);
}

static bool type_in_range(const struct verifier *verifier, ir_type_id type)
{
    return type < arrlenu(verifier->unit->type);
}

static bool is_kind(const struct verifier *verifier, ir_type_id type, enum ir_type_kind kind)
{
    return type_in_range(verifier, type) && verifier->unit->type[type].kind == kind;
}

static bool check_loc(const struct verifier *verifier, const struct ir_loc *loc)
{
    return loc->file < arrlenu(verifier->unit->file) ||
           broken(verifier, "file %" PRIu32 " of its place is out of range", loc->file);
}

// --- Types -----------------------------------------------------------------------------------

static bool check_fields(const struct verifier *verifier, ir_type_id id)
{
    const struct ir_type *type = &verifier->unit->type[id];
    for (ptrdiff_t i = 0; i < arrlen(type->field); ++i) {
        const struct ir_field *field = &type->field[i];
        if (!type_in_range(verifier, field->type))
            return broken(verifier, "type %" PRIu32 ": type of field %td is out of range", id, i);
        if (!field->name)
            return broken(verifier, "type %" PRIu32 ": field %td has no name text", id, i);
        if (i > 0 && field->offset < field[-1].offset)
            return broken(verifier, "type %" PRIu32 ": field %td is not in order of offset", id, i);
    }
    return true;
}

static bool is_int_size(uint32_t bits)
{
    return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

static bool is_float_size(uint32_t bits)
{
    return (is_int_size(bits) && bits != 1) || bits == 80;
}

static bool check_type(const struct verifier *verifier, ir_type_id id)
{
    const struct ir_type *type = &verifier->unit->type[id];
    bool has_elem = type->kind == IR_TYPE_POINTER || type->kind == IR_TYPE_ARRAY;
    bool has_name = type->kind == IR_TYPE_RECORD || type->kind == IR_TYPE_OPAQUE;
    if ((unsigned)type->kind > IR_TYPE_OPAQUE)
        return broken(verifier, "type %" PRIu32 ": no such kind", id);
    if (has_elem && type->elem >= id)
        return broken(verifier, "type %" PRIu32 ": its element does not come before it", id);
    if (!has_elem && type->elem != IR_NONE)
        return broken(verifier, "type %" PRIu32 ": has an element and should not", id);
    if (has_name && !type->name)
        return broken(verifier, "type %" PRIu32 ": has no name text", id);
    if (type->kind == IR_TYPE_INT && !is_int_size(type->bits))
        return broken(verifier, "type %" PRIu32 ": integer of %" PRIu32 " bits", id, type->bits);
    if (type->kind == IR_TYPE_FLOAT && !is_float_size(type->bits))
        return broken(verifier, "type %" PRIu32 ": floating type of %" PRIu32 " bits", id,
                      type->bits);
    if (type->kind != IR_TYPE_RECORD && arrlen(type->field) > 0)
        return broken(verifier, "type %" PRIu32 ": has fields and is no record", id);
    return check_fields(verifier, id);
}

// The record that a value of the type consists of, looking through arrays; IR_NONE if none.
static ir_type_id record_inside(const struct ir_type *types, ir_type_id id)
{
    while (types[id].kind == IR_TYPE_ARRAY)
        id = types[id].elem;
    return types[id].kind == IR_TYPE_RECORD ? id : IR_NONE;
}

// Checks that no record holds itself by value, so that a walk over fields ends.
static bool check_nesting(struct verifier *verifier)
{
    const struct ir_type *types = verifier->unit->type;
    size_t count = arrlenu(types);
    enum { FRESH, OPEN, DONE };
    unsigned char *state = arena_array(&verifier->arena, unsigned char, count);
    size_t *next = arena_array(&verifier->arena, size_t, count); // field to go into
    ir_type_id *stack = arena_array(&verifier->arena, ir_type_id, count);
    for (ir_type_id root = 0; root < count; ++root) {
        size_t depth = 0;
        if (types[root].kind != IR_TYPE_RECORD || state[root] != FRESH)
            continue;
        stack[depth++] = root;
        state[root] = OPEN;
        while (depth > 0) {
            ir_type_id at = stack[depth - 1];
            if (next[at] == arrlenu(types[at].field)) {
                state[at] = DONE;
                --depth;
                continue;
            }
            ir_type_id inner = record_inside(types, types[at].field[next[at]++].type);
            if (inner == IR_NONE || state[inner] == DONE)
                continue;
            if (state[inner] == OPEN)
                return broken(verifier, "type %" PRIu32 ": record holds itself", inner);
            state[inner] = OPEN;
            stack[depth++] = inner;
        }
    }
    return true;
}

static bool check_tables(struct verifier *verifier)
{
    const struct ir_unit *unit = verifier->unit;
    if (arrlen(unit->file) == 0 || !unit->file[0].path || *unit->file[0].path)
        return broken(verifier, "file 0 is not the unknown file");
    for (ptrdiff_t i = 0; i < arrlen(unit->file); ++i)
        if (!unit->file[i].path)
            return broken(verifier, "file %td has no path", i);
    if (!is_kind(verifier, 0, IR_TYPE_VOID))
        return broken(verifier, "type 0 is not void");
    for (ptrdiff_t i = 0; i < arrlen(unit->type); ++i)
        if (!check_type(verifier, (ir_type_id)i))
            return false;
    for (ptrdiff_t i = 0; i < arrlen(unit->global); ++i) {
        const struct ir_global *global = &unit->global[i];
        if (!global->name)
            return broken(verifier, "object %td has no name text", i);
        if (!type_in_range(verifier, global->type))
            return broken(verifier, "object %td: type out of range", i);
        if ((unsigned)global->space > IR_SPACE_HOST)
            return broken(verifier, "object %td: no such space", i);
        if (global->owner != IR_NONE && global->owner >= arrlenu(unit->function))
            return broken(verifier, "object %td: owner out of range", i);
        if (!check_loc(verifier, &global->loc))
            return false;
    }
    return check_nesting(verifier);
}

// --- Heads of functions ----------------------------------------------------------------------

static bool check_template_args(const struct verifier *verifier, const struct ir_template_arg *args)
{
    for (ptrdiff_t i = 0; i < arrlen(args); ++i) {
        if ((unsigned)args[i].kind > IR_ARG_OTHER)
            return broken(verifier, "template argument %td: no such kind", i);
        if (args[i].kind == IR_ARG_TYPE && !type_in_range(verifier, args[i].type))
            return broken(verifier, "template argument %td: type out of range", i);
    }
    return true;
}

static bool check_head(const struct verifier *verifier)
{
    const struct ir_function *function = verifier->function;
    const uint32_t all_flags = (IR_FN_INTERNAL << 1) - 1;
    if (!function->name || !function->lookup || !function->key)
        return broken(verifier, "name, lookup or key is missing");
    if (function->flags & ~all_flags)
        return broken(verifier, "unknown flags");
    if (!(function->flags & IR_FN_BODY) != (arrlen(function->block) == 0))
        return broken(verifier, "the flag for a body and the blocks do not agree");
    if (!type_in_range(verifier, function->result))
        return broken(verifier, "type of the result is out of range");
    for (ptrdiff_t i = 0; i < arrlen(function->param); ++i)
        if (!type_in_range(verifier, function->param[i].type) || !function->param[i].name)
            return broken(verifier, "parameter %td: no name text or type out of range", i);
    for (ptrdiff_t i = 0; i < arrlen(function->local); ++i) {
        if (!type_in_range(verifier, function->local[i].type) || !function->local[i].name)
            return broken(verifier, "local %td: no name text or type out of range", i);
        if (!check_loc(verifier, &function->local[i].loc))
            return false;
    }
    return check_template_args(verifier, function->template_arg) &&
           check_template_args(verifier, function->class_arg) &&
           check_loc(verifier, &function->loc);
}

// --- Operations ------------------------------------------------------------------------------

static bool check_op_type(const struct verifier *verifier, const struct ir_op *op)
{
    if (!ir_has_value(op->code))
        return op->type == IR_NONE || broken(verifier, "has a type and yields no value");
    bool may_lack = op->code == IR_CALL || op->code == IR_CALLI || op->code == IR_OPAQUE;
    if (op->type == IR_NONE)
        return may_lack || broken(verifier, "yields a value and has no type");
    if (!type_in_range(verifier, op->type))
        return broken(verifier, "type out of range");
    const struct ir_type *type = &verifier->unit->type[op->type];
    if (type->kind == IR_TYPE_VOID || type->kind == IR_TYPE_ARRAY || type->kind == IR_TYPE_RECORD ||
        type->kind == IR_TYPE_FUNCTION)
        return broken(verifier, "its type is no scalar");
    bool is_address = op->code == IR_LOCAL || op->code == IR_GLOBAL || op->code == IR_FUNC;
    if (is_address && type->kind != IR_TYPE_POINTER)
        return broken(verifier, "yields an address and its type is no pointer");
    bool is_comparison = op->code >= IR_EQ && op->code <= IR_GE;
    if (is_comparison && (type->kind != IR_TYPE_INT || type->bits != 1))
        return broken(verifier, "is a comparison and its type is not bool");
    return true;
}

// Which operands of a launch may be missing.
static bool may_be_none(const struct ir_op *op, uint32_t index)
{
    return op->code == IR_LAUNCH && index < IR_LAUNCH_OPERANDS_ &&
           (index != IR_LAUNCH_KERNEL || op->imm != -1);
}

static bool check_operands(const struct verifier *verifier, const struct ir_op *op)
{
    const struct ir_function *function = verifier->function;
    int arity = ir_operand_arity(op->code);
    if ((uint64_t)op->operand + op->operand_count > arrlenu(function->operand))
        return broken(verifier, "operands out of range");
    if (arity >= 0 && op->operand_count != (uint32_t)arity)
        return broken(verifier, "has %" PRIu32 " operands, not %d", op->operand_count, arity);
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        ir_value value = function->operand[op->operand + i];
        if (value == IR_NONE && may_be_none(op, i))
            continue;
        if (value >= arrlenu(function->op))
            return broken(verifier, "operand %" PRIu32 " out of range", i);
        if (function->op[value].type == IR_NONE)
            return broken(verifier, "operand %" PRIu32 " yields no value", i);
        if (verifier->block_of[value] == IR_NONE)
            return broken(verifier, "operand %" PRIu32 " stands in no block", i);
    }
    return true;
}

static bool check_index(const struct verifier *verifier, int64_t imm, size_t count,
                        const char *what)
{
    return (imm >= 0 && (uint64_t)imm < count) ||
           broken(verifier, "%s %" PRId64 " out of range", what, imm);
}

static bool check_ptx(const struct verifier *verifier, const struct ir_op *op)
{
    if (!op->text)
        return broken(verifier, "has no text");
    if (op->imm < 0 || op->imm > op->operand_count)
        return broken(verifier, "has not as many operands as outputs");
    for (uint32_t i = 0; i < (uint32_t)op->imm; ++i) {
        const struct ir_op *address =
            ir_op_at(verifier->function, ir_operand(verifier->function, op, i));
        if (!is_kind(verifier, address->type, IR_TYPE_POINTER))
            return broken(verifier, "output %" PRIu32 " is no address", i);
    }
    return true;
}

static bool check_launch(const struct verifier *verifier, const struct ir_op *op)
{
    if (op->operand_count < IR_LAUNCH_OPERANDS_)
        return broken(verifier, "has fewer operands than a launch");
    return op->imm == -1 ||
           check_index(verifier, op->imm, arrlenu(verifier->unit->function), "kernel");
}

// What imm and text stand for.
static bool check_subject(const struct verifier *verifier, const struct ir_op *op)
{
    const struct ir_function *function = verifier->function;
    switch (op->code) {
    case IR_PARAM:
        return check_index(verifier, op->imm, arrlenu(function->param), "parameter");
    case IR_LOCAL:
    case IR_DECLARE:
        return check_index(verifier, op->imm, arrlenu(function->local), "local");
    case IR_GLOBAL:
        return check_index(verifier, op->imm, arrlenu(verifier->unit->global), "object");
    case IR_FUNC:
    case IR_CALL:
        return check_index(verifier, op->imm, arrlenu(verifier->unit->function), "function");
    case IR_SPECIAL:
        return check_index(verifier, op->imm, IR_SPECIAL_COUNT_, "special register");
    case IR_COPY:
    case IR_ZERO:
        return op->imm >= 0 || broken(verifier, "has a negative length");
    case IR_CALLI:
        return op->operand_count > 0 || broken(verifier, "has no operand for the function");
    case IR_PTX:
        return check_ptx(verifier, op);
    case IR_LAUNCH:
        return check_launch(verifier, op);
    case IR_OPAQUE:
        return op->text || broken(verifier, "has no text");
    case IR_RET:
        return op->operand_count <= (is_kind(verifier, function->result, IR_TYPE_VOID) ? 0u : 1u) ||
               broken(verifier, "has more operands than the function has results");
    default:
        return true;
    }
}

static bool check_targets(const struct verifier *verifier, const struct ir_op *op)
{
    const struct ir_function *function = verifier->function;
    uint32_t targets = op->code == IR_CONDBR                        ? 2
                       : op->code == IR_BR || op->code == IR_SWITCH ? 1
                                                                    : 0;
    for (uint32_t i = 0; i < 2; ++i) {
        if (i >= targets && op->target[i] != IR_NONE)
            return broken(verifier, "has a target and should not");
        if (i < targets && op->target[i] >= arrlenu(function->block))
            return broken(verifier, "target %" PRIu32 " out of range", i);
    }
    if (op->code != IR_SWITCH)
        return op->case_count == 0 || broken(verifier, "has cases and is no switch");
    if (op->imm < 0 || (uint64_t)op->imm > arrlenu(function->cases) ||
        op->case_count > arrlenu(function->cases) - (uint64_t)op->imm)
        return broken(verifier, "cases out of range");
    for (uint32_t i = 0; i < op->case_count; ++i) {
        const struct ir_case *one = &function->cases[op->imm + i];
        if (one->low > one->high)
            return broken(verifier, "case %" PRIu32 " is empty", i);
        if (one->target >= arrlenu(function->block))
            return broken(verifier, "target of case %" PRIu32 " out of range", i);
    }
    return true;
}

static bool check_op(const struct verifier *verifier)
{
    const struct ir_op *op = &verifier->function->op[verifier->value];
    const unsigned all_flags = (IR_AT_BRACE << 1) - 1;
    if (op->flags & ~all_flags)
        return broken(verifier, "unknown flags");
    return check_op_type(verifier, op) && check_operands(verifier, op) &&
           check_subject(verifier, op) && check_targets(verifier, op) &&
           check_loc(verifier, &op->loc);
}

// --- Blocks ----------------------------------------------------------------------------------

// Notes where each operation stands, and checks that the blocks are made of operations.
static bool place_operations(struct verifier *verifier)
{
    const struct ir_function *function = verifier->function;
    size_t count = arrlenu(function->op);
    verifier->block_of = arena_array(&verifier->arena, ir_block_id, count + 1);
    verifier->place_of = arena_array(&verifier->arena, uint32_t, count + 1);
    for (size_t value = 0; value < count; ++value)
        verifier->block_of[value] = IR_NONE;
    for (ir_block_id block = 0; block < arrlenu(function->block); ++block) {
        const struct ir_block *at = &function->block[block];
        verifier->block = block;
        for (uint32_t i = 0; i < arrlenu(at->op); ++i) {
            ir_value value = at->op[i];
            if (value >= count)
                return broken(verifier, "operation %" PRIu32 " out of range", value);
            if (function->op[value].code >= IR_OP_COUNT_)
                return broken(verifier, "operation %" PRIu32 " has no such code", value);
            if (verifier->block_of[value] != IR_NONE)
                return broken(verifier, "operation %" PRIu32 " stands in two places", value);
            verifier->block_of[value] = block;
            verifier->place_of[value] = i;
        }
    }
    verifier->block = IR_NONE;
    return true;
}

static bool check_block(struct verifier *verifier, ir_block_id block)
{
    const struct ir_function *function = verifier->function;
    const ir_value *op = function->block[block].op;
    for (ptrdiff_t i = 0; i < arrlen(op); ++i) {
        bool is_last = i + 1 == arrlen(op);
        verifier->block = block;
        verifier->value = op[i];
        if (ir_is_terminator(function->op[op[i]].code) != is_last)
            return broken(verifier, is_last ? "the block does not end with a terminator"
                                            : "a terminator in the middle of the block");
        if (!check_op(verifier))
            return false;
    }
    verifier->block = verifier->value = IR_NONE;
    return true;
}

// Checks that control finds operations where it gets to, and every operand computed already.
static bool check_paths(struct verifier *verifier)
{
    const struct ir_function *function = verifier->function;
    const struct cfg *cfg = &verifier->cfg;
    for (uint32_t at = 0; at < cfg->order_count; ++at) {
        ir_block_id block = verifier->block = cfg->order[at];
        verifier->value = IR_NONE;
        if (arrlen(function->block[block].op) == 0)
            return broken(verifier, "control gets here and there is no operation");
        for (uint32_t i = 0; i < arrlenu(function->block[block].op); ++i) {
            const struct ir_op *op = &function->op[function->block[block].op[i]];
            verifier->value = function->block[block].op[i];
            for (uint32_t j = 0; j < op->operand_count; ++j) {
                ir_value value = ir_operand(function, op, j);
                if (value == IR_NONE)
                    continue;
                ir_block_id home = verifier->block_of[value];
                if (home == block ? verifier->place_of[value] >= i
                                  : !cfg_dominates(cfg, home, block))
                    return broken(verifier, "operand %" PRIu32 " is not defined on every path", j);
            }
        }
    }
    verifier->block = verifier->value = IR_NONE;
    return true;
}

static bool check_function(struct verifier *verifier, ir_function_id id)
{
    verifier->function = &verifier->unit->function[id];
    verifier->block = verifier->value = IR_NONE;
    if (!check_head(verifier) || !place_operations(verifier))
        return false;
    for (ir_block_id block = 0; block < arrlenu(verifier->function->block); ++block)
        if (!check_block(verifier, block))
            return false;
    cfg_build(&verifier->cfg, verifier->function, &verifier->arena);
    return check_paths(verifier);
}

// --- Interface -------------------------------------------------------------------------------

bool ir_verify_function(const struct ir_unit *unit, ir_function_id function, struct error *error)
{
    struct verifier verifier = {.unit = unit, .error = error, .block = IR_NONE, .value = IR_NONE};
    if (function >= arrlenu(unit->function))
        return broken(&verifier, "function %" PRIu32 " out of range", function);
    arena_init(&verifier.arena);
    bool good = check_function(&verifier, function);
    arena_release(&verifier.arena);
    return good;
}

bool ir_verify_unit(const struct ir_unit *unit, struct error *error)
{
    struct verifier verifier = {.unit = unit, .error = error, .block = IR_NONE, .value = IR_NONE};
    arena_init(&verifier.arena);
    bool good = check_tables(&verifier);
    arena_release(&verifier.arena);
    for (ir_function_id id = 0; good && id < arrlenu(unit->function); ++id)
        good = ir_verify_function(unit, id, error);
    return good;
}
