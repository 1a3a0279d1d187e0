// Types of the syntax tree as types of the IR.
#include "frontend/lower.h"

#include <string.h>

CXType canonical(CXType type)
{
    return clang_getCanonicalType(type);
}

enum type_class classify(CXType type)
{
    type = canonical(type);
    switch (type.kind) {
    case CXType_Void:
        return CLASS_VOID;
    case CXType_Record:
        return CLASS_RECORD;
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
        return CLASS_ARRAY;
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        return CLASS_FUNCTION;
    case CXType_LValueReference:
    case CXType_RValueReference:
        return CLASS_REFERENCE;
    case CXType_Invalid:
    case CXType_Unexposed:
    case CXType_Dependent:
    case CXType_Overload:
    case CXType_DependentSizedArray:
    case CXType_Auto:
        return CLASS_DEPENDENT;
    default:
        return CLASS_SCALAR;
    }
}

bool is_integral(CXType type)
{
    type = canonical(type);
    return (type.kind >= CXType_Bool && type.kind <= CXType_Int128) || type.kind == CXType_Enum;
}

bool is_floating(CXType type)
{
    switch (canonical(type).kind) {
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float128:
    case CXType_Half:
    case CXType_Float16:
    case CXType_BFloat16:
        return true;
    default:
        return false;
    }
}

bool is_pointer(CXType type)
{
    return canonical(type).kind == CXType_Pointer;
}

bool is_reference(CXType type)
{
    return classify(type) == CLASS_REFERENCE;
}

bool is_record(CXType type)
{
    return canonical(type).kind == CXType_Record;
}

bool is_dependent(CXType type)
{
    return classify(type) == CLASS_DEPENDENT;
}

bool same_type(CXType a, CXType b)
{
    if (a.kind == CXType_Invalid || b.kind == CXType_Invalid)
        return false;
    a = clang_getUnqualifiedType(canonical(a));
    b = clang_getUnqualifiedType(canonical(b));
    return clang_equalTypes(a, b) != 0;
}

CXType strip_reference(CXType type)
{
    CXType plain = canonical(type);
    return is_reference(plain) ? clang_getPointeeType(plain) : type;
}

CXType array_element(CXType type)
{
    return clang_getArrayElementType(canonical(type));
}

int64_t array_count(CXType type)
{
    long long count = clang_getArraySize(canonical(type));
    return count > 0 ? count : 0;
}

uint64_t size_of(CXType type)
{
    enum type_class class = classify(type);
    if (class == CLASS_VOID || class == CLASS_FUNCTION || class == CLASS_DEPENDENT)
        return 0;
    long long size = clang_Type_getSizeOf(type);
    return size > 0 ? (uint64_t)size : 0;
}

static ir_type_id scalar_type(struct lowering *u, CXType type)
{
    struct ir_unit *unit = u->unit;
    uint64_t size = size_of(type);
    switch (type.kind) {
    case CXType_Bool:
        return ir_type_bool(unit);
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_Char16:
    case CXType_Char32:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
    case CXType_UInt128:
        return ir_type_int(unit, (uint32_t)size * 8, false);
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_WChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
    case CXType_Int128:
        return ir_type_int(unit, (uint32_t)size * 8, true);
    case CXType_Enum: {
        CXType integer = clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type));
        if (integer.kind == CXType_Invalid || !is_integral(integer) ||
            canonical(integer).kind == CXType_Enum)
            return ir_type_int(unit, 32, true);
        return type_of(u, integer);
    }
    case CXType_NullPtr:
        return ir_type_pointer(unit, ir_type_void(unit));
    default:
        break;
    }
    if (is_floating(type))
        return ir_type_float(unit, (uint32_t)size * 8);
    const char *name = type_spelling(&u->scratch, type);
    long long align = clang_Type_getAlignOf(type);
    return ir_type_opaque(unit, name, size, align > 0 ? (uint64_t)align : 0);
}

