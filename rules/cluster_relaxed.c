#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "cluster-relaxed", incident)))
        rule_report_incident(
            context, result, incident,
            "this arrival is relaxed, and %s {reads|read} shared memory that %s {has|have} "
            "written before it",
            threads_text(&incident->missing), threads_text(&incident->threads));
}

const struct rule rule_cluster_relaxed = {
    .id = "cluster-relaxed",
    .family = "cluster",
    .summary = "peers read what a relaxed arrival at the cluster barrier has not released",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.3 (barrier.cluster)", "PTX ISA 9.1, 9.7.13.4"},
    .check = check,
    .doc =
        {
            .what = "barrier.cluster.arrive.relaxed is used after threads of the block "
                    "have written to its shared memory, no fence of cluster scope (or "
                    "wider) comes between, and threads of another block, or of another "
                    "warp where nothing else comes between, read that "
                    "block's shared memory behind the barrier. fence.mbarrier_init "
                    "covers initialisations of mbarriers, no data.",
            .why = "A relaxed arrival orders nothing: the barrier lets the peers go on "
                   "before the writes are visible to them. It is meant for the first "
                   "barrier of a kernel, before anything was written.",
            .bad =
                "#include <cooperative_groups.h>\n"
                "#include <cuda/ptx>\n"
                "namespace cg = cooperative_groups;\n"
                "\n"
                "__global__ void __cluster_dims__(2, 1, 1) swap_halves(const float *in, float "
                "*out)\n"
                "{\n"
                "    __shared__ float half[128];\n"
                "    auto cluster = cg::this_cluster();\n"
                "    half[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];\n"
                "    cuda::ptx::barrier_cluster_arrive(cuda::ptx::sem_relaxed); // expect: "
                "cluster-relaxed\n"
                "    cuda::ptx::barrier_cluster_wait();\n"
                "    const float *peer = cluster.map_shared_rank(half, cluster.block_rank() ^ 1);\n"
                "    out[blockIdx.x * 128 + threadIdx.x] = peer[127 - threadIdx.x];\n"
                "    cluster.sync();\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out)\n"
                "{\n"
                "    swap_halves<<<8, 128>>>(in, out);\n"
                "}\n",
            .good =
                "#include <cooperative_groups.h>\n"
                "#include <cuda/ptx>\n"
                "namespace cg = cooperative_groups;\n"
                "\n"
                "__global__ void __cluster_dims__(2, 1, 1) swap_halves(const float *in, float "
                "*out)\n"
                "{\n"
                "    __shared__ float half[128];\n"
                "    auto cluster = cg::this_cluster();\n"
                "    half[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];\n"
                "    cuda::ptx::barrier_cluster_arrive(cuda::ptx::sem_release);\n"
                "    cuda::ptx::barrier_cluster_wait();\n"
                "    const float *peer = cluster.map_shared_rank(half, cluster.block_rank() ^ 1);\n"
                "    out[blockIdx.x * 128 + threadIdx.x] = peer[127 - threadIdx.x];\n"
                "    cluster.sync();\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out)\n"
                "{\n"
                "    swap_halves<<<8, 128>>>(in, out);\n"
                "}\n",
            .fix = "Leave .relaxed away (release is the default), or fence for the "
                   "cluster before the arrival.",
        },
};
