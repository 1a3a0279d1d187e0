// Constructors: calls of them, what they do before their body, new and delete.
#include "frontend/lower.h"

#include <string.h>

// --- Constructors ----------------------------------------------------------------------------

// A constructor that a class takes over from a base with `using Base::Base`.
static bool construct_inherited(struct lower *l, CXCursor e, CXCursor ctor,
                                struct record_info *record, ir_value address)
{
    const char *name = cursor_name(scratch_of(l), ctor);
    for (ptrdiff_t i = 0; i < arrlen(record->base); ++i) {
        CXType type = clang_getCursorType(record->base[i]);
        struct record_info *base = filled_record(l, type);
        if (!base || strcmp(name, cursor_name(scratch_of(l), base->decl)) != 0)
            continue;
        ir_value part = emit_offset(l, address, record->base_offset[i], pointer_to(l->unit, type));
        for (ptrdiff_t m = 0; m < arrlen(base->method); ++m) {
            CXCursor method = base->method[m];
            if (clang_getCursorKind(method) != CXCursor_Constructor ||
                !clang_equalTypes(canonical(clang_getCursorType(method)),
                                  canonical(clang_getCursorType(ctor))))
                continue;
            ir_value *argument = NULL;
            arrput(argument, part);
            CXType function = canonical(clang_getCursorType(method));
            int count = clang_Cursor_getNumArguments(e);
            for (int a = 0; a < count; ++a)
                arrput(argument, lower_argument(l, clang_Cursor_getArgument(e, (unsigned)a),
                                                clang_getArgType(function, (unsigned)a)));
            call_function(l, method, argument, arrlenu(argument), false);
            arrfree(argument);
            for (ptrdiff_t f = 0; f < arrlen(record->field); ++f)
                construct_field(l, record, record->field[f], address);
            return true;
        }
    }
    return false;
}

static bool ends_in_bracket(struct lower *l, CXCursor e)
{
    const char *begin, *end = text_end(l->unit, e, &begin);
    return end > begin && (end[-1] == ')' || end[-1] == '}');
}

// A dim3 is three words whatever its header looks like.
static bool construct_extents(struct lower *l, CXCursor e, struct record_info *record,
                              ir_value address)
{
    int count = clang_Cursor_getNumArguments(e);
    if (strcmp(cursor_name(scratch_of(l), record->decl), "dim3") != 0 ||
        size_of(record->type) != 12 || count < 1 || count > 3)
        return false;
    for (int i = 0; i < count; ++i)
        if (!is_integral(clang_getCursorType(clang_Cursor_getArgument(e, (unsigned)i))))
            return false;
    ir_type_id word = ir_type_int(unit_of(l), 32, false);
    for (int i = 0; i < 3; ++i) {
        ir_value value = i < count ? lower_value(l, clang_Cursor_getArgument(e, (unsigned)i))
                                   : emit_int(l, word, 1);
        ir_value to = emit_offset(l, address, 4 * i, ir_type_pointer(unit_of(l), word));
        emit(l, IR_STORE, IR_NONE, (ir_value[]){to, value}, 2, 0);
    }
    return true;
}

void lower_construct(struct lower *l, CXCursor e, CXType type, ir_value address)
{
    CXCursor ctor = clang_getCursorReferenced(e);
    if (classify(type) == CLASS_ARRAY) {
        construct_default(l, type, address, false);
        return;
    }
    struct record_info *record = filled_record(l, type);
    if (!record) {
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "construction of an unknown class", true,
                    &address, 1);
        return;
    }
    int count = clang_Cursor_getNumArguments(e);
    if (clang_CXXMethod_isDefaulted(ctor)) {
        if (is_copy_ctor(ctor) && count == 1)
            construct_copy(l, type, address, lower_address(l, clang_Cursor_getArgument(e, 0)));
        else
            construct_default(l, type, address, ends_in_bracket(l, e));
        return;
    }
    if (construct_extents(l, e, record, address))
        return;
    const char *own = cursor_name(scratch_of(l), record->decl);
    const char *name = cursor_name(scratch_of(l), ctor);
    size_t length = strlen(own);
    bool is_own = strncmp(own, name, length) == 0 && (name[length] == '\0' || name[length] == '<');
    if (!is_own && construct_inherited(l, e, ctor, record, address))
        return;
    ir_value *argument = NULL;
    arrput(argument, address);
    lower_call_arguments(l, e, 0, ctor, &argument);
    call_function(l, ctor, argument, arrlenu(argument), false);
    arrfree(argument);
}

struct member_init {
    CXCursor field; // null: a base class or the same class
    CXCursor init;  // null: value initialization
};

