// Initialization of objects: variables, members, arrays, aggregates.
#include "frontend/lower.h"

#include <string.h>

void emit_zero(struct lower *l, CXType type, ir_value address)
{
    enum type_class class = classify(type);
    uint64_t size = size_of(type);
    if (class == CLASS_SCALAR) {
        ir_type_id id = type_of(l->unit, type);
        emit(l, IR_STORE, IR_NONE, (ir_value[]){address, emit_int(l, id, 0)}, 2, 0);
    } else if (size) {
        emit(l, IR_ZERO, IR_NONE, &address, 1, (int64_t)size);
    }
}

CXCursor default_initializer(struct lowering *u, CXCursor field)
{
    CXCursor none = clang_getNullCursor();
    if (clang_getCursorKind(field) != CXCursor_FieldDecl || clang_Cursor_isBitField(field))
        return none;
    struct children children = children_of(&u->scratch, field);
    CXCursor last = none;
    for (size_t i = 0; i < children.count; ++i)
        if (is_expression(children.item[i]))
            last = children.item[i];
    if (cursor_is_null(last))
        return none;
    // An array's extent and a template argument are children too; the initializer ends where the
    // member ends.
    CXSourceRange whole = clang_getCursorExtent(field), part = clang_getCursorExtent(last);
    CXFile a = NULL, b = NULL;
    unsigned end_whole = 0, end_part = 0;
    clang_getSpellingLocation(clang_getRangeEnd(whole), &a, NULL, NULL, &end_whole);
    clang_getSpellingLocation(clang_getRangeEnd(part), &b, NULL, NULL, &end_part);
    return a && b && clang_File_isEqual(a, b) && end_whole == end_part ? last : none;
}

bool has_default_bits(struct lowering *u, CXCursor field)
{
    struct children children = children_of(&u->scratch, field);
    CXFile a = NULL, b = NULL;
    unsigned end_whole = 0, end_width = 0;
    if (!clang_Cursor_isBitField(field))
        return false;
    clang_getSpellingLocation(clang_getRangeEnd(clang_getCursorExtent(field)), &a, NULL, NULL,
                              &end_whole);
    for (size_t i = 0; i < children.count; ++i)
        if (is_expression(children.item[i]))
            clang_getSpellingLocation(clang_getRangeEnd(clang_getCursorExtent(children.item[i])),
                                      &b, NULL, NULL, &end_width);
    return a && b && (!clang_File_isEqual(a, b) || end_whole > end_width);
}

void init_default_bits(struct lower *l, CXCursor field, ir_value object)
{
    CXType type = clang_getCursorType(field);
    int64_t number;
    if (!has_default_bits(l->unit, field))
        return;
    ir_value value = evaluate(l, field, &number)
                         ? emit_int(l, type_of(l->unit, type), number)
                         : emit_opaque(l, type, "initializer of a bit-field", false, NULL, 0);
    init_bits(l, field, object, value);
}

// --- Lists -----------------------------------------------------------------------------------

// libclang shows a list as it is written: without the braces the language lets one leave out and
// without the conversions of its elements.
struct list {
    CXCursor *item;
    size_t count, next;
};

static void fill(struct lower *l, struct list *list, CXType type, ir_value address);

static bool is_list(CXCursor e)
{
    enum CXCursorKind kind = clang_getCursorKind(e);
    return kind == CXCursor_InitListExpr || kind == CXCursor_CXXParenListInitExpr;
}

static struct list list_of(struct lower *l, CXCursor e)
{
    struct children children = children_of(scratch_of(l), e);
    struct list list = {.item = arena_array(scratch_of(l), CXCursor, children.count + 1)};
    for (size_t i = 0; i < children.count; ++i)
        if (is_expression(children.item[i]))
            list.item[list.count++] = children.item[i];
    return list;
}

static bool is_aggregate(const struct record_info *record)
{
    for (ptrdiff_t i = 0; i < arrlen(record->method); ++i)
        if (clang_getCursorKind(record->method[i]) == CXCursor_Constructor &&
            !clang_CXXMethod_isDefaulted(record->method[i]) &&
            !clang_CXXMethod_isDeleted(record->method[i]))
            return false;
    return true;
}

