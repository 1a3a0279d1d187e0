#include "rules/facts.h"

// Whether a barrier is initialised anew while threads use it: who was about to pass it waits once
// more, and comes late to others. init-reinit-live tells that, and as surely.
static bool is_behind_new_beginning(const struct engine_result *result,
                                    const struct engine_incident *incident)
{
    const struct engine_incident *anew = NULL;
    while ((anew = incident_next(result, "init-reinit-live", anew))) {
        if (anew->supported >= incident->supported &&
            (anew->certain > incident->certain || anew->object == incident->object))
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "phase-self-deadlock", incident))) {
        if (is_behind_new_beginning(result, incident))
            continue;
        rule_report_incident(
            context, result, incident,
            "%s {waits|wait} for a phase of '%s' that cannot end before {it goes|they go} on",
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
            .bad = "#include <cuda_awbarrier_primitives.h>\n"
                   "\n"
                   "// Each thread adds what its neighbour has stored, a round later than it was "
                   "stored.\n"
                   "__global__ void ripple(float *cell, int rounds)\n"
                   "{\n"
                   "    __shared__ __mbarrier_t stored;\n"
                   "    __shared__ float line[96];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        __mbarrier_init(&stored, 96);\n"
                   "    __syncthreads();\n"
                   "    bool parity = false;\n"
                   "    for (int i = 0; i < rounds; ++i) {\n"
                   "        line[threadIdx.x] = cell[threadIdx.x];\n"
                   "        while (!__mbarrier_try_wait_parity(&stored, parity, 500)) { // expect: "
                   "phase-self-deadlock\n"
                   "        }\n"
                   "        __mbarrier_arrive(&stored);\n"
                   "        parity = !parity;\n"
                   "        cell[threadIdx.x] += line[95 - threadIdx.x];\n"
                   "        __syncthreads();\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *cell)\n"
                   "{\n"
                   "    ripple<<<1, 96>>>(cell, 4);\n"
                   "}\n",
            .good = "#include <cuda_awbarrier_primitives.h>\n"
                    "\n"
                    "// Each thread adds what its neighbour has stored, a round later than it was "
                    "stored.\n"
                    "__global__ void ripple(float *cell, int rounds)\n"
                    "{\n"
                    "    __shared__ __mbarrier_t stored;\n"
                    "    __shared__ float line[96];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        __mbarrier_init(&stored, 96);\n"
                    "    __syncthreads();\n"
                    "    bool parity = false;\n"
                    "    for (int i = 0; i < rounds; ++i) {\n"
                    "        line[threadIdx.x] = cell[threadIdx.x];\n"
                    "        __mbarrier_arrive(&stored);\n"
                    "        while (!__mbarrier_try_wait_parity(&stored, parity, 500)) {\n"
                    "        }\n"
                    "        parity = !parity;\n"
                    "        cell[threadIdx.x] += line[95 - threadIdx.x];\n"
                    "        __syncthreads();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *cell)\n"
                    "{\n"
                    "    ripple<<<1, 96>>>(cell, 4);\n"
                    "}\n",
            .fix = "Arrive first, then wait; let all roles meet at the barriers in one order.",
        },
};
