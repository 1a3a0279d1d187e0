// The operands of a launch that are numbers, and its attributes.
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/walk/launch.h"
#include "engine/walk/walk.h"

int64_t launch_operand(struct run *run, struct group *group, const struct ir_op *op,
                       enum ir_launch_operand which, int64_t missing)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    if ((uint32_t)which >= op->operand_count)
        return missing;
    ir_value operand = ir_operand(function, op, which);
    if (operand == IR_NONE)
        return missing;
    int64_t value;
    const struct node *node = resolve(run, operand_of(run, group, operand));
    return node_is_const(node, group->mask, run->masks, &value) ? value : -1;
}

// What the host computes as the number of blocks along an axis: of the grid, which a launch is
// given, and of a cluster, which an attribute says.
static const struct node *blocks_of_grid(struct run *run, struct group *group,
                                         const struct ir_op *op, int axis)
{
    const struct ir_function *function = frame_function(run, group->frame);
    ir_value operand = ir_operand(function, op, (uint32_t)IR_LAUNCH_GRID_X + (uint32_t)axis);
    return operand == IR_NONE ? NULL : node_plain(resolve(run, operand_of(run, group, operand)));
}

// Of a size that is not known two blocks along the first such axis are assumed. A grid of one
// cluster along an axis has as many blocks there.
static void read_cluster(struct run *run, struct group *group, const struct ir_op *op,
                         const struct node *const *extent, struct engine_shape *shape)
{
    for (int k = 0; k < 3; ++k) {
        int64_t blocks;
        bool known = node_is_const(extent[k], group->mask, run->masks, &blocks);
        shape->attributes_lost |= !known;
        if (!known)
            blocks = shape->cluster_assumed ? 1 : 2;
        shape->cluster_assumed |= !known;
        shape->cluster[k] = blocks > 0 ? blocks : 1;
        if (!known && blocks_of_grid(run, group, op, k) == node_plain(extent[k]))
            shape->grid[k] = blocks;
    }
}

// The attribute's id and value stand at fixed offsets in the runtime's header: id at
// 0, the value after padding to 8. (CUDA Runtime API, cudaLaunchAttribute.)
void launch_attributes(struct run *run, struct group *group, const struct ir_op *op,
                       struct engine_shape *shape, int64_t preferred[3])
{
    enum {
        ATTRIBUTE_COOPERATIVE = 2,
        ATTRIBUTE_CLUSTER = 4,
        ATTRIBUTE_PROGRAMMATIC = 6, // stream serialization
        ATTRIBUTE_PREFERRED = 11,   // clusters, where they fit
        ATTRIBUTE_BYTES = 72,
    };
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    if (op->operand_count <= IR_LAUNCH_ATTRIBUTES)
        return;
    ir_value operand = ir_operand(function, op, IR_LAUNCH_ATTRIBUTES);
    if (operand == IR_NONE)
        return;
    const struct node *base = operand_of(run, group, operand);
    int64_t count = launch_operand(run, group, op, IR_LAUNCH_ATTRIBUTE_COUNT, 1);
    int64_t null = -1;
    if (!memory_word(run, group->mask, base, 0, 32) || count < 0) {
        shape->attributes_lost =
            count != 0 && !(node_is_const(base, group->mask, run->masks, &null) && null == 0);
        return;
    }
    for (int64_t i = 0; i < count && i < 16; ++i) {
        static const int64_t offset[4] = {0, 8, 12, 16};
        const struct node *field[4];
        for (int k = 0; k < 4; ++k) {
            int64_t at = i * ATTRIBUTE_BYTES + offset[k];
            field[k] = memory_word(run, group->mask, base, at, 32);
        }
        int64_t id, value;
        if (!node_is_const(field[0], group->mask, run->masks, &id)) {
            shape->attributes_lost = true;
        } else if (id == ATTRIBUTE_CLUSTER) {
            read_cluster(run, group, op, field + 1, shape);
        } else if (id == ATTRIBUTE_PREFERRED) {
            for (int k = 0; k < 3; ++k)
                shape->attributes_lost |=
                    !node_is_const(field[k + 1], group->mask, run->masks, &preferred[k]) ||
                    preferred[k] <= 0;
        } else if (id != ATTRIBUTE_PROGRAMMATIC && id != ATTRIBUTE_COOPERATIVE) {
            continue; // a priority, a stream's policy ...: nothing that a kernel relies on
        } else if (!node_is_const(field[1], group->mask, run->masks, &value)) {
            shape->attributes_lost = true;
        } else if (id == ATTRIBUTE_PROGRAMMATIC) {
            shape->dependent = value != 0;
        } else {
            shape->cooperative = value != 0;
        }
    }
}
