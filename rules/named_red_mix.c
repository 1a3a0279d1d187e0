#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "named-red-mix", incident))) {
        if (incident_behind_divergence(result, incident))
            continue;
        rule_report_incident(context, result, incident,
                             "a barrier with a vote and one without meet at barrier %lld: the "
                             "device aborts the kernel",
                             (long long)incident->number[0]);
    }
}

const struct rule rule_named_red_mix = {
    .id = "named-red-mix",
    .family = "named",
    .summary = "a voting barrier meets a plain one at the same barrier",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA C++ Guidelines 3.0.1, 1.14 (synchronize.active_threads)",
                   "PTX ISA 9.1, 9.7.13.1 (bar.red)"},
    .check = check,
    .doc =
        {
            .what = "A barrier that also votes or counts (bar.red, __syncthreads_count, "
                    "__syncthreads_and, __syncthreads_or) shares one use of a barrier with "
                    "bar.sync, __syncthreads or bar.arrive of other threads.",
            .why = "The document leaves it undefined; the device stops the kernel with an "
                   "illegal instruction.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void tally(const int *in, int *out)\n"
                   "{\n"
                   "    int count = 0;\n"
                   "    if (threadIdx.x < 64)\n"
                   "        __syncthreads();\n"
                   "    else\n"
                   "        count = __syncthreads_count(in[threadIdx.x] > 0); // expect: "
                   "named-red-mix\n"
                   "    out[threadIdx.x] = count;\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    tally<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good =
                "#include <cuda_runtime.h>\n"
                "\n"
                "__global__ void tally(const int *in, int *out)\n"
                "{\n"
                "    int count = __syncthreads_count(threadIdx.x >= 64 && in[threadIdx.x] > 0);\n"
                "    out[threadIdx.x] = threadIdx.x < 64 ? 0 : count;\n"
                "}\n"
                "\n"
                "void launch(const int *in, int *out)\n"
                "{\n"
                "    tally<<<1, 128>>>(in, out);\n"
                "}\n",
            .fix = "Let all participants execute the same operation; a false predicate adds "
                   "nothing.",
            .measured = "on H200",
        },
};