// How well a constructor takes the values: more is better, 0 not at all.
static unsigned constructor_fit(struct lower *l, CXCursor ctor, const struct list *values)
{
    CXType type = canonical(clang_getCursorType(ctor));
    int parameters = clang_getNumArgTypes(type);
    if (clang_getCursorKind(ctor) != CXCursor_Constructor || clang_CXXMethod_isDeleted(ctor) ||
        clang_CXXMethod_isDefaulted(ctor) || parameters < (int)values->count)
        return 0;
    unsigned fit = 1;
    for (int i = 0; i < parameters; ++i) {
        if (i >= (int)values->count) {
            CXCursor parameter = clang_Cursor_getArgument(ctor, (unsigned)i);
            if (cursor_is_null(parameter) || cursor_is_null(last_child(l, parameter)))
                return 0;
            continue;
        }
        CXType wanted = strip_reference(clang_getArgType(type, (unsigned)i));
        CXType given = clang_getCursorType(values->item[i]);
        if (same_type(wanted, given))
            fit += 4;
        else if (is_record(wanted) != is_record(given))
            return 0;
        else if (is_integral(wanted) == is_integral(given))
            fit += 2;
    }
    return fit;
}

// Constructs a class object from values whose constructor call libclang does not show.
static void construct_from(struct lower *l, struct record_info *record, struct list *values,
                           ir_value address)
{
    CXCursor best = clang_getNullCursor();
    unsigned best_fit = 0;
    for (ptrdiff_t i = 0; i < arrlen(record->method); ++i) {
        unsigned fit = constructor_fit(l, record->method[i], values);
        if (fit > best_fit) {
            best_fit = fit;
            best = record->method[i];
        }
    }
    if (best_fit == 0) {
        for (size_t i = 0; i < values->count; ++i)
            lower_discard(l, values->item[i]);
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "constructor of a list element", true,
                    &address, 1);
        return;
    }
    CXType type = canonical(clang_getCursorType(best));
    ir_value *argument = NULL;
    arrput(argument, address);
    for (int i = 0; i < clang_getNumArgTypes(type); ++i) {
        CXCursor value = i < (int)values->count
                             ? values->item[i]
                             : last_child(l, clang_Cursor_getArgument(best, (unsigned)i));
        arrput(argument, lower_argument(l, value, clang_getArgType(type, (unsigned)i)));
    }
    call_function(l, best, argument, arrlenu(argument), false);
    arrfree(argument);
}

// Whether an expression initializes a class object as a whole and not its first member.
static bool fits_record(struct lower *l, CXCursor e, CXType type)
{
    CXType given = clang_getCursorType(e);
    int64_t offset;
    if (is_list(e))
        return true;
    return is_record(given) &&
           (same_type(given, type) || base_offset(l->unit, given, type, &offset));
}

static void fill_field(struct lower *l, struct record_info *record, CXCursor field,
                       struct list *list, ir_value object)
{
    uint64_t offset;
    uint32_t bit_offset, bit_width;
    CXType type = clang_getCursorType(field);
    if (!field_place(l->unit, field, &offset, &bit_offset, &bit_width))
        return;
    bool has_value = list->next < list->count;
    if (bit_width) {
        if (has_value)
            init_bits(l, field, object, lower_value(l, list->item[list->next++]));
        else
            init_default_bits(l, field, object);
        return;
    }
    CXCursor init = default_initializer(l->unit, field);
    ir_value address = emit_offset(l, object, (int64_t)offset, pointer_to(l->unit, type));
    if (has_value) {
        fill(l, list, type, address);
    } else if (!cursor_is_null(init)) {
        ir_value saved = l->this_value;
        CXCursor saved_record = l->this_record;
        l->this_value = object;
        l->this_record = record->decl;
        lower_into(l, init, type, address);
        l->this_value = saved;
        l->this_record = saved_record;
    } else {
        construct_default(l, type, address, false);
    }
}

// `.name = value`: the field and the value of a designated initializer.
static bool designated(struct lower *l, CXCursor e, CXCursor *field, CXCursor *value)
{
    if (clang_getCursorKind(e) != CXCursor_UnexposedExpr)
        return false;
    struct children children = children_all(scratch_of(l), e);
    *field = *value = clang_getNullCursor();
    for (size_t i = 0; i < children.count; ++i) {
        if (clang_getCursorKind(children.item[i]) == CXCursor_MemberRef)
            *field = clang_getCursorReferenced(children.item[i]);
        else if (is_expression(children.item[i]))
            *value = children.item[i];
    }
    return !cursor_is_null(*field) && !cursor_is_null(*value);
}

static void fill_record(struct lower *l, struct record_info *record, struct list *list,
                        ir_value address)
{
    CXCursor field, value;
    if (list->next < list->count && designated(l, list->item[list->next], &field, &value)) {
        size_t first = list->next;
        for (ptrdiff_t i = 0; i < arrlen(record->field); ++i) {
            struct list one = {.item = &value};
            for (size_t k = first; k < list->count; ++k)
                if (designated(l, list->item[k], &field, &value) &&
                    clang_equalCursors(field, record->field[i])) {
                    one.count = 1;
                    break;
                }
            if (one.count || !record->is_union)
                fill_field(l, record, record->field[i], &one, address);
        }
        list->next = list->count;
        return;
    }
    for (ptrdiff_t i = 0; i < arrlen(record->base); ++i) {
        CXType base = clang_getCursorType(record->base[i]);
        ir_value part = emit_offset(l, address, record->base_offset[i], pointer_to(l->unit, base));
        if (list->next < list->count)
            fill(l, list, base, part);
        else
            construct_default(l, base, part, false);
    }
    for (ptrdiff_t i = 0; i < arrlen(record->field); ++i) {
        if (record->is_union && i > 0)
            break;
        if (*cursor_name(scratch_of(l), record->field[i]) == '\0' &&
            clang_Cursor_isBitField(record->field[i]))
            continue;
        fill_field(l, record, record->field[i], list, address);
    }
}

