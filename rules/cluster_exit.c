#include "rules/facts.h"

// Whether an earlier use of the same block's memory by the same threads, in the same call of the
// same function, is told: what makes that block wait for the last of them mends them all.
static bool is_told_with_another(const struct engine_result *result,
                                 const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, incident->rule, other))) {
        if (other->number[0] == incident->number[0] && other->chain == incident->chain &&
            ir_loc_before(&other->loc, &incident->loc) &&
            threads_alike(result, &other->threads, &incident->threads) &&
            other->supported >= incident->supported && other->certain >= incident->certain)
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    // Blocks that are one barrier apart end at the wrong time as well.
    if (incident_is_supported(result, "cluster-divergent"))
        return;
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "cluster-exit", incident))) {
        if (is_told_with_another(result, incident))
            continue;
        bool arrives = incident->number[1] != 0;
        rule_report_incident(context, result, incident,
                             "block %lld of the cluster may have ended when %s %s, as nothing "
                             "makes it wait for that",
                             (long long)incident->number[0], threads_text(&incident->threads),
                             arrives ? "{arrives|arrive} at its mbarrier"
                                     : "{uses|use} its shared memory");
    }
}

const struct rule rule_cluster_exit = {
    .id = "cluster-exit",
    .family = "cluster",
    .summary = "a block may end while another one still uses its shared memory",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 2.2.3", "PTX ISA 9.1, 2.2.2"},
    .check = check,
    .doc =
        {
            .what = "A thread reads or writes the shared memory of another block "
                    "of the cluster (map_shared_rank, mapa), or arrives at an "
                    "mbarrier there, and nothing makes that block wait until it "
                    "is done: neither a cluster barrier after it, nor a wait of "
                    "that block at one of its own mbarriers for an arrival that "
                    "came after it.",
            .why = "Shared memory is gone when its block ends, and may belong to "
                   "the next block. A store to it aborts the launch, a load "
                   "reads anything, an arrival may land in the barrier of a "
                   "stranger. It happens only when one block is faster than the "
                   "other.",
            .bad = "#include <cooperative_groups.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void __cluster_dims__(2, 1, 1) exchange(int *out)\n"
                   "{\n"
                   "    __shared__ int box;\n"
                   "    auto cluster = cg::this_cluster();\n"
                   "    if (threadIdx.x == 0)\n"
                   "        box = threadIdx.x + blockIdx.x;\n"
                   "    cluster.sync();\n"
                   "    out[blockIdx.x * 64 + threadIdx.x] = *cluster.map_shared_rank(&box, "
                   "cluster.block_rank() ^ 1); // expect: cluster-exit\n"
                   "}\n"
                   "\n"
                   "void launch(int *out)\n"
                   "{\n"
                   "    exchange<<<8, 64>>>(out);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void __cluster_dims__(2, 1, 1) exchange(int *out)\n"
                    "{\n"
                    "    __shared__ int box;\n"
                    "    auto cluster = cg::this_cluster();\n"
                    "    if (threadIdx.x == 0)\n"
                    "        box = threadIdx.x + blockIdx.x;\n"
                    "    cluster.sync();\n"
                    "    out[blockIdx.x * 64 + threadIdx.x] = *cluster.map_shared_rank(&box, "
                    "cluster.block_rank() ^ 1);\n"
                    "    cluster.sync();\n"
                    "}\n"
                    "\n"
                    "void launch(int *out)\n"
                    "{\n"
                    "    exchange<<<8, 64>>>(out);\n"
                    "}\n",
            .fix = "End the kernel with a cluster barrier that all blocks reach, "
                   "or let the block wait for the last arrivals at its own "
                   "mbarriers before it ends, as a pipeline's producer_tail "
                   "does.",
            .measured = "on H200: a store to an ended block is a launch failure, an arrival "
                        "raises nothing",
        },
};
