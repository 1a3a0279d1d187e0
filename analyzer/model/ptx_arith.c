// PTX instructions that are plain arithmetic, moves or memory accesses (PTX ISA 9.1, 9.7.1 to
// 9.7.9). Whatever has a modifier that changes the result in a way the IR cannot say (saturation,
// carry, packed elements) is left to the table of the model.
#include <string.h>

#include "base/vec.h"
#include "model/ptx_internal.h"

// Which instructions a shape is about: the first part of the mnemonic.
enum shape { BINARY, UNARY, SHIFT, MULTIPLY, MULTIPLY_ADD };

struct arithmetic {
    const char *name;
    enum shape shape;
    enum ir_op_code code;
};

static const struct arithmetic arithmetic[] = {
    {"add", BINARY, IR_ADD},   {"sub", BINARY, IR_SUB},       {"div", BINARY, IR_DIV},
    {"rem", BINARY, IR_REM},   {"and", BINARY, IR_AND},       {"or", BINARY, IR_OR},
    {"xor", BINARY, IR_XOR},   {"min", BINARY, IR_MIN},       {"max", BINARY, IR_MAX},
    {"neg", UNARY, IR_NEG},    {"not", UNARY, IR_NOT},        {"abs", UNARY, IR_SELECT},
    {"cnot", UNARY, IR_EQ},    {"shl", SHIFT, IR_SHL},        {"shr", SHIFT, IR_SHR},
    {"mul", MULTIPLY, IR_MUL}, {"mad", MULTIPLY_ADD, IR_MUL}, {"fma", MULTIPLY_ADD, IR_MUL},
};

struct comparison {
    const char *name;
    enum ir_op_code code;
    bool is_unsigned;
};

static const struct comparison comparison[] = {
    {"eq", IR_EQ, false},  {"ne", IR_NE, false},  {"lt", IR_LT, false},  {"le", IR_LE, false},
    {"gt", IR_GT, false},  {"ge", IR_GE, false},  {"lo", IR_LT, true},   {"ls", IR_LE, true},
    {"hi", IR_GT, true},   {"hs", IR_GE, true},   {"equ", IR_EQ, false}, {"neu", IR_NE, false},
    {"ltu", IR_LT, false}, {"leu", IR_LE, false}, {"gtu", IR_GT, false}, {"geu", IR_GE, false},
};

static struct ir_unit *unit_of(struct ptx_lowering *lowering)
{
    return lowering->builder->unit;
}

// The type the mnemonic ends with; IR_NONE when it names none that is followed.
static ir_type_id last_type(struct ptx_lowering *lowering,
                            const struct ptx_instruction *instruction)
{
    return instruction->part_count < 2
               ? IR_NONE
               : ptx_type(unit_of(lowering), instruction->part[instruction->part_count - 1]);
}

static bool fits_all(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                     uint32_t first, ir_type_id type)
{
    for (uint32_t i = first; i < instruction->operand_count; ++i)
        if (!ptx_fits(lowering, &instruction->operand[i], type))
            return false;
    return true;
}

// Whether the destination is a register or an output the type can be moved to, or nothing at all.
static bool fits_destination(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                             ir_type_id type)
{
    return operand->kind == PTX_SINK || operand->kind == PTX_SPECIAL ||
           operand->kind == PTX_SYMBOL || ptx_fits(lowering, operand, type);
}

static ir_value build1(struct ptx_lowering *lowering, enum ir_op_code code, ir_type_id type,
                       ir_value a)
{
    return ir_build(lowering->builder, code, type, &a, 1, 0);
}

static ir_value build2(struct ptx_lowering *lowering, enum ir_op_code code, ir_type_id type,
                       ir_value a, ir_value b)
{
    ir_value pair[2] = {a, b};
    return ir_build(lowering->builder, code, type, pair, 2, 0);
}

static ir_value build3(struct ptx_lowering *lowering, enum ir_op_code code, ir_type_id type,
                       ir_value a, ir_value b, ir_value c)
{
    ir_value three[3] = {a, b, c};
    return ir_build(lowering->builder, code, type, three, 3, 0);
}

static ir_type_id double_width(struct ptx_lowering *lowering, ir_type_id type)
{
    const struct ir_type *found = &unit_of(lowering)->type[type];
    bool is_signed = found->is_signed;
    return ir_type_int(unit_of(lowering), found->bits * 2, is_signed);
}

