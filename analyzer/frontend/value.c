// Small operations: emitting with constants folded, conversions, loads and stores.
#include "frontend/lower.h"

#include <string.h>

ir_value emit(struct lower *l, enum ir_op_code code, ir_type_id type, const ir_value *operand,
              size_t count, int64_t imm)
{
    ++l->unit->op_count;
    return ir_build(&l->b, code, type, operand, count, imm);
}

ir_type_id value_type(struct lower *l, ir_value value)
{
    const struct ir_op *op = ir_op_at(ir_builder_function(&l->b), value);
    return op ? op->type : IR_NONE;
}

static const struct ir_type *type_at(struct lower *l, ir_type_id id)
{
    return id < arrlenu(unit_of(l)->type) ? &unit_of(l)->type[id] : &unit_of(l)->type[0];
}

bool const_of(struct lower *l, ir_value value, int64_t *out)
{
    const struct ir_op *op = ir_op_at(ir_builder_function(&l->b), value);
    if (!op || op->code != IR_CONST || type_at(l, op->type)->kind != IR_TYPE_INT)
        return false;
    *out = op->imm;
    return true;
}

// The value as an integer type of that width holds it.
static int64_t wrap(const struct ir_type *type, int64_t value)
{
    if (type->kind != IR_TYPE_INT || type->bits >= 64 || type->bits == 0)
        return value;
    uint64_t mask = (UINT64_C(1) << type->bits) - 1;
    uint64_t bits = (uint64_t)value & mask;
    if (type->is_signed && (bits >> (type->bits - 1)))
        bits |= ~mask;
    return (int64_t)bits;
}

ir_value emit_int(struct lower *l, ir_type_id type, int64_t value)
{
    return emit(l, IR_CONST, type, NULL, 0, wrap(type_at(l, type), value));
}

ir_value emit_bool(struct lower *l, bool value)
{
    return emit_int(l, ir_type_bool(unit_of(l)), value);
}

static bool fold(enum ir_op_code code, const struct ir_type *type, int64_t a, int64_t b,
                 int64_t *out)
{
    bool is_signed = type->is_signed;
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (code) {
    case IR_ADD:
        *out = (int64_t)(x + y);
        return true;
    case IR_SUB:
        *out = (int64_t)(x - y);
        return true;
    case IR_MUL:
        *out = (int64_t)(x * y);
        return true;
    case IR_DIV:
    case IR_REM:
        if (b == 0 || (is_signed && b == -1))
            return false;
        if (is_signed)
            *out = code == IR_DIV ? a / b : a % b;
        else
            *out = (int64_t)(code == IR_DIV ? x / y : x % y);
        return true;
    case IR_SHL:
    case IR_SHR:
        if (b < 0 || b >= 64 || b >= (int64_t)type->bits)
            return false;
        if (code == IR_SHL)
            *out = (int64_t)(x << b);
        else
            *out = is_signed ? a >> b : (int64_t)(x >> b);
        return true;
    case IR_AND:
        *out = a & b;
        return true;
    case IR_OR:
        *out = a | b;
        return true;
    case IR_XOR:
        *out = a ^ b;
        return true;
    case IR_EQ:
        *out = a == b;
        return true;
    case IR_NE:
        *out = a != b;
        return true;
    case IR_LT:
        *out = is_signed ? a < b : x < y;
        return true;
    case IR_LE:
        *out = is_signed ? a <= b : x <= y;
        return true;
    case IR_GT:
        *out = is_signed ? a > b : x > y;
        return true;
    case IR_GE:
        *out = is_signed ? a >= b : x >= y;
        return true;
    default:
        return false;
    }
}

ir_value emit_binary(struct lower *l, enum ir_op_code code, ir_type_id type, ir_value a, ir_value b)
{
    int64_t left, right, result;
    ir_type_id operand_type = value_type(l, a);
    if (const_of(l, a, &left) && const_of(l, b, &right) && type_at(l, operand_type)->bits <= 64 &&
        fold(code, type_at(l, operand_type), left, right, &result))
        return emit_int(l, type, wrap(type_at(l, type), result));
    return emit(l, code, type, (ir_value[]){a, b}, 2, 0);
}

ir_value emit_load(struct lower *l, CXType type, ir_value address)
{
    ir_value value = emit(l, IR_LOAD, type_of(l->unit, type), &address, 1, 0);
    if (clang_isVolatileQualifiedType(type))
        ir_builder_function(&l->b)->op[value].flags |= IR_VOLATILE;
    return value;
}

void emit_store(struct lower *l, CXType type, ir_value address, ir_value value)
{
    if (value == IR_NONE)
        return;
    ir_value op = emit(l, IR_STORE, IR_NONE, (ir_value[]){address, value}, 2, 0);
    if (clang_isVolatileQualifiedType(type))
        ir_builder_function(&l->b)->op[op].flags |= IR_VOLATILE;
}

