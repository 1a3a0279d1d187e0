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
    return emit_opaque(l, clang_getCursorType(e), reason, true, address, count);
}

// --- Special registers -----------------------------------------------------------------------

static bool special_base(const char *name, enum ir_special *out)
{
    static const struct {
        const char *name;
        enum ir_special first;
    } table[] = {{"threadIdx", IR_TID_X},
                 {"blockDim", IR_NTID_X},
                 {"blockIdx", IR_CTAID_X},
                 {"gridDim", IR_NCTAID_X}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i)
        if (strcmp(name, table[i].name) == 0) {
            *out = table[i].first;
            return true;
        }
    return false;
}

static bool is_special_object(struct lower *l, CXCursor e, enum ir_special *out)
{
    if (clang_getCursorKind(e) != CXCursor_DeclRefExpr)
        return false;
    CXCursor decl = clang_getCursorReferenced(e);
    if (clang_getCursorKind(decl) != CXCursor_VarDecl)
        return false;
    enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(decl));
    if (parent != CXCursor_TranslationUnit && parent != CXCursor_LinkageSpec)
        return false;
    return special_base(cursor_name(scratch_of(l), decl), out);
}

static ir_value emit_special(struct lower *l, enum ir_special special)
{
    return emit(l, IR_SPECIAL, ir_type_int(unit_of(l), 32, false), NULL, 0, special);
}

// The last character of a member access, as in `threadIdx.x`, where the cursor has no name.
static char member_letter(struct lower *l, CXCursor e)
{
    const char *name = cursor_name(scratch_of(l), e);
    if (name[0] && !name[1])
        return name[0];
    const char *begin, *end = text_end(l->unit, e, &begin);
    return end > begin ? end[-1] : '\0';
}

bool lower_special(struct lower *l, CXCursor e, ir_value *out)
{
    enum ir_special first;
    if (clang_getCursorKind(e) != CXCursor_MemberRefExpr)
        return false;
    CXCursor object = only_child(l, e);
    if (cursor_is_null(object) || !is_special_object(l, strip(l, object), &first))
        return false;
    char letter = member_letter(l, e);
    if (letter < 'x' || letter > 'z')
        return false;
    *out = emit_special(l, (enum ir_special)(first + (letter - 'x')));
    return true;
}

// The whole of threadIdx and its like, as an object in memory.
static ir_value special_object(struct lower *l, enum ir_special first, CXType type)
{
    ir_value address = emit_temporary(l, type);
    ir_type_id word = ir_type_int(unit_of(l), 32, false);
    for (int i = 0; i < 3 && size_of(type) == 12; ++i) {
        ir_value value = emit_special(l, (enum ir_special)(first + i));
        ir_value to = emit_offset(l, address, 4 * i, ir_type_pointer(unit_of(l), word));
        emit(l, IR_STORE, IR_NONE, (ir_value[]){to, value}, 2, 0);
    }
    return address;
}

// --- Names -----------------------------------------------------------------------------------

static ir_value function_address(struct lower *l, CXCursor decl)
{
    ir_function_id function = function_of(l->unit, decl);
    ir_type_id type = ir_type_pointer(unit_of(l), ir_type_function(unit_of(l)));
    return emit(l, IR_FUNC, type, NULL, 0, function);
}

ir_value lower_this(struct lower *l)
{
    if (l->this_value != IR_NONE)
        return l->this_value;
    if (l->closure)
        return capture_this(l);
    return IR_NONE;
}

static ir_value lower_name(struct lower *l, CXCursor e)
{
    CXCursor decl = clang_getCursorReferenced(e);
    CXType type = clang_getCursorType(e);
    enum ir_special special;
    if (cursor_is_null(decl)) {
        CXCursor child = only_child(l, e);
        return cursor_is_null(child) ? lower_unknown(l, e, "name without a declaration")
                                     : lower_address(l, child);
    }
    if (is_function_kind(clang_getCursorKind(decl)))
        return function_address(l, decl);
    uint32_t known = cursor_map_find(&l->places_of, decl);
    if (known != IR_NONE)
        return place_address(l, &l->place[known], type);
    if (is_special_object(l, e, &special))
        return special_object(l, special, type);
    ir_value captured = capture_address(l, decl);
    if (captured != IR_NONE)
        return captured;
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (is_variable(decl) && clang_Cursor_hasVarDeclGlobalStorage(decl) == 1) {
        ir_value table;
        if (is_constant_table(l, decl, &table))
            return table;
        ir_global_id global = global_of(l, decl);
        struct place place = {PLACE_GLOBAL, global};
        ir_value address = place_address(l, &place, type);
        if (is_reference(clang_getCursorType(decl)))
            return emit_load(l, clang_getCursorType(decl), address);
        return address;
    }
    if (kind == CXCursor_VarDecl &&
        is_function_kind(clang_getCursorKind(clang_getCursorSemanticParent(decl)))) {
        // Declared where libclang shows nothing: the init statement of a switch, the hidden
        // variables of a range-based for.
        lower_variable(l, decl);
        known = cursor_map_find(&l->places_of, decl);
        if (known != IR_NONE)
            return place_address(l, &l->place[known], type);
    }
    if (kind == CXCursor_NonTypeTemplateParameter)
        return IR_NONE;
    ir_value address = emit_temporary(l, type);
    emit_opaque(l, (CXType){.kind = CXType_Invalid}, "name of another function's variable", false,
                &address, 1);
    return address;
}

