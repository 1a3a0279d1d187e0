// Operands of PTX instructions as values of the IR.
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/ptx_internal.h"

static const struct ir_type *type_at(const struct ptx_lowering *lowering, ir_type_id type)
{
    const struct ir_unit *unit = lowering->builder->unit;
    return type < arrlenu(unit->type) ? &unit->type[type] : NULL;
}

static enum ir_type_kind kind_of(const struct ptx_lowering *lowering, ir_type_id type)
{
    const struct ir_type *found = type_at(lowering, type);
    return found ? found->kind : IR_TYPE_VOID;
}

bool ptx_is_float(const struct ptx_lowering *lowering, ir_type_id type)
{
    return kind_of(lowering, type) == IR_TYPE_FLOAT;
}

static bool is_integral(const struct ptx_lowering *lowering, ir_type_id type)
{
    enum ir_type_kind kind = kind_of(lowering, type);
    return kind == IR_TYPE_INT || kind == IR_TYPE_POINTER;
}

static bool is_scalar(const struct ptx_lowering *lowering, ir_type_id type)
{
    return is_integral(lowering, type) || ptx_is_float(lowering, type);
}

ir_type_id ptx_type(struct ir_unit *unit, const char *name)
{
    if (strcmp(name, "pred") == 0)
        return ir_type_bool(unit);
    bool is_float = false, is_signed = false;
    const char *digits = name + 1;
    if (name[0] == 'f')
        is_float = true;
    else if (strncmp(name, "bf", 2) == 0 && name[2] == '1')
        is_float = true, digits = name + 2;
    else if (name[0] == 's')
        is_signed = true;
    else if (name[0] != 'b' && name[0] != 'u')
        return IR_NONE;
    char *end;
    if (digits[0] < '0' || digits[0] > '9')
        return IR_NONE;
    unsigned long bits = strtoul(digits, &end, 10);
    if (*end || (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128))
        return IR_NONE;
    if (is_float)
        return bits == 16 || bits == 32 || bits == 64 ? ir_type_float(unit, (uint32_t)bits)
                                                      : IR_NONE;
    return ir_type_int(unit, (uint32_t)bits, is_signed);
}

// A value nothing is known about.
static ir_value unknown(struct ptx_lowering *lowering, ir_type_id type, const char *why)
{
    if (kind_of(lowering, type) == IR_TYPE_VOID)
        type = ir_type_int(lowering->builder->unit, 32, false);
    ir_value value = ir_build(lowering->builder, IR_OPAQUE, type, NULL, 0, 0);
    ir_build_text(lowering->builder, value, why);
    return value;
}

// --- Arguments ---------------------------------------------------------------------------------

// The statement's operand that `%n` or `%[name]` means; NULL when there is none.
static const struct ptx_asm_operand *argument(const struct ptx_lowering *lowering,
                                              const struct ptx_operand *operand, size_t *number)
{
    const struct ptx_asm *statement = lowering->statement;
    size_t count = statement->output_count + statement->input_count;
    if (operand->value >= 0) {
        *number = (size_t)operand->value;
        return *number < count ? &statement->operand[*number] : NULL;
    }
    for (size_t i = 0; i < count; ++i) {
        const char *name = statement->operand[i].name;
        if (name && operand->name && name[0] && strcmp(name, operand->name) == 0) {
            *number = i;
            return &statement->operand[i];
        }
    }
    return NULL;
}

ir_type_id ptx_register_type(struct ptx_lowering *lowering, const struct ptx_register *reg)
{
    struct ir_unit *unit = lowering->builder->unit;
    ir_type_id type = ptx_type(unit, reg->type);
    if (type == IR_NONE) { // packed or unknown: by its size, where it says one
        size_t length = strlen(reg->type);
        type = ir_type_int(unit, length && strchr(reg->type, '6') ? 64 : 32, false);
    }
    return type;
}

