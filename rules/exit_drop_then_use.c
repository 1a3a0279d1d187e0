#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "exit-drop-then-use", incident))) {
        rule_report_incident(context, result, incident,
                             "%s {uses|use} '%s' here after having dropped out of it",
                             threads_text(&incident->threads), incident_object(result, incident));
    }
}

const struct rule rule_exit_drop_then_use = {
    .id = "exit-drop-then-use",
    .family = "exit",
    .summary = "a thread uses a barrier after it has dropped out of it",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.14",
                   "C++ draft, [thread.barrier.class] arrive_and_drop"},
    .check = check,
    .doc =
        {
            .what = "A thread arrives at a barrier, drops again or waits with a token after "
                    "its own arrive_and_drop on it. Waiting for a parity stays allowed.",
            .why = "The drop has lowered the expected count by the thread. A later arrive "
                   "takes the place of somebody else's: phases complete early, or the "
                   "pending count underflows and the device aborts the kernel.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void settle(float *cell, int steps)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&step, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    for (int i = 0; i < steps; ++i) {\n"
                   "        if (threadIdx.x == 5 && i == 1)\n"
                   "            step.arrive_and_drop();\n"
                   "        cell[threadIdx.x] *= 0.5f;\n"
                   "        step.arrive_and_wait(); // expect: exit-drop-then-use\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *cell)\n"
                   "{\n"
                   "    settle<<<1, 128>>>(cell, 8);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void settle(float *cell, int steps)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&step, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    for (int i = 0; i < steps; ++i) {\n"
                    "        if (threadIdx.x == 5 && i == 1) {\n"
                    "            step.arrive_and_drop();\n"
                    "            break;\n"
                    "        }\n"
                    "        cell[threadIdx.x] *= 0.5f;\n"
                    "        step.arrive_and_wait();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *cell)\n"
                    "{\n"
                    "    settle<<<1, 128>>>(cell, 8);\n"
                    "}\n",
            .fix = "Leave the phases after the drop: return, break, or remember that the "
                   "thread is out.",
        },
};