// --- Members and elements --------------------------------------------------------------------

static CXCursor member_object(struct lower *l, CXCursor e)
{
    struct children children = children_of(scratch_of(l), e);
    for (size_t i = 0; i < children.count; ++i) {
        if (!is_expression(children.item[i]))
            continue;
        CXType type = canonical(clang_getCursorType(children.item[i]));
        if (is_record(type) || is_dependent(type) || is_pointer(type))
            return children.item[i];
        break;
    }
    return clang_getNullCursor();
}

ir_value lower_object(struct lower *l, CXCursor member, CXType wanted)
{
    CXCursor object = member_object(l, member);
    CXType type;
    ir_value address;
    if (cursor_is_null(object)) {
        address = lower_this(l);
        if (address == IR_NONE)
            return IR_NONE;
        type = cursor_is_null(l->this_record) ? wanted : clang_getCursorType(l->this_record);
    } else {
        type = clang_getCursorType(object);
        if (is_pointer(type)) {
            address = lower_value(l, object);
            type = clang_getPointeeType(canonical(type));
        } else {
            address = lower_address(l, object);
        }
    }
    int64_t offset;
    if (address != IR_NONE && is_record(wanted) && base_offset(l->unit, type, wanted, &offset) &&
        offset)
        return emit_offset(l, address, offset, pointer_to(l->unit, wanted));
    return address;
}

bool is_member_of_bits(struct lower *l, CXCursor e)
{
    e = strip(l, e);
    if (clang_getCursorKind(e) != CXCursor_MemberRefExpr)
        return false;
    CXCursor field = clang_getCursorReferenced(e);
    return clang_getCursorKind(field) == CXCursor_FieldDecl && clang_Cursor_isBitField(field);
}

ir_value lower_member(struct lower *l, CXCursor e, CXCursor *bit_field)
{
    *bit_field = clang_getNullCursor();
    CXCursor decl = clang_getCursorReferenced(e);
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (is_variable(decl)) {
        CXCursor object = member_object(l, e);
        if (!cursor_is_null(object) && clang_getCursorKind(strip(l, object)) == CXCursor_CallExpr)
            lower_discard(l, object);
        return lower_name(l, e);
    }
    if (is_function_kind(kind))
        return function_address(l, decl);
    if (kind != CXCursor_FieldDecl)
        return lower_unknown(l, e, "member of a dependent type") == IR_NONE
                   ? IR_NONE
                   : emit_temporary(l, clang_getCursorType(e));
    CXCursor parent = clang_getCursorSemanticParent(decl);
    ir_value object = lower_object(l, e, clang_getCursorType(parent));
    uint64_t offset;
    uint32_t bit_offset, bit_width;
    CXType type = clang_getCursorType(decl);
    if (object == IR_NONE || !field_place(l->unit, decl, &offset, &bit_offset, &bit_width)) {
        ir_value address = emit_temporary(l, strip_reference(type));
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "member without a known offset", false,
                    &address, 1);
        return address;
    }
    if (bit_width) {
        *bit_field = decl;
        return object;
    }
    struct record_info *record = record_of(l->unit, clang_getCursorType(parent));
    if (record)
        record_fill(l->unit, record);
    if (is_reference(type)) {
        ir_type_id pointer = type_of(l->unit, type);
        ir_value slot =
            emit_offset(l, object, (int64_t)offset, ir_type_pointer(unit_of(l), pointer));
        return emit(l, IR_LOAD, pointer, &slot, 1, 0);
    }
    return emit_offset(l, object, (int64_t)offset, pointer_to(l->unit, type));
}

static ir_value bits_unit(struct lower *l, CXCursor field, ir_value object, uint32_t *shift,
                          uint32_t *width, ir_type_id *type)
{
    uint64_t offset = 0;
    field_place(l->unit, field, &offset, shift, width);
    uint64_t bytes = size_of(clang_getCursorType(field));
    *type = ir_type_int(unit_of(l), (uint32_t)(bytes ? bytes : 4) * 8, false);
    return emit_offset(l, object, (int64_t)offset, ir_type_pointer(unit_of(l), *type));
}