ir_value emit_offset(struct lower *l, ir_value address, int64_t bytes, ir_type_id type)
{
    if (bytes == 0 && value_type(l, address) == type)
        return address;
    return emit(l, IR_OFFSET, type, &address, 1, bytes);
}

ir_value emit_index(struct lower *l, ir_value address, ir_value index, int64_t stride,
                    ir_type_id type)
{
    int64_t number, bytes;
    if (const_of(l, index, &number) && !__builtin_mul_overflow(number, stride, &bytes))
        return emit_offset(l, address, bytes, type);
    return emit(l, IR_INDEX, type, (ir_value[]){address, index}, 2, stride);
}

ir_value emit_local(struct lower *l, uint32_t local)
{
    ir_type_id type = ir_type_pointer(unit_of(l), ir_builder_function(&l->b)->local[local].type);
    return emit(l, IR_LOCAL, type, NULL, 0, local);
}

ir_value emit_temporary(struct lower *l, CXType type)
{
    uint32_t local = ir_build_local(&l->b, "", type_of(l->unit, type));
    emit(l, IR_DECLARE, IR_NONE, NULL, 0, local);
    return emit_local(l, local);
}

ir_value emit_unknown_place(struct lower *l, CXType type, const char *reason)
{
    ir_value value = emit(l, IR_OPAQUE, pointer_to(l->unit, type), NULL, 0, 0);
    ir_build_text(&l->b, value, reason);
    count_opaque(l->unit, reason);
    return value;
}

ir_value emit_opaque(struct lower *l, CXType type, const char *reason, bool may_barrier,
                     const ir_value *may_write, size_t count)
{
    enum type_class class = type.kind == CXType_Invalid ? CLASS_VOID : classify(type);
    ir_type_id id = IR_NONE;
    ir_value target[8];
    size_t targets = 0;
    for (size_t i = 0; i < count && targets < 7; ++i)
        if (may_write[i] != IR_NONE)
            target[targets++] = may_write[i];
    ir_value object = IR_NONE;
    if (class == CLASS_RECORD || class == CLASS_ARRAY) {
        object = emit_temporary(l, type);
        target[targets++] = object;
    } else if (class != CLASS_VOID && class != CLASS_FUNCTION) {
        id = type_of(l->unit, type);
    }
    ir_value value = emit(l, IR_OPAQUE, id, target, targets, 0);
    ir_build_text(&l->b, value, reason);
    if (may_barrier)
        ir_builder_function(&l->b)->op[value].flags |= IR_MAY_BARRIER;
    count_opaque(l->unit, reason);
    return object != IR_NONE ? object : id == IR_NONE ? IR_NONE : value;
}

ir_value emit_symbol(struct lower *l, CXType type, const char *name)
{
    struct ir_unit *unit = unit_of(l);
    if (classify(type) == CLASS_VOID || classify(type) == CLASS_FUNCTION)
        return IR_NONE;
    ir_type_id id = type_of(l->unit, type);
    ir_global_id global = IR_NONE;
    for (ptrdiff_t i = 0; i < arrlen(unit->global) && global == IR_NONE; ++i)
        if (unit->global[i].owner == l->b.function && unit->global[i].type == id &&
            unit->global[i].space == IR_SPACE_CONSTANT && strcmp(unit->global[i].name, name) == 0)
            global = (ir_global_id)i;
    if (global == IR_NONE) {
        struct ir_global entry = {.name = arena_strdup(&unit->arena, name),
                                  .type = id,
                                  .space = IR_SPACE_CONSTANT,
                                  .owner = l->b.function,
                                  .loc = l->b.loc};
        arrput(unit->global, entry);
        global = (ir_global_id)arrlenu(unit->global) - 1;
    }
    ir_value address = emit(l, IR_GLOBAL, ir_type_pointer(unit, id), NULL, 0, global);
    if (classify(type) == CLASS_RECORD || classify(type) == CLASS_ARRAY)
        return address;
    return emit_load(l, type, address);
}

ir_value to_bool(struct lower *l, ir_value value, CXType from)
{
    if (canonical(from).kind == CXType_Bool)
        return value;
    ir_type_id type = value_type(l, value);
    if (type == ir_type_bool(unit_of(l)))
        return value;
    return emit_binary(l, IR_NE, ir_type_bool(unit_of(l)), value, emit_int(l, type, 0));
}

// A constant number in another arithmetic type.
// The bits of the double that is what a floating type of so many bits makes of the number.
static int64_t rounded(double number, uint32_t bits)
{
    double kept = bits == 32 ? (double)(float)number : number;
    int64_t out;
    memcpy(&out, &kept, sizeof out);
    return out;
}

