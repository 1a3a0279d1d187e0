// Copying functions from one unit into another.
#include "ir/ir.h"

#include <string.h>

#include "base/vec.h"

struct named {
    char *key;
    uint32_t value;
};

struct import {
    struct ir_unit *into;
    const struct ir_unit *from;
    // Numbers in `into` by the number in `from`, IR_NONE where not met yet.
    uint32_t *file, *type, *global, *function;  // stb_ds arrays
    struct named *by_path, *by_key, *by_record; // stb_ds maps of what `into` had before
    ir_function_id *body;                       // stb_ds array: in `from`, to be copied
};

static const char *copy_text(struct import *import, const char *text)
{
    return text ? arena_strdup(&import->into->arena, text) : NULL;
}

static uint32_t *unknown(size_t count)
{
    uint32_t *map = NULL;
    arrsetlen(map, count);
    if (count)
        memset(map, 0xff, count * sizeof *map);
    return map;
}

static uint32_t map_file(struct import *import, uint32_t file)
{
    if (file == 0 || import->file[file] != IR_NONE)
        return file == 0 ? 0 : import->file[file];
    const struct ir_file *old = &import->from->file[file];
    ptrdiff_t known = shgeti(import->by_path, old->path);
    uint32_t number =
        known >= 0 ? import->by_path[known].value : (uint32_t)arrlenu(import->into->file);
    if (known < 0)
        arrput(import->into->file,
               ((struct ir_file){copy_text(import, old->path), old->is_system}));
    return import->file[file] = number;
}

static struct ir_loc map_loc(struct import *import, struct ir_loc loc)
{
    loc.file = map_file(import, loc.file);
    return loc;
}

static ir_type_id map_type(struct import *import, ir_type_id type);

static bool same_record(const struct ir_type *a, const struct ir_type *b)
{
    if (a->size != b->size || a->align != b->align || a->is_union != b->is_union ||
        arrlen(a->field) != arrlen(b->field))
        return false;
    for (ptrdiff_t i = 0; i < arrlen(a->field); ++i) {
        if (a->field[i].offset != b->field[i].offset ||
            strcmp(a->field[i].name, b->field[i].name) != 0)
            return false;
    }
    return true;
}

static ir_type_id map_record(struct import *import, ir_type_id type)
{
    const struct ir_type *old = &import->from->type[type];
    ptrdiff_t known = shgeti(import->by_record, old->name);
    if (known >= 0 && same_record(&import->into->type[import->by_record[known].value], old))
        return import->type[type] = import->by_record[known].value;
    // Known before its fields are looked at, which may point to it.
    ir_type_id number = import->type[type] = ir_type_record(import->into, old->name);
    struct ir_field *fields = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(old->field); ++i) {
        struct ir_field field = old->field[i];
        field.name = copy_text(import, field.name);
        field.type = map_type(import, field.type);
        arrput(fields, field);
    }
    struct ir_type *copy = &import->into->type[number];
    copy->field = fields;
    copy->is_union = old->is_union;
    copy->size = old->size;
    copy->align = old->align;
    return number;
}

static ir_type_id map_type(struct import *import, ir_type_id type)
{
    if (type == IR_NONE || import->type[type] != IR_NONE)
        return type == IR_NONE ? IR_NONE : import->type[type];
    const struct ir_type *old = &import->from->type[type];
    struct ir_unit *into = import->into;
    switch (old->kind) {
    case IR_TYPE_VOID:
        return import->type[type] = ir_type_void(into);
    case IR_TYPE_INT:
        return import->type[type] = ir_type_int(into, old->bits, old->is_signed);
    case IR_TYPE_FLOAT:
        return import->type[type] = ir_type_float(into, old->bits);
    case IR_TYPE_POINTER: {
        ir_type_id pointee = map_type(import, old->elem);
        return import->type[type] = ir_type_pointer(into, pointee);
    }
    case IR_TYPE_ARRAY: {
        ir_type_id elem = map_type(import, old->elem);
        return import->type[type] = ir_type_array(into, elem, old->count);
    }
    case IR_TYPE_FUNCTION:
        return import->type[type] = ir_type_function(into);
    case IR_TYPE_OPAQUE:
        return import->type[type] = ir_type_opaque(into, old->name, old->size, old->align);
    case IR_TYPE_RECORD:
        break;
    }
    return map_record(import, type);
}