// --- Arithmetic --------------------------------------------------------------------------------

static ir_value unary(struct ptx_lowering *lowering, enum ir_op_code code, ir_type_id type,
                      ir_value a)
{
    ir_type_id boolean = ir_type_bool(unit_of(lowering));
    ir_value zero, below;
    switch (code) {
    case IR_SELECT: // abs
        zero = ir_build_const(lowering->builder, type, 0);
        below = build2(lowering, IR_LT, boolean, a, zero);
        return build3(lowering, IR_SELECT, type, below, build1(lowering, IR_NEG, type, a), a);
    case IR_EQ: // cnot
        zero = ir_build_const(lowering->builder, type, 0);
        return build1(lowering, IR_CAST, type, build2(lowering, IR_EQ, boolean, a, zero));
    case IR_NOT:
        if (type == boolean) {
            zero = ir_build_const(lowering->builder, type, 0);
            return build2(lowering, IR_EQ, type, a, zero);
        }
        return build1(lowering, IR_NOT, type, a);
    default:
        return build1(lowering, code, type, a);
    }
}

static bool lower_arithmetic(struct ptx_lowering *lowering,
                             const struct ptx_instruction *instruction,
                             const struct arithmetic *row)
{
    static const uint32_t operands[] = {
        [BINARY] = 3, [UNARY] = 2, [SHIFT] = 3, [MULTIPLY] = 3, [MULTIPLY_ADD] = 4};
    ir_type_id type = last_type(lowering, instruction);
    const struct ptx_operand *operand = instruction->operand;
    if (type == IR_NONE || instruction->operand_count != operands[row->shape] ||
        ptx_has(instruction, "cc") || ptx_has(instruction, "sat") || ptx_has(instruction, "hi") ||
        ptx_has(instruction, "abs") || ptx_has(instruction, "xorsign"))
        return false;
    bool is_float = ptx_is_float(lowering, type);
    if (is_float && row->shape == UNARY && row->code != IR_NEG)
        return false;
    bool wide = ptx_has(instruction, "wide");
    if (wide && unit_of(lowering)->type[type].bits > 64)
        return false;
    ir_type_id result = wide && !is_float ? double_width(lowering, type) : type;
    ir_type_id amount = row->shape == SHIFT ? ir_type_int(unit_of(lowering), 32, false) : type;
    if (!fits_destination(lowering, &operand[0], result) ||
        !ptx_fits(lowering, &operand[1], type) ||
        (row->shape != UNARY && !ptx_fits(lowering, &operand[2], amount)) ||
        (row->shape == MULTIPLY_ADD && !ptx_fits(lowering, &operand[3], result)))
        return false;
    ir_value a = ptx_read(lowering, &operand[1], type);
    if (row->shape == UNARY) {
        ptx_write(lowering, &operand[0], unary(lowering, row->code, type, a));
        return true;
    }
    ir_value b = ptx_read(lowering, &operand[2], amount);
    if (amount != type)
        b = build1(lowering, IR_CAST, type, b);
    if (result != type) {
        a = build1(lowering, IR_CAST, result, a);
        b = build1(lowering, IR_CAST, result, b);
    }
    ir_value value = build2(lowering, row->code, result, a, b);
    if (row->shape == MULTIPLY_ADD)
        value = build2(lowering, IR_ADD, result, value, ptx_read(lowering, &operand[3], result));
    ptx_write(lowering, &operand[0], value);
    return true;
}

// --- Comparisons and selections ----------------------------------------------------------------

static const struct comparison *find_comparison(const char *name)
{
    for (size_t i = 0; i < sizeof comparison / sizeof comparison[0]; ++i)
        if (strcmp(comparison[i].name, name) == 0)
            return &comparison[i];
    return NULL;
}

// The comparison of operands 1 and 2, and of the boolean operand 3 where the mnemonic combines with
// one (setp.lt.and); `negated` asks for what goes to the second destination.
static ir_value compare(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                        const struct comparison *row, ir_value a, ir_value b, bool negated)
{
    ir_type_id boolean = ir_type_bool(unit_of(lowering));
    ir_value value = build2(lowering, row->code, boolean, a, b);
    if (negated)
        value =
            build2(lowering, IR_EQ, boolean, value, ir_build_const(lowering->builder, boolean, 0));
    if (instruction->operand_count == 4) {
        const char *name = instruction->part[2];
        enum ir_op_code code = strcmp(name, "and") == 0  ? IR_AND
                               : strcmp(name, "or") == 0 ? IR_OR
                                                         : IR_XOR;
        value = build2(lowering, code, boolean, value,
                       ptx_read(lowering, &instruction->operand[3], boolean));
    }
    return value;
}

