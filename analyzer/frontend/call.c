// Calls of functions, operators of classes, function pointers and compiler builtins.
#include "frontend/lower.h"

#include <string.h>

static CXType no_type(void)
{
    return (CXType){.kind = CXType_Invalid};
}

static CXType function_result(CXCursor decl)
{
    return clang_getResultType(clang_getCursorType(decl));
}

// The callee where it is an expression and not a declared function.
static CXType callee_type(struct lower *l, CXCursor e)
{
    struct children children = children_of(scratch_of(l), e);
    for (size_t i = 0; i < children.count; ++i) {
        if (!is_expression(children.item[i]))
            continue;
        CXType type = canonical(clang_getCursorType(children.item[i]));
        if (is_pointer(type))
            type = canonical(clang_getPointeeType(type));
        if (classify(type) == CLASS_FUNCTION)
            return type;
        return no_type();
    }
    return no_type();
}

bool call_returns_reference(struct lower *l, CXCursor e)
{
    CXCursor decl = clang_getCursorReferenced(e);
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (kind == CXCursor_Constructor || kind == CXCursor_Destructor)
        return false;
    if (is_function_kind(kind))
        return is_reference(function_result(decl));
    CXType type = callee_type(l, e);
    return type.kind != CXType_Invalid && is_reference(clang_getResultType(type));
}

ir_value lower_argument(struct lower *l, CXCursor argument, CXType parameter)
{
    CXType type = parameter.kind == CXType_Invalid ? clang_getCursorType(argument) : parameter;
    ir_value value;
    switch (classify(type)) {
    case CLASS_REFERENCE:
        value = lower_address(l, argument);
        break;
    case CLASS_RECORD: {
        value = emit_temporary(l, type);
        lower_into(l, argument, type, value);
        if (needs_destroy(l, type))
            cleanup_push(l, type, (struct place){PLACE_VALUE, value});
        break;
    }
    case CLASS_SCALAR:
        value = convert(l, lower_value(l, argument), clang_getCursorType(argument), type);
        break;
    default:
        value = lower_value(l, argument);
        break;
    }
    return value == IR_NONE ? emit_opaque(l, type, "argument without a value", false, NULL, 0)
                            : value;
}

static bool is_default_argument(struct lower *l, CXCursor argument)
{
    if (clang_getCursorKind(argument) != CXCursor_UnexposedExpr)
        return false;
    CXFile file = NULL;
    clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(argument)), &file, NULL,
                              NULL, NULL);
    return !file && children_of(scratch_of(l), argument).count == 0;
}

// The initializer of a parameter, which a call without that argument uses.
static CXCursor parameter_default(struct lower *l, CXCursor decl, unsigned index)
{
    CXCursor candidate[3] = {decl, clang_getCursorDefinition(decl), clang_getCanonicalCursor(decl)};
    for (int i = 0; i < 3; ++i) {
        if (cursor_is_null(candidate[i]))
            continue;
        CXCursor parameter = clang_Cursor_getArgument(candidate[i], index);
        if (cursor_is_null(parameter))
            continue;
        CXCursor init = last_child(l, parameter);
        if (!cursor_is_null(init) && text_has_word(text_at(l->unit, parameter), "=", ",)"))
            return init;
        if (!cursor_is_null(init) && !is_dependent(clang_getCursorType(init)))
            return init;
    }
    return clang_getNullCursor();
}

static ir_value call_argument(struct lower *l, CXCursor e, unsigned index, CXCursor decl,
                              unsigned parameter, CXType parameter_type)
{
    CXCursor argument = clang_Cursor_getArgument(e, index);
    int64_t number;
    if (is_default_argument(l, argument) && !evaluate(l, argument, &number)) {
        CXCursor init = parameter_default(l, decl, parameter);
        if (!cursor_is_null(init))
            return lower_argument(l, init, parameter_type);
        if (classify(parameter_type) == CLASS_SCALAR)
            return emit_symbol(l, parameter_type, "default argument");
    }
    return lower_argument(l, argument, parameter_type);
}