static ir_function_id map_function(struct import *import, ir_function_id function);

// An object that no function owns is one with that of its name, if that has its kind of memory. A
// shared object of known size cannot be shared by units, unless both read its one declaration.
static uint32_t find_global(struct import *import, const struct ir_global *old)
{
    struct ir_unit *into = import->into;
    for (ptrdiff_t i = 0; old->owner == IR_NONE && i < arrlen(into->global); ++i) {
        const struct ir_global *one = &into->global[i];
        if (one->owner != IR_NONE || one->space != old->space || strcmp(one->name, old->name) != 0)
            continue;
        bool is_same_place =
            one->loc.line == old->loc.line &&
            strcmp(into->file[one->loc.file].path, import->from->file[old->loc.file].path) == 0;
        if (old->space != IR_SPACE_SHARED || is_same_place)
            return (uint32_t)i;
    }
    return IR_NONE;
}

static ir_global_id map_global(struct import *import, ir_global_id global)
{
    if (import->global[global] != IR_NONE)
        return import->global[global];
    const struct ir_global *old = &import->from->global[global];
    uint32_t number = find_global(import, old);
    if (number == IR_NONE) {
        struct ir_global copy = *old;
        copy.name = copy_text(import, old->name);
        copy.type = map_type(import, old->type);
        copy.loc = map_loc(import, old->loc);
        copy.owner = old->owner == IR_NONE ? IR_NONE : map_function(import, old->owner);
        number = (uint32_t)arrlenu(import->into->global);
        arrput(import->into->global, copy);
    }
    return import->global[global] = number;
}

// --- Functions -----------------------------------------------------------------------------------

static struct ir_template_arg *copy_arguments(struct import *import,
                                              const struct ir_template_arg *old)
{
    struct ir_template_arg *copy = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(old); ++i) {
        struct ir_template_arg one = old[i];
        one.text = copy_text(import, one.text);
        one.type = map_type(import, one.type);
        arrput(copy, one);
    }
    return copy;
}

static void copy_head(struct import *import, const struct ir_function *old, struct ir_function *new)
{
    new->flags = old->flags & ~(uint32_t)IR_FN_BODY;
    new->attributes = old->attributes;
    new->result = map_type(import, old->result);
    new->loc = map_loc(import, old->loc);
    new->template_arg = copy_arguments(import, old->template_arg);
    new->class_arg = copy_arguments(import, old->class_arg);
}

static struct ir_param *copy_params(struct import *import, const struct ir_function *old)
{
    struct ir_param *copy = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(old->param); ++i) {
        struct ir_param param = old->param[i];
        param.name = copy_text(import, param.name);
        param.type = map_type(import, param.type);
        arrput(copy, param);
    }
    return copy;
}

static ir_function_id map_function(struct import *import, ir_function_id function)
{
    if (import->function[function] != IR_NONE)
        return import->function[function];
    const struct ir_function *old = &import->from->function[function];
    ptrdiff_t known = old->flags & IR_FN_INTERNAL ? -1 : shgeti(import->by_key, old->key);
    ir_function_id number;
    bool wants_body = old->flags & IR_FN_BODY;
    if (known >= 0) {
        number = import->by_key[known].value;
        wants_body = wants_body && !(import->into->function[number].flags & IR_FN_BODY);
    } else {
        number = ir_function_add(import->into, old->name, old->lookup, old->key);
        struct ir_function copy = import->into->function[number];
        copy_head(import, old, &copy);
        copy.param = copy_params(import, old);
        import->into->function[number] = copy;
    }
    import->function[function] = number;
    if (wants_body)
        arrput(import->body, function);
    return number;
}

