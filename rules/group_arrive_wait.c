#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "group-arrive-wait", incident))) {
        const char *group = incident->number[0] ? "grid" : "block";
        const char *threads = threads_text(&incident->threads);
        switch (incident->violation) {
        case BARLINT_GROUP_ARRIVE_HELD:
            rule_report_incident(context, result, incident,
                                 "%s {arrives|arrive} at the barrier of the %s again before {it "
                                 "has|they have} waited",
                                 threads, group);
            break;
        case BARLINT_GROUP_COLLECTIVE_HELD:
            rule_report_incident(context, result, incident,
                                 "%s {executes|execute} another collective of the %s between "
                                 "barrier_arrive() and barrier_wait()",
                                 threads, group);
            break;
        case BARLINT_GROUP_WAIT_NONE:
            rule_report_incident(
                context, result, incident,
                "%s {waits|wait} at the barrier of the %s without an arrival of {its|their} own "
                "that is still to be waited for",
                threads, group);
            break;
        case BARLINT_GROUP_NEVER_WAITED:
            rule_report_incident(
                context, result, incident,
                "%s {arrives|arrive} at the barrier of the %s and never {waits|wait} for it",
                threads, group);
            break;
        default:
            break;
        }
    }
}

const struct rule rule_group_arrive_wait = {
    .id = "group-arrive-wait",
    .family = "group",
    .summary = "barrier_arrive and barrier_wait of a group are not paired",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 5.6.3 (barrier_arrive and barrier_wait)",
                   "cooperative_groups.h of CUDA 13"},
    .check = check,
    .doc =
        {
            .what = "The split barrier of a thread_block or grid_group is used out of "
                    "order: barrier_arrive() twice without a barrier_wait() between, a "
                    "wait without an arrival or twice with one token, no wait before "
                    "the thread exits, or another collective of the same group (sync, "
                    "memcpy_async, wait) while an arrival is open. Those of a "
                    "cluster_group are told by cluster-pairing.",
            .why = "The group has one barrier. A collective in between is counted as "
                   "the other half, or the wait belongs to the next use. For a block, "
                   "barrier_arrive() of current toolkits makes no instruction at all "
                   "and the wait is the whole barrier, so that nothing is seen to go "
                   "wrong until they are changed or the grid's is used, which hangs.",
            .bad = "#include <cooperative_groups.h>\n"
                   "#include <utility>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void smooth(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ float line[128];\n"
                   "    auto block = cg::this_thread_block();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    auto token = block.barrier_arrive();\n"
                   "    block.sync(); // expect: group-arrive-wait\n"
                   "    const float old = out[threadIdx.x];\n"
                   "    block.barrier_wait(std::move(token));\n"
                   "    out[threadIdx.x] = old + line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    smooth<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "#include <utility>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void smooth(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ float line[128];\n"
                    "    auto block = cg::this_thread_block();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    auto token = block.barrier_arrive();\n"
                    "    const float old = out[threadIdx.x];\n"
                    "    block.barrier_wait(std::move(token));\n"
                    "    out[threadIdx.x] = old + line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    smooth<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Wait once for each arrival, and put nothing between the two that "
                   "the group does together.",
        },
};
