// Expressions: names, members, elements, literals, and which way each kind is lowered.
#include "frontend/lower.h"

#include <string.h>

enum { EXPRESSION_DEPTH = 300 };

CXCursor only_child(struct lower *l, CXCursor e)
{
    struct children children = children_of(scratch_of(l), e);
    CXCursor found = clang_getNullCursor();
    for (size_t i = 0; i < children.count; ++i) {
        if (!is_expression(children.item[i]))
            continue;
        if (!cursor_is_null(found))
            return clang_getNullCursor();
        found = children.item[i];
    }
    return found;
}

CXCursor last_child(struct lower *l, CXCursor e)
{
    struct children children = children_of(scratch_of(l), e);
    for (size_t i = children.count; i > 0; --i)
        if (is_expression(children.item[i - 1]))
            return children.item[i - 1];
    return clang_getNullCursor();
}

CXCursor strip(struct lower *l, CXCursor e)
{
    for (unsigned i = 0; i < 64; ++i) {
        enum CXCursorKind kind = clang_getCursorKind(e);
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr)
            return e;
        CXCursor child = only_child(l, e);
        if (cursor_is_null(child))
            return e;
        e = child;
    }
    return e;
}

// Whether what looks like a call is an operator with a number on its left, `sum += tile[at]` in a
// template: a number is not called.
static bool begins_with_number(struct lower *l, CXCursor e)
{
    struct children children = children_of(scratch_of(l), e);
    if (clang_getCursorKind(e) != CXCursor_CallExpr || children.count == 0 ||
        !is_expression(children.item[0]))
        return false;
    CXType type = clang_getCursorType(children.item[0]);
    return !is_dependent(type) && classify(type) == CLASS_SCALAR && !is_pointer(type);
}

ir_value lower_unknown(struct lower *l, CXCursor e, const char *reason)
{
    struct children children = children_of(scratch_of(l), e);
    ir_value address[4];
    size_t count = 0;
    for (size_t i = 0; i < children.count; ++i) {
        CXCursor child = children.item[i];
        if (!is_expression(child) || clang_getCursorKind(child) == CXCursor_LambdaExpr)
            continue;
        CXType type = clang_getCursorType(child);
        if (count < 4 && !is_dependent(type) && is_glvalue(l, child) &&
            !is_member_of_bits(l, child))
            address[count++] = lower_address(l, child);
        else
            lower_discard(l, child);
    }
    // Outside of templates, only errors leave types unknown.
    l->is_lost |= !l->is_pattern && is_dependent(clang_getCursorType(e));
    // Operators and names of dependent types hide no barrier; calls may.
    enum CXCursorKind kind = clang_getCursorKind(e);
    bool is_call = kind == CXCursor_CallExpr && !begins_with_number(l, e);
    bool may_barrier = is_call || kind == CXCursor_UnexposedExpr || clang_isStatement(kind);
    return emit_opaque(l, clang_getCursorType(e), reason, may_barrier, address, count);
}

// --- Literals --------------------------------------------------------------------------------

static ir_value lower_string(struct lower *l, CXCursor e)
{
    struct ir_unit *unit = unit_of(l);
    CXType type = clang_getCursorType(e);
    const char *text = cursor_name(scratch_of(l), e);
    struct ir_global global = {.name = arena_strndup(&unit->arena, text, strnlen(text, 200)),
                               .type = type_of(l->unit, type),
                               .space = IR_SPACE_CONSTANT,
                               .owner = IR_NONE,
                               .loc = l->b.loc};
    global.align = unit->type[global.type].align;
    arrput(unit->global, global);
    ir_type_id pointer = ir_type_pointer(unit, global.type);
    return emit(l, IR_GLOBAL, pointer, NULL, 0, (int64_t)arrlen(unit->global) - 1);
}

static ir_value lower_floating(struct lower *l, CXCursor e)
{
    int64_t bits = 0;
    (void)evaluate_floating(e, &bits);
    return emit_int(l, type_of(l->unit, clang_getCursorType(e)), bits);
}

