#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "arrive-loop-mismatch", incident))) {
        if (incident_out_of_step(result, incident) ||
            incident_behind_surplus(result, incident, ENGINE_SURPLUS_OF_ROUNDS) ||
            incident_behind_surplus(result, incident, ENGINE_SURPLUS_OF_PHASE))
            continue;
        const char *name = incident_object(result, incident);
        rule_report_incident(
            context, result, incident,
            "'%s' expects %lld arrival%s in phase %lld, but %s {has|have} left the loop "
            "before: %s {waits|wait} for ever",
            name, (long long)incident->number[0], plural_s(incident->number[0]),
            (long long)incident->number[2], threads_text(&incident->missing),
            threads_text(&incident->threads));
    }
}

const struct rule rule_arrive_loop_mismatch = {
    .id = "arrive-loop-mismatch",
    .family = "arrive",
    .summary = "threads that a barrier counts go through different numbers of its phases",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 4.9.5", "PTX ISA 9.1, 9.7.13.15.6",
                   "PTX ISA 9.1, 9.7.13.15.14"},
    .check = check,
    .doc =
        {
            .what = "Threads that one barrier counts run through different numbers of phases: "
                    "a loop with an arrive in it has a bound that differs between threads, "
                    "some leave it by a break, or producers and consumers go different "
                    "numbers of rounds. The finding stands at the wait that never ends.",
            .why = "The phase after the last one that all went through lacks the arrivals of "
                   "those who left the loop. It never completes and everybody who waits for "
                   "it hangs; threads that have exited still count.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void sweep(float *data, const int *rounds)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&step, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    for (int i = 0; i < rounds[threadIdx.x]; ++i) {\n"
                   "        data[threadIdx.x] *= 0.5f;\n"
                   "        step.arrive_and_wait(); // expect: arrive-loop-mismatch\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *data, const int *rounds)\n"
                   "{\n"
                   "    sweep<<<1, 128>>>(data, rounds);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void sweep(float *data, const int *rounds, int most)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&step, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    for (int i = 0; i < most; ++i) {\n"
                    "        if (i < rounds[threadIdx.x])\n"
                    "            data[threadIdx.x] *= 0.5f;\n"
                    "        step.arrive_and_wait();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *data, const int *rounds, int most)\n"
                    "{\n"
                    "    sweep<<<1, 128>>>(data, rounds, most);\n"
                    "}\n",
            .fix = "Give the loop a bound that all its threads share and guard the work "
                   "inside, or call arrive_and_drop when a thread is done.",
        },
};
