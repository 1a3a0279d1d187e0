#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "named-exit", incident))) {
        rule_report_incident(
            context, result, incident,
            "%s can leave here, and barrier %lld counts on %lld threads: %s {waits|wait} "
            "for ever",
            threads_text(&incident->missing), (long long)incident->number[0],
            (long long)incident->number[1], threads_text(&incident->threads));
    }
}

const struct rule rule_named_exit = {
    .id = "named-exit",
    .family = "named",
    .summary = "a warp that a named barrier counts leaves before it comes to it",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1", "PTX ISA 9.1, 9.7.12.7 (exit)"},
    .check = check,
    .doc =
        {
            .what = "A whole warp can return or exit before a named barrier with a thread "
                    "count that includes it. Lanes that leave a warp of which others stay do "
                    "no harm, and neither do warps that are not counted. The finding stands "
                    "at the return.",
            .why = "Unlike __syncthreads, a barrier with a count does not go on without "
                   "warps that are gone: those who wait hang. The newer document promises "
                   "otherwise in one sentence, the device was seen to hang whether the warp "
                   "left before or after the others came.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void blend(float *data, int n)\n"
                   "{\n"
                   "    __shared__ float tile[128];\n"
                   "    if (threadIdx.x >= n)\n"
                   "        return; // expect: named-exit\n"
                   "    tile[threadIdx.x] = data[threadIdx.x];\n"
                   "    asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\n"
                   "    data[threadIdx.x] += tile[0];\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    blend<<<1, 128>>>(data, 96);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void blend(float *data, int n)\n"
                    "{\n"
                    "    __shared__ float tile[128];\n"
                    "    if (threadIdx.x < n)\n"
                    "        tile[threadIdx.x] = data[threadIdx.x];\n"
                    "    asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\n"
                    "    if (threadIdx.x < n)\n"
                    "        data[threadIdx.x] += tile[0];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    blend<<<1, 128>>>(data, 96);\n"
                    "}\n",
            .fix = "Keep the warp until it has arrived, or do not count it.",
            .measured = "on H200",
        },
};
