// The life of class objects: construction, copies and destruction, also where the compiler writes
// them and libclang shows nothing.
#include "frontend/lower.h"

#include <string.h>

CXType element_type(CXType type)
{
    while (classify(type) == CLASS_ARRAY)
        type = array_element(type);
    return type;
}

static uint64_t element_count(CXType type)
{
    uint64_t count = 1;
    while (classify(type) == CLASS_ARRAY) {
        count *= (uint64_t)array_count(type);
        type = array_element(type);
    }
    return count;
}

struct record_info *filled_record(struct lower *l, CXType type)
{
    struct record_info *record = is_record(type) ? record_of(l->unit, type) : NULL;
    if (record)
        record_fill(l->unit, record);
    return record;
}

bool needs_destroy(struct lower *l, CXType type)
{
    struct record_info *record = filled_record(l, element_type(type));
    return record && record->has_destroy;
}

// --- Arrays of objects -----------------------------------------------------------------------

typedef void (*element_step)(struct lower *l, CXType type, ir_value to, ir_value from, bool flag);

enum { UNROLL_LIMIT = 16 };

static void destroy_one(struct lower *l, CXType type, ir_value address, ir_value from, bool flag);

// Does one step for each element of an array: written out for few, as a loop for many. Elements
// are destroyed from the last to the first.
static void each_element(struct lower *l, CXType type, ir_value to, ir_value from, bool flag,
                         element_step step)
{
    bool backwards = step == destroy_one;
    CXType element = element_type(type);
    uint64_t count = element_count(type);
    int64_t stride = (int64_t)size_of(element);
    ir_type_id pointer = pointer_to(l->unit, element);
    if (count == 0 || stride == 0)
        return;
    if (count <= UNROLL_LIMIT) {
        for (uint64_t i = 0; i < count; ++i) {
            int64_t at = (int64_t)(backwards ? count - 1 - i : i) * stride;
            step(l, element, emit_offset(l, to, at, pointer),
                 from == IR_NONE ? IR_NONE : emit_offset(l, from, at, pointer), flag);
        }
        return;
    }
    ir_type_id word = ir_type_int(unit_of(l), 64, false);
    uint32_t local = ir_build_local(&l->b, "", word);
    emit(l, IR_DECLARE, IR_NONE, NULL, 0, local);
    ir_value index = emit_local(l, local);
    emit(l, IR_STORE, IR_NONE, (ir_value[]){index, emit_int(l, word, 0)}, 2, 0);
    ir_block_id body = ir_build_block(&l->b), end = ir_build_block(&l->b);
    ir_block_id head = ir_build_block(&l->b);
    jump_to(l, head);
    go(l, head);
    ir_value at = emit(l, IR_LOAD, word, &index, 1, 0);
    ir_value more =
        emit_binary(l, IR_LT, ir_type_bool(unit_of(l)), at, emit_int(l, word, (int64_t)count));
    ir_build_condbr(&l->b, more, body, end);
    arrlast(ir_builder_function(&l->b)->op).flags |= IR_LOOP;
    go(l, body);
    ir_value number = at;
    if (backwards)
        number = emit_binary(l, IR_SUB, word, emit_int(l, word, (int64_t)count - 1), at);
    step(l, element, emit_index(l, to, number, stride, pointer),
         from == IR_NONE ? IR_NONE : emit_index(l, from, number, stride, pointer), flag);
    ir_value next = emit_binary(l, IR_ADD, word, at, emit_int(l, word, 1));
    emit(l, IR_STORE, IR_NONE, (ir_value[]){index, next}, 2, 0);
    jump_to(l, head);
    go(l, end);
}

// --- Default construction --------------------------------------------------------------------

static CXCursor find_method(const struct record_info *record,
                            unsigned (*is_wanted)(CXCursor method))
{
    for (ptrdiff_t i = 0; i < arrlen(record->method); ++i) {
        CXCursor method = record->method[i];
        if (is_wanted(method) && !clang_CXXMethod_isDefaulted(method) &&
            !clang_CXXMethod_isDeleted(method))
            return method;
    }
    return clang_getNullCursor();
}

