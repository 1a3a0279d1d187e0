// What a kernel is given: its parameters, and the numbers and pointers within those that are
// records. A launch is read for what it passes of each; in the kernel's run each is a symbol, or
// the number passed.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/memory/memory.h"
#include "engine/walk/walk.h"

enum {
    MOST_DEPTH = 4,    // of records within records
    MOST_ELEMENTS = 8, // of an array whose elements are told apart
};

struct listing {
    const struct ir_unit *unit;
    struct argument *out;
    uint32_t count, param;
    ir_type_id type; // of the parameter
    uint32_t room;
    bool pointers; // are listed, and no numbers
};

static void list_members(struct listing *listing, ir_type_id id, uint64_t offset, int depth)
{
    const struct ir_type *type = &listing->unit->type[id];
    if (depth > MOST_DEPTH || listing->count == listing->room)
        return;
    bool is_number = type->kind == IR_TYPE_INT && type->size > 0 && type->size <= 8;
    if (listing->pointers ? type->kind == IR_TYPE_POINTER : is_number)
        listing->out[listing->count++] =
            (struct argument){listing->param, listing->type, id, (int64_t)offset, true};
    if (type->kind == IR_TYPE_ARRAY && type->count <= MOST_ELEMENTS)
        for (uint64_t i = 0; i < type->count; ++i)
            list_members(listing, type->elem, offset + i * listing->unit->type[type->elem].size,
                         depth + 1);
    if (type->kind == IR_TYPE_RECORD && !type->is_union)
        for (ptrdiff_t i = 0; i < arrlen(type->field); ++i)
            if (type->field[i].bit_width == 0)
                list_members(listing, type->field[i].type, offset + type->field[i].offset,
                             depth + 1);
}

uint32_t arguments_of(const struct ir_unit *unit, const struct ir_function *kernel,
                      struct argument out[ENGINE_ARGUMENTS])
{
    struct listing listing = {.unit = unit, .out = out, .room = ENGINE_ARGUMENTS};
    uint32_t params = (uint32_t)arrlen(kernel->param);
    for (; listing.count < params && listing.count < ENGINE_ARGUMENTS; ++listing.count) {
        ir_type_id type = kernel->param[listing.count].type;
        out[listing.count] = (struct argument){listing.count, type, type, 0, false};
    }
    for (; listing.param < params; ++listing.param) {
        listing.type = kernel->param[listing.param].type;
        if (unit->type[listing.type].kind == IR_TYPE_RECORD)
            list_members(&listing, listing.type, 0, 0);
    }
    return listing.count;
}

uint32_t pointers_within(const struct ir_unit *unit, const struct ir_function *kernel,
                         struct argument *out, uint32_t room)
{
    struct listing listing = {.unit = unit, .out = out, .room = room, .pointers = true};
    for (; listing.param < (uint32_t)arrlen(kernel->param); ++listing.param) {
        listing.type = kernel->param[listing.param].type;
        if (unit->type[listing.type].kind == IR_TYPE_RECORD)
            list_members(&listing, listing.type, 0, 0);
    }
    return listing.count;
}

const struct node *parameter_passed(struct run *run, struct group *group,
                                    const struct ir_op *launch, uint32_t param, ir_type_id type)
{
    bool is_record = run->engine->unit->type[type].kind == IR_TYPE_RECORD;
    const struct ir_function *function = frame_function(run, group->frame);
    uint32_t at = IR_LAUNCH_OPERANDS_ + param;
    if (at < launch->operand_count) {
        ir_value operand = ir_operand(function, launch, at);
        return operand == IR_NONE ? NULL : operand_of(run, group, operand);
    }
    ir_value array = ir_operand(function, launch, IR_LAUNCH_ARRAY);
    if (array == IR_NONE)
        return NULL;
    const struct node *place =
        memory_word(run, group->mask, operand_of(run, group, array), 8 * (int64_t)param, 64);
    if (!place || place->kind != NODE_ADDRESS)
        return NULL;
    if (is_record)
        return place;
    const struct node *passed = memory_load(run, group->mask, place, type, false);
    return passed == run->nodes->undefined ? NULL : passed;
}

const struct node *argument_passed(struct run *run, struct group *group, const struct ir_op *launch,
                                   const struct argument *argument)
{
    const struct node *passed =
        parameter_passed(run, group, launch, argument->param, argument->param_type);
    if (!passed || !argument->is_member)
        return passed;
    passed =
        node_binary(run->nodes, IR_ADD, 64, true, passed, node_const(run->nodes, argument->offset));
    passed = memory_load(run, group->mask, passed, argument->type, false);
    return passed == run->nodes->undefined ? NULL : passed;
}

// The symbol of the argument, or the number that it is in this run.
static const struct node *given(struct run *run, uint32_t at, ir_type_id type, const char *name)
{
    const struct engine_shape *shape = &run->engine->shape;
    if (at < ENGINE_ARGUMENTS && shape->arguments_known >> at & 1)
        return node_const(run->nodes, shape->argument[at]);
    int64_t low, high;
    type_range(run, type, &low, &high);
    return node_atom(run->nodes, ARGUMENT_KEY + at, name, SHAPE_UNIFORM, low, high);
}

// Puts into the record what the kernel is given there: the argument `at`.
static void put_member(struct run *run, const struct node *record, const struct argument *member,
                       uint32_t at)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct object *object = &run->object[record->address.object];
    const char *name = object_path(&run->arena, unit, object, member->offset);
    const struct node *place =
        node_binary(run->nodes, IR_ADD, 64, true, record, node_const(run->nodes, member->offset));
    memory_store(run, run->masks->all, place, (uint32_t)unit->type[member->type].size,
                 given(run, at, member->type, name), NULL);
}

const struct node **arguments_given(struct run *run, const struct ir_function *kernel)
{
    const struct ir_unit *unit = run->engine->unit;
    uint32_t count = (uint32_t)arrlen(kernel->param);
    const struct node **value = arena_array(&run->arena, const struct node *, count + 1);
    for (uint32_t i = 0; i < count; ++i) {
        const struct ir_param *param = &kernel->param[i];
        if (unit->type[param->type].kind == IR_TYPE_RECORD) {
            uint32_t copy = object_new(run, OBJECT_PARAM, IR_SPACE_CONSTANT, param->type,
                                       param->name, kernel->loc, 16);
            value[i] = node_address(run->nodes, copy, run->nodes->zero, NULL);
        } else {
            value[i] = given(run, i, param->type, param->name);
        }
    }
    for (uint32_t i = 0; i < count; ++i)
        if (unit->type[kernel->param[i].type].kind == IR_TYPE_RECORD)
            tensor_given(run, i, value[i]);
    struct argument argument[ENGINE_ARGUMENTS], pointer[ENGINE_MEMBERS];
    uint32_t all = arguments_of(unit, kernel, argument);
    for (uint32_t i = count; i < all; ++i)
        put_member(run, value[argument[i].param], &argument[i], i);
    uint32_t pointers = pointers_within(unit, kernel, pointer, ENGINE_MEMBERS);
    for (uint32_t i = 0; i < pointers; ++i)
        put_member(run, value[pointer[i].param], &pointer[i], ENGINE_ARGUMENTS + i);
    return value;
}
