#include "base/vec.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    if (incident_is_supported(result, "sync-divergent"))
        return; // that threads are gone is then the smaller part of it
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "exit-before-sync", incident))) {
        if (incident->number[1] == ENGINE_EXIT_UNSTORED)
            rule_report_incident(context, result, incident,
                                 "some threads of the block have exited before this barrier, "
                                 "behind which the others read what these should have stored");
        else if (incident->number[1])
            rule_report_incident(context, result, incident,
                                 "some threads of the block have exited before this primitive of "
                                 "the whole block, which reads what they should have left there");
        else
            rule_pedantic(rule_report_incident(context, result, incident,
                                               "some threads of the block have exited before this "
                                               "barrier: it goes on without them"));
    }
}

const struct rule rule_exit_before_sync = {
    .id = "exit-before-sync",
    .family = "exit",
    .summary = "threads leave the kernel before a block barrier of the others",
    .level = RULE_NOTE,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 5.4.4.1", "PTX ISA 9.1, 9.7.12.7 (exit)"},
    .check = check,
    .doc =
        {
            .what = "Some threads return before a __syncthreads() or another barrier of the "
                    "whole block that the others go on to. Told with --pedantic only, as "
                    "much correct code does so; but by default where the barrier is part of a "
                    "block-wide primitive of CUB, to which all threads of the block contribute, "
                    "and where those who stay read elements of shared memory that all threads "
                    "but the ones that have left store behind their return.",
            .why = "The programming guide allows it in its present form, and NVIDIA hardware "
                   "counts exited threads as arrived. It was documented as undefined for "
                   "years, other vendors' devices hang, and it becomes a hang here too as "
                   "soon as a barrier with a thread count, an mbarrier or a grid barrier "
                   "comes to stand behind the return.",
            .bad =
                "// pedantic: exited threads count as arrived, and much correct code relies on it\n"
                "#include <cuda_runtime.h>\n"
                "\n"
                "__global__ void halve(float *data, int n)\n"
                "{\n"
                "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "    if (i >= n)\n"
                "        return;\n"
                "    data[i] *= 0.5f;\n"
                "    __syncthreads(); // expect: exit-before-sync\n"
                "}\n"
                "\n"
                "void launch(float *data, int n)\n"
                "{\n"
                "    halve<<<8, 128>>>(data, n);\n"
                "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void halve(float *data, int n)\n"
                    "{\n"
                    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                    "    if (i < n)\n"
                    "        data[i] *= 0.5f;\n"
                    "    __syncthreads();\n"
                    "}\n"
                    "\n"
                    "void launch(float *data, int n)\n"
                    "{\n"
                    "    halve<<<8, 128>>>(data, n);\n"
                    "}\n",
            .fix = "Keep the threads and guard their work instead.",
        },
};