static unsigned is_default_ctor(CXCursor method)
{
    return clang_getCursorKind(method) == CXCursor_Constructor &&
           clang_CXXConstructor_isDefaultConstructor(method);
}

unsigned is_copy_ctor(CXCursor method)
{
    return clang_getCursorKind(method) == CXCursor_Constructor &&
           (clang_CXXConstructor_isCopyConstructor(method) ||
            clang_CXXConstructor_isMoveConstructor(method));
}

static unsigned is_destructor(CXCursor method)
{
    return clang_getCursorKind(method) == CXCursor_Destructor;
}

// Lowers a default member initializer as a part of the object at `object`.
static void member_default(struct lower *l, struct record_info *record, CXCursor init, CXType type,
                           ir_value object, ir_value address)
{
    ir_value saved_this = l->this_value;
    CXCursor saved_record = l->this_record;
    l->this_value = object;
    l->this_record = record->decl;
    lower_into(l, init, type, address);
    l->this_value = saved_this;
    l->this_record = saved_record;
}

void construct_field(struct lower *l, struct record_info *record, CXCursor field, ir_value object)
{
    uint64_t offset;
    uint32_t bit_offset, bit_width;
    CXType type = clang_getCursorType(field);
    if (clang_Cursor_isBitField(field)) {
        init_default_bits(l, field, object);
        return;
    }
    CXCursor init = default_initializer(l->unit, field);
    struct record_info *part = filled_record(l, element_type(type));
    if (cursor_is_null(init) && !(part && part->has_default))
        return;
    if (!field_place(l->unit, field, &offset, &bit_offset, &bit_width))
        return;
    ir_value address = emit_offset(l, object, (int64_t)offset, pointer_to(l->unit, type));
    if (!cursor_is_null(init))
        member_default(l, record, init, type, object, address);
    else
        construct_default(l, type, address, false);
}

void construct_base(struct lower *l, struct record_info *record, ptrdiff_t i, ir_value object)
{
    CXType type = clang_getCursorType(record->base[i]);
    struct record_info *part = filled_record(l, type);
    if (!part || !part->has_default)
        return;
    construct_default(
        l, type, emit_offset(l, object, record->base_offset[i], pointer_to(l->unit, type)), false);
}

static void construct_one(struct lower *l, CXType type, ir_value address, ir_value from, bool zero)
{
    (void)from;
    struct record_info *record = filled_record(l, type);
    if (!record)
        return;
    CXCursor user = find_method(record, is_default_ctor);
    if (!cursor_is_null(user)) {
        ir_value *argument = NULL;
        arrput(argument, address);
        lower_default_arguments(l, user, 0, &argument);
        call_function(l, user, argument, arrlenu(argument), false);
        arrfree(argument);
        return;
    }
    if (zero && size_of(type))
        emit(l, IR_ZERO, IR_NONE, &address, 1, (int64_t)size_of(type));
    if (!record->has_default || record->is_union)
        return;
    for (ptrdiff_t i = 0; i < arrlen(record->base); ++i)
        construct_base(l, record, i, address);
    for (ptrdiff_t i = 0; i < arrlen(record->field); ++i)
        construct_field(l, record, record->field[i], address);
}

void construct_default(struct lower *l, CXType type, ir_value address, bool zero)
{
    struct record_info *record = filled_record(l, element_type(type));
    if (zero && (!record || cursor_is_null(find_method(record, is_default_ctor)))) {
        emit_zero(l, type, address);
        zero = false;
    }
    if (!record || !record->has_default)
        return;
    if (classify(type) == CLASS_ARRAY)
        each_element(l, type, address, IR_NONE, zero, construct_one);
    else
        construct_one(l, type, address, IR_NONE, zero);
}

// --- Copies ----------------------------------------------------------------------------------

static void copy_one(struct lower *l, CXType type, ir_value to, ir_value from, bool flag)
{
    (void)flag;
    construct_copy(l, type, to, from);
}

