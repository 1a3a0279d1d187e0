#include "rules/facts.h"
static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "phase-foreign-token", incident))) {
        if (incident->kind == ENGINE_DEADLOCK && incident_repeats(result, incident))
            continue;
        rule_report_incident(
            context, result, incident,
            "%s {waits|wait} on '%s' with a token that another barrier gave {it|them}",
            threads_text(&incident->threads), incident_object(result, incident));
    }
}

const struct rule rule_phase_foreign_token = {
    .id = "phase-foreign-token",
    .family = "phase",
    .summary = "a wait uses the token of another barrier",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.16 (a token of the same object)",
                   "C++ [thread.barrier]"},
    .check = check,
    .doc =
        {
            .what = "A token that an arrive on one barrier returned is used to wait on another: a "
                    "wrong index into an array of barriers or of tokens, full and empty exchanged, "
                    "a token kept per stage and read per iteration.",
            .why = "The token says in which phase of its own barrier the thread arrived. On "
                   "another one its bits are compared with a different phase: the wait hangs, or "
                   "passes before anything has happened.",
            .bad = "#include <cuda/barrier>\n"
                   "#include <utility>\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> stored[2];\n"
                   "    __shared__ float line[128];\n"
                   "    if (threadIdx.x < 2)\n"
                   "        init(&stored[threadIdx.x], blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    auto token = stored[0].arrive();\n"
                   "    stored[1].wait(std::move(token)); // expect: phase-foreign-token\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    mirror<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "#include <utility>\n"
                    "\n"
                    "__global__ void mirror(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> stored[2];\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x < 2)\n"
                    "        init(&stored[threadIdx.x], blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    auto token = stored[0].arrive();\n"
                    "    stored[0].wait(std::move(token));\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    mirror<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Keep token and barrier together and index both alike.",
        },
};
