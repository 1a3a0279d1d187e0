#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "cluster-dsmem-start", incident))) {
        if (incident_lacks_cluster_wait(result, incident))
            continue;
        rule_report_incident(
            context, result, incident,
            "%s {uses|use} the shared memory of another block before the first cluster "
            "barrier: it may not have started",
            threads_text(&incident->threads));
    }
}

const struct rule rule_cluster_dsmem_start = {
    .id = "cluster-dsmem-start",
    .family = "cluster",
    .summary = "shared memory of another block is used before that block is known to have started",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 2.2.3 (distributed shared memory)",
                   "PTX ISA 9.1, 2.2.2"},
    .check = check,
    .doc =
        {
            .what = "A thread reads or writes the shared memory of another block "
                    "of its cluster before it has passed a cluster barrier.",
            .why = "The blocks of a cluster are guaranteed to run at the same "
                   "time, not to have started by then: until a cluster barrier "
                   "says so, the other block may not have its shared memory yet, "
                   "or may still have to initialise it.",
            .bad = "#include <cooperative_groups.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void __cluster_dims__(2, 1, 1) exchange(int *out)\n"
                   "{\n"
                   "    __shared__ int box;\n"
                   "    auto cluster = cg::this_cluster();\n"
                   "    if (threadIdx.x == 0)\n"
                   "        *cluster.map_shared_rank(&box, cluster.block_rank() ^ 1) = blockIdx.x; "
                   "// expect: cluster-dsmem-start\n"
                   "    cluster.sync();\n"
                   "    out[blockIdx.x * 64 + threadIdx.x] = box;\n"
                   "}\n"
                   "\n"
                   "void launch(int *out)\n"
                   "{\n"
                   "    exchange<<<8, 64>>>(out);\n"
                   "}\n",
            .good =
                "#include <cooperative_groups.h>\n"
                "namespace cg = cooperative_groups;\n"
                "\n"
                "__global__ void __cluster_dims__(2, 1, 1) exchange(int *out)\n"
                "{\n"
                "    __shared__ int box;\n"
                "    auto cluster = cg::this_cluster();\n"
                "    cluster.sync();\n"
                "    if (threadIdx.x == 0)\n"
                "        *cluster.map_shared_rank(&box, cluster.block_rank() ^ 1) = blockIdx.x;\n"
                "    cluster.sync();\n"
                "    out[blockIdx.x * 64 + threadIdx.x] = box;\n"
                "}\n"
                "\n"
                "void launch(int *out)\n"
                "{\n"
                "    exchange<<<8, 64>>>(out);\n"
                "}\n",
            .fix = "Let all threads of the cluster meet at a cluster barrier "
                   "before the first access.",
        },
};
