// Names, members and elements: the objects an expression is about, and the numbers some names stand
// for.
#include "frontend/lower.h"

#include <string.h>

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

bool is_decayed(CXCursor decl)
{
    if (clang_getCursorKind(decl) != CXCursor_ParmDecl)
        return false;
    enum type_class class = classify(clang_getCursorType(decl));
    return class == CLASS_ARRAY || class == CLASS_FUNCTION;
}

ir_value load_pointer(struct lower *l, ir_value address)
{
    const struct ir_type *type = &unit_of(l)->type[value_type(l, address)];
    return emit(l, IR_LOAD, type->elem, &address, 1, 0);
}

ir_value decayed_variable(struct lower *l, CXCursor e)
{
    CXCursor name = strip(l, e);
    if (clang_getCursorKind(name) != CXCursor_DeclRefExpr)
        return IR_NONE;
    CXCursor decl = clang_getCursorReferenced(name);
    uint32_t known = is_decayed(decl) ? cursor_map_find(&l->places_of, decl) : IR_NONE;
    return known == IR_NONE ? IR_NONE
                            : place_address(l, &l->place[known], clang_getCursorType(decl));
}

ir_value lower_name(struct lower *l, CXCursor e)
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
    if (known != IR_NONE) {
        ir_value address = place_address(l, &l->place[known], type);
        return is_decayed(decl) ? load_pointer(l, address) : address;
    }
    if (is_special_object(l, e, &special))
        return special_object(l, special, type);
    ir_value captured = capture_address(l, decl);
    if (captured != IR_NONE)
        return captured;
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (is_variable(decl) && clang_Cursor_hasVarDeclGlobalStorage(decl) == 1) {
        if (is_undeclared(decl))
            return emit_unknown_place(l, type, "a name that nothing declares");
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
    if (address != IR_NONE && is_record(wanted) &&
        subobject_offset(l->unit, type, wanted, &offset) && offset)
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
                   : emit_unknown_place(l, clang_getCursorType(e), "member of a dependent type");
    CXCursor parent = clang_getCursorSemanticParent(decl);
    ir_value object = lower_object(l, e, clang_getCursorType(parent));
    uint64_t offset;
    uint32_t bit_offset, bit_width;
    CXType type = clang_getCursorType(decl);
    if (object == IR_NONE || !field_place(l->unit, decl, &offset, &bit_offset, &bit_width))
        return emit_unknown_place(l, strip_reference(type), "member without a known offset");
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

// `begins`: the object's life does, so that the first bits of a unit of memory are put there alone.
// What was there before is nothing that anybody knows, and would stay so for the bits beside.
static void put_bits(struct lower *l, CXCursor field, ir_value object, ir_value value, bool begins)
{
    uint32_t shift = 0, width = 0;
    ir_type_id unit;
    if (value == IR_NONE)
        return;
    ir_value address = bits_unit(l, field, object, &shift, &width, &unit);
    int64_t mask = width >= 64 ? -1 : (int64_t)((UINT64_C(1) << width) - 1);
    int64_t others = (int64_t) ~((uint64_t)mask << shift);
    ir_value old = IR_NONE;
    if (!begins || shift) {
        old = emit(l, IR_LOAD, unit, &address, 1, 0);
        old = emit_binary(l, IR_AND, unit, old, emit_int(l, unit, others));
    }
    if (value_type(l, value) != unit)
        value = emit(l, IR_CAST, unit, &value, 1, 0);
    value = emit_binary(l, IR_AND, unit, value, emit_int(l, unit, mask));
    if (shift)
        value = emit_binary(l, IR_SHL, unit, value, emit_int(l, unit, shift));
    if (old != IR_NONE)
        value = emit_binary(l, IR_OR, unit, old, value);
    emit(l, IR_STORE, IR_NONE, (ir_value[]){address, value}, 2, 0);
}

void store_bits(struct lower *l, CXCursor field, ir_value object, ir_value value)
{
    put_bits(l, field, object, value, false);
}

void init_bits(struct lower *l, CXCursor field, ir_value object, ir_value value)
{
    put_bits(l, field, object, value, true);
}

ir_value lower_subscript(struct lower *l, CXCursor e)
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
    CXType element = clang_getCursorType(e), known;
    if (l->is_pattern && classify(type) == CLASS_DEPENDENT &&
        array_element(type).kind == CXType_Invalid && !guess_type(l, base, &known))
        return lower_unknown(l, e, "element of a dependent type"); // of a class, perhaps
    ir_value address = classify(type) == CLASS_SCALAR && is_pointer(type) ? lower_value(l, base)
                                                                          : lower_address(l, base);
    ir_value number = lower_value(l, index);
    if (address == IR_NONE || number == IR_NONE)
        return IR_NONE;
    uint64_t stride = size_of(element);
    if (stride == 0 && l->is_pattern)
        stride = 16; // unknown; elements stay apart
    type_of(l->unit, element);
    return emit_index(l, address, number, (int64_t)stride, pointer_to(l->unit, element));
}

// --- Constants -------------------------------------------------------------------------------

// The number a name stands for, where the language fixes it.
bool constant_name(struct lower *l, CXCursor e, int64_t *out)
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