void lower_default_arguments(struct lower *l, CXCursor decl, unsigned first, ir_value **out)
{
    CXType type = canonical(clang_getCursorType(decl));
    for (int i = (int)first; i < clang_getNumArgTypes(type); ++i) {
        CXType parameter = clang_getArgType(type, (unsigned)i);
        CXCursor init = parameter_default(l, decl, (unsigned)i);
        ir_value value = cursor_is_null(init)
                             ? emit_opaque(l, parameter, "default argument", false, NULL, 0)
                             : lower_argument(l, init, parameter);
        arrput(*out, value);
    }
}

// --- Building the call -----------------------------------------------------------------------

struct call {
    ir_value *operand; // stb_ds array
    ir_value result;   // address of a record result, or IR_NONE
    ir_type_id type;
};

static void call_result(struct lower *l, struct call *call, CXType result, ir_value into)
{
    call->result = IR_NONE;
    call->type = IR_NONE;
    if (is_record(result)) {
        call->result = into == IR_NONE ? emit_temporary(l, result) : into;
        arrput(call->operand, call->result);
    } else if (classify(result) != CLASS_VOID) {
        call->type = type_of(l->unit, result);
    }
}

static bool ends_thread(struct lower *l, const struct ir_function *callee)
{
    static const char *const name[] = {
        "__assert_fail",  "__assertfail",    "abort",          "std::abort",           "exit",
        "_exit",          "std::exit",       "std::terminate", "quick_exit",           "_wassert",
        "__builtin_trap", "__builtin_abort", "__cxa_throw",    "__builtin_unreachable"};
    (void)l;
    if (callee->flags & IR_FN_NORETURN)
        return true;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; ++i)
        if (strcmp(callee->lookup, name[i]) == 0)
            return true;
    return false;
}

static ir_value call_emit(struct lower *l, struct call *call, ir_function_id function, enum use use,
                          uint16_t flags)
{
    ir_value value = emit(l, IR_CALL, call->type, call->operand, arrlenu(call->operand), function);
    struct ir_op *op = &ir_builder_function(&l->b)->op[value];
    op->flags |= flags;
    if (use == USE_VALUE)
        op->flags |= IR_RETURN_USED;
    if (use == USE_DROP)
        op->flags |= IR_EXPLICIT_DROP;
    const struct ir_function *callee = &unit_of(l)->function[function];
    bool ends = ends_thread(l, callee);
    if (ends) {
        const char *text = callee->lookup;
        ir_value end = emit(l, IR_UNREACHABLE, IR_NONE, NULL, 0, 0);
        ir_build_text(&l->b, end, text);
    }
    arrfree(call->operand);
    if (call->result != IR_NONE)
        return call->result;
    if (call->type == IR_NONE)
        return IR_NONE;
    // What follows is unreachable; it still needs a value that is defined where it is used.
    return ends ? emit_int(l, call->type, 0) : value;
}

ir_value call_function(struct lower *l, CXCursor callee, const ir_value *argument, size_t count,
                       bool is_used)
{
    struct call call = {0};
    bool is_ctor = clang_getCursorKind(callee) == CXCursor_Constructor ||
                   clang_getCursorKind(callee) == CXCursor_Destructor;
    if (is_ctor) {
        call.result = IR_NONE;
        call.type = IR_NONE;
    } else {
        call_result(l, &call, function_result(callee), IR_NONE);
    }
    for (size_t i = 0; i < count; ++i)
        arrput(call.operand, argument[i]);
    return call_emit(l, &call, function_of(l->unit, callee), is_used ? USE_VALUE : USE_NONE, 0);
}

// The function part of a member call, `object.f`; null for other calls.
static CXCursor member_callee(struct lower *l, CXCursor e)
{
    struct children children = children_of(scratch_of(l), e);
    for (size_t i = 0; i < children.count; ++i) {
        if (!is_expression(children.item[i]))
            continue;
        CXCursor callee = strip(l, children.item[i]);
        if (clang_getCursorKind(callee) == CXCursor_MemberRefExpr &&
            is_function_kind(clang_getCursorKind(clang_getCursorReferenced(callee))))
            return callee;
        break;
    }
    return clang_getNullCursor();
}

static bool is_method(CXCursor decl)
{
    enum CXCursorKind kind = clang_getCursorKind(decl);
    return (kind == CXCursor_CXXMethod || kind == CXCursor_ConversionFunction ||
            kind == CXCursor_Destructor) &&
           !clang_CXXMethod_isStatic(decl);
}