// --- The kinds -------------------------------------------------------------------------------

bool is_glvalue(struct lower *l, CXCursor e)
{
    switch (clang_getCursorKind(e)) {
    case CXCursor_DeclRefExpr: {
        CXCursor decl = clang_getCursorReferenced(e);
        if (cursor_is_null(decl))
            return false;
        enum CXCursorKind kind = clang_getCursorKind(decl);
        return kind != CXCursor_EnumConstantDecl && kind != CXCursor_NonTypeTemplateParameter &&
               kind != CXCursor_OverloadedDeclRef;
    }
    case CXCursor_MemberRefExpr: {
        enum CXCursorKind kind = clang_getCursorKind(clang_getCursorReferenced(e));
        return kind == CXCursor_FieldDecl || is_variable(clang_getCursorReferenced(e));
    }
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_StringLiteral:
    case CXCursor_CompoundAssignOperator:
    case CXCursor_CompoundLiteralExpr:
        return true;
    case CXCursor_UnaryOperator: {
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(e);
        return kind == CXUnaryOperator_Deref || kind == CXUnaryOperator_PreInc ||
               kind == CXUnaryOperator_PreDec;
    }
    case CXCursor_BinaryOperator: {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
        if (kind == CXBinaryOperator_Comma) {
            struct children children = children_of(scratch_of(l), e);
            return children.count == 2 && is_glvalue(l, children.item[1]);
        }
        return kind == CXBinaryOperator_Assign || kind == CXBinaryOperator_PtrMemD ||
               kind == CXBinaryOperator_PtrMemI;
    }
    case CXCursor_ConditionalOperator: {
        struct children children = children_of(scratch_of(l), e);
        return children.count == 3 && is_glvalue(l, children.item[1]) &&
               is_glvalue(l, children.item[2]);
    }
    case CXCursor_CallExpr:
        return call_returns_reference(l, e);
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CXXDynamicCastExpr: {
        CXCursor child = last_child(l, e);
        if (cursor_is_null(child) || classify(clang_getCursorType(e)) == CLASS_VOID)
            return false;
        return is_glvalue(l, child);
    }
    case CXCursor_UnexposedExpr: {
        CXCursor child = only_child(l, e);
        if (cursor_is_null(child))
            return false;
        CXType type = clang_getCursorType(e), inner = clang_getCursorType(child);
        if (is_record(type) && is_record(inner))
            return is_glvalue(l, child);
        if (!same_type(type, inner) || !is_glvalue(l, child))
            return false;
        // Adding a qualifier keeps a glvalue; the same scalar type or a lost qualifier is a load.
        return clang_isConstQualifiedType(type) && !clang_isConstQualifiedType(inner);
    }
    default:
        return false;
    }
}