static void fill_array(struct lower *l, struct list *list, CXType type, ir_value address)
{
    CXType element = array_element(type);
    int64_t stride = (int64_t)size_of(element), count = array_count(type);
    ir_type_id pointer = pointer_to(l->unit, element);
    for (int64_t i = 0; i < count && list->next < list->count; ++i)
        fill(l, list, element, emit_offset(l, address, i * stride, pointer));
}

// Initializes one object from the next values of the list.
static void fill(struct lower *l, struct list *list, CXType type, ir_value address)
{
    CXCursor e = list->item[list->next];
    enum type_class class = classify(type);
    bool is_string = clang_getCursorKind(strip(l, e)) == CXCursor_StringLiteral;
    if ((class != CLASS_RECORD && class != CLASS_ARRAY) || is_list(e) ||
        (class == CLASS_ARRAY && is_string)) {
        ++list->next;
        lower_into(l, e, type, address);
        return;
    }
    if (class == CLASS_ARRAY) {
        fill_array(l, list, type, address);
        return;
    }
    struct record_info *record = record_of(l->unit, type);
    if (record)
        record_fill(l->unit, record);
    if (!record || fits_record(l, e, type)) {
        ++list->next;
        lower_into(l, e, type, address);
    } else if (is_aggregate(record)) {
        fill_record(l, record, list, address);
    } else {
        struct list one = {.item = &list->item[list->next++], .count = 1};
        construct_from(l, record, &one, address);
    }
}

void lower_init_list(struct lower *l, CXCursor e, CXType type, ir_value address)
{
    struct list list = list_of(l, e);
    enum type_class class = classify(type);
    if (class == CLASS_ARRAY) {
        if (list.count == 1 &&
            clang_getCursorKind(strip(l, list.item[0])) == CXCursor_StringLiteral) {
            lower_into(l, list.item[0], type, address);
            return;
        }
        if ((uint64_t)array_count(type) > list.count)
            construct_default(l, type, address, true);
        fill_array(l, &list, type, address);
        return;
    }
    if (class != CLASS_RECORD) {
        if (list.count)
            lower_into(l, list.item[0], type, address);
        else
            emit_zero(l, type, address);
        return;
    }
    struct record_info *record = record_of(l->unit, type);
    if (!record)
        return;
    record_fill(l->unit, record);
    if (list.count == 0 && !is_aggregate(record)) {
        construct_default(l, type, address, true);
    } else if (list.count == 1 && !is_list(list.item[0]) && fits_record(l, list.item[0], type)) {
        lower_into(l, list.item[0], type, address);
    } else if (is_aggregate(record)) {
        size_t parts = arrlenu(record->field) + arrlenu(record->base);
        if (list.count < parts || record->is_union)
            emit_zero(l, type, address);
        fill_record(l, record, &list, address);
    } else {
        construct_from(l, record, &list, address);
    }
}

// --- Objects ---------------------------------------------------------------------------------

// Through wrappers that keep the type of a class prvalue.
static CXCursor prvalue_core(struct lower *l, CXCursor e, CXType type)
{
    for (unsigned i = 0; i < 64; ++i) {
        enum CXCursorKind kind = clang_getCursorKind(e);
        if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr &&
            kind != CXCursor_CXXFunctionalCastExpr && kind != CXCursor_CXXStaticCastExpr &&
            kind != CXCursor_CStyleCastExpr && kind != CXCursor_CompoundLiteralExpr)
            return e;
        // An operator that nobody declares has its operands below it: neither is its value.
        CXCursor child = kind == CXCursor_UnexposedExpr ? only_child(l, e) : last_child(l, e);
        if (cursor_is_null(child) || is_glvalue(l, child))
            return e;
        if (!same_type(clang_getCursorType(child), type) && !is_list(child))
            return e;
        e = child;
    }
    return e;
}

