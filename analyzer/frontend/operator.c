// Built-in operators. Operators of classes are calls.
#include "frontend/lower.h"

#include <string.h>

static bool binary_code(enum CXBinaryOperatorKind kind, enum ir_op_code *out)
{
    switch (kind) {
    case CXBinaryOperator_Mul:
    case CXBinaryOperator_MulAssign:
        *out = IR_MUL;
        return true;
    case CXBinaryOperator_Div:
    case CXBinaryOperator_DivAssign:
        *out = IR_DIV;
        return true;
    case CXBinaryOperator_Rem:
    case CXBinaryOperator_RemAssign:
        *out = IR_REM;
        return true;
    case CXBinaryOperator_Add:
    case CXBinaryOperator_AddAssign:
        *out = IR_ADD;
        return true;
    case CXBinaryOperator_Sub:
    case CXBinaryOperator_SubAssign:
        *out = IR_SUB;
        return true;
    case CXBinaryOperator_Shl:
    case CXBinaryOperator_ShlAssign:
        *out = IR_SHL;
        return true;
    case CXBinaryOperator_Shr:
    case CXBinaryOperator_ShrAssign:
        *out = IR_SHR;
        return true;
    case CXBinaryOperator_And:
    case CXBinaryOperator_AndAssign:
        *out = IR_AND;
        return true;
    case CXBinaryOperator_Xor:
    case CXBinaryOperator_XorAssign:
        *out = IR_XOR;
        return true;
    case CXBinaryOperator_Or:
    case CXBinaryOperator_OrAssign:
        *out = IR_OR;
        return true;
    case CXBinaryOperator_LT:
        *out = IR_LT;
        return true;
    case CXBinaryOperator_GT:
        *out = IR_GT;
        return true;
    case CXBinaryOperator_LE:
        *out = IR_LE;
        return true;
    case CXBinaryOperator_GE:
        *out = IR_GE;
        return true;
    case CXBinaryOperator_EQ:
        *out = IR_EQ;
        return true;
    case CXBinaryOperator_NE:
        *out = IR_NE;
        return true;
    default:
        return false;
    }
}

static bool is_comparison(enum ir_op_code code)
{
    return code >= IR_EQ && code <= IR_GE;
}

// A parameter declared as an array is a pointer that libclang shows with the array's type.
static bool points(CXType type)
{
    return is_pointer(type) || classify(type) == CLASS_ARRAY;
}

static CXType pointee(CXType type)
{
    return is_pointer(type) ? clang_getPointeeType(canonical(type)) : array_element(type);
}

// How far one step of a pointer goes, in bytes.
static int64_t pointer_step(CXType pointer)
{
    uint64_t size = size_of(pointee(pointer));
    return size ? (int64_t)size : 1;
}

static ir_value pointer_add(struct lower *l, ir_value pointer, CXType type, ir_value index,
                            bool subtract)
{
    int64_t step = pointer_step(type);
    return emit_index(l, pointer, index, subtract ? -step : step,
                      pointer_to(l->unit, pointee(type)));
}

// An operator on two values of the given types; the result has type `type`.
static ir_value apply(struct lower *l, enum ir_op_code code, ir_value a, CXType a_type, ir_value b,
                      CXType b_type, CXType type)
{
    if (points(a_type) && points(b_type) && code == IR_SUB) {
        ir_type_id result = type_of(l->unit, type);
        ir_value bytes = emit(l, IR_SUB, result, (ir_value[]){a, b}, 2, 0);
        int64_t step = pointer_step(a_type);
        return step == 1 ? bytes : emit_binary(l, IR_DIV, result, bytes, emit_int(l, result, step));
    }
    if (points(a_type) && (code == IR_ADD || code == IR_SUB))
        return pointer_add(l, a, a_type, b, code == IR_SUB);
    if (points(b_type) && code == IR_ADD)
        return pointer_add(l, b, b_type, a, false);
    if (is_comparison(code))
        return emit_binary(l, code, ir_type_bool(unit_of(l)), a, b);
    return emit_binary(l, code, type_of(l->unit, type), a, b);
}