// setp, and set, whose destination is a number.
static bool lower_compare(struct ptx_lowering *lowering, const struct ptx_instruction *instruction)
{
    struct ir_unit *unit = unit_of(lowering);
    bool is_set = strcmp(instruction->part[0], "set") == 0;
    if (instruction->part_count < 3 || instruction->operand_count < 3 ||
        instruction->operand_count > 4)
        return false;
    const struct comparison *row = find_comparison(instruction->part[1]);
    ir_type_id type = last_type(lowering, instruction);
    ir_type_id boolean = ir_type_bool(unit);
    const struct ptx_operand *operand = instruction->operand;
    if (!row || type == IR_NONE || !ptx_fits(lowering, &operand[1], type) ||
        !ptx_fits(lowering, &operand[2], type))
        return false;
    const char *combine = instruction->part[2];
    if (instruction->operand_count == 4 &&
        ((strcmp(combine, "and") != 0 && strcmp(combine, "or") != 0 &&
          strcmp(combine, "xor") != 0) ||
         !ptx_fits(lowering, &operand[3], boolean)))
        return false;
    ir_type_id result = boolean;
    if (is_set)
        result = ptx_type(unit, instruction->part[instruction->part_count - 2]);
    if (result == IR_NONE || ptx_is_float(lowering, result) ||
        (is_set && operand[0].kind == PTX_PAIR))
        return false;
    if (row->is_unsigned)
        type = ir_type_int(unit, unit->type[type].bits, false);
    ir_value a = ptx_read(lowering, &operand[1], type);
    ir_value b = ptx_read(lowering, &operand[2], type);
    ir_value value = compare(lowering, instruction, row, a, b, false);
    if (is_set) {
        const struct ptx_operand all_ones = {.kind = PTX_INTEGER, .value = -1};
        ir_value if_true = ptx_read(lowering, &all_ones, result);
        ir_value if_false = ir_build_const(lowering->builder, result, 0);
        value = build3(lowering, IR_SELECT, result, value, if_true, if_false);
    }
    if (operand[0].kind == PTX_PAIR) {
        ir_value other = compare(lowering, instruction, row, a, b, true);
        ptx_write(lowering, &operand[0].element[0], value);
        ptx_write(lowering, &operand[0].element[1], other);
    } else {
        ptx_write(lowering, &operand[0], value);
    }
    return true;
}

// selp d, a, b, p and slct d, a, b, c (a where c is not negative).
static bool lower_select(struct ptx_lowering *lowering, const struct ptx_instruction *instruction)
{
    struct ir_unit *unit = unit_of(lowering);
    bool by_sign = strcmp(instruction->part[0], "slct") == 0;
    if (instruction->operand_count != 4 || instruction->part_count < (by_sign ? 3u : 2u))
        return false;
    const struct ptx_operand *operand = instruction->operand;
    ir_type_id type =
        ptx_type(unit, instruction->part[instruction->part_count - (by_sign ? 2 : 1)]);
    ir_type_id control = by_sign ? last_type(lowering, instruction) : ir_type_bool(unit);
    if (type == IR_NONE || control == IR_NONE || !fits_destination(lowering, &operand[0], type) ||
        !ptx_fits(lowering, &operand[1], type) || !ptx_fits(lowering, &operand[2], type) ||
        !ptx_fits(lowering, &operand[3], control))
        return false;
    ir_value a = ptx_read(lowering, &operand[1], type);
    ir_value b = ptx_read(lowering, &operand[2], type);
    ir_value condition = ptx_read(lowering, &operand[3], control);
    if (by_sign)
        condition = build2(lowering, IR_GE, ir_type_bool(unit), condition,
                           ir_build_const(lowering->builder, control, 0));
    ptx_write(lowering, &operand[0], build3(lowering, IR_SELECT, type, condition, a, b));
    return true;
}

// --- Moves and conversions ---------------------------------------------------------------------

