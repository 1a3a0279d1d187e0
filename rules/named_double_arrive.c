#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    // Where different counts meet, the device stops, and who was to be held back there runs ahead.
    if (incident_is_supported(result, "named-count-mismatch"))
        return;
    while ((incident = incident_next(result, "named-double-arrive", incident))) {
        rule_report_incident(context, result, incident,
                             "%s can come to barrier %lld again before its last use is over",
                             threads_text(&incident->threads), (long long)incident->number[0]);
    }
}

const struct rule rule_named_double_arrive = {
    .id = "named-double-arrive",
    .family = "named",
    .summary = "a warp can arrive twice before a named barrier completes",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1 (bar.arrive)"},
    .check = check,
    .doc =
        {
            .what = "A warp executes bar.arrive and comes to the same barrier again while "
                    "that use of it may still be open: an arrive in a loop that nothing holds "
                    "back, an arrive followed by a wait at the same barrier. A count that is "
                    "one warp larger for that wait is no mistake: nobody is missed then.",
            .why = "The second arrival counts like that of another warp: the barrier opens "
                   "while a warp that it was to wait for is still at work. Whether it "
                   "happens depends on timing.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void stream(const float *in, float *out, int tiles)\n"
                   "{\n"
                   "    __shared__ float tile[64];\n"
                   "    for (int t = 0; t < tiles; ++t) {\n"
                   "        if (threadIdx.x < 64) {\n"
                   "            tile[threadIdx.x] = in[t * 64 + threadIdx.x];\n"
                   "            asm volatile(\"bar.arrive 1, 128;\" ::: \"memory\"); // expect: "
                   "named-double-arrive\n"
                   "        } else {\n"
                   "            asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\n"
                   "            out[t * 64 + threadIdx.x - 64] = tile[127 - threadIdx.x];\n"
                   "        }\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    stream<<<1, 128>>>(in, out, 16);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void stream(const float *in, float *out, int tiles)\n"
                    "{\n"
                    "    __shared__ float tile[64];\n"
                    "    for (int t = 0; t < tiles; ++t) {\n"
                    "        if (threadIdx.x < 64) {\n"
                    "            tile[threadIdx.x] = in[t * 64 + threadIdx.x];\n"
                    "            asm volatile(\"bar.arrive 1, 128;\" ::: \"memory\");\n"
                    "            asm volatile(\"bar.sync 2, 128;\" ::: \"memory\");\n"
                    "        } else {\n"
                    "            asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\n"
                    "            out[t * 64 + threadIdx.x - 64] = tile[127 - threadIdx.x];\n"
                    "            asm volatile(\"bar.sync 2, 128;\" ::: \"memory\");\n"
                    "        }\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    stream<<<1, 128>>>(in, out, 16);\n"
                    "}\n",
            .fix = "Let a second barrier tell the producer that the first one has been used: "
                   "full and empty, as in the document's producer and consumer example.",
            .measured = "on H200: counted twice",
        },
};
