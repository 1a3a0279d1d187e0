#include "rules/facts.h"

// Whether the parity of the same wait goes wrong in more than its start, which is told then.
static bool is_flipped_wrong(const struct engine_result *result,
                             const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, "phase-parity-flip", other))) {
        if (other->function == incident->function && other->op == incident->op)
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "phase-parity-initial", incident))) {
        const char *name = incident_object(result, incident),
                   *who = threads_text(&incident->threads);
        if (is_flipped_wrong(result, incident))
            continue;
        if (incident->kind == ENGINE_DEADLOCK && incident->number[2] == 0)
            rule_report_incident(context, result, incident,
                                 "%s wait for the first phase of '%s', which nobody can end before "
                                 "they go on: a barrier of "
                                 "free buffers is first waited for with parity 1",
                                 who, name);
        else if (incident->kind == ENGINE_VIOLATION && incident->number[0])
            rule_report_incident(context, result, incident,
                                 "%s wait for parity 1 of '%s', which a fresh barrier lets pass, "
                                 "and read data that are only there when its first phase is over",
                                 who, name);
        else
            rule_report_incident(context, result, incident,
                                 "the first wait of %s on '%s' is for parity 1: it passes before "
                                 "the first phase is over, and "
                                 "hangs after it",
                                 who, name);
    }
}

const struct rule rule_phase_parity_initial = {
    .id = "phase-parity-initial",
    .family = "phase",
    .summary = "the first wait by parity starts with the wrong parity",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .check = check,
    .doc =
        {
            .what = "The first wait on a fresh barrier has the wrong parity: 1 where the first "
                    "phase is meant, which is what who waits for data or for everybody needs; or 0 "
                    "on a barrier of free buffers, whose first phase only ends when somebody has "
                    "used one, and for which nobody arrives beforehand.",
            .why = "A fresh barrier is in phase 0, and the phase before it counts as over. A wait "
                   "for parity 1 passes at once as long as phase 0 lasts, with no data there, and "
                   "hangs when phase 0 was quicker. A producer that waits for parity 0 of a fresh "
                   "empty barrier waits for a consumer that waits for it.",
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
                   "    cuda::ptx::mbarrier_arrive(&stored);\n"
                   "    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 1)) { // expect: "
                   "phase-parity-initial\n"
                   "    }\n"
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
            .fix = "Who waits for data starts with parity 0; who waits for a buffer that is free "
                   "at the start begins with 1, or lets somebody arrive beforehand.",
            .source =
                "PTX ISA 9.1, 9.7.13.15.9 and 9.7.13.15.16; Programming Guide 13, 4.9.4 and 4.9.7",
        },
};
