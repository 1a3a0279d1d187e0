// Lanes that a block does not have: the last warp of a block of 80 threads has 16. What a shuffle
// reads from one of them is not defined, nor what it reads from one that its mask does not name.
// (PTX ISA 9.1, 9.7.9.6; Programming Guide 13, 5.4.6.5.)
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"

enum { WARP = 32 };

uint32_t shuffle_width(struct run *run, struct group *group, const struct model_op *op)
{
    int64_t width = op->tile_size;
    if (op->kind == MODEL_WARP_SHUFFLE &&
        (op->width == IR_NONE || !node_is_const(operand_field(run, group, op, &op->width),
                                                group->mask, run->masks, &width)))
        return 0;
    return width >= 1 && width <= WARP && (width & (width - 1)) == 0 ? (uint32_t)width : 0;
}

// Whether the block goes on with what the operation yields for all lanes alike: what stands under a
// condition of its own, or is selected by one, may be guarded there.
static bool is_used_at_once(const struct ir_function *function, ir_block_id block, ir_value value)
{
    enum { MOST = 8 };
    ir_value result[MOST] = {value};
    uint32_t results = 1, variable = UINT32_MAX; // that keeps it
    const ir_value *op = function->block[block].op;
    ptrdiff_t at = 0;
    while (at < arrlen(op) && op[at] != value)
        ++at;
    for (++at; at < arrlen(op); ++at) {
        const struct ir_op *next = ir_op_at(function, op[at]);
        bool takes = false;
        for (uint32_t k = 0; k < next->operand_count; ++k)
            for (uint32_t i = 0; i < results; ++i)
                takes |= ir_operand(function, next, k) == result[i];
        const struct ir_op *place = next->code == IR_LOAD || next->code == IR_STORE
                                        ? ir_op_at(function, ir_operand(function, next, 0))
                                        : NULL;
        bool kept = place && place->code == IR_LOCAL && (uint32_t)place->imm == variable;
        if (takes && next->code == IR_STORE && place->code == IR_LOCAL)
            variable = (uint32_t)place->imm;
        else if (takes && next->code != IR_CAST)
            return next->code != IR_SELECT && next->code != IR_RET;
        else if ((takes || (kept && next->code == IR_LOAD)) && results < MOST)
            result[results++] = op[at];
    }
    return false;
}

// The lane, counted from the first of `width`, that lane `own` reads from, as far as that matters:
// a sum is what the lowest lane gets when all have read downwards, and what reaches it are the
// lower lanes of each step, where each adds what it reads. `own` where it reads itself.
static uint32_t source_of(enum model_warp_op how, uint32_t own, int64_t operand, uint32_t width,
                          bool at_once)
{
    int64_t source = own;
    if (how == MODEL_SHFL_DOWN && (own == 0 || (at_once && own < operand)))
        source = own + operand;
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

static bool is_named(const struct node *mask, uint32_t thread, uint32_t lane)
{
    int64_t known;
    return mask && node_lane(mask, thread, &known) && names(mask, thread, lane);
}

static bool goes_on(struct run *run, const struct group *group, ir_value value)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    return is_used_at_once(function, group->frame->block, value);
}

// Of a group of lanes that shuffles within itself: whether one of the two wrongs is to be seen.
static bool reads_from(struct run *run, struct group *group, const struct model_op *op,
                       bool at_once, bool absent)
{
    uint32_t size = run->engine->block_threads, width = shuffle_width(run, group, op);
    const struct node *operand = resolve(run, operand_field(run, group, op, &op->lane));
    const struct node *mask =
        op->mask == IR_NONE ? NULL : resolve(run, operand_field(run, group, op, &op->mask));
    int64_t lane;
    // A mask that names all lanes leaves none out.
    if (!absent && (!mask || (mask->kind == NODE_CONST && (uint32_t)mask->value == UINT32_MAX)))
        return false;
    // Lanes that ask for different ones may know which of them are there.
    if (!absent && op->warp_op == MODEL_SHFL_IDX &&
        !node_is_const(operand, group->mask, run->masks, &lane))
        return false;
    mask_each (run->masks, group->mask, t) {
        uint32_t own = t % size, first = own - own % (width ? width : 1);
        if (!width || !node_lane(operand, t, &lane))
            return false;
        uint32_t from = first + source_of(op->warp_op, own - first, lane, width, at_once);
        if (from >= size ? absent && (at_once || names(mask, t, from % WARP))
                         : !absent && from / WARP == own / WARP && is_named(mask, t, own % WARP) &&
                               !names(mask, t, from % WARP))
            return true;
    }
    return false;
}

bool reads_absent_lane(struct run *run, struct group *group, const struct model_op *op,
                       ir_value value)
{
    uint32_t size = run->engine->block_threads;
    bool shuffles = op->kind == MODEL_WARP_SHUFFLE ||
                    (op->kind == MODEL_GROUP_COLLECTIVE && op->scope == MODEL_SCOPE_TILE);
    if (!shuffles || op->lane == IR_NONE || size % WARP == 0 || !run->engine->shape.block_known ||
        run->engine->shape.source != ENGINE_SHAPE_LAUNCH)
        return false;
    return reads_from(run, group, op, goes_on(run, group, value), true);
}

bool lacks_mask(struct run *run, struct group *group, const struct model_op *op)
{
    if (op->kind != MODEL_WARP_SHUFFLE || op->warp_op == MODEL_SHFL_IDX || op->lane == IR_NONE ||
        op->mask == IR_NONE)
        return false;
    const struct node *mask = resolve(run, operand_field(run, group, op, &op->mask));
    const struct node *operand = resolve(run, operand_field(run, group, op, &op->lane));
    int64_t by = 0;
    uint32_t width = shuffle_width(run, group, op);
    return !node_known(mask) && mask->shape != SHAPE_UNIFORM && width > 0 &&
           node_is_const(operand, group->mask, run->masks, &by) && by >= width;
}

bool reads_unnamed_lane(struct run *run, struct group *group, const struct model_op *op,
                        ir_value value)
{
    if (op->kind != MODEL_WARP_SHUFFLE || op->lane == IR_NONE || op->mask == IR_NONE ||
        !run->engine->shape.block_known || run->weak || run->machines->voted)
        return false;
    return goes_on(run, group, value) && reads_from(run, group, op, true, false);
}
