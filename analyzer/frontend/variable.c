// Variables: locals, shared memory, globals, tables of constants, structured bindings.
#include "frontend/lower.h"

#include <stdlib.h>
#include <string.h>

static bool is_shared(CXCursor variable)
{
    return has_attribute(variable, CXCursor_CUDASharedAttr) ||
           has_annotation(variable, "barlint.shared", NULL);
}

bool has_static_life(CXCursor variable)
{
    return is_shared(variable) || clang_Cursor_hasVarDeclGlobalStorage(variable) == 1;
}

static enum ir_space space_of(CXCursor variable)
{
    CXType type = clang_getCursorType(variable);
    if (is_shared(variable)) {
        bool is_open = canonical(type).kind == CXType_IncompleteArray;
        return is_open || clang_Cursor_getStorageClass(variable) == CX_SC_Extern
                   ? IR_SPACE_SHARED_DYNAMIC
                   : IR_SPACE_SHARED;
    }
    if (has_attribute(variable, CXCursor_CUDAConstantAttr))
        return IR_SPACE_CONSTANT;
    if (has_attribute(variable, CXCursor_CUDADeviceAttr) ||
        has_annotation(variable, "barlint.managed", NULL))
        return IR_SPACE_GLOBAL;
    return clang_isConstQualifiedType(type) ? IR_SPACE_CONSTANT : IR_SPACE_HOST;
}

// A number, or a product or shift of numbers, as it is written; 0 for anything else.
static uint64_t written_number(const char *text)
{
    char *end;
    uint64_t number = strtoull(text, &end, 0);
    if (end == text)
        return 0;
    for (;;) {
        while (*end == ' ' || *end == 'u' || *end == 'U' || *end == 'l' || *end == 'L')
            ++end;
        bool is_shift = end[0] == '<' && end[1] == '<';
        if (*end != '*' && !is_shift)
            break;
        const char *next = end + (is_shift ? 2 : 1);
        uint64_t right = strtoull(next, &end, 0);
        if (end == next || (is_shift && right > 32))
            return 0;
        number = is_shift ? number << right : number * right;
    }
    return *end == ')' || *end == ',' ? number : 0;
}

enum {
    // Taken for an argument that is no number. Too much rather than too little: what follows from
    // a small alignment would be a finding.
    UNREADABLE_ALIGN = 1024,
};

// The argument of the attribute that the text begins with, 0 where it has none.
static uint64_t align_argument(const char *text)
{
    const char *open = strchr(text, '(');
    while (open && (*open == '(' || *open == ' '))
        ++open;
    return open ? written_number(open) : 0;
}

// What an alignas asks for that clang rejects where it stands, and nvcc accepts: behind `extern` or
// `static`, or behind the name.
static uint64_t misplaced_align(const char *text)
{
    static const char word[] = "alignas";
    size_t length = strcspn(text, ";={");
    for (size_t i = 0; i + sizeof word <= length; ++i) {
        if (strncmp(text + i, word, sizeof word - 1) != 0)
            continue;
        uint64_t number = align_argument(text + i);
        return number ? number : UNREADABLE_ALIGN;
    }
    return 0;
}

// The alignment that attributes of the declaration ask for, in bytes; 0 where there is none.
// libclang shows that there is an attribute and not its argument, which is read from the text: of
// the attribute, or of the macro that makes it.
static uint64_t declared_align(struct lower *l, CXCursor variable)
{
    uint64_t align = 0;
    struct children children = children_all(scratch_of(l), variable);
    for (size_t i = 0; i < children.count; ++i) {
        if (clang_getCursorKind(children.item[i]) != CXCursor_AlignedAttr)
            continue;
        uint64_t number = align_argument(text_at(l->unit, children.item[i]));
        if (!number)
            number = align_argument(text_of_use(l->unit, children.item[i]));
        if (!number)
            number = UNREADABLE_ALIGN;
        if (number > align)
            align = number;
    }
    return align ? align : misplaced_align(text_of_use(l->unit, variable));
}

