#include "barlint/semantics.h"
#include "rules/facts.h"

// The fence belongs behind the initialisation: that is where a reader should look.
static void report_fence(struct rule_context *context, const struct engine_result *result,
                         const struct engine_incident *incident)
{
    const struct engine_event *init = incident_initialisation(result, incident);
    struct engine_incident at = *incident;
    if (init) {
        at.loc = init->loc;
        at.chain = at.loc_chain = init->chain;
    }
    struct rule_report *report = rule_report_incident(
        context, result, &at,
        "'%s' is used from another block of the cluster; the cluster barrier after its "
        "initialisation is relaxed and no fence publishes it",
        incident_object(result, incident));
    if (init)
        rule_note(report, incident->loc, "%s may meet it uninitialised here",
                  threads_text(&incident->threads));
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-cluster-fence", incident))) {
        if (incident_repeats(result, incident) || incident_lacks_cluster_wait(result, incident))
            continue;
        const char *name = incident_object(result, incident);
        if (incident->violation == BARLINT_INIT_CLUSTER_SYNC)
            rule_report_incident(context, result, incident,
                                 "'%s' is used from another block of the cluster, and no cluster "
                                 "barrier comes between its "
                                 "initialisation and this",
                                 name);
        else
            report_fence(context, result, incident);
    }
}

const struct rule rule_init_cluster_fence = {
    .id = "init-cluster-fence",
    .family = "init",
    .summary = "a barrier is used from another block before its initialisation is known there",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.4 (its example)", "PTX ISA 9.1, 9.7.13.15.16"},
    .check = check,
    .doc =
        {
            .what =
                "A barrier is used from another block of the cluster (a remote arrive, a remote "
                "announcement of bytes, a multicast copy), and between its initialisation and that "
                "use there is no cluster barrier, nor a phase of another barrier that tells of it; "
                "or that cluster barrier's arrival is relaxed and "
                "no fence.mbarrier_init.release.cluster (or wider fence) by the initialising "
                "thread comes before it. The default cluster arrival is a release: much code "
                "relies on it, and the missing fence is not reported then.",
            .why = "A block barrier says nothing to the other block, which may arrive before the "
                   "object exists; and a relaxed cluster arrival orders no memory, so the peer may "
                   "still see the bytes from before the initialisation.",
            .bad = "#include <cooperative_groups.h>\n"
                   "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "namespace ptx = cuda::ptx;\n"
                   "\n"
                   "__global__ void __cluster_dims__(2, 1, 1) greet()\n"
                   "{\n"
                   "    __shared__ uint64_t met;\n"
                   "    auto cluster = cooperative_groups::this_cluster();\n"
                   "    if (threadIdx.x == 0)\n"
                   "        ptx::mbarrier_init(&met, 1);\n"
                   "    __syncthreads();\n"
                   "    uint64_t *peer = cluster.map_shared_rank(&met, cluster.block_rank() ^ 1);\n"
                   "    if (threadIdx.x == 0)\n"
                   "        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, "
                   "ptx::space_cluster, peer); // expect: init-cluster-fence\n"
                   "    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, "
                   "ptx::scope_cluster, &met, 0)) {\n"
                   "    }\n"
                   "    cluster.sync();\n"
                   "}\n"
                   "\n"
                   "void launch()\n"
                   "{\n"
                   "    greet<<<2, 32>>>();\n"
                   "}\n",
            .good =
                "#include <cooperative_groups.h>\n"
                "#include <cstdint>\n"
                "#include <cuda/ptx>\n"
                "\n"
                "namespace ptx = cuda::ptx;\n"
                "\n"
                "__global__ void __cluster_dims__(2, 1, 1) greet()\n"
                "{\n"
                "    __shared__ uint64_t met;\n"
                "    auto cluster = cooperative_groups::this_cluster();\n"
                "    if (threadIdx.x == 0) {\n"
                "        ptx::mbarrier_init(&met, 1);\n"
                "        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);\n"
                "    }\n"
                "    cluster.sync();\n"
                "    uint64_t *peer = cluster.map_shared_rank(&met, cluster.block_rank() ^ 1);\n"
                "    if (threadIdx.x == 0)\n"
                "        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, "
                "ptx::space_cluster, peer);\n"
                "    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, "
                "&met, 0)) {\n"
                "    }\n"
                "    cluster.sync();\n"
                "}\n"
                "\n"
                "void launch()\n"
                "{\n"
                "    greet<<<2, 32>>>();\n"
                "}\n",
            .fix = "Initialise, fence.mbarrier_init.release.cluster, cluster barrier, use.",
        },
};
