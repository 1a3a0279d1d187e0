// Conversions: those the language makes, which libclang shows as unexposed expressions with the
// type they convert to, and those that are written.
#include "frontend/lower.h"

// The address of a class object as one of its bases, or as a class derived from it.
static ir_value class_address(struct lower *l, ir_value address, CXType from, CXType to)
{
    int64_t offset;
    if (address == IR_NONE || !is_record(from) || !is_record(to) || same_type(from, to))
        return address;
    if (base_offset(l->unit, from, to, &offset))
        return emit_offset(l, address, offset, pointer_to(l->unit, to));
    if (base_offset(l->unit, to, from, &offset))
        return emit_offset(l, address, -offset, pointer_to(l->unit, to));
    return address;
}

// `a ?: b`: the common value, its condition and the two results.
static ir_value lower_elvis(struct lower *l, CXCursor e, const struct children *children)
{
    CXType type = clang_getCursorType(e);
    CXType common_type = clang_getCursorType(children->item[0]);
    ir_value common = lower_value(l, children->item[0]);
    if (common == IR_NONE || classify(type) != CLASS_SCALAR)
        return lower_unknown(l, e, "conditional with an omitted operand");
    ir_value slot = emit_temporary(l, type);
    emit_store(l, type, slot, convert(l, common, common_type, type));
    ir_block_id other = ir_build_block(&l->b), end = ir_build_block(&l->b);
    ir_build_condbr(&l->b, to_bool(l, common, common_type), end, other);
    go(l, other);
    ir_value value = lower_value(l, children->item[3]);
    emit_store(l, type, slot, convert(l, value, clang_getCursorType(children->item[3]), type));
    jump_to(l, end);
    go(l, end);
    return emit_load(l, type, slot);
}

static ir_value unexposed_leaf(struct lower *l, CXCursor e)
{
    CXType type = clang_getCursorType(e);
    enum type_class class = classify(type);
    int64_t number;
    if (evaluate(l, e, &number))
        return emit_int(l, type_of(l->unit, type), number);
    if (class == CLASS_RECORD || class == CLASS_ARRAY) {
        ir_value address = emit_temporary(l, type);
        emit_zero(l, type, address);
        return address;
    }
    // `float()`, and the value of what an initializer list leaves out.
    if (class == CLASS_SCALAR)
        return emit_int(l, type_of(l->unit, type), 0);
    if (class == CLASS_VOID)
        return IR_NONE;
    l->is_lost |= !l->is_pattern;
    return emit_opaque(l, type, "dependent name", l->is_pattern, NULL, 0);
}

// What is worked out from a parameter that is declared as an array is a pointer, although libclang
// shows it with the array's type: `bars + i`.
static bool is_arithmetic(struct lower *l, CXCursor e)
{
    CXCursor inner = strip(l, e);
    enum CXCursorKind kind = clang_getCursorKind(inner);
    if (kind == CXCursor_UnaryOperator)
        return clang_getCursorUnaryOperatorKind(inner) != CXUnaryOperator_Deref;
    if (kind == CXCursor_CompoundAssignOperator)
        return true;
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(inner);
    return kind == CXCursor_BinaryOperator &&
           (op == CXBinaryOperator_Add || op == CXBinaryOperator_Sub ||
            op == CXBinaryOperator_Assign);
}

static bool is_function_type(CXType type)
{
    return classify(type) == CLASS_FUNCTION;
}

static ir_value unexposed_address(struct lower *l, CXCursor child, CXType type)
{
    CXType inner = clang_getCursorType(child);
    enum type_class class = classify(type);
    if (class == CLASS_RECORD && is_record(inner))
        return class_address(l, lower_address(l, child), inner, type);
    if (class == CLASS_RECORD || class == CLASS_ARRAY || class == CLASS_FUNCTION)
        return lower_address(l, child);
    if (same_type(type, inner))
        return lower_address(l, child);
    return IR_NONE;
}

// Outside of templates only what clang could not make sense of has a dependent type.
static const char *unknown_reason(struct lower *l)
{
    return l->is_pattern ? "dependent expression" : "expression lost to a parse error";
}

// A name that nobody can resolve stands for an object, wherever that is: not for a copy of it.
static ir_value leaf_address(struct lower *l, CXCursor e)
{
    CXType type = clang_getCursorType(e);
    if (classify(type) != CLASS_DEPENDENT)
        return IR_NONE;
    l->is_lost |= !l->is_pattern;
    return emit_unknown_place(l, type, "dependent name");
}