// mov.b64 %0, {lo, hi}: the elements from the lowest bits up.
static bool lower_pack(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                       ir_type_id type)
{
    struct ir_unit *unit = unit_of(lowering);
    const struct ptx_operand *vector = &instruction->operand[1];
    uint32_t bits = unit->type[type].bits;
    if (unit->type[type].kind != IR_TYPE_INT || vector->element_count < 2 ||
        bits % (8 * vector->element_count) != 0 || bits > 64 ||
        !fits_destination(lowering, &instruction->operand[0], type))
        return false;
    uint32_t width = bits / vector->element_count;
    ir_type_id element = ir_type_int(unit, width, false);
    for (uint32_t i = 0; i < vector->element_count; ++i)
        if (!ptx_fits(lowering, &vector->element[i], element))
            return false;
    ir_value value = IR_NONE;
    for (uint32_t i = 0; i < vector->element_count; ++i) {
        ir_value part = ptx_read(lowering, &vector->element[i], element);
        part = build1(lowering, IR_CAST, type, part);
        if (i > 0) {
            part = build2(lowering, IR_SHL, type, part,
                          ir_build_const(lowering->builder, type, (int64_t)width * i));
            part = build2(lowering, IR_OR, type, value, part);
        }
        value = part;
    }
    ptx_write(lowering, &instruction->operand[0], value);
    return true;
}

// mov.b64 {lo, hi}, %0.
static bool lower_unpack(struct ptx_lowering *lowering, const struct ptx_instruction *instruction,
                         ir_type_id type)
{
    struct ir_unit *unit = unit_of(lowering);
    const struct ptx_operand *vector = &instruction->operand[0];
    uint32_t bits = unit->type[type].bits;
    if (unit->type[type].kind != IR_TYPE_INT || vector->element_count < 2 ||
        bits % (8 * vector->element_count) != 0 || bits > 64 ||
        !ptx_fits(lowering, &instruction->operand[1], type))
        return false;
    uint32_t width = bits / vector->element_count;
    ir_type_id element = ir_type_int(unit, width, false);
    for (uint32_t i = 0; i < vector->element_count; ++i)
        if (!fits_destination(lowering, &vector->element[i], element))
            return false;
    ir_value value = ptx_read(lowering, &instruction->operand[1], type);
    for (uint32_t i = 0; i < vector->element_count; ++i) {
        ir_value part = value;
        if (i > 0)
            part = build2(lowering, IR_SHR, type, value,
                          ir_build_const(lowering->builder, type, (int64_t)width * i));
        ptx_write(lowering, &vector->element[i], build1(lowering, IR_CAST, element, part));
    }
    return true;
}

static bool lower_move(struct ptx_lowering *lowering, const struct ptx_instruction *instruction)
{
    ir_type_id type = last_type(lowering, instruction);
    if (type == IR_NONE || instruction->operand_count != 2)
        return false;
    const struct ptx_operand *operand = instruction->operand;
    if (operand[1].kind == PTX_VECTOR)
        return lower_pack(lowering, instruction, type);
    if (operand[0].kind == PTX_VECTOR)
        return lower_unpack(lowering, instruction, type);
    // mov.b32 between floating registers moves a floating number.
    if (operand[1].kind != PTX_FLOAT && !ptx_is_float(lowering, type) &&
        !ptx_fits(lowering, &operand[1], type)) {
        type = ir_type_float(unit_of(lowering), unit_of(lowering)->type[type].bits);
    }
    if (!ptx_fits(lowering, &operand[1], type) || !fits_destination(lowering, &operand[0], type))
        return false;
    ptx_write(lowering, &operand[0], ptx_read(lowering, &operand[1], type));
    return true;
}

// cvt between integers, or between floating numbers, or from one to the other; cvta, which leaves
// the address as it is in every space.
static bool lower_convert(struct ptx_lowering *lowering, const struct ptx_instruction *instruction)
{
    struct ir_unit *unit = unit_of(lowering);
    if (instruction->operand_count != 2 || instruction->part_count < 2 ||
        ptx_has(instruction, "sat") || ptx_has(instruction, "relu"))
        return false;
    ir_type_id to = last_type(lowering, instruction), from = to;
    if (strcmp(instruction->part[0], "cvt") == 0) {
        if (instruction->part_count < 3)
            return false;
        from = to;
        to = ptx_type(unit, instruction->part[instruction->part_count - 2]);
    }
    if (to == IR_NONE || from == IR_NONE || !fits_all(lowering, instruction, 1, from) ||
        !fits_destination(lowering, &instruction->operand[0], to))
        return false;
    ir_value value = ptx_read(lowering, &instruction->operand[1], from);
    if (to != from)
        value = build1(lowering, IR_CAST, to, value);
    ptx_write(lowering, &instruction->operand[0], value);
    return true;
}

