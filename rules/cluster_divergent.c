#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "cluster-divergent", incident)))
        rule_report_incident(context, result, incident,
                             incident->number[2]
                                 ? "%s {executes|execute} this cluster barrier, whose form "
                                   "(.aligned) is one for the whole warp, and %s, of the same "
                                   "warp, {does|do} not"
                                 : "%s {comes|come} to this cluster barrier and %s, which "
                                   "{lives|live}, {passes|pass} it by",
                             threads_text(&incident->threads), threads_text(&incident->missing));
}

const struct rule rule_cluster_divergent = {
    .id = "cluster-divergent",
    .family = "cluster",
    .summary = "some live threads of the cluster pass a cluster barrier by",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.3", "CUDA Programming Guide 13, 5.6.3"},
    .check = check,
    .doc =
        {
            .what = "A cluster barrier stands under a condition that differs "
                    "between live threads of the cluster: on the number of the "
                    "thread, on the rank of the block within the cluster, or on "
                    "data. Threads that have left the kernel are not waited for, "
                    "and an arrival on the other way makes up for it. Or lanes of a warp execute "
                    "a form with .aligned, which all of the warp execute together, and others do "
                    "not.",
            .why = "The barrier waits for every live thread of every block of "
                   "the cluster. Those that pass it by meet it at their next "
                   "one, and from then on the blocks are one barrier apart; "
                   "where there is no next one, the kernel hangs or the barrier "
                   "orders nothing.",
            .bad = "#include <cooperative_groups.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void __cluster_dims__(2, 1, 1) gather(int *data)\n"
                   "{\n"
                   "    __shared__ int sum;\n"
                   "    auto cluster = cg::this_cluster();\n"
                   "    if (threadIdx.x == 0)\n"
                   "        sum = data[blockIdx.x];\n"
                   "    if (cluster.block_rank() == 0) {\n"
                   "        cluster.sync(); // expect: cluster-divergent\n"
                   "        data[blockIdx.x] += *cluster.map_shared_rank(&sum, 1);\n"
                   "    }\n"
                   "    cluster.sync();\n"
                   "}\n"
                   "\n"
                   "void launch(int *data)\n"
                   "{\n"
                   "    gather<<<8, 64>>>(data);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void __cluster_dims__(2, 1, 1) gather(int *data)\n"
                    "{\n"
                    "    __shared__ int sum;\n"
                    "    auto cluster = cg::this_cluster();\n"
                    "    if (threadIdx.x == 0)\n"
                    "        sum = data[blockIdx.x];\n"
                    "    cluster.sync();\n"
                    "    if (cluster.block_rank() == 0)\n"
                    "        data[blockIdx.x] += *cluster.map_shared_rank(&sum, 1);\n"
                    "    cluster.sync();\n"
                    "}\n"
                    "\n"
                    "void launch(int *data)\n"
                    "{\n"
                    "    gather<<<8, 64>>>(data);\n"
                    "}\n",
            .fix = "Take the barrier out of the condition: every thread of every "
                   "block of the cluster must arrive.",
        },
};
