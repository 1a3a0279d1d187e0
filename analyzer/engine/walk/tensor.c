// Tensor maps: how many bytes a tensor copy delivers. The host encodes the box of a map and hands
// the map to a kernel, by value, alone or within other data; the copy names the map and not its
// size. In the host's run an encoded map holds that number as its first word, so that it goes
// wherever the map is copied to; the launch takes it into the kernel's parameter. Its second word
// is where the tensor lies. (CUDA Driver API, cuTensorMapEncodeTiled.)
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/memory/memory.h"
#include "engine/walk/walk.h"

enum {
    MAP_BYTES = 128,
    MAP_DATA = 8,       // where the address is
    MOST_ELEMENTS = 64, // of an array of maps that are looked at
    // Operands of cuTensorMapEncodeTiled.
    ENCODE_MAP = 0,
    ENCODE_TYPE = 1,
    ENCODE_RANK = 2,
    ENCODE_DATA = 3,
    ENCODE_BOX = 6,
    ENCODE_STEPS = 7,
    ENCODE_OPERANDS = 12,
};

static bool is_map(const struct ir_unit *unit, ir_type_id type)
{
    return type != IR_NONE && unit->type[type].kind == IR_TYPE_RECORD && unit->type[type].name &&
           strcmp(unit->type[type].name, "CUtensorMap_st") == 0;
}

// The number at the address, the same for all threads of the mask; false where nobody knows it.
static bool number_at(struct run *run, const struct mask *mask, const struct node *base,
                      int64_t offset, uint32_t bits, int64_t *out)
{
    const struct node *word = memory_word(run, mask, base, offset, bits);
    return word && node_is_const(word, mask, run->masks, out);
}

// --- The host ------------------------------------------------------------------------------------

// Bytes of an element, 0 where several are packed: enum CUtensorMapDataType.
static int64_t element_bytes(int64_t type)
{
    static const int8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return type >= 0 && type < (int64_t)sizeof bytes ? bytes[type] : 0;
}

// Whether the call is the encoding of a tiled map, under whatever name: programs get the function
// by its address from the driver. Its operands begin at `first`.
static bool encodes(const struct ir_unit *unit, const struct ir_function *function,
                    const struct ir_op *op, uint32_t first)
{
    if (op->operand_count != first + ENCODE_OPERANDS)
        return false;
    const struct ir_op *map = ir_op_at(function, ir_operand(function, op, first + ENCODE_MAP));
    const struct ir_op *box = ir_op_at(function, ir_operand(function, op, first + ENCODE_BOX));
    return map->type != IR_NONE && box->type != IR_NONE &&
           unit->type[map->type].kind == IR_TYPE_POINTER &&
           unit->type[box->type].kind == IR_TYPE_POINTER &&
           is_map(unit, unit->type[map->type].elem);
}

// The bytes of the box; 0 where they are not known.
static int64_t box_bytes(struct run *run, struct group *group, const struct ir_op *op,
                         uint32_t first)
{
    const struct ir_function *function = frame_function(run, group->frame);
    int64_t type = 0, rank = 0;
    const struct node *box = operand_of(run, group, ir_operand(function, op, first + ENCODE_BOX));
    const struct node *steps =
        operand_of(run, group, ir_operand(function, op, first + ENCODE_STEPS));
    if (!node_is_const(operand_of(run, group, ir_operand(function, op, first + ENCODE_TYPE)),
                       group->mask, run->masks, &type) ||
        !node_is_const(operand_of(run, group, ir_operand(function, op, first + ENCODE_RANK)),
                       group->mask, run->masks, &rank) ||
        rank < 1 || rank > 5)
        return 0;
    int64_t bytes = element_bytes(type);
    for (int64_t i = 0; i < rank; ++i) {
        int64_t extent = 0, step = 0;
        if (!number_at(run, group->mask, box, i * 4, 32, &extent) || extent < 1 || extent > 256 ||
            !number_at(run, group->mask, steps, i * 4, 32, &step) || step < 1)
            return 0;
        bytes *= (extent + step - 1) / step; // every step-th element is copied
    }
    return bytes;
}