bool is_simple(struct lower *l, CXCursor e)
{
    switch (clang_getCursorKind(e)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_FloatingLiteral:
    case CXCursor_UnaryExpr:
    case CXCursor_SizeOfPackExpr:
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_CXXThisExpr:
        return true;
    case CXCursor_DeclRefExpr:
        return true;
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXFunctionalCastExpr: {
        CXCursor child = last_child(l, e);
        return !cursor_is_null(child) && classify(clang_getCursorType(e)) == CLASS_SCALAR &&
               is_simple(l, child);
    }
    case CXCursor_MemberRefExpr: {
        CXCursor child = only_child(l, e);
        return cursor_is_null(child) ||
               (!is_pointer(clang_getCursorType(child)) && is_simple(l, child)) ||
               clang_getCursorKind(child) == CXCursor_CXXThisExpr;
    }
    case CXCursor_UnaryOperator: {
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(e);
        CXCursor child = only_child(l, e);
        return !cursor_is_null(child) && is_simple(l, child) &&
               (kind == CXUnaryOperator_Plus || kind == CXUnaryOperator_Minus ||
                kind == CXUnaryOperator_Not || kind == CXUnaryOperator_LNot);
    }
    case CXCursor_BinaryOperator: {
        enum ir_op_code code;
        struct children children = children_of(scratch_of(l), e);
        return children.count == 2 && binary_code(clang_getCursorBinaryOperatorKind(e), &code) &&
               code != IR_DIV && code != IR_REM && is_simple(l, children.item[0]) &&
               is_simple(l, children.item[1]);
    }
    default:
        return false;
    }
}

// The type the operator of a compound assignment works in: libclang does not show the conversion
// of the left side, which follows from the operand types.
static CXType common_type(CXType a, CXType b, enum ir_op_code code)
{
    if (points(a) || code == IR_SHL || code == IR_SHR)
        return a;
    if (is_floating(a) || is_floating(b))
        return is_floating(a) && (!is_floating(b) || size_of(a) >= size_of(b)) ? a : b;
    return size_of(b) >= size_of(a) && size_of(b) >= 4 ? b : a;
}

// && and || as a value.
static ir_value lower_logical(struct lower *l, CXCursor e, const struct children *children)
{
    ir_type_id type = ir_type_bool(unit_of(l));
    bool is_and = clang_getCursorBinaryOperatorKind(e) == CXBinaryOperator_LAnd;
    if (is_simple(l, children->item[0]) && is_simple(l, children->item[1])) {
        ir_value a =
            to_bool(l, lower_value(l, children->item[0]), clang_getCursorType(children->item[0]));
        ir_value b =
            to_bool(l, lower_value(l, children->item[1]), clang_getCursorType(children->item[1]));
        return emit_binary(l, is_and ? IR_AND : IR_OR, type, a, b);
    }
    uint32_t local = ir_build_local(&l->b, "", type);
    emit(l, IR_DECLARE, IR_NONE, NULL, 0, local);
    ir_value slot = emit_local(l, local);
    ir_block_id yes = ir_build_block(&l->b), no = ir_build_block(&l->b);
    ir_block_id end = ir_build_block(&l->b);
    lower_condition(l, e, yes, no, false);
    go(l, yes);
    emit(l, IR_STORE, IR_NONE, (ir_value[]){slot, emit_bool(l, true)}, 2, 0);
    jump_to(l, end);
    go(l, no);
    emit(l, IR_STORE, IR_NONE, (ir_value[]){slot, emit_bool(l, false)}, 2, 0);
    jump_to(l, end);
    go(l, end);
    return emit(l, IR_LOAD, type, &slot, 1, 0);
}

// In a template an operator can be of a dependent type although its operands are not.
static CXType pattern_result(enum CXBinaryOperatorKind kind, CXType a, CXType b)
{
    if (is_pointer(b))
        return b;
    if (is_pointer(a) || kind == CXBinaryOperator_Shl || kind == CXBinaryOperator_Shr)
        return a;
    return common_type(a, b, IR_ADD);
}