// --- Memory ------------------------------------------------------------------------------------

static uint16_t access_flags(const struct ptx_instruction *instruction)
{
    bool atomic = ptx_has(instruction, "relaxed") || ptx_has(instruction, "acquire") ||
                  ptx_has(instruction, "release");
    bool is_volatile = atomic || ptx_has(instruction, "volatile") || ptx_has(instruction, "mmio");
    bool releases = ptx_has(instruction, "release") && !ptx_has(instruction, "cta") &&
                    !ptx_has(instruction, "cluster");
    return (uint16_t)((atomic ? IR_ATOMIC : 0) | (is_volatile ? IR_VOLATILE : 0) |
                      (releases ? IR_RELEASE : 0));
}

static bool moves_element(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                          ir_type_id type, bool is_load)
{
    return is_load ? fits_destination(lowering, operand, type) : ptx_fits(lowering, operand, type);
}

// ld and st with their vector forms.
static bool lower_access(struct ptx_lowering *lowering, const struct ptx_instruction *instruction)
{
    struct ir_builder *builder = lowering->builder;
    struct ir_unit *unit = unit_of(lowering);
    bool is_load = strcmp(instruction->part[0], "ld") == 0;
    const struct ptx_operand *operand = instruction->operand;
    if (instruction->operand_count < 2 || ptx_has(instruction, "param") ||
        ptx_has(instruction, "async") || ptx_has(instruction, "bulk"))
        return false;
    const struct ptx_operand *place = &operand[is_load ? 1 : 0];
    const struct ptx_operand *data = &operand[is_load ? 0 : 1];
    ir_type_id type = last_type(lowering, instruction);
    if (type == IR_NONE || place->kind != PTX_ADDRESS)
        return false;
    uint32_t count = data->kind == PTX_VECTOR ? data->element_count : 1;
    const struct ptx_operand *element = data->kind == PTX_VECTOR ? data->element : data;
    // A bit type moves floating numbers as they are.
    if (count && !ptx_is_float(lowering, type) &&
        !moves_element(lowering, &element[0], type, is_load) &&
        (unit->type[type].bits == 32 || unit->type[type].bits == 64))
        type = ir_type_float(unit, unit->type[type].bits);
    for (uint32_t i = 0; i < count; ++i)
        if (!moves_element(lowering, &element[i], type, is_load))
            return false;
    ir_type_id pointer = ir_type_pointer(unit, type);
    ir_value base = ptx_read_address(lowering, place);
    if (ir_op_at(ir_builder_function(builder), base)->type != pointer)
        base = build1(lowering, IR_CAST, pointer, base);
    int64_t size = (int64_t)unit->type[type].size;
    uint16_t flags = access_flags(instruction);
    for (uint32_t i = 0; i < count; ++i) {
        ir_value pair[2] = {base, IR_NONE};
        if (i > 0)
            pair[0] = ir_build(builder, IR_OFFSET, pointer, &base, 1, size * i);
        ir_value access;
        if (is_load) {
            access = ir_build(builder, IR_LOAD, type, pair, 1, 0);
            ptx_write(lowering, &element[i], access);
        } else {
            pair[1] = ptx_read(lowering, &element[i], type);
            access = ir_build(builder, IR_STORE, IR_NONE, pair, 2, 0);
        }
        ir_builder_function(builder)->op[access].flags |= flags;
    }
    return true;
}

bool ptx_lower_value(struct ptx_lowering *lowering, const struct ptx_instruction *instruction)
{
    const char *name = instruction->part[0];
    if (strcmp(name, "setp") == 0 || strcmp(name, "set") == 0)
        return lower_compare(lowering, instruction);
    if (strcmp(name, "selp") == 0 || strcmp(name, "slct") == 0)
        return lower_select(lowering, instruction);
    if (strcmp(name, "mov") == 0)
        return lower_move(lowering, instruction);
    if (strcmp(name, "cvt") == 0 || strcmp(name, "cvta") == 0)
        return lower_convert(lowering, instruction);
    if (strcmp(name, "ld") == 0 || strcmp(name, "st") == 0)
        return lower_access(lowering, instruction);
    for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; ++i)
        if (strcmp(name, arithmetic[i].name) == 0)
            return lower_arithmetic(lowering, instruction, &arithmetic[i]);
    return false;
}
