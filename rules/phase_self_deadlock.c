#include "rules/facts.h"
static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "phase-self-deadlock", incident))) {
        rule_report_incident(context, result, incident,
                             "%s wait for a phase of '%s' that cannot end before they go on",
                             threads_text(&incident->threads), incident_object(result, incident));
    }
}

const struct rule rule_phase_self_deadlock = {
    .id = "phase-self-deadlock",
    .family = "phase",
    .summary = "a thread waits for a phase that lacks its own arrival",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.6", "CUDA Programming Guide 13, 4.9.2"},
    .check = check,
    .doc =
        {
            .what = "A thread waits for a phase before it performs an arrival that this phase "
                    "cannot do without: wait before arrive, a producer that waits for the barrier "
                    "it is to fill, a wait inside the branch at whose end the arrival stands; or "
                    "two roles of which each waits first for what the other does later.",
            .why =
                "Nobody else can perform that arrival: the phase never ends and the block hangs.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ uint64_t stored;\n"
                   "    __shared__ float line[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(&stored, 128);\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) { // expect: "
                   "phase-self-deadlock\n"
                   "    }\n"
                   "    cuda::ptx::mbarrier_arrive(&stored);\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    mirror<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void mirror(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ uint64_t stored;\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        cuda::ptx::mbarrier_init(&stored, 128);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    cuda::ptx::mbarrier_arrive(&stored);\n"
                    "    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) {\n"
                    "    }\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    mirror<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Arrive first, then wait; let all roles meet at the barriers in one order.",
        },
};