static struct ir_op map_op(struct import *import, const struct ir_op *old)
{
    struct ir_op op = *old;
    op.type = map_type(import, old->type);
    op.text = copy_text(import, old->text);
    op.loc = map_loc(import, old->loc);
    switch ((enum ir_op_code)old->code) {
    case IR_GLOBAL:
        op.imm = map_global(import, (ir_global_id)old->imm);
        break;
    case IR_FUNC:
    case IR_CALL:
        op.imm = map_function(import, (ir_function_id)old->imm);
        break;
    case IR_LAUNCH:
        op.imm = old->imm < 0 ? old->imm : map_function(import, (ir_function_id)old->imm);
        break;
    default:
        break;
    }
    return op;
}

#define COPY_ARRAY(to, array)                                                                      \
    do {                                                                                           \
        (to) = NULL;                                                                               \
        for (ptrdiff_t i_ = 0; i_ < arrlen(array); ++i_)                                           \
            arrput(to, (array)[i_]);                                                               \
    } while (0)

// The body is put together aside: mapping what it names may move the functions.
static void copy_body(struct import *import, ir_function_id function)
{
    const struct ir_function *old = &import->from->function[function];
    struct ir_function body = {.param = copy_params(import, old)};
    for (ptrdiff_t i = 0; i < arrlen(old->local); ++i) {
        struct ir_local local = old->local[i];
        local.name = copy_text(import, local.name);
        local.type = map_type(import, local.type);
        local.loc = map_loc(import, local.loc);
        arrput(body.local, local);
    }
    for (ptrdiff_t i = 0; i < arrlen(old->op); ++i)
        arrput(body.op, map_op(import, &old->op[i]));
    for (ptrdiff_t i = 0; i < arrlen(old->block); ++i) {
        struct ir_block block;
        COPY_ARRAY(block.op, old->block[i].op);
        arrput(body.block, block);
    }
    COPY_ARRAY(body.operand, old->operand);
    COPY_ARRAY(body.cases, old->cases);
    struct ir_loc loc = map_loc(import, old->loc);
    ir_type_id result = map_type(import, old->result);
    struct ir_function *new = &import->into->function[import->function[function]];
    arrfree(new->param);
    new->param = body.param;
    new->local = body.local;
    new->op = body.op;
    new->block = body.block;
    new->operand = body.operand;
    new->cases = body.cases;
    new->result = result;
    new->loc = loc;
    new->flags |= old->flags &(IR_FN_BODY | IR_FN_PARTIAL | IR_FN_PATTERN);
}

static void note_what_is_there(struct import *import)
{
    const struct ir_unit *into = import->into;
    for (ptrdiff_t i = 1; i < arrlen(into->file); ++i)
        shput(import->by_path, (char *)into->file[i].path, (uint32_t)i);
    for (ptrdiff_t i = 0; i < arrlen(into->function); ++i) {
        if (!(into->function[i].flags & IR_FN_INTERNAL))
            shput(import->by_key, (char *)into->function[i].key, (uint32_t)i);
    }
    for (ptrdiff_t i = 0; i < arrlen(into->type); ++i) {
        if (into->type[i].kind == IR_TYPE_RECORD)
            shput(import->by_record, (char *)into->type[i].name, (uint32_t)i);
    }
}

void ir_unit_import(struct ir_unit *into, const struct ir_unit *from,
                    const ir_function_id *function, size_t count)
{
    struct import import = {
        .into = into,
        .from = from,
        .file = unknown(arrlenu(from->file)),
        .type = unknown(arrlenu(from->type)),
        .global = unknown(arrlenu(from->global)),
        .function = unknown(arrlenu(from->function)),
    };
    note_what_is_there(&import);
    for (size_t i = 0; i < count; ++i)
        map_function(&import, function[i]);
    while (arrlen(import.body))
        copy_body(&import, arrpop(import.body));
    arrfree(import.file);
    arrfree(import.type);
    arrfree(import.global);
    arrfree(import.function);
    arrfree(import.body);
    shfree(import.by_path);
    shfree(import.by_key);
    shfree(import.by_record);
}