ir_type_id pointer_to(struct lowering *u, CXType pointee)
{
    pointee = canonical(pointee);
    ir_type_id elem;
    if (is_record(pointee)) {
        // The class is completed when an object of it or a member is needed.
        struct record_info *record = record_of(u, pointee);
        elem = record ? record->id : ir_type_void(u->unit);
    } else {
        elem = type_of(u, pointee);
    }
    return ir_type_pointer(u->unit, elem);
}

ir_type_id type_of(struct lowering *u, CXType type)
{
    type = canonical(type);
    switch (classify(type)) {
    case CLASS_VOID:
        return ir_type_void(u->unit);
    case CLASS_RECORD: {
        struct record_info *record = record_of(u, type);
        if (!record)
            break;
        record_fill(u, record);
        return record->id;
    }
    case CLASS_ARRAY:
        return ir_type_array(u->unit, type_of(u, array_element(type)), (uint64_t)array_count(type));
    case CLASS_FUNCTION:
        return ir_type_function(u->unit);
    case CLASS_REFERENCE:
        return pointer_to(u, clang_getPointeeType(type));
    case CLASS_SCALAR:
        if (type.kind == CXType_Pointer)
            return pointer_to(u, clang_getPointeeType(type));
        return scalar_type(u, type);
    case CLASS_DEPENDENT:
        break;
    }
    const char *name = type_spelling(&u->scratch, type);
    return ir_type_opaque(u->unit, *name ? name : "dependent type", 0, 0);
}

// --- Classes ---------------------------------------------------------------------------------

struct record_info *record_of(struct lowering *u, CXType type)
{
    if (!is_record(type))
        return NULL;
    type = clang_getUnqualifiedType(canonical(type));
    CXCursor decl = clang_getTypeDeclaration(type);
    if (cursor_is_null(decl))
        return NULL;
    decl = clang_getCanonicalCursor(decl);
    uint32_t known = cursor_map_find(&u->records, decl);
    if (known != IR_NONE)
        return u->record[known];
    struct record_info *record = arena_new(&u->arena, struct record_info);
    record->decl = decl;
    record->type = type;
    record->is_union = clang_getCursorKind(decl) == CXCursor_UnionDecl;
    cursor_map_put(&u->records, decl, (uint32_t)arrlenu(u->record));
    arrput(u->record, record);
    record->id = ir_type_record(u->unit, "");
    // Arguments may be types that name this class again.
    const char *name = arena_strdup(&u->unit->arena, display_name(u, decl));
    u->unit->type[record->id].name = name;
    u->unit->type[record->id].is_union = record->is_union;
    return record;
}

static enum CXVisitorResult collect_cursor(CXCursor cursor, CXClientData data)
{
    CXCursor **list = data;
    arrput(*list, cursor);
    return CXVisit_Continue;
}

static void record_add_field(struct lowering *u, struct record_info *record, const char *name,
                             CXType type, uint64_t offset, uint32_t bit_offset, uint32_t bit_width)
{
    ir_type_id id = type_of(u, type);
    struct ir_field field = {.name = arena_strdup(&u->unit->arena, name),
                             .type = id,
                             .offset = offset,
                             .bit_offset = bit_offset,
                             .bit_width = bit_width};
    struct ir_type *target = &u->unit->type[record->id];
    // By offset; what was added first stays first among equals.
    ptrdiff_t at = arrlen(target->field);
    while (at > 0 && target->field[at - 1].offset > offset)
        --at;
    arrins(target->field, at, field);
}

// Empty for a union or struct without a name, whose members are called as if they were the
// record's.
static const char *field_name(struct lowering *u, CXCursor field)
{
    CXCursor type = clang_getTypeDeclaration(canonical(clang_getCursorType(field)));
    return clang_Cursor_isAnonymousRecordDecl(type) ? "" : cursor_name(&u->scratch, field);
}