static ir_value address_of_kind(struct lower *l, CXCursor e)
{
    CXCursor bits;
    switch (clang_getCursorKind(e)) {
    case CXCursor_ParenExpr: {
        CXCursor child = only_child(l, e);
        return cursor_is_null(child) ? IR_NONE : lower_address(l, child);
    }
    case CXCursor_UnexposedExpr:
        return lower_unexposed(l, e, true);
    case CXCursor_DeclRefExpr:
        return is_glvalue(l, e) ? lower_name(l, e) : IR_NONE;
    case CXCursor_MemberRefExpr: {
        ir_value address = lower_member(l, e, &bits);
        if (cursor_is_null(bits) || address == IR_NONE)
            return address;
        // A reference to a bit-field binds to a copy.
        CXType type = clang_getCursorType(e);
        ir_value copy = emit_temporary(l, type);
        emit_store(l, type, copy, load_bits(l, bits, address));
        return copy;
    }
    case CXCursor_ArraySubscriptExpr:
        return lower_subscript(l, e);
    case CXCursor_UnaryOperator: {
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(e);
        CXCursor child = only_child(l, e);
        if (kind == CXUnaryOperator_Deref && !cursor_is_null(child))
            return lower_value(l, child);
        if (kind == CXUnaryOperator_PreInc || kind == CXUnaryOperator_PreDec)
            return lower_increment(l, e, true);
        if (kind == CXUnaryOperator_Extension && !cursor_is_null(child))
            return lower_address(l, child);
        return IR_NONE;
    }
    case CXCursor_CompoundAssignOperator:
        return lower_assign(l, e, true);
    case CXCursor_BinaryOperator: {
        enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
        struct children children = children_of(scratch_of(l), e);
        if (kind == CXBinaryOperator_Assign)
            return lower_assign(l, e, true);
        if (kind != CXBinaryOperator_Comma || children.count != 2)
            return IR_NONE;
        lower_discard(l, children.item[0]);
        return lower_address(l, children.item[1]);
    }
    case CXCursor_ConditionalOperator:
        return is_glvalue(l, e) ? lower_conditional(l, e, true, IR_NONE) : IR_NONE;
    case CXCursor_CallExpr:
        if (call_returns_reference(l, e) || is_record(clang_getCursorType(e)))
            return lower_call(l, e, IR_NONE);
        return IR_NONE;
    case CXCursor_StringLiteral:
        return lower_string(l, e);
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CXXDynamicCastExpr:
        return lower_cast(l, e, true);
    default:
        return IR_NONE;
    }
}

ir_value lower_address(struct lower *l, CXCursor e)
{
    CXType type = clang_getCursorType(e);
    if (++l->depth > EXPRESSION_DEPTH) {
        --l->depth;
        ir_value address = emit_temporary(l, type);
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "expression nested too deep", true,
                    &address, 1);
        return address;
    }
    struct ir_loc saved = l->b.loc, loc = loc_of(l->unit, e);
    if (loc.line)
        l->b.loc = loc;
    ir_value address = address_of_kind(l, e);
    if (address == IR_NONE) {
        address = emit_temporary(l, type);
        if (is_glvalue(l, e)) {
            // An object that cannot be found: nothing is known of it.
            emit_opaque(l, (CXType){.kind = CXType_Invalid}, "object of an unknown address", false,
                        &address, 1);
        } else if (needs_destroy(l, type)) {
            struct place place = {PLACE_VALUE, address};
            lower_into(l, e, type, address);
            cleanup_push(l, type, place);
        } else {
            lower_into(l, e, type, address);
        }
    }
    l->b.loc = saved;
    --l->depth;
    return address;
}

// A value that lives in memory: its content, or its address where it is a record or an array.
static ir_value load_glvalue(struct lower *l, CXCursor e)
{
    CXType type = clang_getCursorType(e);
    ir_value special;
    CXCursor bits;
    if (clang_getCursorKind(e) == CXCursor_MemberRefExpr) {
        if (lower_special(l, e, &special))
            return special;
        if (is_member_of_bits(l, e)) {
            ir_value object = lower_member(l, e, &bits);
            return object == IR_NONE || cursor_is_null(bits) ? IR_NONE : load_bits(l, bits, object);
        }
        if (is_dependent(type))
            return lower_unknown(l, e, "member of a dependent type");
    }
    ir_value address = lower_address(l, e);
    if (address == IR_NONE)
        return emit_opaque(l, type, "value without an address", false, NULL, 0);
    enum type_class class = classify(type);
    if (class == CLASS_SCALAR || class == CLASS_DEPENDENT)
        return emit_load(l, type, address);
    return address;
}

