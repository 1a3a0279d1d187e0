#include "rules/facts.h"
#include "rules/number.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "named-count-mismatch", incident))) {
        // A count that meets the form for all threads is told by named-id-conflict.
        if (incident->number[1] == 0 || incident->number[2] == 0)
            continue;
        struct rule_report *report =
            rule_report_incident(context, result, incident,
                                 "barrier %lld is used with %lld threads here and with %lld by "
                                 "others at the same time: the device aborts the kernel",
                                 (long long)incident->number[0], (long long)incident->number[1],
                                 (long long)incident->number[2]);
        fix_named_count(report, result, incident->number[0]);
    }
}

const struct rule rule_named_count_mismatch = {
    .id = "named-count-mismatch",
    .family = "named",
    .summary = "operations that meet at one named barrier name different thread counts",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1 (bar, barrier)"},
    .check = check,
    .doc =
        {
            .what = "Two operations that serve the same use of a named barrier give different "
                    "thread counts: a producer that arrives for all roles and a consumer that "
                    "waits for its own, a sum that was changed in one role only. Uses of the "
                    "barrier that are apart in time may differ.",
            .why = "The instruction set leaves it undefined. The device was seen to stop the "
                   "kernel with an illegal instruction, which names no source line.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void feed(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ float tile[64];\n"
                   "    if (threadIdx.x < 64) {\n"
                   "        tile[threadIdx.x] = in[threadIdx.x];\n"
                   "        asm volatile(\"bar.arrive 1, 128;\" ::: \"memory\");\n"
                   "    } else {\n"
                   "        asm volatile(\"bar.sync 1, 64;\" ::: \"memory\"); // expect: "
                   "named-count-mismatch\n"
                   "        out[threadIdx.x - 64] = tile[127 - threadIdx.x];\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    feed<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void feed(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ float tile[64];\n"
                    "    if (threadIdx.x < 64) {\n"
                    "        tile[threadIdx.x] = in[threadIdx.x];\n"
                    "        asm volatile(\"bar.arrive 1, 128;\" ::: \"memory\");\n"
                    "    } else {\n"
                    "        asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\n"
                    "        out[threadIdx.x - 64] = tile[127 - threadIdx.x];\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    feed<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Derive the count of a barrier from one constant that every role uses: "
                   "the sum of all roles.",
            .measured = "on H200",
        },
};