ir_value lower_unexposed(struct lower *l, CXCursor e, bool as_address)
{
    struct children all = children_of(scratch_of(l), e);
    struct children children = {.item = arena_array(scratch_of(l), CXCursor, all.count + 1)};
    for (size_t i = 0; i < all.count; ++i)
        if (is_expression(all.item[i]))
            children.item[children.count++] = all.item[i];
    CXType type = clang_getCursorType(e);
    if (children.count == 0)
        return as_address ? leaf_address(l, e) : unexposed_leaf(l, e);
    if (children.count == 1 && as_address)
        return unexposed_address(l, children.item[0], type);
    if (as_address)
        return IR_NONE;
    // offsetof has the numbers in its type and its member for children: Store<32>, item[3].
    int64_t number;
    if (clang_getCursorKind(children.item[0]) == CXCursor_IntegerLiteral &&
        classify(type) == CLASS_SCALAR && evaluate(l, e, &number))
        return emit_int(l, type_of(l->unit, type), number);
    if (children.count == 4 && !is_dependent(type))
        return lower_elvis(l, e, &children);
    if (children.count != 1)
        return lower_unknown(l, e, is_dependent(type) ? unknown_reason(l) : "unexposed expression");
    CXCursor child = children.item[0];
    CXType inner = clang_getCursorType(child);
    enum type_class class = classify(type);
    if (class == CLASS_VOID) {
        lower_discard(l, child);
        return IR_NONE;
    }
    if (class == CLASS_DEPENDENT || (is_dependent(inner) && class != CLASS_SCALAR))
        return lower_unknown(l, e, unknown_reason(l));
    if (is_function_type(inner) || (classify(inner) == CLASS_ARRAY && !is_arithmetic(l, child)))
        return lower_address(l, child);
    if (class == CLASS_RECORD)
        return class_address(l, lower_value(l, child), inner, type);
    if (class == CLASS_ARRAY)
        return lower_value(l, child);
    return convert(l, lower_value(l, child), inner, type);
}

static ir_value reference_cast(struct lower *l, CXCursor child, CXType type, bool as_address,
                               bool reinterpret)
{
    CXType inner = clang_getCursorType(child);
    ir_value address = lower_address(l, child);
    if (address == IR_NONE)
        return IR_NONE;
    if (!reinterpret)
        address = class_address(l, address, inner, type);
    ir_type_id pointer = pointer_to(l->unit, type);
    if (!same_type(inner, type) && value_type(l, address) != pointer)
        address = emit(l, IR_CAST, pointer, &address, 1, 0);
    if (as_address || classify(type) != CLASS_SCALAR)
        return address;
    return emit_load(l, type, address);
}

ir_value lower_cast(struct lower *l, CXCursor e, bool as_address)
{
    enum CXCursorKind kind = clang_getCursorKind(e);
    CXType type = clang_getCursorType(e);
    enum type_class class = classify(type);
    CXCursor child = last_child(l, e);
    if (cursor_is_null(child)) {
        if (as_address)
            return IR_NONE;
        return unexposed_leaf(l, e);
    }
    if (class == CLASS_VOID) {
        l->use = USE_DROP;
        lower_discard(l, child);
        return IR_NONE;
    }
    if (class == CLASS_DEPENDENT)
        return as_address ? IR_NONE : lower_unknown(l, e, "cast to a dependent type");
    bool reinterpret = kind == CXCursor_CXXReinterpretCastExpr;
    CXType inner = clang_getCursorType(child);
    if (is_function_type(inner))
        return as_address ? IR_NONE : lower_address(l, child);
    if (l->is_pattern && classify(inner) == CLASS_ARRAY && is_pointer(type) && !as_address) {
        // A cast to a dependent type leaves out that the array becomes a pointer.
        ir_value address = lower_address(l, child);
        ir_type_id pointer = type_of(l->unit, type);
        return address == IR_NONE ? address : emit(l, IR_CAST, pointer, &address, 1, 0);
    }
    if (is_glvalue(l, child) && class != CLASS_FUNCTION && !is_dependent(inner))
        return reference_cast(l, child, type, as_address, reinterpret);
    if (as_address)
        return class == CLASS_RECORD && is_record(inner) ? lower_address(l, child) : IR_NONE;
    if (is_dependent(inner))
        return lower_unknown(l, e, "cast of a dependent value");
    ir_value value = lower_value(l, child);
    if (!reinterpret || value == IR_NONE)
        return convert(l, value, inner, type);
    ir_type_id target = type_of(l->unit, type);
    return value_type(l, value) == target ? value : emit(l, IR_CAST, target, &value, 1, 0);
}