ir_value load_bits(struct lower *l, CXCursor field, ir_value object)
{
    uint32_t shift = 0, width = 0;
    ir_type_id unit;
    ir_value address = bits_unit(l, field, object, &shift, &width, &unit);
    ir_value value = emit(l, IR_LOAD, unit, &address, 1, 0);
    int64_t mask = width >= 64 ? -1 : (int64_t)((UINT64_C(1) << width) - 1);
    if (shift)
        value = emit_binary(l, IR_SHR, unit, value, emit_int(l, unit, shift));
    value = emit_binary(l, IR_AND, unit, value, emit_int(l, unit, mask));
    CXType type = clang_getCursorType(field);
    ir_type_id target = type_of(l->unit, type);
    const struct ir_type *info = &unit_of(l)->type[target];
    if (info->kind == IR_TYPE_INT && info->is_signed && width < info->bits) {
        // Signed members extend their sign.
        value = emit(l, IR_CAST, target, &value, 1, 0);
        ir_value up = emit_int(l, target, info->bits - width);
        value = emit_binary(l, IR_SHL, target, value, up);
        return emit_binary(l, IR_SHR, target, value, up);
    }
    return target == unit ? value : emit(l, IR_CAST, target, &value, 1, 0);
}

void store_bits(struct lower *l, CXCursor field, ir_value object, ir_value value)
{
    uint32_t shift = 0, width = 0;
    ir_type_id unit;
    if (value == IR_NONE)
        return;
    ir_value address = bits_unit(l, field, object, &shift, &width, &unit);
    int64_t mask = width >= 64 ? -1 : (int64_t)((UINT64_C(1) << width) - 1);
    ir_value old = emit(l, IR_LOAD, unit, &address, 1, 0);
    old =
        emit_binary(l, IR_AND, unit, old, emit_int(l, unit, (int64_t) ~((uint64_t)mask << shift)));
    if (value_type(l, value) != unit)
        value = emit(l, IR_CAST, unit, &value, 1, 0);
    value = emit_binary(l, IR_AND, unit, value, emit_int(l, unit, mask));
    if (shift)
        value = emit_binary(l, IR_SHL, unit, value, emit_int(l, unit, shift));
    value = emit_binary(l, IR_OR, unit, old, value);
    emit(l, IR_STORE, IR_NONE, (ir_value[]){address, value}, 2, 0);
}

static ir_value lower_subscript(struct lower *l, CXCursor e)
{
    struct children children = children_of(scratch_of(l), e);
    if (children.count != 2)
        return IR_NONE;
    CXCursor base = children.item[0], index = children.item[1];
    CXType type = clang_getCursorType(base);
    if (!is_pointer(type) && is_pointer(clang_getCursorType(index))) {
        base = children.item[1];
        index = children.item[0];
        type = clang_getCursorType(base);
    }
    CXType element = clang_getCursorType(e);
    ir_value address = classify(type) == CLASS_SCALAR && is_pointer(type) ? lower_value(l, base)
                                                                          : lower_address(l, base);
    ir_value number = lower_value(l, index);
    if (address == IR_NONE || number == IR_NONE)
        return IR_NONE;
    uint64_t stride = size_of(element);
    type_of(l->unit, element);
    return emit_index(l, address, number, (int64_t)stride, pointer_to(l->unit, element));
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
    CXType type = clang_getCursorType(e);
    CXEvalResult result = clang_Cursor_Evaluate(e);
    double number = 0;
    if (result && clang_EvalResult_getKind(result) == CXEval_Float)
        number = clang_EvalResult_getAsDouble(result);
    if (result)
        clang_EvalResult_dispose(result);
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return emit_int(l, type_of(l->unit, type), bits);
}

// --- Constants -------------------------------------------------------------------------------

// The number a name stands for, where the language fixes it.
static bool constant_name(struct lower *l, CXCursor e, int64_t *out)
{
    if (!is_integral(clang_getCursorType(e)))
        return false;
    CXCursor decl = clang_getCursorReferenced(e);
    enum CXCursorKind kind =
        cursor_is_null(decl) ? CXCursor_InvalidFile : clang_getCursorKind(decl);
    switch (is_variable(decl) ? CXCursor_VarDecl : kind) {
    case CXCursor_InvalidFile:
        return clang_getCursorKind(e) == CXCursor_DeclRefExpr && evaluate(l, e, out);
    case CXCursor_EnumConstantDecl:
        *out = clang_getEnumConstantDeclValue(decl);
        return true;
    case CXCursor_VarDecl:
        return clang_isConstQualifiedType(clang_getCursorType(decl)) &&
               !clang_isVolatileQualifiedType(clang_getCursorType(decl)) && evaluate(l, e, out);
    case CXCursor_FieldDecl: {
        CXCursor object = member_object(l, e);
        if (cursor_is_null(object))
            return false;
        object = strip(l, object);
        while (clang_getCursorKind(object) == CXCursor_MemberRefExpr &&
               !cursor_is_null(member_object(l, object)))
            object = strip(l, member_object(l, object));
        CXCursor whole = clang_getCursorReferenced(object);
        return clang_getCursorKind(object) == CXCursor_DeclRefExpr &&
               clang_getCursorKind(whole) == CXCursor_VarDecl &&
               clang_isConstQualifiedType(clang_getCursorType(whole)) && evaluate(l, e, out);
    }
    default:
        return false;
    }
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
        if (needs_destroy(l, type)) {
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
        if (evaluate(l, e, &number))
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
    bool is_bool = canonical(clang_getCursorType(inner)).kind == CXType_Bool;
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
