#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "named-divergent", incident))) {
        if (incident_behind_divergence(result, incident))
            continue;
        rule_report_incident(
            context, result, incident,
            "%s {comes|come} to barrier %lld while %s of the same warps {goes|go} another way",
            threads_text(&incident->threads), (long long)incident->number[0],
            threads_text(&incident->missing));
    }
}

const struct rule rule_named_divergent = {
    .id = "named-divergent",
    .family = "named",
    .summary = "a named barrier is executed by a part of a warp",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1 (.aligned)"},
    .check = check,
    .doc =
        {
            .what = "A named barrier of the aligned kind (bar, barrier.aligned) is executed "
                    "by some lanes of a warp while the others are alive elsewhere: under a "
                    "lane test, an elected leader, a bound that is not a multiple of 32, "
                    "data. Whole warps may take different ways. The unaligned barrier "
                    "instruction is left alone as far as the other lanes come to it as well.",
            .why = "The barrier counts warps. A warp of which a part is missing is counted "
                   "when the rest comes to any operation on the barrier, too late or never, "
                   "and the compiler may have moved code on the promise that the warp is "
                   "together.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void fold(float *data)\n"
                   "{\n"
                   "    __shared__ float part[4];\n"
                   "    if (threadIdx.x % 32 == 0) {\n"
                   "        part[threadIdx.x / 32] = data[threadIdx.x];\n"
                   "        asm volatile(\"bar.sync 1, 128;\" ::: \"memory\"); // expect: "
                   "named-divergent\n"
                   "    }\n"
                   "    data[threadIdx.x] = part[0];\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    fold<<<1, 128>>>(data);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void fold(float *data)\n"
                    "{\n"
                    "    __shared__ float part[4];\n"
                    "    if (threadIdx.x % 32 == 0)\n"
                    "        part[threadIdx.x / 32] = data[threadIdx.x];\n"
                    "    asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\n"
                    "    data[threadIdx.x] = part[0];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    fold<<<1, 128>>>(data);\n"
                    "}\n",
            .fix = "Let the whole warp execute the barrier; where single lanes must signal, "
                   "use an mbarrier.",
        },
};
