#include "barlint/semantics.h"
#include "rules/facts.h"
static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "phase-token-invalid", incident))) {
        const char *name = incident_object(result, incident),
                   *who = threads_text(&incident->threads);
        if (incident->kind == ENGINE_DEADLOCK && incident_repeats(result, incident))
            continue;
        // A wait that takes the token of another barrier, or round, may find none there.
        if (incident_at_same(result, "phase-foreign-token", incident) ||
            incident_at_same(result, "phase-stale-token", incident))
            continue;
        if (incident->violation == BARLINT_PHASE_TOKEN_CONSUMED)
            rule_report_incident(
                context, result, incident,
                "%s {waits|wait} on '%s' with a token that an earlier wait has used up", who, name);
        else
            rule_report_incident(
                context, result, incident,
                "%s {waits|wait} on '%s' with a token that no arrive gave {it|them}", who, name);
    }
}

const struct rule rule_phase_token_invalid = {
    .id = "phase-token-invalid",
    .family = "phase",
    .summary = "a wait uses a token that no arrive gave, or one that is used up",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.16", "C++ [thread.barrier]",
                   "CUDA Programming Guide 13, 5.6.3"},
    .check = check,
    .doc =
        {
            .what = "A wait uses a token that was never produced on this path "
                    "(default-constructed, the arrive stands under a condition, a second variable "
                    "hides the first), or one that an earlier wait has consumed already.",
            .why = "A token that is not the result of an arrive is a random phase: the wait hangs "
                   "or passes at once. What is more, the thread that did not arrive is missing in "
                   "the count. A second wait with a consumed token is undefined; the hardware "
                   "mostly lets it pass.",
            .bad = "#include <cuda/barrier>\n"
                   "#include <utility>\n"
                   "\n"
                   "using block_barrier = cuda::barrier<cuda::thread_scope_block>;\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ block_barrier stored;\n"
                   "    __shared__ float line[64];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&stored, 64);\n"
                   "    __syncthreads();\n"
                   "    block_barrier::arrival_token token{};\n"
                   "    if (threadIdx.x < 64) {\n"
                   "        line[threadIdx.x] = in[threadIdx.x];\n"
                   "        token = stored.arrive();\n"
                   "    }\n"
                   "    stored.wait(std::move(token)); // expect: phase-token-invalid\n"
                   "    out[threadIdx.x] = line[threadIdx.x % 64];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    mirror<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "#include <utility>\n"
                    "\n"
                    "using block_barrier = cuda::barrier<cuda::thread_scope_block>;\n"
                    "\n"
                    "__global__ void mirror(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ block_barrier stored;\n"
                    "    __shared__ float line[64];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&stored, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    if (threadIdx.x < 64)\n"
                    "        line[threadIdx.x] = in[threadIdx.x];\n"
                    "    block_barrier::arrival_token token = stored.arrive();\n"
                    "    stored.wait(std::move(token));\n"
                    "    out[threadIdx.x] = line[threadIdx.x % 64];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    mirror<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Arrive on every path that waits, and move a token once.",
        },
};
