// What special registers hold: numbers of threads are known, those of the launch as far as the
// launch says, and what the hardware gives stands for itself.
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/run.h"
#include "engine/walk/walk.h"

static const struct node *special_vector(struct run *run, enum ir_special special)
{
    const struct engine *engine = run->engine;
    const int64_t *block = engine->shape.block;
    int64_t *vector = run->nodes->scratch;
    for (uint32_t t = 0; t < engine->threads; ++t) {
        int64_t in_block = t % engine->block_threads, rank = t / engine->block_threads;
        int64_t lane = in_block % 32;
        const int64_t *cluster = engine->shape.cluster;
        int64_t value = 0;
        switch (special) {
        case IR_TID_X:
            value = in_block % block[0];
            break;
        case IR_TID_Y:
            value = in_block / block[0] % block[1];
            break;
        case IR_TID_Z:
            value = in_block / (block[0] * block[1]);
            break;
        case IR_LANEID:
            value = lane;
            break;
        case IR_WARPID:
            value = in_block / 32;
            break;
        case IR_CLUSTER_CTAID_X:
            value = rank % cluster[0];
            break;
        case IR_CLUSTER_CTAID_Y:
            value = rank / cluster[0] % cluster[1];
            break;
        case IR_CLUSTER_CTAID_Z:
            value = rank / (cluster[0] * cluster[1]);
            break;
        case IR_CLUSTER_CTARANK:
            value = rank;
            break;
        case IR_LANEMASK_EQ:
            value = INT64_C(1) << lane;
            break;
        case IR_LANEMASK_LT:
            value = (INT64_C(1) << lane) - 1;
            break;
        case IR_LANEMASK_LE:
            value = (INT64_C(2) << lane) - 1;
            break;
        case IR_LANEMASK_GT:
            value = INT64_C(0xffffffff) & ~((INT64_C(2) << lane) - 1);
            break;
        default: // IR_LANEMASK_GE
            value = INT64_C(0xffffffff) & ~((INT64_C(1) << lane) - 1);
            break;
        }
        vector[t] = value;
    }
    return node_vector(run->nodes, vector);
}

// A number of the launch: known, or a symbol that stands for it.
static const struct node *launch_number(struct run *run, enum ir_special special, int64_t known,
                                        int64_t low)
{
    static const char *const name[IR_SPECIAL_COUNT_] = {
        [IR_NCTAID_X] = "gridDim.x", [IR_NCTAID_Y] = "gridDim.y", [IR_NCTAID_Z] = "gridDim.z",
        [IR_CTAID_X] = "blockIdx.x", [IR_CTAID_Y] = "blockIdx.y", [IR_CTAID_Z] = "blockIdx.z"};
    if (known > 0)
        return node_const(run->nodes, known);
    return node_atom(run->nodes, UINT64_C(0x4000000000000000) + special,
                     name[special] ? name[special] : ir_special_name(special), SHAPE_UNIFORM, low,
                     INT64_C(1) << 31);
}

const struct node *special_symbol(const struct run *run, enum ir_special special)
{
    return node_find_atom(run->nodes, UINT64_C(0x4000000000000000) + special);
}

bool special_is_block_index(const struct node *node)
{
    uint64_t first = UINT64_C(0x4000000000000000) + IR_CTAID_X;
    return node->kind == NODE_ATOM && node->atom.key >= first && node->atom.key < first + 3;
}

bool special_is_multiprocessor(const struct node *node)
{
    return node->kind == NODE_ATOM && node->atom.key == UINT64_C(0x4000000000000000) + IR_SMID;
}

// The number of the block, or of its cluster, along the axis.
static const struct node *whole_index(struct run *run, uint32_t axis)
{
    static const char *const name[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};
    const struct engine_shape *shape = &run->engine->shape;
    int64_t cluster = shape->cluster[axis], grid = shape->grid[axis];
    if (grid == 1 || run->engine->block == BLOCK_FIRST)
        return run->nodes->zero;
    int64_t high = grid > 0 ? grid / cluster - 1 : INT64_C(1) << 31;
    if (grid > 0 && run->engine->block == BLOCK_LAST)
        return node_const(run->nodes, high);
    return node_atom(run->nodes, UINT64_C(0x4000000000000000) + IR_CTAID_X + axis,
                     cluster <= 1 ? name[axis] : "the cluster's number", SHAPE_UNIFORM, 0, high);
}