ir_global_id global_of(struct lower *l, CXCursor variable)
{
    struct lowering *u = l->unit;
    CXCursor parent = clang_getCursorSemanticParent(variable);
    bool in_function = is_function_kind(clang_getCursorKind(parent)) ||
                       clang_getCursorKind(parent) == CXCursor_FunctionTemplate;
    CXCursor key = in_function ? variable : clang_getCanonicalCursor(variable);
    uint32_t known = cursor_map_find(&u->globals, key);
    if (known != IR_NONE)
        return known;
    CXCursor definition = clang_getCursorDefinition(variable);
    if (in_function || cursor_is_null(definition))
        definition = variable;
    CXType type = clang_getCursorType(definition);
    struct ir_global global = {
        .name = arena_strdup(&u->unit->arena, in_function ? cursor_name(&u->scratch, variable)
                                                          : display_name(u, variable)),
        .type = type_of(u, type),
        .space = space_of(definition),
        .owner = IR_NONE,
        .loc = loc_of(u, definition)};
    if (in_function) {
        uint32_t owner = cursor_map_find(&u->functions, clang_getCanonicalCursor(parent));
        global.owner = owner == IR_NONE ? l->b.function : owner;
    }
    global.align = u->unit->type[global.type].align;
    uint64_t declared = declared_align(l, definition);
    if (declared > global.align)
        global.align = declared;
    CXCursor init = clang_Cursor_getVarDeclInitializer(definition);
    if (clang_isConstQualifiedType(type) && !clang_isVolatileQualifiedType(type) &&
        !cursor_is_null(init))
        global.has_value = evaluate(l, init, &global.value);
    // A class may have made other variables known meanwhile, never this one.
    arrput(u->unit->global, global);
    ir_global_id id = (ir_global_id)arrlenu(u->unit->global) - 1;
    cursor_map_put(&u->globals, key, id);
    return id;
}

static bool is_const_object(CXType type)
{
    while (classify(type) == CLASS_ARRAY) {
        if (clang_isConstQualifiedType(type) || clang_isConstQualifiedType(canonical(type)))
            return true;
        type = array_element(type);
    }
    return clang_isConstQualifiedType(type) || clang_isConstQualifiedType(canonical(type));
}

// Whether a value of the type is made of whole numbers only.
static bool is_of_numbers(const struct ir_unit *unit, ir_type_id id)
{
    const struct ir_type *type = &unit->type[id];
    bool numbers = type->kind == IR_TYPE_RECORD && arrlen(type->field) > 0;
    if (type->kind == IR_TYPE_ARRAY)
        return is_of_numbers(unit, type->elem);
    for (ptrdiff_t i = 0; i < arrlen(type->field) && numbers; ++i)
        numbers = is_of_numbers(unit, type->field[i].type);
    return numbers || type->kind == IR_TYPE_INT;
}

bool is_constant_table(struct lower *l, CXCursor variable, ir_value *address)
{
    // On the host what matters are the sizes that launches and tensor maps are made of.
    enum { TABLE_LIMIT = 4096, HOST_TABLE_LIMIT = 64 };
    CXType type = clang_getCursorType(variable);
    enum type_class class = classify(type);
    if ((class != CLASS_ARRAY && class != CLASS_RECORD) || !is_const_object(type) ||
        is_shared(variable))
        return false;
    uint64_t size = size_of(type), most = l->is_device ? TABLE_LIMIT : HOST_TABLE_LIMIT;
    CXCursor definition = clang_getCursorDefinition(variable);
    if (cursor_is_null(definition))
        definition = variable;
    CXCursor init = clang_Cursor_getVarDeclInitializer(definition);
    if (cursor_is_null(init) || size == 0 || size > most ||
        (!l->is_device && !is_of_numbers(unit_of(l), type_of(l->unit, type))))
        return false;
    struct ir_loc saved_loc = l->b.loc;
    ir_block_id saved = l->b.block;
    l->b.block = l->prologue;
    l->b.loc = loc_of(l->unit, definition);
    uint32_t local =
        ir_build_local(&l->b, cursor_name(scratch_of(l), variable), type_of(l->unit, type));
    place_put(l, variable, (struct place){PLACE_LOCAL, local});
    emit(l, IR_DECLARE, IR_NONE, NULL, 0, local);
    lower_into(l, init, type, emit_local(l, local));
    l->prologue = l->b.block;
    l->b.block = saved;
    l->b.loc = saved_loc;
    *address = emit_local(l, local);
    return true;
}

