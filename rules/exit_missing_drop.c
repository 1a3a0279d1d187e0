#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "exit-missing-drop", incident))) {
        rule_report_incident(context, result, incident,
                             "%s can leave here without arrive_and_drop while '%s' counts on them: "
                             "%s wait for ever for phase %lld",
                             threads_text(&incident->missing), incident_object(result, incident),
                             threads_text(&incident->threads), (long long)incident->number[2]);
    }
}

const struct rule rule_exit_missing_drop = {
    .id = "exit-missing-drop",
    .family = "exit",
    .summary = "a thread that a barrier counts leaves without dropping its arrival",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .check = check,
    .doc =
        {
            .what = "A thread that a barrier counts can return, from the kernel or from the "
                    "function that runs through the phases, or exit, while the others still "
                    "wait for phases, and it has not called arrive_and_drop. A return before "
                    "the first arrive counts too: the expected count includes the thread from "
                    "the start. The finding stands at the return.",
            .why = "The phase lacks one arrival for good and every waiter hangs. This "
                   "differs from __syncthreads, which goes on without threads that have "
                   "exited; compute-sanitizer reports nothing.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void settle(float *cell, const float *force, int steps)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&step, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    for (int i = 0; i < steps; ++i) {\n"
                   "        if (cell[threadIdx.x] < force[i])\n"
                   "            return; // expect: exit-missing-drop\n"
                   "        cell[threadIdx.x] -= force[i];\n"
                   "        step.arrive_and_wait();\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *cell, const float *force, int steps)\n"
                   "{\n"
                   "    settle<<<1, 128>>>(cell, force, steps);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void settle(float *cell, const float *force, int steps)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&step, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    for (int i = 0; i < steps; ++i) {\n"
                    "        if (threadIdx.x != 0 && cell[threadIdx.x] < force[i]) {\n"
                    "            step.arrive_and_drop();\n"
                    "            return;\n"
                    "        }\n"
                    "        cell[threadIdx.x] -= force[i];\n"
                    "        step.arrive_and_wait();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *cell, const float *force, int steps)\n"
                    "{\n"
                    "    settle<<<1, 128>>>(cell, force, steps);\n"
                    "}\n",
            .fix = "Call arrive_and_drop (mbarrier.arrive_drop) on every barrier that counts "
                   "the thread before it leaves.",
            .source = "Programming Guide 13, 4.9.5; PTX ISA 9.1, 9.7.13.15.14 "
                      "(mbarrier.arrive_drop)",
        },
};
