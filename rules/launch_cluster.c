#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

enum {
    MOST_PORTABLE = 8,
    MOST_BLOCKS = 16,
    MOST_RANK = 64, // who bounds a rank by more bounds something else
};

static int64_t blocks_of(const int64_t extent[3])
{
    int64_t blocks = 1;
    for (int k = 0; k < 3; ++k)
        blocks *= extent[k] > 0 && extent[k] <= 4096 ? extent[k] : 1;
    return blocks;
}

// Whether something in the unit gives a kernel leave for clusters that not every device has room
// for, or may do so.
static bool leave_is_asked(const struct ir_unit *unit)
{
    enum { NON_PORTABLE = 14 }; // cudaFuncAttributeNonPortableClusterSizeAllowed, and the driver's
    for (ptrdiff_t f = 0; f < arrlen(unit->function); ++f) {
        const struct ir_function *function = &unit->function[f];
        for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
            const struct ir_op *op = &function->op[i];
            const char *name = op->code == IR_CALL ? unit->function[op->imm].name : "";
            if (!strstr(name, "SetAttribute") || op->operand_count < 2)
                continue;
            const struct ir_op *attribute = ir_op_at(function, ir_operand(function, op, 1));
            if (!attribute || attribute->code != IR_CONST || attribute->imm == NON_PORTABLE)
                return true;
        }
    }
    return false;
}

static void check_grid(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_shape *shape = &result->shape;
    const char *name = result->unit->function[result->kernel].name;
    if (!shape->launched)
        return;
    if (blocks_of(shape->cluster) > MOST_BLOCKS)
        rule_report(context, shape->loc, 0, RULE_CERTAIN,
                    "'%s' is launched with clusters of %lld blocks: no device has more than %d",
                    name, (long long)blocks_of(shape->cluster), MOST_BLOCKS);
    else if (blocks_of(shape->cluster) > MOST_PORTABLE && !leave_is_asked(result->unit))
        rule_report(context, shape->loc, 0, RULE_POSSIBLE,
                    "'%s' is launched with clusters of %lld blocks, and nothing here sets "
                    "cudaFuncAttributeNonPortableClusterSizeAllowed, which more than %d need",
                    name, (long long)blocks_of(shape->cluster), MOST_PORTABLE);
    for (int k = 0; k < 3; ++k) {
        if (shape->grid[k] <= 0 || shape->cluster[k] <= 1 ||
            shape->grid[k] % shape->cluster[k] == 0)
            continue;
        rule_report(context, shape->loc, 0, RULE_CERTAIN,
                    "'%s' is launched with %lld blocks in %c, which clusters of %lld do not divide",
                    name, (long long)shape->grid[k], "xyz"[k], (long long)shape -> cluster[k]);
        return;
    }
}

// A rank that is no known number: all that it may be lies beyond the cluster, or, in a kernel that
// is launched without one, it is made for more blocks than one.
static void check_bounds(struct rule_context *context, const struct engine_event *event,
                         int64_t blocks)
{
    const struct engine_range *rank = &event->id;
    bool beyond = rank->low >= blocks;
    bool of_several = blocks == 1 && rank->low == 0 && event->rank_by_rest;
    char text[RANGE_TEXT];
    if (!event->launched || rank->known || rank->high < blocks || rank->high >= MOST_RANK ||
        !(beyond || of_several))
        return;
    if (beyond)
        rule_report(context, event->loc, event->chain, RULE_POSSIBLE,
                    "one of the blocks %s of the cluster is addressed, and it has %lld block%s",
                    range_text(rank, text), (long long)blocks, plural_s(blocks));
    else
        rule_report(context, event->loc, event->chain, RULE_POSSIBLE,
                    "one of the blocks %s of the cluster is addressed, and the kernel is launched "
                    "without a cluster",
                    range_text(rank, text));
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_shape *shape = &result->shape;
    int64_t blocks = blocks_of(shape->cluster);
    check_grid(context, result);
    if ((!shape->launched && blocks <= 1) || shape->attributes_lost || blocks > MOST_BLOCKS)
        return;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_range *rank = &event->id, *mask = &event->mask;
        char text[RANGE_TEXT];
        if (event->model.kind == MODEL_ADDRESS_PEER && rank->given && !rank->known)
            check_bounds(context, event, blocks);
        if (event->model.kind == MODEL_ADDRESS_PEER && rank->given && rank->known &&
            (rank->high >= blocks || rank->low < 0))
            rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                        "block %s of the cluster is addressed, and it has %lld block%s",
                        range_text(rank, text), (long long)blocks, plural_s(blocks));
        if (event->model.flags & MODEL_MULTICAST && mask->given && mask->known &&
            mask->high >> blocks)
            rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                        "this multicast names blocks that a cluster of %lld does not have (mask "
                        "0x%llx)",
                        (long long)blocks, (unsigned long long)mask->high);
    }
}

const struct rule rule_launch_cluster = {
    .id = "launch-cluster",
    .family = "launch",
    .summary = "a kernel addresses blocks that its cluster does not have, or its clusters do not "
               "fit its grid",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 2.2.3",
                   "CUDA Programming Guide 13, 5.6.3 (cluster_group)", "PTX ISA 9.1, 2.2.2",
                   "PTX ISA 9.1, 9.7.9.25 (multicast)"},
    .check = check,
    .doc =
        {
            .what = "map_shared_rank or mapa with a rank that the cluster does not "
                    "have, or a multicast whose mask names such blocks; in particular "
                    "any rank but 0 in a kernel that is launched without a cluster, also one "
                    "that is data, as `x % 2` is. Or "
                    "the cluster is larger than any device allows, or does not divide "
                    "the grid; or it has more than 8 blocks and nothing in the unit gives the "
                    "kernel leave for that (possible: another unit may).",
            .why = "An address in a block that does not exist aborts the kernel at its "
                   "first use. A grid that its clusters do not divide is refused, by "
                   "an error that only the next call of the runtime returns.",
            .bad = "#include <cooperative_groups.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void share(const int *in, int *out)\n"
                   "{\n"
                   "    __shared__ int value;\n"
                   "    auto cluster = cg::this_cluster();\n"
                   "    value = in[blockIdx.x];\n"
                   "    cluster.sync();\n"
                   "    out[blockIdx.x] = *cluster.map_shared_rank(&value, 1); // expect: "
                   "launch-cluster\n"
                   "    cluster.sync();\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    share<<<8, 32>>>(in, out);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void __cluster_dims__(2, 1, 1) share(const int *in, int *out)\n"
                    "{\n"
                    "    __shared__ int value;\n"
                    "    auto cluster = cg::this_cluster();\n"
                    "    value = in[blockIdx.x];\n"
                    "    cluster.sync();\n"
                    "    out[blockIdx.x] = *cluster.map_shared_rank(&value, 1);\n"
                    "    cluster.sync();\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out)\n"
                    "{\n"
                    "    share<<<8, 32>>>(in, out);\n"
                    "}\n",
            .fix = "Give the cluster's size with __cluster_dims__ or the launch "
                   "attribute, and compute ranks from num_blocks() of the cluster.",
            .measured = "on H200: illegal instruction",
        },
};