static void reference_variable(struct lower *l, CXCursor variable, CXType type, CXCursor init)
{
    init = bound_object(l, type, init);
    ir_value address = cursor_is_null(init) ? IR_NONE : lower_address(l, init);
    if (address == IR_NONE) {
        address = emit_temporary(l, clang_getPointeeType(canonical(type)));
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "reference without an initializer", false,
                    &address, 1);
    }
    place_put(l, variable, (struct place){PLACE_VALUE, address});
}

void lower_variable(struct lower *l, CXCursor variable)
{
    CXType type = clang_getCursorType(variable);
    struct ir_loc saved = l->b.loc, loc = loc_of(l->unit, variable);
    if (loc.line)
        l->b.loc = loc;
    CXCursor init = clang_Cursor_getVarDeclInitializer(variable);
    if (has_static_life(variable)) {
        if (is_shared(variable) || !is_const_object(type)) {
            ir_global_id global = global_of(l, variable);
            place_put(l, variable, (struct place){PLACE_GLOBAL, global});
        }
    } else if (is_reference(type)) {
        reference_variable(l, variable, type, init);
    } else {
        uint32_t local =
            ir_build_local(&l->b, cursor_name(scratch_of(l), variable), type_of(l->unit, type));
        place_put(l, variable, (struct place){PLACE_LOCAL, local});
        emit(l, IR_DECLARE, IR_NONE, NULL, 0, local);
        size_t depth = arrlenu(l->cleanup);
        if (!cursor_is_null(init))
            lower_into(l, init, type, emit_local(l, local));
        cleanup_run(l, depth, true);
        if (needs_destroy(l, type))
            cleanup_push(l, type, (struct place){PLACE_LOCAL, local});
    }
    l->b.loc = saved;
}

// --- Structured bindings ---------------------------------------------------------------------

// The elements of a tuple-like class, which its `get` would give; libclang does not show that call.
struct elements {
    const CXType *type; // of the elements
    int64_t *offset;    // in the object, or -1
    size_t count, next;
};

static bool is_empty_class(struct lower *l, CXType type)
{
    struct record_info *record = is_record(type) ? record_of(l->unit, type) : NULL;
    if (!record)
        return false;
    record_fill(l->unit, record);
    for (ptrdiff_t i = 0; i < arrlen(record->base); ++i)
        if (!is_empty_class(l, clang_getCursorType(record->base[i])))
            return false;
    return arrlen(record->field) == 0;
}

// Classes that hold one element each are told by its number among their template arguments, as in
// `_Head_base<1, int>`; where there is none the elements stand in order.
static void find_elements(struct lower *l, CXType type, int64_t at, struct elements *elements,
                          unsigned depth)
{
    struct record_info *record = is_record(type) && depth < 64 ? record_of(l->unit, type) : NULL;
    if (!record)
        return;
    record_fill(l->unit, record);
    for (ptrdiff_t i = 0; i < arrlen(record->base); ++i)
        find_elements(l, clang_getCursorType(record->base[i]), at + record->base_offset[i],
                      elements, depth + 1);
    int64_t index = -1;
    if (clang_Cursor_getNumTemplateArguments(record->decl) >= 2 &&
        clang_Cursor_getTemplateArgumentKind(record->decl, 0) == CXTemplateArgumentKind_Integral &&
        arrlen(record->field) == 1)
        index = clang_Cursor_getTemplateArgumentValue(record->decl, 0);
    for (ptrdiff_t i = 0; i < arrlen(record->field); ++i) {
        uint64_t offset;
        uint32_t bit_offset, bit_width;
        CXType field = clang_getCursorType(record->field[i]);
        if (!field_place(l->unit, record->field[i], &offset, &bit_offset, &bit_width) || bit_width)
            continue;
        while (elements->next < elements->count &&
               is_empty_class(l, elements->type[elements->next]))
            ++elements->next;
        if (index >= 0 && index < (int64_t)elements->count &&
            same_type(field, elements->type[index]))
            elements->offset[index] = at + (int64_t)offset;
        else if (elements->next < elements->count &&
                 same_type(field, elements->type[elements->next]))
            elements->offset[elements->next++] = at + (int64_t)offset;
        else
            find_elements(l, field, at + (int64_t)offset, elements, depth + 1);
    }
}

