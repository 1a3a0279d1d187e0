#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "cluster-pairing", incident))) {
        if (incident->violation == BARLINT_CLUSTER_ARRIVE_TWICE)
            rule_report_incident(context, result, incident,
                                 "%s {arrives|arrive} at the cluster barrier again without having "
                                 "waited since the last time",
                                 threads_text(&incident->threads));
        else
            rule_report_incident(context, result, incident,
                                 "%s {waits|wait} at the cluster barrier without having arrived",
                                 threads_text(&incident->threads));
    }
}

const struct rule rule_cluster_pairing = {
    .id = "cluster-pairing",
    .family = "cluster",
    .summary = "arrivals and waits at the cluster barrier do not alternate",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.3", "CUDA Programming Guide 13, 5.6.3"},
    .check = check,
    .doc =
        {
            .what = "In one thread the operations at the cluster barrier are not "
                    "arrive, wait, arrive, wait: two arrivals without a wait "
                    "between them (sync() contains one), or a wait that no "
                    "arrival of the thread belongs to.",
            .why = "A wait without an arrival returns at once and orders "
                   "nothing. An arrival too many counts for the next phase, so "
                   "that the thread is one phase ahead of the others from then "
                   "on. Neither is noticed by the hardware; the data exchanged "
                   "is simply not there yet.",
            .bad = "#include <cooperative_groups.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void __cluster_dims__(2, 1, 1) steps(int *data)\n"
                   "{\n"
                   "    asm volatile(\"barrier.cluster.arrive.aligned;\" ::: \"memory\");\n"
                   "    data[blockIdx.x * 64 + threadIdx.x] *= 2;\n"
                   "    cg::this_cluster().sync(); // expect: cluster-pairing\n"
                   "    asm volatile(\"barrier.cluster.wait.aligned;\" ::: \"memory\"); // expect: "
                   "cluster-pairing\n"
                   "}\n"
                   "\n"
                   "void launch(int *data)\n"
                   "{\n"
                   "    steps<<<8, 64>>>(data);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void __cluster_dims__(2, 1, 1) steps(int *data)\n"
                    "{\n"
                    "    asm volatile(\"barrier.cluster.arrive.aligned;\" ::: \"memory\");\n"
                    "    data[blockIdx.x * 64 + threadIdx.x] *= 2;\n"
                    "    asm volatile(\"barrier.cluster.wait.aligned;\" ::: \"memory\");\n"
                    "    cg::this_cluster().sync();\n"
                    "}\n"
                    "\n"
                    "void launch(int *data)\n"
                    "{\n"
                    "    steps<<<8, 64>>>(data);\n"
                    "}\n",
            .fix = "One wait for each arrival, in this order; do not call sync() "
                   "between the two.",
            .measured = "on H200: nothing is reported",
        },
};
