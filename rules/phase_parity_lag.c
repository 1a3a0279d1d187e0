#include "rules/facts.h"

// Whether threads arrive at the object twice in a row, each time for a whole phase.
static bool is_run_over(const struct engine_result *result, const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, "phase-unobserved", other))) {
        if (other->object == incident->object && other->number[1] == ENGINE_ARRIVALS_AHEAD &&
            other->supported >= incident->supported)
            return true;
    }
    return false;
}

// Whether the arrivals that get ahead are those that another stage of the ring lacks, which
// init-count-mismatch tells: they stay at one stage.
static bool is_owed_to_a_stage(const struct engine_result *result,
                               const struct engine_incident *incident)
{
    const struct engine_incident *lack = NULL;
    while ((lack = incident_next(result, "init-count-mismatch", lack))) {
        if (lack->kind == ENGINE_DEADLOCK && lack->number[0] == lack->number[1] &&
            lack->supported >= incident->supported && incident_of_ring(result, lack, incident))
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    // Who waits with the wrong parity runs ahead of the others: that is the mistake.
    if (incident_is_supported(result, "phase-parity-flip"))
        return;
    while ((incident = incident_next(result, "phase-parity-lag", incident))) {
        // Arrivals that a phase is not owed end the next ones, whoever holds back whom.
        if (incident_behind_surplus(result, incident, ENGINE_SURPLUS_OF_PHASE) ||
            is_run_over(result, incident) || is_owed_to_a_stage(result, incident))
            continue;
        rule_report_incident(
            context, result, incident,
            "'%s' may get two phases ahead of %s, who {waits|wait} for it by parity: "
            "nothing holds the arrivals back",
            incident_object(result, incident), threads_text(&incident->threads));
    }
}

const struct rule rule_phase_parity_lag = {
    .id = "phase-parity-lag",
    .family = "phase",
    .summary = "a barrier may get two phases ahead of a thread that waits by parity",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.4", "PTX ISA 9.1, 9.7.13.15.16",
                   "CUDA Programming Guide 13, 4.9.7"},
    .check = check,
    .doc =
        {
            .what = "The threads that arrive can complete two further phases while a thread that "
                    "waits for the first is still on its way: nothing makes them wait for it. It "
                    "needs a second barrier, by which the waiter says that it is done, or the "
                    "waiter among the counted arrivals.",
            .why = "A parity names every second phase. A waiter that comes two phases late sees "
                   "its own parity again and waits for a phase that may never end; one phase late "
                   "it reads data that is being overwritten.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void relay(const float *in, float *out, int tiles)\n"
                   "{\n"
                   "    __shared__ uint64_t full;\n"
                   "    __shared__ float tile[32];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(&full, 32);\n"
                   "    __syncthreads();\n"
                   "    for (int t = 0; t < tiles; ++t) {\n"
                   "        if (threadIdx.x < 32) {\n"
                   "            tile[threadIdx.x] = in[t * 32 + threadIdx.x];\n"
                   "            cuda::ptx::mbarrier_arrive(&full);\n"
                   "        } else {\n"
                   "            while (!cuda::ptx::mbarrier_try_wait_parity(&full, t & 1)) { // "
                   "expect: phase-parity-lag\n"
                   "            }\n"
                   "            out[t * 32 + threadIdx.x - 32] = tile[threadIdx.x - 32];\n"
                   "        }\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    relay<<<1, 64>>>(in, out, 7);\n"
                   "}\n",
            .good =
                "#include <cstdint>\n"
                "#include <cuda/ptx>\n"
                "\n"
                "__global__ void relay(const float *in, float *out, int tiles)\n"
                "{\n"
                "    __shared__ uint64_t full, empty;\n"
                "    __shared__ float tile[32];\n"
                "    if (threadIdx.x == 0) {\n"
                "        cuda::ptx::mbarrier_init(&full, 32);\n"
                "        cuda::ptx::mbarrier_init(&empty, 32);\n"
                "    }\n"
                "    __syncthreads();\n"
                "    for (int t = 0; t < tiles; ++t) {\n"
                "        if (threadIdx.x < 32) {\n"
                "            while (!cuda::ptx::mbarrier_try_wait_parity(&empty, (t & 1) ^ 1)) {\n"
                "            }\n"
                "            tile[threadIdx.x] = in[t * 32 + threadIdx.x];\n"
                "            cuda::ptx::mbarrier_arrive(&full);\n"
                "        } else {\n"
                "            while (!cuda::ptx::mbarrier_try_wait_parity(&full, t & 1)) {\n"
                "            }\n"
                "            out[t * 32 + threadIdx.x - 32] = tile[threadIdx.x - 32];\n"
                "            cuda::ptx::mbarrier_arrive(&empty);\n"
                "        }\n"
                "    }\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out)\n"
                "{\n"
                "    relay<<<1, 64>>>(in, out, 7);\n"
                "}\n",
            .fix = "Pair every full barrier with an empty one, or count the waiter among the "
                   "arrivals.",
        },
};