// The initializers a constructor writes, in the order of the text.
static struct member_init *written_inits(struct lower *l, CXCursor definition)
{
    struct member_init *inits = NULL;
    struct children children = children_all(scratch_of(l), definition);
    CXCursor pending = clang_getNullCursor();
    for (size_t i = 0; i < children.count; ++i) {
        CXCursor child = children.item[i];
        enum CXCursorKind kind = clang_getCursorKind(child);
        if (kind == CXCursor_MemberRef || kind == CXCursor_CompoundStmt) {
            if (!cursor_is_null(pending))
                arrput(inits, ((struct member_init){pending, clang_getNullCursor()}));
            pending = kind == CXCursor_MemberRef ? clang_getCursorReferenced(child)
                                                 : clang_getNullCursor();
        } else if (is_expression(child)) {
            bool is_base = cursor_is_null(pending);
            CXType type = clang_getCursorType(child);
            if (is_base && !is_record(type) && !is_dependent(type))
                continue; // a template argument of the base's name
            arrput(inits, ((struct member_init){pending, child}));
            pending = clang_getNullCursor();
        }
    }
    return inits;
}

static void init_member(struct lower *l, CXCursor field, CXCursor init, ir_value object)
{
    uint64_t offset;
    uint32_t bit_offset, bit_width;
    CXType type = clang_getCursorType(field);
    if (!field_place(l->unit, field, &offset, &bit_offset, &bit_width))
        return;
    if (bit_width) {
        init_bits(l, field, object,
                  cursor_is_null(init) ? emit_int(l, type_of(l->unit, type), 0)
                                       : lower_value(l, init));
        return;
    }
    ir_value address = emit_offset(l, object, (int64_t)offset, pointer_to(l->unit, type));
    if (cursor_is_null(init))
        construct_default(l, type, address, true);
    else
        lower_into(l, init, type, address);
}

static const struct member_init *find_init(const struct member_init *inits, CXCursor field)
{
    for (ptrdiff_t i = 0; i < arrlen(inits); ++i)
        if (!cursor_is_null(inits[i].field) && clang_equalCursors(inits[i].field, field))
            return &inits[i];
    return NULL;
}

static void construct_bases(struct lower *l, struct record_info *record,
                            const struct member_init *inits)
{
    for (ptrdiff_t i = 0; i < arrlen(record->base); ++i) {
        CXType type = clang_getCursorType(record->base[i]);
        const struct member_init *found = NULL;
        for (ptrdiff_t k = 0; k < arrlen(inits) && !found; ++k)
            if (cursor_is_null(inits[k].field) &&
                same_type(clang_getCursorType(inits[k].init), type))
                found = &inits[k];
        ir_value part =
            emit_offset(l, l->this_value, record->base_offset[i], pointer_to(l->unit, type));
        if (found)
            lower_into(l, found->init, type, part);
        else
            construct_base(l, record, i, l->this_value);
    }
}

void lower_constructor_body(struct lower *l, CXCursor definition)
{
    CXCursor parent = clang_getCursorSemanticParent(definition);
    CXType type = clang_getCursorType(parent);
    struct record_info *record = filled_record(l, type);
    struct member_init *inits = written_inits(l, definition);
    if (!record || l->this_value == IR_NONE) {
        for (ptrdiff_t i = 0; i < arrlen(inits); ++i)
            if (!cursor_is_null(inits[i].init))
                lower_discard(l, inits[i].init);
        arrfree(inits);
        return;
    }
    for (ptrdiff_t i = 0; i < arrlen(inits); ++i) {
        if (!cursor_is_null(inits[i].field) || !same_type(clang_getCursorType(inits[i].init), type))
            continue;
        lower_into(l, inits[i].init, type, l->this_value); // delegates to another constructor
        arrfree(inits);
        return;
    }
    construct_bases(l, record, inits);
    for (ptrdiff_t i = 0; i < arrlen(record->field); ++i) {
        const struct member_init *found = find_init(inits, record->field[i]);
        size_t depth = arrlenu(l->cleanup);
        if (found)
            init_member(l, found->field, found->init, l->this_value);
        else if (!record->is_union)
            construct_field(l, record, record->field[i], l->this_value);
        cleanup_run(l, depth, true);
    }
    for (ptrdiff_t i = 0; i < arrlen(inits); ++i) {
        if (cursor_is_null(inits[i].field))
            continue;
        CXCursor owner = clang_getCursorSemanticParent(inits[i].field);
        int64_t offset;
        if (!clang_equalCursors(clang_getCanonicalCursor(owner), record->decl) &&
            subobject_offset(l->unit, type, clang_getCursorType(owner), &offset))
            init_member(l, inits[i].field, inits[i].init,
                        emit_offset(l, l->this_value, offset,
                                    pointer_to(l->unit, clang_getCursorType(owner))));
    }
    arrfree(inits);
}

