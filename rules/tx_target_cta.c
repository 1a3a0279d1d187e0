#include "barlint/semantics.h"
#include "base/vec.h"
#include "rules/facts.h"

// Whether the operation needs an mbarrier: a barrier of the library outside of shared memory is
// none.
static bool counts_bytes(const struct engine_event *event)
{
    const struct model_op *op = &event->model;
    if (!(op->flags & MODEL_LIBRARY_OBJECT))
        return false;
    return op->kind == MODEL_MBARRIER_EXPECT_TX ||
           (op->kind == MODEL_MBARRIER_ARRIVE && op->bytes != IR_NONE) ||
           (op->kind == MODEL_BULK_LOAD && !(op->flags & MODEL_EXPECTS));
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-target-cta", incident))) {
        const char *threads = threads_text(&incident->threads);
        if (incident->number[0] != incident->number[1])
            rule_report_incident(
                context, result, incident,
                "%s {sends|send} data to block %lld of the cluster and the completion to "
                "an mbarrier of block %lld",
                threads, (long long)incident->number[0], (long long)incident->number[1]);
        else if (incident->number[2] <= 1)
            rule_report_incident(context, result, incident,
                                 "this operation needs a cluster of several blocks, and the kernel "
                                 "is launched without one");
        else
            rule_report_incident(
                context, result, incident,
                "%s {sends|send} to block %lld of a cluster of %lld, where this operation "
                "cannot go",
                threads, (long long)incident->number[0], (long long)incident->number[2]);
    }
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *object = event_object(result, event);
        if (!counts_bytes(event) || !event->in_global)
            continue;
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "'%s' is not in shared memory: a barrier there is made of atomics and cannot "
                    "count bytes",
                    object && object->name ? object->name : "the barrier");
    }
}

const struct rule rule_tx_target_cta = {
    .id = "tx-target-cta",
    .family = "tx",
    .summary =
        "data and mbarrier of an asynchronous operation are not in the block they must be in",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.9.12 (st.async)", "PTX ISA 9.1, 9.7.13.7 (red.async)",
                   "PTX ISA 9.1, 9.7.9.25", "libcu++ memcpy_async_tx, barrier_expect_tx"},
    .check = check,
    .doc =
        {
            .what = "st.async, red.async or a bulk copy within a cluster writes to one "
                    "block and completes on an mbarrier of another; st.async and "
                    "red.async are used in a kernel that is launched without a cluster, "
                    "red.async goes to the own block, or the rank lies outside of the "
                    "cluster. Or bytes are announced to (memcpy_async_tx, "
                    "barrier_arrive_tx, barrier_expect_tx) a cuda::barrier that does "
                    "not lie in shared memory.",
            .why = "The operation names two places and has one destination. The "
                   "documents leave anything else undefined: on an H200 the mbarrier "
                   "got its bytes in the wrong block, so that its phase ended there "
                   "and never where it is waited for. A barrier outside of shared "
                   "memory has no transaction count.",
            .bad = "#include <cooperative_groups.h>\n"
                   "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "namespace cg = cooperative_groups;\n"
                   "namespace ptx = cuda::ptx;\n"
                   "\n"
                   "__global__ void __cluster_dims__(2, 1, 1) exchange(int *out)\n"
                   "{\n"
                   "    __shared__ alignas(8) int from_peer;\n"
                   "    __shared__ uint64_t full;\n"
                   "    auto cluster = cg::this_cluster();\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        ptx::mbarrier_init(&full, 1);\n"
                   "        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);\n"
                   "    }\n"
                   "    cluster.sync();\n"
                   "    const unsigned peer = cluster.block_rank() ^ 1;\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, "
                   "ptx::space_shared, &full, 4);\n"
                   "        ptx::st_async(cluster.map_shared_rank(&from_peer, peer), 7, &full); // "
                   "expect: tx-target-cta\n"
                   "    }\n"
                   "    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, "
                   "ptx::scope_cluster, &full, 0)) {\n"
                   "    }\n"
                   "    out[cluster.block_rank()] = from_peer;\n"
                   "    cluster.sync();\n"
                   "}\n"
                   "\n"
                   "void launch(int *out)\n"
                   "{\n"
                   "    exchange<<<2, 32>>>(out);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "namespace cg = cooperative_groups;\n"
                    "namespace ptx = cuda::ptx;\n"
                    "\n"
                    "__global__ void __cluster_dims__(2, 1, 1) exchange(int *out)\n"
                    "{\n"
                    "    __shared__ alignas(8) int from_peer;\n"
                    "    __shared__ uint64_t full;\n"
                    "    auto cluster = cg::this_cluster();\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        ptx::mbarrier_init(&full, 1);\n"
                    "        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);\n"
                    "    }\n"
                    "    cluster.sync();\n"
                    "    const unsigned peer = cluster.block_rank() ^ 1;\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, "
                    "ptx::space_shared, &full, 4);\n"
                    "        ptx::st_async(cluster.map_shared_rank(&from_peer, peer), 7,\n"
                    "                      cluster.map_shared_rank(&full, peer));\n"
                    "    }\n"
                    "    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, "
                    "ptx::scope_cluster, &full, 0)) {\n"
                    "    }\n"
                    "    out[cluster.block_rank()] = from_peer;\n"
                    "    cluster.sync();\n"
                    "}\n"
                    "\n"
                    "void launch(int *out)\n"
                    "{\n"
                    "    exchange<<<2, 32>>>(out);\n"
                    "}\n",
            .fix = "Map data and mbarrier with the same rank; the receiving block "
                   "initialises its mbarrier and announces the bytes.",
        },
};