ir_value lower_binary(struct lower *l, CXCursor e)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
    struct children children = children_of(scratch_of(l), e);
    CXType type = clang_getCursorType(e);
    enum ir_op_code code;
    if (children.count != 2)
        return lower_unknown(l, e, "binary operator");
    CXCursor left = children.item[0], right = children.item[1];
    if (kind == CXBinaryOperator_Assign)
        return lower_assign(l, e, false);
    if (kind == CXBinaryOperator_Comma) {
        lower_discard(l, left);
        return lower_value(l, right);
    }
    CXType a_type = clang_getCursorType(left), b_type = clang_getCursorType(right);
    if (is_dependent(type) && classify(a_type) == CLASS_SCALAR && classify(b_type) == CLASS_SCALAR)
        type = pattern_result(kind, a_type, b_type);
    if (is_dependent(type) || is_dependent(a_type) || is_dependent(b_type)) {
        // Short circuits keep their control flow even where types are not known.
        if (kind != CXBinaryOperator_LAnd && kind != CXBinaryOperator_LOr)
            return lower_unknown(l, e, "operator on dependent types");
    }
    if (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)
        return lower_logical(l, e, &children);
    if (!binary_code(kind, &code))
        return lower_unknown(l, e, "operator on a member pointer");
    ir_value a = lower_value(l, left), b = lower_value(l, right);
    if (a == IR_NONE || b == IR_NONE)
        return emit_opaque(l, type, "operand without a value", false, NULL, 0);
    return apply(l, code, a, a_type, b, b_type, type);
}

// `!` where the operand's type is not known: what is asked is whether it is true.
static ir_value lower_not(struct lower *l, CXCursor child)
{
    ir_type_id truth = ir_type_bool(unit_of(l));
    ir_value value = lower_value(l, child);
    if (value == IR_NONE)
        value = emit_bool(l, true);
    value = to_bool(l, value, clang_getCursorType(child));
    return emit_binary(l, IR_EQ, truth, value, emit_bool(l, false));
}

ir_value lower_unary(struct lower *l, CXCursor e)
{
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(e);
    CXType type = clang_getCursorType(e);
    CXCursor child = only_child(l, e);
    if (cursor_is_null(child))
        return lower_unknown(l, e, "unary operator");
    CXType inner = clang_getCursorType(child);
    switch (kind) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        return lower_increment(l, e, false);
    case CXUnaryOperator_AddrOf:
        if (clang_getCursorKind(strip(l, child)) == CXCursor_DeclRefExpr &&
            canonical(type).kind == CXType_MemberPointer)
            return emit_opaque(l, type, "pointer to member", false, NULL, 0);
        return lower_address(l, child);
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return lower_value(l, child);
    default:
        break;
    }
    if (is_dependent(type) && kind == CXUnaryOperator_LNot)
        return lower_not(l, child);
    if (is_dependent(type) && classify(inner) == CLASS_SCALAR)
        type = inner;
    if (is_dependent(type) || is_dependent(inner))
        return lower_unknown(l, e, "operator on dependent types");
    ir_value value = lower_value(l, child);
    if (value == IR_NONE)
        return emit_opaque(l, type, "operand without a value", false, NULL, 0);
    ir_type_id target = type_of(l->unit, type);
    int64_t number;
    bool is_constant = const_of(l, value, &number);
    switch (kind) {
    case CXUnaryOperator_Minus:
        if (is_constant)
            return emit_binary(l, IR_SUB, target, emit_int(l, target, 0), value);
        return emit(l, IR_NEG, target, &value, 1, 0);
    case CXUnaryOperator_Not:
        if (is_constant)
            return emit_binary(l, IR_XOR, target, value, emit_int(l, target, -1));
        return emit(l, IR_NOT, target, &value, 1, 0);
    case CXUnaryOperator_LNot: {
        value = to_bool(l, value, inner);
        ir_type_id truth = ir_type_bool(unit_of(l));
        value = emit_binary(l, IR_EQ, truth, value, emit_bool(l, false));
        return convert(l, value, inner, type);
    }
    default:
        return lower_unknown(l, e, "unary operator");
    }
}