// --- new and delete --------------------------------------------------------------------------

static ir_function_id named_function(struct lower *l, const char *name)
{
    for (ptrdiff_t i = 0; i < arrlen(unit_of(l)->function); ++i)
        if (strcmp(unit_of(l)->function[i].key, name) == 0)
            return (ir_function_id)i;
    ir_function_id id = ir_function_add(unit_of(l), name, name, name);
    unit_of(l)->function[id].flags = IR_FN_DEVICE | IR_FN_HOST | IR_FN_SYSTEM;
    return id;
}

// Skips blanks and comments.
static const char *skip_space(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\n\r");
        const char *end = strncmp(at, "/*", 2) == 0   ? strstr(at, "*/")
                          : strncmp(at, "//", 2) == 0 ? strchr(at, '\n')
                                                      : NULL;
        if (!end)
            return at;
        at = end + (*end == '*' ? 2 : 1);
    }
}

// Whether a new-expression has placement arguments: `new (address) T`.
static bool has_placement(struct lower *l, CXCursor e)
{
    const char *text = skip_space(text_at(l->unit, e));
    if (strncmp(text, "::", 2) == 0)
        text = skip_space(text + 2);
    if (strncmp(text, "new", 3) != 0)
        return false;
    return *skip_space(text + 3) == '(';
}

// Whether the child of a new-expression stands in brackets, as the extent of an array does; numbers
// among the type's template arguments, which are children as well, do not.
static bool is_extent(struct lower *l, CXCursor e, CXCursor child)
{
    const char *from = text_of_use(l->unit, e), *to = text_of_use(l->unit, child);
    size_t length = strlen(from), rest = strlen(to);
    if (rest > length || from + (length - rest) != to)
        return true; // nobody knows where
    int depth = 0;
    while (from < to) {
        const char *next = skip_space(from);
        depth += (*next == '[') - (*next == ']');
        from = next + 1;
    }
    return depth > 0;
}

ir_value lower_new(struct lower *l, CXCursor e)
{
    CXType type = clang_getCursorType(e);
    if (!is_pointer(type))
        return lower_unknown(l, e, "new of a dependent type");
    CXType object = clang_getPointeeType(canonical(type));
    struct children children = children_of(scratch_of(l), e);
    CXCursor init = clang_getNullCursor();
    ir_value address = IR_NONE, count = IR_NONE;
    bool placement = has_placement(l, e);
    struct record_info *record = filled_record(l, object);
    for (size_t i = 0; i < children.count; ++i) {
        CXCursor child = children.item[i];
        CXType child_type = clang_getCursorType(child);
        if (!is_expression(child))
            continue;
        if (placement && address == IR_NONE && is_pointer(child_type))
            address = lower_value(l, child);
        else if (i + 1 == children.count && !is_dependent(child_type) &&
                 (same_type(element_type(child_type), object) ||
                  clang_getCursorKind(child) == CXCursor_InitListExpr))
            init = child;
        else if (is_integral(child_type) && is_extent(l, e, child))
            count = lower_value(l, child);
        else
            lower_discard(l, child);
    }
    ir_type_id pointer = type_of(l->unit, type);
    if (address == IR_NONE) {
        ir_type_id word = ir_type_int(unit_of(l), 64, false);
        ir_value bytes = emit_int(l, word, (int64_t)size_of(object));
        if (count != IR_NONE) {
            if (value_type(l, count) != word)
                count = emit(l, IR_CAST, word, &count, 1, 0);
            bytes = emit_binary(l, IR_MUL, word, count, bytes);
        }
        ir_function_id allocate = named_function(l, "operator new");
        address = emit(l, IR_CALL, pointer, &bytes, 1, allocate);
        ir_builder_function(&l->b)->op[address].flags |= IR_RETURN_USED;
    } else if (value_type(l, address) != pointer) {
        address = emit(l, IR_CAST, pointer, &address, 1, 0);
    }
    if (!cursor_is_null(init) && count == IR_NONE)
        lower_into(l, init, object, address);
    else if (!cursor_is_null(init) && record && record->has_default)
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "construction of an array of any length",
                    false, &address, 1);
    return address;
}

void lower_delete(struct lower *l, CXCursor e)
{
    CXCursor child = last_child(l, e);
    if (cursor_is_null(child))
        return;
    CXType type = clang_getCursorType(child);
    ir_value address = lower_value(l, child);
    if (address == IR_NONE || !is_pointer(type))
        return;
    destroy(l, clang_getPointeeType(canonical(type)), address);
    ir_function_id release = named_function(l, "operator delete");
    emit(l, IR_CALL, IR_NONE, &address, 1, release);
}
