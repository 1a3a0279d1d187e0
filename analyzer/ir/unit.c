// Units: the tables of a translation unit, with equal types stored once.
#include "ir/ir.h"

#include <string.h>

#include "base/vec.h"

void ir_unit_init(struct ir_unit *unit)
{
    *unit = (struct ir_unit){0};
    arena_init(&unit->arena);
    unit->target = "";
    arrput(unit->file, ((struct ir_file){.path = ""}));
    ir_type_void(unit);
}

static void function_release(struct ir_function *function)
{
    for (ptrdiff_t i = 0; i < arrlen(function->block); ++i)
        arrfree(function->block[i].op);
    arrfree(function->param);
    arrfree(function->template_arg);
    arrfree(function->class_arg);
    arrfree(function->local);
    arrfree(function->block);
    arrfree(function->op);
    arrfree(function->operand);
    arrfree(function->cases);
    arrfree(function->statement);
}

void ir_unit_release(struct ir_unit *unit)
{
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i)
        function_release(&unit->function[i]);
    for (ptrdiff_t i = 0; i < arrlen(unit->type); ++i)
        arrfree(unit->type[i].field);
    arrfree(unit->file);
    arrfree(unit->type);
    arrfree(unit->global);
    arrfree(unit->function);
    arrfree(unit->type_slot);
    arena_release(&unit->arena);
    *unit = (struct ir_unit){0};
}

// --- Types -----------------------------------------------------------------------------------

// What makes two types one. Sizes follow from the rest, but for opaque types.
static uint64_t type_hash(const struct ir_type *type)
{
    uint64_t hash = 14695981039346656037u;
    const uint64_t part[] = {type->kind,
                             type->bits,
                             type->is_signed,
                             type->elem,
                             type->count,
                             type->kind == IR_TYPE_OPAQUE ? type->size : 0,
                             type->kind == IR_TYPE_OPAQUE ? type->align : 0};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; ++i)
        hash = (hash ^ part[i]) * 1099511628211u;
    if (type->name)
        for (const char *at = type->name; *at; ++at)
            hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    return hash ^ (hash >> 29);
}

static bool type_equal(const struct ir_type *a, const struct ir_type *b)
{
    if (a->kind != b->kind || a->bits != b->bits || a->is_signed != b->is_signed ||
        a->elem != b->elem || a->count != b->count)
        return false;
    if (a->kind != IR_TYPE_OPAQUE)
        return true;
    return a->size == b->size && a->align == b->align && strcmp(a->name, b->name) == 0;
}

// The slot that holds an equal type, or the empty one where it belongs.
static uint32_t *type_find(struct ir_unit *unit, const struct ir_type *type)
{
    size_t mask = arrlenu(unit->type_slot) - 1;
    size_t at = type_hash(type) & mask;
    while (unit->type_slot[at] != IR_NONE && !type_equal(&unit->type[unit->type_slot[at]], type))
        at = (at + 1) & mask;
    return &unit->type_slot[at];
}

// Doubles the table. Records have no slot: each is a type of its own.
static void type_slots_grow(struct ir_unit *unit)
{
    size_t length = arrlenu(unit->type_slot) ? arrlenu(unit->type_slot) * 2 : 64;
    arrsetlen(unit->type_slot, length);
    memset(unit->type_slot, 0xff, length * sizeof *unit->type_slot);
    for (ptrdiff_t i = 0; i < arrlen(unit->type); ++i)
        if (unit->type[i].kind != IR_TYPE_RECORD)
            *type_find(unit, &unit->type[i]) = (uint32_t)i;
}

static ir_type_id type_intern(struct ir_unit *unit, struct ir_type type)
{
    if (arrlenu(unit->type) * 2 >= arrlenu(unit->type_slot))
        type_slots_grow(unit);
    uint32_t *slot = type_find(unit, &type);
    if (*slot != IR_NONE)
        return *slot;
    *slot = (uint32_t)arrlenu(unit->type);
    if (type.name)
        type.name = arena_strdup(&unit->arena, type.name);
    arrput(unit->type, type);
    return *slot;
}

ir_type_id ir_type_void(struct ir_unit *unit)
{
    return type_intern(unit, (struct ir_type){.kind = IR_TYPE_VOID, .elem = IR_NONE});
}

ir_type_id ir_type_int(struct ir_unit *unit, uint32_t bits, bool is_signed)
{
    uint64_t size = (bits + 7) / 8;
    return type_intern(unit, (struct ir_type){.kind = IR_TYPE_INT,
                                              .is_signed = is_signed,
                                              .bits = bits,
                                              .elem = IR_NONE,
                                              .size = size,
                                              .align = size});
}

ir_type_id ir_type_bool(struct ir_unit *unit)
{
    return ir_type_int(unit, 1, false);
}

ir_type_id ir_type_float(struct ir_unit *unit, uint32_t bits)
{
    uint64_t size = bits == 80 ? 16 : (bits + 7) / 8;
    return type_intern(unit, (struct ir_type){.kind = IR_TYPE_FLOAT,
                                              .is_signed = true,
                                              .bits = bits,
                                              .elem = IR_NONE,
                                              .size = size,
                                              .align = size});
}

ir_type_id ir_type_pointer(struct ir_unit *unit, ir_type_id pointee)
{
    return type_intern(
        unit, (struct ir_type){
                  .kind = IR_TYPE_POINTER, .bits = 64, .elem = pointee, .size = 8, .align = 8});
}

ir_type_id ir_type_array(struct ir_unit *unit, ir_type_id elem, uint64_t count)
{
    uint64_t elem_size = elem < arrlenu(unit->type) ? unit->type[elem].size : 0;
    uint64_t align = elem < arrlenu(unit->type) ? unit->type[elem].align : 0;
    uint64_t size;
    if (__builtin_mul_overflow(elem_size, count, &size))
        size = 0;
    ir_type_id id =
        type_intern(unit, (struct ir_type){.kind = IR_TYPE_ARRAY, .elem = elem, .count = count});
    unit->type[id].size = size;
    unit->type[id].align = align;
    return id;
}

ir_type_id ir_type_function(struct ir_unit *unit)
{
    return type_intern(unit, (struct ir_type){.kind = IR_TYPE_FUNCTION, .elem = IR_NONE});
}

ir_type_id ir_type_opaque(struct ir_unit *unit, const char *name, uint64_t size, uint64_t align)
{
    return type_intern(unit, (struct ir_type){.kind = IR_TYPE_OPAQUE,
                                              .elem = IR_NONE,
                                              .size = size,
                                              .align = align,
                                              .name = name ? name : ""});
}

ir_type_id ir_type_record(struct ir_unit *unit, const char *name)
{
    // Keeps the hash table's length in step with the types.
    if (arrlenu(unit->type) * 2 >= arrlenu(unit->type_slot))
        type_slots_grow(unit);
    struct ir_type type = {.kind = IR_TYPE_RECORD, .elem = IR_NONE};
    type.name = arena_strdup(&unit->arena, name ? name : "");
    arrput(unit->type, type);
    return (ir_type_id)arrlenu(unit->type) - 1;
}

// --- Functions -------------------------------------------------------------------------------

ir_function_id ir_function_add(struct ir_unit *unit, const char *name, const char *lookup,
                               const char *key)
{
    struct ir_function function = {.result = ir_type_void(unit)};
    function.name = arena_strdup(&unit->arena, name ? name : "");
    function.lookup = lookup ? arena_strdup(&unit->arena, lookup) : function.name;
    function.key = key ? arena_strdup(&unit->arena, key) : function.name;
    arrput(unit->function, function);
    return (ir_function_id)arrlenu(unit->function) - 1;
}