ir_value lower_increment(struct lower *l, CXCursor e, bool as_address)
{
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(e);
    bool is_post = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
    bool is_down = kind == CXUnaryOperator_PreDec || kind == CXUnaryOperator_PostDec;
    CXCursor child = only_child(l, e);
    CXType type = clang_getCursorType(child);
    if (is_dependent(type))
        return lower_unknown(l, e, "operator on dependent types");
    CXCursor bits = clang_getNullCursor();
    ir_value variable = decayed_variable(l, child);
    if (variable != IR_NONE) {
        ir_value pointer = load_pointer(l, variable);
        ir_value one = emit_int(l, ir_type_int(unit_of(l), 64, true), 1);
        ir_value moved = pointer_add(l, pointer, type, one, is_down);
        emit(l, IR_STORE, IR_NONE, (ir_value[]){variable, moved}, 2, 0);
        return as_address || !is_post ? moved : pointer;
    }
    ir_value address = is_member_of_bits(l, child) ? lower_member(l, strip(l, child), &bits)
                                                   : lower_address(l, child);
    ir_value old = cursor_is_null(bits) ? emit_load(l, type, address) : load_bits(l, bits, address);
    ir_value value;
    ir_type_id id = type_of(l->unit, type);
    if (is_pointer(type)) {
        ir_value one = emit_int(l, ir_type_int(unit_of(l), 64, true), 1);
        value = pointer_add(l, old, type, one, is_down);
    } else if (is_floating(type)) {
        double number = 1;
        int64_t image;
        memcpy(&image, &number, sizeof image);
        value = emit_binary(l, is_down ? IR_SUB : IR_ADD, id, old, emit_int(l, id, image));
    } else if (canonical(type).kind == CXType_Bool) {
        value = emit_bool(l, true);
    } else {
        value = emit_binary(l, is_down ? IR_SUB : IR_ADD, id, old, emit_int(l, id, 1));
    }
    if (cursor_is_null(bits))
        emit_store(l, type, address, value);
    else
        store_bits(l, bits, address, value);
    if (as_address)
        return address;
    return is_post ? old : value;
}

// A call is dependent for its arguments' sake, though the one function of its name says what type
// comes back. `plain`: nothing is done with the value but to store it.
static ir_value assign_dependent(struct lower *l, CXCursor left, CXCursor right, CXType type,
                                 bool plain, bool as_address)
{
    bool is_scalar = plain && classify(type) == CLASS_SCALAR;
    ir_value value = IR_NONE;
    if (is_scalar)
        value = lower_value(l, right);
    else
        lower_discard(l, right);
    if (!is_glvalue(l, left) || is_member_of_bits(l, left))
        return lower_unknown(l, left, "assignment to a dependent type");
    ir_value address = lower_address(l, left);
    if (value != IR_NONE && value_type(l, value) == type_of(l->unit, type)) {
        emit_store(l, type, address, value);
        return as_address ? address : value;
    }
    return emit_opaque(l, type, "assignment to a dependent type", false, &address, 1);
}

ir_value lower_assign(struct lower *l, CXCursor e, bool as_address)
{
    struct children children = children_of(scratch_of(l), e);
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
    if (children.count != 2)
        return lower_unknown(l, e, "assignment");
    CXCursor left = children.item[0], right = children.item[1];
    CXType type = clang_getCursorType(left), right_type = clang_getCursorType(right);
    enum ir_op_code code;
    bool is_compound = kind != CXBinaryOperator_Assign;
    if (is_dependent(type) || is_dependent(right_type) ||
        (is_compound && !binary_code(kind, &code)))
        return assign_dependent(l, left, right, type, !is_compound, as_address);
    enum type_class class = classify(type);
    ir_value variable = decayed_variable(l, left);
    if (variable != IR_NONE) {
        ir_value moved = lower_value(l, right);
        if (is_compound && moved != IR_NONE)
            moved = apply(l, code, load_pointer(l, variable), type, moved, right_type, type);
        if (moved != IR_NONE)
            emit(l, IR_STORE, IR_NONE, (ir_value[]){variable, moved}, 2, 0);
        return moved;
    }
    if (class == CLASS_RECORD || class == CLASS_ARRAY) {
        ir_value from = lower_address(l, right), to = lower_address(l, left);
        emit(l, IR_COPY, IR_NONE, (ir_value[]){to, from}, 2, (int64_t)size_of(type));
        return to;
    }
    CXCursor bits = clang_getNullCursor();
    ir_value value = lower_value(l, right); // the right side comes first since C++17
    ir_value address = is_member_of_bits(l, left) ? lower_member(l, strip(l, left), &bits)
                                                  : lower_address(l, left);
    if (value == IR_NONE)
        value = emit_opaque(l, right_type, "operand without a value", false, NULL, 0);
    if (is_compound) {
        ir_value old =
            cursor_is_null(bits) ? emit_load(l, type, address) : load_bits(l, bits, address);
        CXType common = common_type(type, right_type, code);
        if (!is_pointer(type)) {
            old = convert(l, old, type, common);
            if (code != IR_SHL && code != IR_SHR)
                value = convert(l, value, right_type, common);
        }
        value = apply(l, code, old, common, value, is_pointer(type) ? right_type : common, common);
        value = convert(l, value, common, type);
    } else {
        value = convert(l, value, right_type, type);
    }
    if (cursor_is_null(bits))
        emit_store(l, type, address, value);
    else
        store_bits(l, bits, address, value);
    return as_address ? address : value;
}