void lower_call_arguments(struct lower *l, CXCursor e, unsigned first, CXCursor decl,
                          ir_value **out)
{
    CXType type = canonical(clang_getCursorType(decl));
    int parameters = clang_getNumArgTypes(type);
    int count = clang_Cursor_getNumArguments(e);
    for (int i = (int)first; i < count; ++i) {
        int parameter = i - (int)first;
        CXType parameter_type =
            parameter < parameters ? clang_getArgType(type, (unsigned)parameter) : no_type();
        ir_value value =
            call_argument(l, e, (unsigned)i, decl, (unsigned)parameter, parameter_type);
        arrput(*out, value);
    }
}

// --- What needs no call ----------------------------------------------------------------------

// Whether evaluating the expression at compile time could hide an effect: operands that are
// evaluated and dropped.
static enum CXChildVisitResult find_dropped(CXCursor e, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(e);
    enum CXBinaryOperatorKind op =
        kind == CXCursor_BinaryOperator ? clang_getCursorBinaryOperatorKind(e) : 0;
    bool drops = kind == CXCursor_ConditionalOperator || kind == CXCursor_StmtExpr ||
                 kind == CXCursor_LambdaExpr || kind == CXCursor_CompoundAssignOperator ||
                 op == CXBinaryOperator_Comma || op == CXBinaryOperator_LAnd ||
                 op == CXBinaryOperator_LOr || op == CXBinaryOperator_Assign;
    if (!drops)
        return CXChildVisit_Recurse;
    *(bool *)data = true;
    return CXChildVisit_Break;
}

static bool evaluate_call(struct lower *l, CXCursor e, const char *name, int64_t *out)
{
    if (!is_integral(clang_getCursorType(e)) || strstr(name, "constant_evaluated"))
        return false;
    bool drops = false;
    clang_visitChildren(e, find_dropped, &drops);
    return !drops && evaluate(l, e, out);
}

static bool special_builtin(const char *name, enum ir_special *out)
{
    static const char prefix[] = "__nvvm_read_ptx_sreg_";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    name += sizeof prefix - 1;
    for (int i = 0; i < IR_SPECIAL_COUNT_; ++i) {
        const char *a = name, *b = ir_special_name((enum ir_special)i);
        while (*a && *b && (*a == *b || (*a == '_' && *b == '.'))) {
            ++a;
            ++b;
        }
        if (!*a && !*b) {
            *out = (enum ir_special)i;
            return true;
        }
    }
    return false;
}

// Whether the call reads a special register, as `threadIdx.x` does.
static bool reads_special(CXCursor call)
{
    static const char *const prefix[] = {"__fetch_builtin_", "__nvvm_read_ptx_sreg_"};
    CXString name = clang_getCursorSpelling(call);
    const char *text = clang_getCString(name);
    bool reads = false;
    for (size_t i = 0; text && i < sizeof prefix / sizeof *prefix; ++i)
        reads |= strncmp(text, prefix[i], strlen(prefix[i])) == 0;
    clang_disposeString(name);
    return reads;
}

static enum CXChildVisitResult find_pointer(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(bool *)data |= clang_getCanonicalType(clang_getCursorType(cursor)).kind == CXType_Pointer;
    return CXChildVisit_Break;
}

static enum CXChildVisitResult keep_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

// Whether the array is what the kernel was given to read alone.
static bool reads_given(CXCursor subscript)
{
    CXCursor array = clang_getNullCursor();
    clang_visitChildren(subscript, keep_first, &array);
    CXCursor of = clang_getCursorReferenced(array);
    CXType element = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(of)));
    return clang_getCursorKind(of) == CXCursor_ParmDecl && clang_isConstQualifiedType(element) &&
           !clang_isVolatileQualifiedType(element) &&
           has_attribute(clang_getCursorSemanticParent(of), CXCursor_CUDAGlobalAttr);
}