static void record_into(struct lower *l, CXCursor e, CXType type, ir_value address)
{
    CXCursor core = prvalue_core(l, e, type);
    enum CXCursorKind kind = clang_getCursorKind(core);
    if (is_list(core)) {
        lower_init_list(l, core, type, address);
        return;
    }
    if (kind == CXCursor_LambdaExpr) {
        lower_lambda(l, core, address);
        return;
    }
    if (kind == CXCursor_ConditionalOperator && !is_glvalue(l, core)) {
        lower_conditional(l, core, false, address);
        return;
    }
    if (kind == CXCursor_CallExpr && !call_returns_reference(l, core) &&
        same_type(clang_getCursorType(core), type)) {
        ir_value result = lower_call(l, core, address);
        if (result != address && result != IR_NONE && size_of(type))
            emit(l, IR_COPY, IR_NONE, (ir_value[]){address, result}, 2, (int64_t)size_of(type));
        return;
    }
    if (kind == CXCursor_UnexposedExpr && children_of(scratch_of(l), core).count == 0) {
        construct_default(l, type, address, true);
        return;
    }
    CXType given = clang_getCursorType(core);
    if (!is_record(given)) {
        struct record_info *record = record_of(l->unit, type);
        struct list one = {.item = &core, .count = 1};
        if (record && !is_dependent(given)) {
            record_fill(l->unit, record);
            construct_from(l, record, &one, address);
            return;
        }
        lower_discard(l, core);
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "initializer of a dependent type", true,
                    &address, 1);
        return;
    }
    // A prvalue of another kind makes its own object.
    ir_value from = is_glvalue(l, core) ? lower_address(l, core) : lower_value(l, core);
    if (from != IR_NONE && size_of(type))
        emit(l, IR_COPY, IR_NONE, (ir_value[]){address, from}, 2, (int64_t)size_of(type));
}

static void array_into(struct lower *l, CXCursor e, CXType type, ir_value address)
{
    CXCursor core = e;
    while (clang_getCursorKind(core) == CXCursor_UnexposedExpr ||
           clang_getCursorKind(core) == CXCursor_ParenExpr) {
        CXCursor child = only_child(l, core);
        if (cursor_is_null(child))
            break;
        core = child;
    }
    enum CXCursorKind kind = clang_getCursorKind(core);
    if (is_list(core)) {
        lower_init_list(l, core, type, address);
    } else if (kind == CXCursor_CallExpr) {
        lower_construct(l, core, type, address);
    } else if (kind == CXCursor_UnexposedExpr && children_of(scratch_of(l), core).count == 0) {
        construct_default(l, type, address, true);
    } else {
        // A string, or the element-wise copy of an array member.
        ir_value from = lower_address(l, core);
        uint64_t size = size_of(type), given = size_of(clang_getCursorType(core));
        if (given && given < size) {
            emit_zero(l, type, address);
            size = given;
        }
        if (from != IR_NONE && size)
            emit(l, IR_COPY, IR_NONE, (ir_value[]){address, from}, 2, (int64_t)size);
    }
}

CXCursor bound_object(struct lower *l, CXType type, CXCursor init)
{
    if (cursor_is_null(init) || !is_list(init))
        return init;
    struct children children = children_of(scratch_of(l), init);
    CXType wanted = strip_reference(type);
    return children.count == 1 && same_type(clang_getCursorType(children.item[0]), wanted)
               ? children.item[0]
               : init;
}

void lower_into(struct lower *l, CXCursor e, CXType type, ir_value address)
{
    struct ir_loc saved = l->b.loc, loc = loc_of(l->unit, e);
    if (loc.line)
        l->b.loc = loc;
    switch (classify(type)) {
    case CLASS_REFERENCE: {
        ir_value target = lower_address(l, bound_object(l, type, e));
        if (target != IR_NONE)
            emit(l, IR_STORE, IR_NONE, (ir_value[]){address, target}, 2, 0);
        break;
    }
    case CLASS_RECORD:
        record_into(l, e, type, address);
        break;
    case CLASS_ARRAY:
        array_into(l, e, type, address);
        break;
    case CLASS_SCALAR: {
        CXType given = clang_getCursorType(e);
        ir_value value;
        if (is_list(e)) {
            struct list list = list_of(l, e);
            if (list.count) {
                lower_into(l, list.item[0], type, address);
            } else {
                emit_zero(l, type, address);
            }
            break;
        }
        value = convert(l, lower_value(l, e), given, type);
        if (value == IR_NONE)
            value = emit_opaque(l, type, "initializer without a value", false, NULL, 0);
        emit_store(l, type, address, value);
        break;
    }
    default:
        if (is_list(e)) {
            struct list list = list_of(l, e);
            for (size_t i = 0; i < list.count; ++i)
                lower_discard(l, list.item[i]);
        } else {
            ir_value value = lower_value(l, e);
            if (value != IR_NONE) {
                emit_store(l, type, address, value);
                break;
            }
        }
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "initializer of a dependent type", false,
                    &address, 1);
        break;
    }
    l->b.loc = saved;
}