// The type of an operand by itself; IR_NONE for a constant, which takes what it is given.
static ir_type_id own_type(struct ptx_lowering *lowering, const struct ptx_operand *operand)
{
    size_t number;
    const struct ptx_asm_operand *found;
    switch (operand->kind) {
    case PTX_ARGUMENT:
        found = argument(lowering, operand, &number);
        return found ? found->type : IR_NONE;
    case PTX_REGISTER:
        return ptx_register_type(lowering, &lowering->program->reg[operand->value]);
    default:
        return IR_NONE;
    }
}

bool ptx_fits(const struct ptx_lowering *lowering, const struct ptx_operand *operand,
              ir_type_id type)
{
    bool wants_float = ptx_is_float(lowering, type);
    switch (operand->kind) {
    case PTX_ARGUMENT:
    case PTX_REGISTER: {
        ir_type_id own = own_type((struct ptx_lowering *)lowering, operand);
        if (operand->kind == PTX_REGISTER && lowering->program->reg[operand->value].width > 1 &&
            operand->component == 0)
            return false;
        if (operand->kind == PTX_ARGUMENT && operand->component)
            return false;
        return wants_float ? ptx_is_float(lowering, own) : is_integral(lowering, own);
    }
    case PTX_INTEGER:
        return !wants_float;
    case PTX_FLOAT:
        return wants_float;
    case PTX_SPECIAL:
    case PTX_SYMBOL:
        return !wants_float;
    case PTX_SUM:
        for (uint32_t i = 0; i < operand->element_count; ++i)
            if (!ptx_fits(lowering, &operand->element[i], type))
                return false;
        return !wants_float;
    default:
        return false;
    }
}

static ir_value cast(struct ptx_lowering *lowering, ir_value value, ir_type_id from, ir_type_id to)
{
    if (from == to || to == IR_NONE || kind_of(lowering, to) == IR_TYPE_VOID)
        return value;
    if (!is_scalar(lowering, to) || !is_scalar(lowering, from))
        return unknown(lowering, to, "a value that is no scalar");
    return ir_build(lowering->builder, IR_CAST, to, &value, 1, 0);
}

// --- Reading -----------------------------------------------------------------------------------

static ir_value read_special(struct ptx_lowering *lowering, const char *name, ir_type_id *type)
{
    struct ir_unit *unit = lowering->builder->unit;
    *type = ir_type_int(unit, 32, false);
    for (int i = 0; i < IR_SPECIAL_COUNT_; ++i) {
        if (strcmp(ir_special_name((enum ir_special)i), name) != 0)
            continue;
        if (i == IR_GRIDID || i == IR_CLOCK64 || i == IR_GLOBALTIMER)
            *type = ir_type_int(unit, 64, false);
        return ir_build(lowering->builder, IR_SPECIAL, *type, NULL, 0, i);
    }
    return unknown(lowering, *type, "a special register or a register declared elsewhere");
}

static ir_value read_symbol(struct ptx_lowering *lowering, const char *name, ir_type_id *type)
{
    struct ir_builder *builder = lowering->builder;
    struct ir_unit *unit = builder->unit;
    *type = ir_type_int(unit, 32, false);
    if (strcmp(name, "WARP_SZ") == 0)
        return ir_build_const(builder, *type, 32);
    for (ptrdiff_t i = 0; i < arrlen(unit->global); ++i) {
        const struct ir_global *global = &unit->global[i];
        if (strcmp(global->name, name) != 0 ||
            (global->owner != IR_NONE && global->owner != builder->function))
            continue;
        *type = ir_type_pointer(unit, global->type);
        return ir_build(builder, IR_GLOBAL, *type, NULL, 0, i);
    }
    *type = ir_type_int(unit, 64, false);
    return unknown(lowering, *type, "a name declared outside this statement");
}