static ir_value value_of_name(struct lower *l, CXCursor e)
{
    int64_t number;
    CXType type = clang_getCursorType(e);
    if (constant_name(l, e, &number))
        return emit_int(l, type_of(l->unit, type), number);
    CXCursor decl = clang_getCursorReferenced(e);
    if (cursor_is_null(decl)) {
        CXCursor child = only_child(l, e);
        return cursor_is_null(child) ? lower_unknown(l, e, "name without a declaration")
                                     : lower_value(l, child);
    }
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (kind == CXCursor_NonTypeTemplateParameter)
        return emit_symbol(l, type, cursor_name(scratch_of(l), decl));
    if (kind == CXCursor_OverloadedDeclRef)
        return lower_unknown(l, e, "overloaded name");
    return load_glvalue(l, e);
}

static ir_value lower_aggregate_value(struct lower *l, CXCursor e)
{
    CXType type = clang_getCursorType(e);
    enum type_class class = classify(type);
    CXCursor child = only_child(l, e);
    if (class == CLASS_SCALAR) {
        if (!cursor_is_null(child))
            return convert(l, lower_value(l, child), clang_getCursorType(child), type);
        return emit_int(l, type_of(l->unit, type), 0);
    }
    if (class != CLASS_RECORD && class != CLASS_ARRAY)
        return lower_unknown(l, e, "initializer of a dependent type");
    ir_value address = emit_temporary(l, type);
    lower_into(l, e, type, address);
    return address;
}

static ir_value value_of_kind(struct lower *l, CXCursor e)
{
    CXType type = clang_getCursorType(e);
    int64_t number;
    switch (clang_getCursorKind(e)) {
    case CXCursor_ParenExpr: {
        CXCursor child = only_child(l, e);
        return cursor_is_null(child) ? lower_unknown(l, e, "parentheses") : lower_value(l, child);
    }
    case CXCursor_UnexposedExpr:
        return lower_unexposed(l, e, false);
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
        // Nothing is lost in a literal, whatever is wrong beside it in the macro that holds it.
        if (evaluate(NULL, e, &number))
            return emit_int(l, type_of(l->unit, type), number);
        return emit_opaque(l, type, "literal wider than 64 bits", false, NULL, 0);
    case CXCursor_FloatingLiteral:
        return lower_floating(l, e);
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
        return emit_int(l, type_of(l->unit, type), 0);
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
        return value_of_name(l, e);
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_StringLiteral:
        return load_glvalue(l, e);
    case CXCursor_UnaryOperator:
        if (clang_getCursorUnaryOperatorKind(e) == CXUnaryOperator_Deref)
            return load_glvalue(l, e);
        return lower_unary(l, e);
    case CXCursor_BinaryOperator:
        return lower_binary(l, e);
    case CXCursor_CompoundAssignOperator:
        return lower_assign(l, e, false);
    case CXCursor_ConditionalOperator:
        return lower_conditional(l, e, false, IR_NONE);
    case CXCursor_CallExpr: {
        if (call_returns_reference(l, e))
            return load_glvalue(l, e);
        return lower_call(l, e, IR_NONE);
    }
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CXXDynamicCastExpr:
        return lower_cast(l, e, false);
    case CXCursor_CXXThisExpr: {
        ir_value address = lower_this(l);
        return address == IR_NONE ? emit_opaque(l, type, "this", false, NULL, 0) : address;
    }
    case CXCursor_UnaryExpr:
    case CXCursor_SizeOfPackExpr:
    case CXCursor_ConceptSpecializationExpr:
    case CXCursor_RequiresExpr:
        if (evaluate(l, e, &number))
            return emit_int(l, type_of(l->unit, type), number);
        return emit_symbol(l, type, "size of a dependent type");
    case CXCursor_InitListExpr:
    case CXCursor_CompoundLiteralExpr:
    case CXCursor_LambdaExpr:
    case CXCursor_CXXParenListInitExpr:
        return lower_aggregate_value(l, e);
    case CXCursor_StmtExpr:
        return lower_statement_expression(l, e);
    case CXCursor_CXXNewExpr:
        return lower_new(l, e);
    case CXCursor_CXXDeleteExpr:
        lower_delete(l, e);
        return IR_NONE;
    case CXCursor_CXXThrowExpr: {
        CXCursor child = only_child(l, e);
        if (!cursor_is_null(child))
            lower_discard(l, child);
        ir_value end = emit(l, IR_UNREACHABLE, IR_NONE, NULL, 0, 0);
        ir_build_text(&l->b, end, "throw");
        return IR_NONE;
    }
    default:
        if (is_integral(type) && evaluate(l, e, &number))
            return emit_int(l, type_of(l->unit, type), number);
        return lower_unknown(
            l, e, take_string(scratch_of(l), clang_getCursorKindSpelling(clang_getCursorKind(e))));
    }
}