bool tensor_encode(struct run *run, struct group *group, const struct ir_op *op, ir_value value,
                   uint32_t first)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_function *function = frame_function(run, group->frame);
    if (!run->engine->host || !encodes(unit, function, op, first))
        return false;
    const struct node *map = operand_of(run, group, ir_operand(function, op, first + ENCODE_MAP));
    int64_t bytes = box_bytes(run, group, op, first);
    if (bytes > 0 && map->kind == NODE_ADDRESS)
        memory_store(run, group->mask, map, 8, node_const(run->nodes, bytes), group->arms);
    else if (map->kind == NODE_ADDRESS)
        memory_overwrite(run, group->mask, map, MAP_BYTES, false);
    else
        memory_forget(run, group->mask, map);
    const struct node *data = operand_of(run, group, ir_operand(function, op, first + ENCODE_DATA));
    if (map->kind == NODE_ADDRESS)
        memory_store(
            run, group->mask,
            node_binary(run->nodes, IR_ADD, 64, true, map, node_const(run->nodes, MAP_DATA)), 8,
            data, group->arms);
    if (op->type != IR_NONE)
        group_set(run, group, value,
                  run_fresh(run, "the result of a call", SHAPE_UNKNOWN, INT64_MIN, INT64_MAX));
    return true;
}

const struct node *tensor_data(struct run *run, struct group *group, ir_type_id type,
                               const struct node *map)
{
    return map && is_map(run->engine->unit, type) ? memory_word(run, group->mask, map, MAP_DATA, 64)
                                                  : NULL;
}

// What the maps in a value of the type hold, which lies at `offset` of the argument.
static void read_maps(struct run *run, struct group *group, const struct node *base,
                      ir_type_id type, int64_t offset, struct engine_shape *shape,
                      uint32_t argument)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_type *of = &unit->type[type];
    if (is_map(unit, type)) {
        int64_t bytes = 0;
        if (shape->tensor_maps < ENGINE_TENSOR_MAPS &&
            number_at(run, group->mask, base, offset, 64, &bytes) && bytes > 0)
            shape->tensor_map[shape->tensor_maps++] =
                (struct engine_tensor_map){argument, offset, bytes};
        return;
    }
    for (ptrdiff_t i = 0; of->kind == IR_TYPE_RECORD && i < arrlen(of->field); ++i)
        read_maps(run, group, base, of->field[i].type, offset + (int64_t)of->field[i].offset, shape,
                  argument);
    if (of->kind != IR_TYPE_ARRAY || of->elem == IR_NONE || of->size < MAP_BYTES)
        return;
    int64_t size = (int64_t)unit->type[of->elem].size;
    for (int64_t i = 0; i < MOST_ELEMENTS && size > 0 && (i + 1) * size <= (int64_t)of->size; ++i)
        read_maps(run, group, base, of->elem, offset + i * size, shape, argument);
}

void tensor_launched(struct run *run, struct group *group, const struct ir_op *op,
                     struct engine_shape *shape)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_function *kernel = &unit->function[shape->kernel];
    for (uint32_t i = 0; (ptrdiff_t)i < arrlen(kernel->param); ++i) {
        ir_type_id type = kernel->param[i].type;
        if (unit->type[type].kind != IR_TYPE_RECORD)
            continue;
        const struct node *passed = parameter_passed(run, group, op, i, type);
        if (passed)
            read_maps(run, group, passed, type, 0, shape, i);
    }
}

// --- The kernel ----------------------------------------------------------------------------------

void tensor_given(struct run *run, uint32_t argument, const struct node *parameter)
{
    const struct engine_shape *shape = &run->engine->shape;
    for (uint32_t i = 0; i < shape->tensor_maps; ++i) {
        const struct engine_tensor_map *map = &shape->tensor_map[i];
        if (map->argument == argument)
            memory_store(run, run->masks->all,
                         node_binary(run->nodes, IR_ADD, 64, true, parameter,
                                     node_const(run->nodes, map->offset)),
                         8, node_const(run->nodes, map->bytes), NULL);
    }
}

const struct node *tensor_bytes(struct run *run, struct group *group, const struct model_op *op)
{
    int64_t bytes = 0;
    if (op->flags & MODEL_GATHERS || op->src == IR_NONE || run->engine->shape.tensor_maps == 0)
        return NULL;
    // Nobody knows which blocks get them.
    if (op->flags & MODEL_MULTICAST &&
        (op->multicast_mask == IR_NONE ||
         !node_known(operand_field(run, group, op, &op->multicast_mask))))
        return NULL;
    const struct node *map = operand_field(run, group, op, &op->src);
    return number_at(run, group->mask, map, 0, 64, &bytes) && bytes > 0
               ? node_const(run->nodes, bytes)
               : NULL;
}