// Whether the part of an object that has this type needs more than its bytes.
static void record_inherit(struct lowering *u, struct record_info *record, CXType part)
{
    part = canonical(part);
    while (classify(part) == CLASS_ARRAY)
        part = canonical(array_element(part));
    if (!is_record(part))
        return;
    struct record_info *other = record_of(u, part);
    if (!other || other == record)
        return;
    record_fill(u, other);
    record->has_copy |= other->has_copy;
    record->has_assign |= other->has_assign;
    record->has_destroy |= other->has_destroy;
    record->has_default |= other->has_default;
}

static void record_judge(struct lowering *u, struct record_info *record)
{
    for (ptrdiff_t i = 0; i < arrlen(record->method); ++i) {
        CXCursor method = record->method[i];
        enum CXCursorKind kind = clang_getCursorKind(method);
        if (clang_CXXMethod_isVirtual(method))
            record->has_default = true;
        if (clang_CXXMethod_isDefaulted(method) || clang_CXXMethod_isDeleted(method))
            continue;
        if (kind == CXCursor_Destructor)
            record->has_destroy = true;
        if (clang_CXXMethod_isCopyAssignmentOperator(method) ||
            clang_CXXMethod_isMoveAssignmentOperator(method))
            record->has_assign = true;
        if (kind == CXCursor_Constructor) {
            if (clang_CXXConstructor_isCopyConstructor(method) ||
                clang_CXXConstructor_isMoveConstructor(method))
                record->has_copy = true;
            if (clang_CXXConstructor_isDefaultConstructor(method))
                record->has_default = true;
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(record->base); ++i)
        record_inherit(u, record, clang_getCursorType(record->base[i]));
    for (ptrdiff_t i = 0; i < arrlen(record->field); ++i) {
        // Members of a union are not constructed or destroyed by it.
        if (record->is_union)
            continue;
        record_inherit(u, record, clang_getCursorType(record->field[i]));
        if (!cursor_is_null(default_initializer(u, record->field[i])) ||
            has_default_bits(u, record->field[i]))
            record->has_default = true;
    }
}

void record_fill(struct lowering *u, struct record_info *record)
{
    if (record->is_filled || record->is_filling)
        return;
    record->is_filling = true;
    clang_visitCXXBaseClasses(record->type, collect_cursor, &record->base);
    clang_Type_visitFields(record->type, collect_cursor, &record->field);
    clang_visitCXXMethods(record->type, collect_cursor, &record->method);
    CXCursor definition = clang_getCursorDefinition(record->decl);
    long long size = cursor_is_null(definition) ? -1 : clang_Type_getSizeOf(record->type);
    long long align = clang_Type_getAlignOf(record->type);
    u->unit->type[record->id].size = size > 0 ? (uint64_t)size : 0;
    u->unit->type[record->id].align = align > 0 ? (uint64_t)align : 0;
    for (ptrdiff_t i = 0; i < arrlen(record->base); ++i) {
        long long bits = size > 0 ? clang_getOffsetOfBase(definition, record->base[i]) : -1;
        int64_t offset = bits >= 0 ? bits / 8 : 0;
        arrput(record->base_offset, offset);
        if (size > 0)
            record_add_field(u, record, "", clang_getCursorType(record->base[i]), (uint64_t)offset,
                             0, 0);
    }
    for (ptrdiff_t i = 0; size > 0 && i < arrlen(record->field); ++i) {
        CXCursor field = record->field[i];
        uint64_t offset;
        uint32_t bit_offset, bit_width;
        if (field_place(u, field, &offset, &bit_offset, &bit_width))
            record_add_field(u, record, field_name(u, field), clang_getCursorType(field), offset,
                             bit_offset, bit_width);
    }
    record_judge(u, record);
    record->is_filled = true;
    record->is_filling = false;
}

static bool base_search(struct lowering *u, struct record_info *derived, CXType base, int64_t *out,
                        unsigned depth)
{
    if (!derived || depth > 32)
        return false;
    record_fill(u, derived);
    for (ptrdiff_t i = 0; i < arrlen(derived->base) && i < arrlen(derived->base_offset); ++i) {
        CXType type = clang_getCursorType(derived->base[i]);
        int64_t inner = 0;
        if (same_type(type, base) || base_search(u, record_of(u, type), base, &inner, depth + 1)) {
            *out = derived->base_offset[i] + inner;
            return true;
        }
    }
    return false;
}

bool base_offset(struct lowering *u, CXType derived, CXType base, int64_t *out)
{
    *out = 0;
    if (!is_record(derived) || !is_record(base))
        return false;
    return same_type(derived, base) || base_search(u, record_of(u, derived), base, out, 0);
}

static bool subobject_search(struct lowering *u, CXType whole, CXType part, int64_t *out,
                             unsigned depth)
{
    struct record_info *record = is_record(whole) && depth < 16 ? record_of(u, whole) : NULL;
    if (!record)
        return false;
    record_fill(u, record);
    for (ptrdiff_t i = 0; i < arrlen(record->field); ++i) {
        CXType type = clang_getCursorType(record->field[i]);
        uint64_t offset;
        uint32_t bit_offset, bit_width;
        int64_t inner = 0;
        if (!is_record(type) ||
            !clang_Cursor_isAnonymousRecordDecl(clang_getTypeDeclaration(canonical(type))) ||
            !field_place(u, record->field[i], &offset, &bit_offset, &bit_width))
            continue;
        if (same_type(type, part) || subobject_search(u, type, part, &inner, depth + 1)) {
            *out = (int64_t)offset + inner;
            return true;
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(record->base); ++i) {
        int64_t inner = 0;
        if (subobject_search(u, clang_getCursorType(record->base[i]), part, &inner, depth + 1)) {
            *out = record->base_offset[i] + inner;
            return true;
        }
    }
    return false;
}

bool subobject_offset(struct lowering *u, CXType whole, CXType part, int64_t *out)
{
    return base_offset(u, whole, part, out) || subobject_search(u, whole, part, out, 0);
}

// Members of a class template that is no instance have no offsets. They get some that keep them
// apart, so that an analysis of the template can tell them from one another.
static bool pattern_place(struct lowering *u, CXCursor field, uint64_t *offset)
{
    enum { MEMBER_STRIDE = 4096 };
    CXCursor parent = clang_getCursorSemanticParent(field);
    if (!is_template_part(field))
        return false;
    struct children members = children_of(&u->scratch, parent);
    *offset = 0;
    for (size_t i = 0; i < members.count; ++i) {
        if (clang_equalCursors(members.item[i], field))
            return true;
        if (clang_getCursorKind(members.item[i]) == CXCursor_FieldDecl)
            *offset += MEMBER_STRIDE;
    }
    return false;
}

bool field_place(struct lowering *u, CXCursor field, uint64_t *offset, uint32_t *bit_offset,
                 uint32_t *bit_width)
{
    long long bits = clang_Cursor_getOffsetOfField(field);
    *bit_offset = *bit_width = 0;
    if (bits < 0)
        return pattern_place(u, field, offset);
    *offset = (uint64_t)bits / 8;
    if (!clang_Cursor_isBitField(field))
        return true;
    int width = clang_getFieldDeclBitWidth(field);
    uint64_t unit = size_of(clang_getCursorType(field));
    if (width <= 0 || unit == 0)
        return false;
    // The storage unit is the declared type at a multiple of its size, as the ABI lays it out; a
    // member that crosses one (packed) starts at its own byte.
    uint64_t start = (uint64_t)bits / (unit * 8) * unit;
    if ((uint64_t)bits + (uint64_t)width > (start + unit) * 8)
        start = (uint64_t)bits / 8;
    *offset = start;
    *bit_offset = (uint32_t)((uint64_t)bits - start * 8);
    *bit_width = (uint32_t)width;
    return true;
}