static ir_value component_address(struct ptx_lowering *lowering, const struct ptx_operand *operand)
{
    ir_value address = lowering->reg_address[operand->value];
    const struct ptx_register *reg = &lowering->program->reg[operand->value];
    if (reg->width == 1)
        return address;
    struct ir_unit *unit = lowering->builder->unit;
    ir_type_id element = ptx_register_type(lowering, reg);
    uint32_t index = operand->component ? operand->component - 1 : 0;
    if (index >= reg->width)
        index = 0;
    return ir_build(lowering->builder, IR_OFFSET, ir_type_pointer(unit, element), &address, 1,
                    (int64_t)(index * unit->type[element].size));
}

static ir_value read_plain(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                           ir_type_id *type)
{
    struct ir_builder *builder = lowering->builder;
    size_t number = 0;
    const struct ptx_asm_operand *found = NULL;
    ir_value address;
    switch (operand->kind) {
    case PTX_REGISTER:
        *type = own_type(lowering, operand);
        address = component_address(lowering, operand);
        return ir_build(builder, IR_LOAD, *type, &address, 1, 0);
    case PTX_ARGUMENT:
        found = argument(lowering, operand, &number);
        if (!found || operand->component)
            break;
        *type = found->type;
        if (number < lowering->statement->output_count) {
            if (!is_scalar(lowering, *type))
                break;
            address = lowering->output_address[number];
            return ir_build(builder, IR_LOAD, *type, &address, 1, 0);
        }
        if (!ir_op_at(ir_builder_function(builder), found->value))
            break;
        *type = ir_op_at(ir_builder_function(builder), found->value)->type;
        if (is_scalar(lowering, *type))
            return found->value;
        break;
    case PTX_SPECIAL:
        return read_special(lowering, operand->name, type);
    case PTX_SYMBOL:
        return read_symbol(lowering, operand->name, type);
    default:
        break;
    }
    *type = ir_type_int(builder->unit, 32, false);
    return unknown(lowering, *type, "an operand the statement does not give");
}

static ir_value read_sum(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                         ir_type_id type)
{
    struct ir_builder *builder = lowering->builder;
    if (!is_integral(lowering, type) || kind_of(lowering, type) == IR_TYPE_POINTER)
        type = ir_type_int(builder->unit, 64, false);
    ir_value sum = ir_build_const(builder, type, operand->value);
    for (uint32_t i = 0; i < operand->element_count; ++i) {
        struct ptx_operand term = operand->element[i];
        bool minus = term.negated;
        term.negated = false;
        ir_value pair[2] = {sum, ptx_read(lowering, &term, type)};
        sum = ir_build(builder, minus ? IR_SUB : IR_ADD, type, pair, 2, 0);
    }
    return sum;
}

static ir_value read_constant(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                              ir_type_id type)
{
    struct ir_unit *unit = lowering->builder->unit;
    bool is_float = operand->kind == PTX_FLOAT;
    if (is_float && !ptx_is_float(lowering, type))
        type = ir_type_float(unit, 64);
    if (!is_float && kind_of(lowering, type) != IR_TYPE_INT) {
        bool narrow = operand->value >= INT32_MIN && operand->value <= (int64_t)UINT32_MAX;
        type = ir_type_int(unit, narrow ? 32 : 64, operand->value < 0);
    }
    // A constant stands in the range of its type.
    int64_t value = operand->value;
    const struct ir_type *found = &unit->type[type];
    if (!is_float && found->bits < 64) {
        uint64_t mask = ((uint64_t)1 << found->bits) - 1;
        uint64_t low = (uint64_t)value & mask;
        bool negative = found->is_signed && low >> (found->bits - 1);
        value = (int64_t)(negative ? low | ~mask : low);
    }
    return ir_build_const(lowering->builder, type, value);
}