static void bind_name(struct lower *l, CXCursor name, ir_value address)
{
    place_put(l, name, (struct place){PLACE_VALUE, address});
}

static void bind_elements(struct lower *l, CXType type, ir_value object, const CXCursor *name,
                          size_t count)
{
    CXType *types = arena_array(scratch_of(l), CXType, count);
    int64_t *offset = arena_array(scratch_of(l), int64_t, count);
    for (size_t i = 0; i < count; ++i) {
        types[i] = strip_reference(clang_getCursorType(name[i]));
        offset[i] = -1;
    }
    struct elements elements = {.type = types, .offset = offset, .count = count};
    find_elements(l, type, 0, &elements, 0);
    for (size_t i = 0; i < count; ++i) {
        if (offset[i] >= 0) {
            bind_name(l, name[i], emit_offset(l, object, offset[i], pointer_to(l->unit, types[i])));
            continue;
        }
        ir_value address = emit_temporary(l, types[i]);
        if (!is_empty_class(l, types[i]))
            emit_opaque(l, (CXType){.kind = CXType_Invalid}, "binding to an element of a tuple",
                        false, &address, 1);
        bind_name(l, name[i], address);
    }
}

static void bind_fields(struct lower *l, CXType type, ir_value object, const CXCursor *name,
                        size_t count)
{
    struct record_info *record = record_of(l->unit, type);
    if (record)
        record_fill(l->unit, record);
    if (!record || arrlenu(record->field) != count) {
        bind_elements(l, type, object, name, count);
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        uint64_t offset;
        uint32_t bit_offset, bit_width;
        CXType field = clang_getCursorType(record->field[i]);
        ir_value address;
        if (!field_place(l->unit, record->field[i], &offset, &bit_offset, &bit_width) ||
            bit_width) {
            address = emit_temporary(l, strip_reference(field));
            if (bit_width)
                emit_store(l, field, address, load_bits(l, record->field[i], object));
        } else {
            address = emit_offset(l, object, (int64_t)offset, pointer_to(l->unit, field));
            if (is_reference(field))
                address = emit(l, IR_LOAD, type_of(l->unit, field), &address, 1, 0);
        }
        bind_name(l, name[i], address);
    }
}

void lower_decomposition(struct lower *l, CXCursor decl)
{
    struct children children = children_of(scratch_of(l), decl);
    CXCursor name[64], init = clang_getNullCursor();
    size_t count = 0;
    for (size_t i = 0; i < children.count; ++i) {
        if (is_expression(children.item[i]))
            init = children.item[i];
        else if (clang_getCursorKind(children.item[i]) == CXCursor_UnexposedDecl && count < 64)
            name[count++] = children.item[i];
    }
    CXType type = clang_getCursorType(decl);
    ir_value object;
    if (cursor_is_null(init)) {
        object = emit_opaque(l, type, "structured binding", false, NULL, 0);
    } else if (is_reference(type)) {
        object = lower_address(l, init);
        type = clang_getPointeeType(canonical(type));
    } else {
        object = emit_temporary(l, type);
        lower_into(l, init, type, object);
        if (needs_destroy(l, type))
            cleanup_push(l, type, (struct place){PLACE_VALUE, object});
    }
    if (classify(type) == CLASS_ARRAY && object != IR_NONE) {
        CXType element = array_element(type);
        for (size_t i = 0; i < count; ++i) {
            ir_value address = emit_offset(l, object, (int64_t)(i * size_of(element)),
                                           pointer_to(l->unit, element));
            place_put(l, name[i], (struct place){PLACE_VALUE, address});
        }
        return;
    }
    bind_fields(l, is_record(type) ? type : (CXType){.kind = CXType_Invalid}, object, name, count);
}