static const struct node *block_index(struct run *run, uint32_t axis)
{
    int64_t cluster = run->engine->shape.cluster[axis];
    const struct node *index = whole_index(run, axis);
    if (cluster <= 1 || run->engine->shape.grid[axis] == 1)
        return index;
    index = node_binary(run->nodes, IR_MUL, 64, true, index, node_const(run->nodes, cluster));
    return node_binary(run->nodes, IR_ADD, 64, true, index,
                       special_vector(run, (enum ir_special)(IR_CLUSTER_CTAID_X + axis)));
}

// A number that the hardware gives a warp: what it is in a block that has the multiprocessor for
// itself, kept as the symbol's bound, so that what is made of it says so.
static const struct node *hardware_number(struct run *run, enum ir_special special,
                                          const struct node *usual)
{
    enum { MOST_WARPS = 64 }; // of a multiprocessor
    bool one = special == IR_NWARPID;
    const struct node *number =
        node_atom(run->nodes, HARDWARE_KEY + special, one ? "%nwarpid" : "%warpid",
                  one ? SHAPE_UNIFORM : SHAPE_VARYING, 0, MOST_WARPS);
    int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
    for (uint32_t t = 0; t < run->masks->threads; ++t)
        node_lane(usual, t, &lane[t]);
    struct bound *bound = bound_make(run, number);
    bound->low = 0;
    bound->high = MOST_WARPS;
    bound->lane = lane;
    memo_changed(run, number);
    return number;
}

bool node_is_hardware(const struct node *node)
{
    return node->kind == NODE_ATOM && node->atom.key - HARDWARE_KEY < IR_SPECIAL_COUNT_;
}

static const struct node *special_work(struct run *run, enum ir_special special)
{
    const struct engine_shape *shape = &run->engine->shape;
    switch (special) {
    case IR_NTID_X:
    case IR_NTID_Y:
    case IR_NTID_Z:
        return node_const(run->nodes, shape->block[special - IR_NTID_X]);
    case IR_CTAID_X:
    case IR_CTAID_Y:
    case IR_CTAID_Z:
        return block_index(run, special - IR_CTAID_X);
    case IR_NCTAID_X:
    case IR_NCTAID_Y:
    case IR_NCTAID_Z:
        return launch_number(run, special, shape->grid[special - IR_NCTAID_X], 1);
    case IR_WARPID:
        return hardware_number(run, special, special_vector(run, special));
    case IR_NWARPID:
        return hardware_number(run, special,
                               node_const(run->nodes, (run->engine->block_threads + 31) / 32));
    case IR_WARPSIZE:
        return node_const(run->nodes, 32);
    case IR_CLUSTER_NCTAID_X:
    case IR_CLUSTER_NCTAID_Y:
    case IR_CLUSTER_NCTAID_Z:
        return node_const(run->nodes, shape->cluster[special - IR_CLUSTER_NCTAID_X]);
    case IR_CLUSTER_NCTARANK:
        return node_const(run->nodes, run->engine->blocks);
    case IR_CLUSTERID_X:
    case IR_CLUSTERID_Y:
    case IR_CLUSTERID_Z:
    case IR_NCLUSTERID_X:
    case IR_NCLUSTERID_Y:
    case IR_NCLUSTERID_Z:
    case IR_SMID:
    case IR_NSMID:
    case IR_GRIDID:
        return launch_number(run, special, 0, 0);
    case IR_DYNAMIC_SMEM_SIZE:
    case IR_TOTAL_SMEM_SIZE:
        return launch_number(run, special, shape->shared_bytes > 0 ? shape->shared_bytes : 0, 0);
    case IR_CLOCK:
    case IR_CLOCK64:
    case IR_GLOBALTIMER:
        return run_fresh(run, "the clock", SHAPE_VARYING, 0, INT64_MAX);
    default:
        return special_vector(run, special);
    }
}

const struct node *special_value(struct run *run, enum ir_special special)
{
    bool moves = special == IR_CLOCK || special == IR_CLOCK64 || special == IR_GLOBALTIMER;
    if (moves)
        return special_work(run, special);
    if (!run->special[special])
        run->special[special] = special_work(run, special);
    return run->special[special];
}