void construct_copy(struct lower *l, CXType type, ir_value to, ir_value from)
{
    struct record_info *record = filled_record(l, element_type(type));
    uint64_t size = size_of(type);
    if (!record || !record->has_copy) {
        if (size)
            emit(l, IR_COPY, IR_NONE, (ir_value[]){to, from}, 2, (int64_t)size);
        return;
    }
    if (classify(type) == CLASS_ARRAY) {
        each_element(l, type, to, from, false, copy_one);
        return;
    }
    CXCursor user = find_method(record, is_copy_ctor);
    if (!cursor_is_null(user)) {
        ir_value *argument = NULL;
        arrput(argument, to);
        arrput(argument, from);
        lower_default_arguments(l, user, 1, &argument);
        call_function(l, user, argument, arrlenu(argument), false);
        arrfree(argument);
        return;
    }
    for (ptrdiff_t i = 0; i < arrlen(record->base); ++i) {
        CXType base = clang_getCursorType(record->base[i]);
        ir_type_id pointer = pointer_to(l->unit, base);
        int64_t at = record->base_offset[i];
        construct_copy(l, base, emit_offset(l, to, at, pointer), emit_offset(l, from, at, pointer));
    }
    for (ptrdiff_t i = 0; i < arrlen(record->field); ++i) {
        uint64_t offset;
        uint32_t bit_offset, bit_width;
        CXType field = clang_getCursorType(record->field[i]);
        if (!field_place(l->unit, record->field[i], &offset, &bit_offset, &bit_width))
            continue;
        if (bit_width) {
            init_bits(l, record->field[i], to, load_bits(l, record->field[i], from));
            continue;
        }
        ir_type_id pointer = pointer_to(l->unit, field);
        construct_copy(l, field, emit_offset(l, to, (int64_t)offset, pointer),
                       emit_offset(l, from, (int64_t)offset, pointer));
    }
}

// --- Destruction -----------------------------------------------------------------------------

static void destroy_parts(struct lower *l, struct record_info *record, ir_value address)
{
    for (ptrdiff_t i = arrlen(record->field); i > 0 && !record->is_union; --i) {
        CXCursor field = record->field[i - 1];
        CXType type = clang_getCursorType(field);
        uint64_t offset;
        uint32_t bit_offset, bit_width;
        if (!needs_destroy(l, type) ||
            !field_place(l->unit, field, &offset, &bit_offset, &bit_width))
            continue;
        destroy(l, type, emit_offset(l, address, (int64_t)offset, pointer_to(l->unit, type)));
    }
    for (ptrdiff_t i = arrlen(record->base); i > 0; --i) {
        CXType type = clang_getCursorType(record->base[i - 1]);
        if (needs_destroy(l, type))
            destroy(l, type,
                    emit_offset(l, address, record->base_offset[i - 1], pointer_to(l->unit, type)));
    }
}

static void destroy_one(struct lower *l, CXType type, ir_value address, ir_value from, bool flag)
{
    (void)from;
    (void)flag;
    struct record_info *record = filled_record(l, type);
    if (!record || !record->has_destroy)
        return;
    CXCursor user = find_method(record, is_destructor);
    if (!cursor_is_null(user))
        call_function(l, user, &address, 1, false);
    else
        destroy_parts(l, record, address);
}

void destroy(struct lower *l, CXType type, ir_value address)
{
    if (!needs_destroy(l, type))
        return;
    if (classify(type) == CLASS_ARRAY)
        each_element(l, type, address, IR_NONE, false, destroy_one);
    else
        destroy_one(l, type, address, IR_NONE, false);
}

void lower_destructor_end(struct lower *l, CXCursor definition)
{
    CXType type = clang_getCursorType(clang_getCursorSemanticParent(definition));
    struct record_info *record = filled_record(l, type);
    if (record && record->has_destroy && l->this_value != IR_NONE)
        destroy_parts(l, record, l->this_value);
}