// Ends the visit where the expression may do more than compute a value of what the thread has at
// hand: where it calls something, stores, or looks into memory that others may have a part in.
static enum CXChildVisitResult find_effect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXUnaryOperatorKind unary;
    CXCursor of = clang_getCursorReferenced(cursor);
    CXType type = clang_getCursorType(of);
    bool effect = false;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_DeclRefExpr:
        effect = clang_getCursorKind(of) == CXCursor_VarDecl && has_static_life(of) &&
                 !clang_isConstQualifiedType(type);
        effect |= type.kind == CXType_LValueReference;
        break;
    case CXCursor_CallExpr:
        effect = !reads_special(cursor);
        break;
    case CXCursor_MemberRefExpr: // by an arrow
        clang_visitChildren(cursor, find_pointer, &effect);
        break;
    case CXCursor_BinaryOperator:
        effect = clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign;
        break;
    case CXCursor_UnaryOperator:
        unary = clang_getCursorUnaryOperatorKind(cursor);
        effect = unary == CXUnaryOperator_PostInc || unary == CXUnaryOperator_PostDec ||
                 unary == CXUnaryOperator_PreInc || unary == CXUnaryOperator_PreDec ||
                 unary == CXUnaryOperator_Deref;
        break;
    case CXCursor_ArraySubscriptExpr:
        effect = !reads_given(cursor);
        break;
    case CXCursor_CompoundAssignOperator:
    case CXCursor_LambdaExpr:
    case CXCursor_StmtExpr:
    case CXCursor_CXXNewExpr:
    case CXCursor_CXXDeleteExpr:
        effect = true;
        break;
    default:
        break;
    }
    *(bool *)data |= effect;
    return effect ? CXChildVisit_Break : CXChildVisit_Recurse;
}

// __builtin_assume(condition): nobody goes on for whom it does not hold. An operand with effects is
// not evaluated, and one that reads memory need not be; what a kernel is given to read is read.
static void lower_assumption(struct lower *l, CXCursor condition)
{
    bool effect = false;
    find_effect(condition, condition, &effect);
    clang_visitChildren(condition, find_effect, &effect);
    if (effect)
        return;
    ir_block_id holds = ir_build_block(&l->b), otherwise = ir_build_block(&l->b);
    lower_condition(l, condition, holds, otherwise, false);
    go(l, otherwise);
    ir_build_text(&l->b, emit(l, IR_UNREACHABLE, IR_NONE, NULL, 0, 0), "assumed otherwise");
    go(l, holds);
}

// What INFINITY, HUGE_VALF and NAN are.
static bool is_constant_builtin(const char *name)
{
    static const char *const begin[] = {"__builtin_inf", "__builtin_huge_val", "__builtin_nan"};
    for (size_t i = 0; i < sizeof begin / sizeof begin[0]; ++i)
        if (strncmp(name, begin[i], strlen(begin[i])) == 0)
            return true;
    return false;
}

static bool lower_builtin(struct lower *l, CXCursor e, const char *name, ir_value *out)
{
    CXType type = clang_getCursorType(e);
    enum ir_special special;
    *out = IR_NONE;
    if (special_builtin(name, &special)) {
        *out = emit(l, IR_SPECIAL, type_of(l->unit, type), NULL, 0, special);
        return true;
    }
    if (strcmp(name, "__builtin_is_constant_evaluated") == 0 ||
        strcmp(name, "__builtin_constant_p") == 0) {
        *out = emit_int(l, type_of(l->unit, type), 0);
        return true;
    }
    int64_t bits;
    if (is_constant_builtin(name) && is_floating(type) && evaluate_floating(e, &bits)) {
        *out = emit_int(l, type_of(l->unit, type), bits);
        return true;
    }
    if (strcmp(name, "__builtin_addressof") == 0 && clang_Cursor_getNumArguments(e) == 1) {
        *out = lower_address(l, clang_Cursor_getArgument(e, 0));
        return true;
    }
    if (strcmp(name, "__builtin_launder") == 0 && clang_Cursor_getNumArguments(e) == 1) {
        *out = lower_value(l, clang_Cursor_getArgument(e, 0));
        return true;
    }
    if (strcmp(name, "__builtin_assume") != 0 && strcmp(name, "__assume") != 0)
        return false;
    if (clang_Cursor_getNumArguments(e) == 1)
        lower_assumption(l, clang_Cursor_getArgument(e, 0));
    return true;
}