ir_value ptx_read(struct ptx_lowering *lowering, const struct ptx_operand *operand, ir_type_id type)
{
    struct ir_builder *builder = lowering->builder;
    ir_type_id own = type;
    ir_value value;
    switch (operand->kind) {
    case PTX_INTEGER:
    case PTX_FLOAT:
        return read_constant(lowering, operand, type);
    case PTX_SUM:
        return read_sum(lowering, operand, type);
    case PTX_ADDRESS:
        return ptx_read_address(lowering, operand);
    case PTX_SINK:
    case PTX_VECTOR:
    case PTX_PAIR:
        return unknown(lowering, type, "an operand of no single value");
    default:
        value = read_plain(lowering, operand, &own);
    }
    if (operand->negated && ptx_type(builder->unit, "pred") == own) {
        ir_value pair[2] = {value, ir_build_const(builder, own, 0)};
        value = ir_build(builder, IR_EQ, own, pair, 2, 0);
    } else if (operand->negated) {
        value = ir_build(builder, IR_NEG, own, &value, 1, 0);
    }
    return cast(lowering, value, own, type);
}

ir_value ptx_read_address(struct ptx_lowering *lowering, const struct ptx_operand *operand)
{
    struct ir_builder *builder = lowering->builder;
    const struct ptx_operand *base = &operand->element[0];
    if (operand->kind != PTX_ADDRESS || base->kind == PTX_SUM || base->kind == PTX_INTEGER)
        return ptx_read(lowering, operand->kind == PTX_ADDRESS ? base : operand, IR_NONE);
    if (base->kind != PTX_REGISTER && base->kind != PTX_ARGUMENT && base->kind != PTX_SYMBOL)
        return ptx_read(lowering, base, IR_NONE);
    ir_type_id type;
    ir_value value = read_plain(lowering, base, &type);
    if (operand->value == 0)
        return value;
    if (kind_of(lowering, type) == IR_TYPE_POINTER)
        return ir_build(builder, IR_OFFSET, type, &value, 1, operand->value);
    if (!is_integral(lowering, type))
        return unknown(lowering, IR_NONE, "an address that is no integer");
    ir_value pair[2] = {value, ir_build_const(builder, type, operand->value)};
    return ir_build(builder, IR_ADD, type, pair, 2, 0);
}

// --- Writing -----------------------------------------------------------------------------------

static ir_value sink(struct ptx_lowering *lowering)
{
    struct ir_builder *builder = lowering->builder;
    ir_type_id type = ir_type_int(builder->unit, 64, false);
    uint32_t local = ir_build_local(builder, "_", type);
    return ir_build(builder, IR_LOCAL, ir_type_pointer(builder->unit, type), NULL, 0, local);
}

ir_value ptx_destination(struct ptx_lowering *lowering, const struct ptx_operand *operand)
{
    size_t number;
    if (operand->kind == PTX_REGISTER)
        return component_address(lowering, operand);
    if (operand->kind == PTX_ARGUMENT && argument(lowering, operand, &number) &&
        number < lowering->statement->output_count)
        return lowering->output_address[number];
    return sink(lowering);
}

void ptx_write(struct ptx_lowering *lowering, const struct ptx_operand *operand, ir_value value)
{
    struct ir_builder *builder = lowering->builder;
    ir_type_id to = own_type(lowering, operand);
    size_t number;
    if (operand->kind != PTX_REGISTER &&
        !(operand->kind == PTX_ARGUMENT && argument(lowering, operand, &number) &&
          number < lowering->statement->output_count))
        return; // a sink, or a register declared elsewhere
    ir_value address = ptx_destination(lowering, operand);
    if (!is_scalar(lowering, to)) {
        ir_value opaque = ir_build(builder, IR_OPAQUE, IR_NONE, &address, 1, 0);
        ir_build_text(builder, opaque, "an asm output that is no scalar");
        return;
    }
    ir_type_id from = ir_op_at(ir_builder_function(builder), value)->type;
    ir_value pair[2] = {address, cast(lowering, value, from, to)};
    ir_build(builder, IR_STORE, IR_NONE, pair, 2, 0);
}
