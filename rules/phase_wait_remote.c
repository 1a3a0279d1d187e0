#include "barlint/semantics.h"
#include "base/vec.h"
#include "rules/facts.h"

// Whether the instruction, which has a form for other blocks, is the one for the own block.
static bool is_local_form(const struct engine_result *result, const struct engine_event *event)
{
    const struct ir_op *op = ir_op_at(&result->unit->function[event->function], event->op);
    bool has_form = event->model.kind == MODEL_MBARRIER_ARRIVE ||
                    event->model.kind == MODEL_MBARRIER_EXPECT_TX ||
                    event->model.kind == MODEL_MBARRIER_COMPLETE_TX;
    return op && op->code == IR_PTX && has_form && !(event->model.flags & MODEL_REMOTE);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "phase-wait-remote", incident))) {
        const char *name = incident_object(result, incident),
                   *who = threads_text(&incident->threads);
        if (incident->violation == BARLINT_PHASE_REMOTE_TOKEN)
            rule_report_incident(context, result, incident,
                                 "%s {waits|wait} with the token of an arrival at '%s' of another "
                                 "block of the cluster",
                                 who, name);
        else
            rule_report_incident(context, result, incident,
                                 "%s {waits|wait} on '%s' of another block of the cluster", who,
                                 name);
    }
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *object = event_object(result, event);
        if (event->remote && object && is_local_form(result, event))
            rule_report(context, event->loc, event->chain, RULE_POSSIBLE,
                        "this works on '%s' of another block of the cluster and has no "
                        ".shared::cluster",
                        object->name);
    }
}

const struct rule rule_phase_wait_remote = {
    .id = "phase-wait-remote",
    .family = "phase",
    .summary = "a wait on the barrier of another block",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.8", "PTX ISA 9.1, 9.7.13.15.13",
                   "libcu++, cuda::barrier"},
    .check = check,
    .doc =
        {
            .what = "A test or wait works on a barrier in the shared memory of another block of "
                    "the cluster, or on the token of an arrival there. Peers may arrive, announce "
                    "and complete bytes, by the forms with .shared::cluster: the others are for "
                    "barriers of the own block. Only the owning block may wait.",
            .why = "libcu++ traps; the instruction has no form for it, and given a peer's address "
                   "it faults or waits on the block's own memory at that place.",
            .bad = "#include <cooperative_groups.h>\n"
                   "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void __cluster_dims__(2, 1, 1) meet()\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> both;\n"
                   "    auto cluster = cooperative_groups::this_cluster();\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&both, 2);\n"
                   "    cluster.sync();\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cluster.map_shared_rank(&both, 0)->arrive_and_wait(); // expect: "
                   "phase-wait-remote\n"
                   "    cluster.sync();\n"
                   "}\n"
                   "\n"
                   "void launch()\n"
                   "{\n"
                   "    meet<<<2, 32>>>();\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "namespace ptx = cuda::ptx;\n"
                    "\n"
                    "__global__ void __cluster_dims__(2, 1, 1) meet()\n"
                    "{\n"
                    "    __shared__ uint64_t both;\n"
                    "    auto cluster = cooperative_groups::this_cluster();\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        ptx::mbarrier_init(&both, 2);\n"
                    "        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);\n"
                    "    }\n"
                    "    cluster.sync();\n"
                    "    if (threadIdx.x < 2)\n"
                    "        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, "
                    "ptx::space_cluster,\n"
                    "                             cluster.map_shared_rank(&both, threadIdx.x));\n"
                    "    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, "
                    "ptx::scope_cluster, &both, 0)) {\n"
                    "    }\n"
                    "    cluster.sync();\n"
                    "}\n"
                    "\n"
                    "void launch()\n"
                    "{\n"
                    "    meet<<<2, 32>>>();\n"
                    "}\n",
            .fix = "Give every block its own barrier: arrive on the peers', wait on your own.",
        },
};