// Copy and move assignment that the compiler writes: the bytes, where no part has its own.
static bool lower_default_assign(struct lower *l, CXCursor e, CXCursor decl, ir_value *out)
{
    bool is_assign = clang_CXXMethod_isCopyAssignmentOperator(decl) ||
                     clang_CXXMethod_isMoveAssignmentOperator(decl);
    if (clang_getCursorKind(decl) != CXCursor_CXXMethod || !is_assign ||
        !clang_CXXMethod_isDefaulted(decl))
        return false;
    CXType type = clang_getCursorType(clang_getCursorSemanticParent(decl));
    struct record_info *record = record_of(l->unit, type);
    if (!record)
        return false;
    record_fill(l->unit, record);
    CXCursor definition = clang_getCursorDefinition(decl);
    if (record->has_assign && !cursor_is_null(definition) &&
        children_of(scratch_of(l), definition).count)
        return false;
    CXCursor callee = member_callee(l, e);
    ir_value to, from;
    if (cursor_is_null(callee)) {
        if (clang_Cursor_getNumArguments(e) != 2)
            return false;
        from = lower_address(l, clang_Cursor_getArgument(e, 1));
        to = lower_address(l, clang_Cursor_getArgument(e, 0));
    } else {
        if (clang_Cursor_getNumArguments(e) != 1)
            return false;
        from = lower_address(l, clang_Cursor_getArgument(e, 0));
        to = lower_object(l, callee, type);
    }
    *out = to;
    if (to != IR_NONE && from != IR_NONE && size_of(type))
        emit(l, IR_COPY, IR_NONE, (ir_value[]){to, from}, 2, (int64_t)size_of(type));
    return true;
}

// --- The kinds of calls ----------------------------------------------------------------------

// A member made of a list in braces, as in `: stage({0, 1})`, moves a temporary by a constructor
// that nobody has declared and libclang does not name: it is made in place.
static bool lower_move(struct lower *l, CXCursor e, ir_value into, ir_value *address)
{
    CXType type = clang_getCursorType(e);
    CXCursor from = only_child(l, e);
    if (!is_record(type) || needs_destroy(l, type) || cursor_is_null(from) ||
        !same_type(type, clang_getCursorType(from)))
        return false;
    *address = into == IR_NONE ? emit_temporary(l, type) : into;
    lower_into(l, from, type, *address);
    return true;
}

static ir_value lower_indirect(struct lower *l, CXCursor e, enum use use, ir_value into)
{
    CXType type = callee_type(l, e);
    ir_value moved;
    if (type.kind == CXType_Invalid && lower_move(l, e, into, &moved))
        return moved;
    if (type.kind == CXType_Invalid)
        return lower_unknown(l, e, "call of something unknown");
    struct children children = children_of(scratch_of(l), e);
    size_t at = 0;
    while (at < children.count && !is_expression(children.item[at]))
        ++at;
    ir_value target = lower_value(l, children.item[at]);
    struct call call = {0};
    if (target == IR_NONE)
        return lower_unknown(l, e, "call of something unknown");
    arrput(call.operand, target);
    call_result(l, &call, clang_getResultType(type), into);
    int count = clang_Cursor_getNumArguments(e), parameters = clang_getNumArgTypes(type);
    for (int i = 0; i < count; ++i) {
        CXType parameter = i < parameters ? clang_getArgType(type, (unsigned)i) : no_type();
        ir_value value = lower_argument(l, clang_Cursor_getArgument(e, (unsigned)i), parameter);
        arrput(call.operand, value);
    }
    ir_value value = emit(l, IR_CALLI, call.type, call.operand, arrlenu(call.operand), 0);
    if (use == USE_VALUE)
        ir_builder_function(&l->b)->op[value].flags |= IR_RETURN_USED;
    arrfree(call.operand);
    return call.result != IR_NONE ? call.result : call.type == IR_NONE ? IR_NONE : value;
}

// Device code calls a function of the host with mistakes in it: it was __device__ by a macro of a
// header that is missing, and of its body there is left what clang could make of it.
static bool has_lost_its_body(struct lower *l, CXCursor decl)
{
    CXCursor definition = clang_getCursorDefinition(decl);
    return l->is_device && !cursor_is_null(definition) && !is_device_code(definition) &&
           has_error_inside(l->unit, definition);
}