static void conditional_arm(struct lower *l, CXCursor arm, CXType type, ir_value slot,
                            bool as_address, ir_block_id end)
{
    size_t depth = arrlenu(l->cleanup);
    if (as_address) {
        ir_value address = lower_address(l, arm);
        if (address != IR_NONE)
            emit(l, IR_STORE, IR_NONE, (ir_value[]){slot, address}, 2, 0);
    } else if (slot == IR_NONE) {
        lower_discard(l, arm);
    } else {
        lower_into(l, arm, type, slot);
    }
    cleanup_run(l, depth, true);
    jump_to(l, end);
}

ir_value lower_conditional(struct lower *l, CXCursor e, bool as_address, ir_value into)
{
    struct children children = children_of(scratch_of(l), e);
    CXType type = clang_getCursorType(e);
    if (children.count != 3)
        return lower_unknown(l, e, "conditional");
    enum type_class class = classify(type);
    if (class == CLASS_DEPENDENT)
        return lower_unknown(l, e, "conditional of a dependent type");
    if (!as_address && class == CLASS_SCALAR && is_simple(l, children.item[1]) &&
        is_simple(l, children.item[2])) {
        CXType condition_type = clang_getCursorType(children.item[0]);
        ir_value condition = lower_value(l, children.item[0]);
        if (condition == IR_NONE)
            condition = emit_opaque(l, condition_type, "condition", false, NULL, 0);
        condition = to_bool(l, condition, condition_type);
        int64_t number;
        if (const_of(l, condition, &number))
            return lower_value(l, children.item[number ? 1 : 2]);
        ir_value a = lower_value(l, children.item[1]), b = lower_value(l, children.item[2]);
        if (a != IR_NONE && b != IR_NONE)
            return emit(l, IR_SELECT, type_of(l->unit, type), (ir_value[]){condition, a, b}, 3, 0);
    }
    ir_value slot = IR_NONE;
    if (as_address) {
        ir_type_id pointer = pointer_to(l->unit, type);
        uint32_t local = ir_build_local(&l->b, "", pointer);
        emit(l, IR_DECLARE, IR_NONE, NULL, 0, local);
        slot = emit_local(l, local);
    } else if (class != CLASS_VOID) {
        slot = into == IR_NONE ? emit_temporary(l, type) : into;
    }
    ir_block_id yes = ir_build_block(&l->b), no = ir_build_block(&l->b);
    ir_block_id end = ir_build_block(&l->b);
    lower_condition(l, children.item[0], yes, no, false);
    go(l, yes);
    conditional_arm(l, children.item[1], type, slot, as_address, end);
    go(l, no);
    conditional_arm(l, children.item[2], type, slot, as_address, end);
    go(l, end);
    if (as_address)
        return emit(l, IR_LOAD, pointer_to(l->unit, type), &slot, 1, 0);
    if (class == CLASS_VOID)
        return IR_NONE;
    return class == CLASS_SCALAR ? emit_load(l, type, slot) : slot;
}