static bool convert_constant(struct lower *l, ir_value value, ir_type_id target, int64_t *out)
{
    const struct ir_op *op = ir_op_at(ir_builder_function(&l->b), value);
    if (!op || op->code != IR_CONST)
        return false;
    const struct ir_type *from = type_at(l, op->type), *to = type_at(l, target);
    if (from->bits > 64 || to->bits > 64)
        return false;
    double number;
    if (from->kind == IR_TYPE_INT && to->kind == IR_TYPE_INT) {
        *out = wrap(to, op->imm);
    } else if (from->kind == IR_TYPE_INT && to->kind == IR_TYPE_FLOAT) {
        number = from->is_signed ? (double)op->imm : (double)(uint64_t)op->imm;
        *out = rounded(number, to->bits);
    } else if (from->kind == IR_TYPE_FLOAT && to->kind == IR_TYPE_INT) {
        memcpy(&number, &op->imm, sizeof number);
        if (!(number > -9.0e18 && number < 9.0e18))
            return false;
        *out = wrap(to, (int64_t)number);
    } else if (from->kind == IR_TYPE_FLOAT && to->kind == IR_TYPE_FLOAT) {
        memcpy(&number, &op->imm, sizeof number);
        *out = rounded(number, to->bits);
    } else {
        return false;
    }
    return true;
}

static bool is_class_pointer(CXType type)
{
    return is_pointer(type) && is_record(clang_getPointeeType(canonical(type)));
}

ir_value convert(struct lower *l, ir_value value, CXType from, CXType to)
{
    if (value == IR_NONE || classify(to) == CLASS_VOID)
        return IR_NONE;
    if (classify(to) == CLASS_RECORD || classify(to) == CLASS_ARRAY)
        return value;
    ir_type_id target = type_of(l->unit, to);
    ir_type_id source = value_type(l, value);
    if (source == target || target == IR_NONE)
        return value;
    int64_t offset;
    if (is_class_pointer(from) && is_class_pointer(to)) {
        CXType a = clang_getPointeeType(canonical(from)), b = clang_getPointeeType(canonical(to));
        if (base_offset(l->unit, a, b, &offset) && offset)
            return emit_offset(l, value, offset, target);
        if (base_offset(l->unit, b, a, &offset) && offset)
            return emit_offset(l, value, -offset, target);
    }
    if (canonical(to).kind == CXType_Bool)
        return to_bool(l, value, from);
    int64_t constant;
    if (convert_constant(l, value, target, &constant)) {
        struct ir_function *function = ir_builder_function(&l->b);
        if (value + 1 != arrlenu(function->op))
            return emit_int(l, target, constant);
        // Nothing but this conversion knows the operation just made.
        function->op[value].type = target;
        function->op[value].imm = constant;
        return value;
    }
    return emit(l, IR_CAST, target, &value, 1, 0);
}

bool evaluate(struct lower *l, CXCursor expression, int64_t *out)
{
    CXType type = clang_getCursorType(expression);
    if (!is_integral(type) || size_of(type) > 8)
        return false;
    if (l && has_error_inside(l->unit, expression))
        return false; // what is lost there counts as 0
    CXEvalResult result = clang_Cursor_Evaluate(expression);
    if (!result)
        return false;
    bool is_int = clang_EvalResult_getKind(result) == CXEval_Int;
    if (is_int)
        *out = clang_EvalResult_isUnsignedInt(result)
                   ? (int64_t)clang_EvalResult_getAsUnsigned(result)
                   : (int64_t)clang_EvalResult_getAsLongLong(result);
    clang_EvalResult_dispose(result);
    return is_int;
}

bool evaluate_floating(CXCursor expression, int64_t *out)
{
    CXEvalResult result = clang_Cursor_Evaluate(expression);
    bool is_floating = result && clang_EvalResult_getKind(result) == CXEval_Float;
    double number = is_floating ? clang_EvalResult_getAsDouble(result) : 0;
    if (result)
        clang_EvalResult_dispose(result);
    memcpy(out, &number, sizeof number);
    return is_floating;
}

ir_value place_address(struct lower *l, const struct place *place, CXType type)
{
    switch (place->kind) {
    case PLACE_LOCAL:
        return emit_local(l, place->number);
    case PLACE_GLOBAL: {
        ir_type_id id = ir_type_pointer(unit_of(l), unit_of(l)->global[place->number].type);
        return emit(l, IR_GLOBAL, id, NULL, 0, place->number);
    }
    case PLACE_VALUE:
        break;
    }
    (void)type;
    return place->number;
}