static ir_value lower_direct(struct lower *l, CXCursor e, CXCursor decl, enum use use,
                             ir_value into)
{
    struct call call = {0};
    CXType result = function_result(decl);
    unsigned first = 0;
    call_result(l, &call, result, into);
    if (is_method(decl)) {
        CXCursor callee = member_callee(l, e);
        CXType class_type = clang_getCursorType(clang_getCursorSemanticParent(decl));
        ir_value object;
        if (cursor_is_null(callee)) {
            object = clang_Cursor_getNumArguments(e) > 0
                         ? lower_address(l, clang_Cursor_getArgument(e, 0))
                         : IR_NONE;
            first = 1;
        } else {
            object = lower_object(l, callee, class_type);
        }
        if (object == IR_NONE) {
            object = emit_temporary(l, class_type);
            emit_opaque(l, no_type(), "object of a member call", false, &object, 1);
        }
        arrput(call.operand, object);
    }
    lower_call_arguments(l, e, first, decl, &call.operand);
    uint16_t flags =
        clang_CXXMethod_isVirtual(decl) && clang_Cursor_isDynamicCall(e) ? (uint16_t)IR_VIRTUAL : 0;
    if (use != USE_VALUE && is_of_undeclared(e))
        flags |= IR_MAY_BARRIER;
    ir_value value = call_emit(l, &call, function_of(l->unit, uninstantiated(l, decl)), use, flags);
    if (has_lost_its_body(l, decl))
        emit_opaque(l, no_type(), "body lost to a parse error", true, NULL, 0);
    if (is_record(result) && into == IR_NONE && needs_destroy(l, result) && value != IR_NONE)
        cleanup_push(l, result, (struct place){PLACE_VALUE, value});
    return value;
}

static ir_value lower_constructor_call(struct lower *l, CXCursor e, ir_value into)
{
    CXType type = clang_getCursorType(e);
    ir_value address = into == IR_NONE ? emit_temporary(l, type) : into;
    lower_construct(l, e, type, address);
    if (into == IR_NONE && needs_destroy(l, type))
        cleanup_push(l, type, (struct place){PLACE_VALUE, address});
    return address;
}

ir_value lower_call(struct lower *l, CXCursor e, ir_value into)
{
    enum use use = l->use;
    l->use = USE_VALUE;
    CXCursor decl = clang_getCursorReferenced(e);
    enum CXCursorKind kind =
        cursor_is_null(decl) ? CXCursor_InvalidFile : clang_getCursorKind(decl);
    if (lower_launch(l, e))
        return IR_NONE;
    if (kind == CXCursor_Constructor)
        return lower_constructor_call(l, e, into);
    CXType type = clang_getCursorType(e);
    if (!is_function_kind(kind)) {
        CXCursor callee = strip(l, only_child(l, e));
        if (classify(type) == CLASS_VOID && kind == CXCursor_InvalidFile &&
            clang_Cursor_getNumArguments(e) <= 0 &&
            clang_getCursorKind(callee) == CXCursor_MemberRefExpr) {
            // The destructor of a type that has none.
            CXCursor object = last_child(l, callee);
            if (!cursor_is_null(object))
                lower_discard(l, object);
            return IR_NONE;
        }
        if (is_dependent(type) || kind == CXCursor_OverloadedDeclRef)
            return lower_dependent_call(l, e);
        return lower_indirect(l, e, use, into);
    }
    const char *name = lookup_name(l->unit, decl);
    ir_value value;
    int64_t number;
    if (lower_builtin(l, e, name, &value))
        return value;
    if (evaluate_call(l, e, name, &number)) {
        value = emit_int(l, type_of(l->unit, type), number);
        if (!is_reference(function_result(decl)))
            return value;
        // As std::max() of constants gives one: who asks for it takes an address.
        ir_value object = emit_temporary(l, type);
        emit_store(l, type, object, value);
        return object;
    }
    if (kind == CXCursor_Destructor) {
        CXCursor callee = member_callee(l, e);
        CXType class_type = clang_getCursorType(clang_getCursorSemanticParent(decl));
        value = cursor_is_null(callee) ? IR_NONE : lower_object(l, callee, class_type);
        if (value != IR_NONE)
            destroy(l, class_type, value);
        return IR_NONE;
    }
    if (lower_launch_api(l, e, name, &value))
        return value;
    if (lower_default_assign(l, e, decl, &value))
        return value;
    return lower_direct(l, e, decl, use, into);
}