ir_value lower_value(struct lower *l, CXCursor e)
{
    if (++l->depth > EXPRESSION_DEPTH) {
        --l->depth;
        return emit_opaque(l, clang_getCursorType(e), "expression nested too deep", true, NULL, 0);
    }
    struct ir_loc saved = l->b.loc, loc = loc_of(l->unit, e);
    if (loc.line)
        l->b.loc = loc;
    ir_value value = value_of_kind(l, e);
    l->b.loc = saved;
    --l->depth;
    return value;
}

void lower_discard(struct lower *l, CXCursor e)
{
    CXCursor inner = strip(l, e);
    enum CXCursorKind kind = clang_getCursorKind(inner);
    if (kind == CXCursor_DeclRefExpr || clang_isInvalid(kind))
        return;
    if (kind == CXCursor_CallExpr && l->use == USE_VALUE)
        l->use = USE_NONE;
    CXType type = clang_getCursorType(e);
    // A glvalue whose value nobody asks for is not loaded.
    if (!is_dependent(type) && is_glvalue(l, e) && !is_member_of_bits(l, inner))
        lower_address(l, e);
    else
        lower_value(l, e);
    l->use = USE_VALUE;
}

void lower_condition(struct lower *l, CXCursor e, ir_block_id if_true, ir_block_id if_false,
                     bool is_loop)
{
    CXCursor inner = strip(l, e);
    enum CXCursorKind kind = clang_getCursorKind(inner);
    CXType inner_type = clang_getCursorType(inner);
    bool is_bool = canonical(inner_type).kind == CXType_Bool || is_dependent(inner_type);
    if (is_bool && kind == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_LNot) {
        CXCursor child = only_child(l, inner);
        if (!cursor_is_null(child)) {
            lower_condition(l, child, if_false, if_true, is_loop);
            return;
        }
    }
    if (is_bool && kind == CXCursor_BinaryOperator) {
        enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(inner);
        struct children children = children_of(scratch_of(l), inner);
        if ((op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr) && children.count == 2) {
            ir_block_id next = ir_build_block(&l->b);
            bool is_and = op == CXBinaryOperator_LAnd;
            lower_condition(l, children.item[0], is_and ? next : if_true, is_and ? if_false : next,
                            is_loop);
            go(l, next);
            lower_condition(l, children.item[1], if_true, if_false, is_loop);
            return;
        }
    }
    struct ir_loc saved = l->b.loc;
    size_t depth = arrlenu(l->cleanup);
    ir_value value = lower_value(l, e);
    CXType type = clang_getCursorType(e);
    l->b.loc = loc_of(l->unit, e);
    if (!l->b.loc.line)
        l->b.loc = saved;
    if (value == IR_NONE)
        value = emit_opaque(l, type, "condition", false, NULL, 0);
    value = value == IR_NONE ? emit_bool(l, true) : to_bool(l, value, type);
    cleanup_run(l, depth, true);
    int64_t number;
    if (const_of(l, value, &number)) {
        ir_build_br(&l->b, number ? if_true : if_false);
    } else {
        ir_build_condbr(&l->b, value, if_true, if_false);
        if (is_loop) {
            struct ir_function *function = ir_builder_function(&l->b);
            arrlast(function->op).flags |= IR_LOOP;
        }
    }
    l->b.loc = saved;
}
