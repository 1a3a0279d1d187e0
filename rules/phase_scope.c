#include "base/vec.h"
#include "rules/facts.h"

// Whether the arrival publishes data for the block of the mbarrier: stored there, or where that
// block reads them.
static bool publishes(const struct engine_event *event)
{
    return event->model.kind == MODEL_MBARRIER_ARRIVE && event->remote &&
           (event->wrote_remote || event->pulled);
}

// An arrival from another block by threads that had stored data for this one.
static const struct engine_event *remote_arrive(const struct engine_result *result, uint32_t object)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object == object && publishes(event))
            return event;
    }
    return NULL;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *object = event_object(result, event);
        if (event->model.flags & MODEL_SCOPE_IS_CLUSTER || !object)
            continue;
        if (publishes(event)) {
            rule_report(context, event->loc, event->chain, RULE_POSSIBLE,
                        "data stored for another block is published by an arrival at '%s' with the "
                        "scope of "
                        "this block",
                        object->name);
        } else if (!event->remote && (event->model.kind == MODEL_MBARRIER_TEST ||
                                      event->model.kind == MODEL_MBARRIER_WAIT)) {
            const struct engine_event *arrive = remote_arrive(result, event->object);
            if (!arrive)
                continue;
            struct rule_report *report = rule_report(
                context, event->loc, event->chain, RULE_POSSIBLE,
                "this waits for '%s' with the scope of the block, and another block stores data "
                "before it arrives there",
                object->name);
            rule_note(report, arrive->loc, "another block arrives here");
        }
    }
}

const struct rule rule_phase_scope = {
    .id = "phase-scope",
    .family = "phase",
    .summary = "data goes to another block through a phase with the scope of one block",
    .level = RULE_WARNING,
    .reach = RULE_POSSIBLE,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.13",
                   "PTX ISA 9.1, 9.7.13.15.16 (the default scope is .cta)", "PTX ISA 9.1, 8.8"},
    .check = check,
    .doc =
        {
            .what = "Blocks of a cluster exchange data through a barrier, and one side has the "
                    "scope of the block, written or by default: a thread stores to the shared "
                    "memory of another block, or to its own, where the other block reads it "
                    "behind the phase, and arrives at that block's barrier without "
                    ".release.cluster; or the other block waits for such a phase without "
                    ".acquire.cluster. An arrival that only frees a buffer is let pass.",
            .why = "The scope .cta orders memory for the threads of one block only; it is the "
                   "default for every mbarrier operation, for addresses of the cluster's window "
                   "too. The other block may read the old value; wrong results from exactly this "
                   "have been seen on recent architectures.",
            .bad = "#include <cooperative_groups.h>\n"
                   "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "namespace ptx = cuda::ptx;\n"
                   "\n"
                   "__global__ void __cluster_dims__(2, 1, 1) swap(const int *in, int *out)\n"
                   "{\n"
                   "    __shared__ uint64_t sent;\n"
                   "    __shared__ int inbox;\n"
                   "    auto cluster = cooperative_groups::this_cluster();\n"
                   "    unsigned peer = cluster.block_rank() ^ 1;\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        ptx::mbarrier_init(&sent, 1);\n"
                   "        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);\n"
                   "    }\n"
                   "    cluster.sync();\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        *cluster.map_shared_rank(&inbox, peer) = in[blockIdx.x];\n"
                   "        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, "
                   "ptx::space_cluster,\n"
                   "                             cluster.map_shared_rank(&sent, peer));\n"
                   "    }\n"
                   "    while (!ptx::mbarrier_try_wait_parity(&sent, 0)) { // expect: phase-scope\n"
                   "    }\n"
                   "    out[blockIdx.x * 32 + threadIdx.x] = inbox;\n"
                   "    cluster.sync();\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    swap<<<2, 32>>>(in, out);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "namespace ptx = cuda::ptx;\n"
                    "\n"
                    "__global__ void __cluster_dims__(2, 1, 1) swap(const int *in, int *out)\n"
                    "{\n"
                    "    __shared__ uint64_t sent;\n"
                    "    __shared__ int inbox;\n"
                    "    auto cluster = cooperative_groups::this_cluster();\n"
                    "    unsigned peer = cluster.block_rank() ^ 1;\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        ptx::mbarrier_init(&sent, 1);\n"
                    "        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);\n"
                    "    }\n"
                    "    cluster.sync();\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        *cluster.map_shared_rank(&inbox, peer) = in[blockIdx.x];\n"
                    "        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, "
                    "ptx::space_cluster,\n"
                    "                             cluster.map_shared_rank(&sent, peer));\n"
                    "    }\n"
                    "    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, "
                    "ptx::scope_cluster, &sent, 0)) {\n"
                    "    }\n"
                    "    out[blockIdx.x * 32 + threadIdx.x] = inbox;\n"
                    "    cluster.sync();\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out)\n"
                    "{\n"
                    "    swap<<<2, 32>>>(in, out);\n"
                    "}\n",
            .fix = "Arrive with .release.cluster and wait with .acquire.cluster.",
            .limit = "Whether the other block reads just what was stored is not followed.",
        },
};
