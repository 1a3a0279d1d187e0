// Lanes that a block does not have: the last warp of a block of 80 threads has 16. What a shuffle
// reads from one of them is not defined. (PTX ISA 9.1, 9.7.9.6; Programming Guide 13, 5.4.6.5.)
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"

enum { WARP = 32 };

// The lanes within which a shuffle looks for its source, by the first of them; 0 where that is not
// known.
static uint32_t width_of(struct run *run, struct group *group, const struct model_op *op)
{
    int64_t width = op->tile_size;
    if (op->kind == MODEL_WARP_SHUFFLE &&
        (op->width == IR_NONE || !node_is_const(operand_field(run, group, op, &op->width),
                                                group->mask, run->masks, &width)))
        return 0;
    return width >= 1 && width <= WARP && (width & (width - 1)) == 0 ? (uint32_t)width : 0;
}

// The lane, counted from the first of `width`, that lane `own` reads from, as far as that matters:
// a sum is what the lowest lane gets when all have read downwards. `own` where it reads itself.
static uint32_t source_of(enum model_warp_op how, uint32_t own, int64_t operand, uint32_t width)
{
    int64_t source = own;
    if (how == MODEL_SHFL_DOWN && own == 0)
        source = operand;
    else if (how == MODEL_SHFL_XOR)
        source = own ^ operand;
    else if (how == MODEL_SHFL_IDX)
        source = operand & (width - 1);
    return source >= 0 && source < width ? (uint32_t)source : own;
}

// Whether the mask that the thread gives names the lane of its warp.
static bool names(const struct node *mask, uint32_t thread, uint32_t lane)
{
    int64_t value = -1;
    return !mask || (node_lane(mask, thread, &value) && value >> lane & 1);
}

bool reads_absent_lane(struct run *run, struct group *group, const struct model_op *op)
{
    uint32_t size = run->engine->block_threads;
    bool shuffles = op->kind == MODEL_WARP_SHUFFLE ||
                    (op->kind == MODEL_GROUP_COLLECTIVE && op->scope == MODEL_SCOPE_TILE);
    if (!shuffles || op->lane == IR_NONE || size % WARP == 0 || !run->engine->shape.block_known ||
        run->engine->shape.source != ENGINE_SHAPE_LAUNCH)
        return false;
    uint32_t width = width_of(run, group, op);
    const struct node *operand = resolve(run, operand_field(run, group, op, &op->lane));
    const struct node *mask =
        op->mask == IR_NONE ? NULL : resolve(run, operand_field(run, group, op, &op->mask));
    mask_each (run->masks, group->mask, t) {
        int64_t lane;
        uint32_t own = t % size, first = own - own % (width ? width : 1);
        if (!width || !node_lane(operand, t, &lane))
            return false;
        uint32_t from = first + source_of(op->warp_op, own - first, lane, width);
        if (from >= size && names(mask, t, from % WARP))
            return true;
    }
    return false;
}
