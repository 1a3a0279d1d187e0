#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "warp-elect", incident)))
        rule_report_incident(context, result, incident,
                             "the mask of this elect.sync, executed by %s, names %s too, which "
                             "{lives|live} and {does|do} not come to it",
                             threads_text(&incident->threads), threads_text(&incident->missing));
}

const struct rule rule_warp_elect = {
    .id = "warp-elect",
    .family = "warp",
    .summary = "elect.sync is executed by a part of the lanes that its mask names",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA C++ Guidelines 3.0.1, 2.1 (collective.warp.participants.active)",
                   "PTX ISA 9.1, 9.7.13.14"},
    .check = check,
    .doc =
        {
            .what = "elect.sync (cute::elect_one_sync(), a wrapper of one's own) "
                    "is executed by some lanes of its mask while others live "
                    "elsewhere: under a condition on the lane, or by the one lane "
                    "that an election before has chosen. Library functions that "
                    "elect a lane themselves must be called by the whole warp.",
            .why = "The election waits for the lanes of its mask. While they "
                   "wait for the elected lane somewhere else, the kernel hangs; "
                   "when they have run to the end, it passes, so that tests "
                   "seldom find it.",
            .bad =
                "#include <cstdint>\n"
                "#include <cuda_runtime.h>\n"
                "\n"
                "__device__ bool elect()\n"
                "{\n"
                "    uint32_t elected;\n"
                "    asm volatile(\"{\\n\\t.reg .pred p;\\n\\telect.sync _|p, 0xffffffff;\\n\\t\"\n"
                "                 \"selp.u32 %0, 1, 0, p;\\n\\t}\"\n"
                "                 : \"=r\"(elected));\n"
                "    return elected != 0;\n"
                "}\n"
                "\n"
                "__device__ void publish(int *flag, int value)\n"
                "{\n"
                "    if (elect())\n"
                "        *flag = value;\n"
                "}\n"
                "\n"
                "__global__ void produce(int *flag)\n"
                "{\n"
                "    if (threadIdx.x < 32) {\n"
                "        if (elect()) {\n"
                "            flag[1] = 1;\n"
                "            publish(flag, 2); // expect: warp-elect\n"
                "        }\n"
                "        __syncwarp();\n"
                "    }\n"
                "}\n"
                "\n"
                "void launch(int *flag)\n"
                "{\n"
                "    produce<<<1, 128>>>(flag);\n"
                "}\n",
            .good =
                "#include <cstdint>\n"
                "#include <cuda_runtime.h>\n"
                "\n"
                "__device__ bool elect()\n"
                "{\n"
                "    uint32_t elected;\n"
                "    asm volatile(\"{\\n\\t.reg .pred p;\\n\\telect.sync _|p, 0xffffffff;\\n\\t\"\n"
                "                 \"selp.u32 %0, 1, 0, p;\\n\\t}\"\n"
                "                 : \"=r\"(elected));\n"
                "    return elected != 0;\n"
                "}\n"
                "\n"
                "__device__ void publish(int *flag, int value)\n"
                "{\n"
                "    if (elect())\n"
                "        *flag = value;\n"
                "}\n"
                "\n"
                "__global__ void produce(int *flag)\n"
                "{\n"
                "    if (threadIdx.x < 32) {\n"
                "        if (elect())\n"
                "            flag[1] = 1;\n"
                "        __syncwarp();\n"
                "        publish(flag, 2);\n"
                "    }\n"
                "}\n"
                "\n"
                "void launch(int *flag)\n"
                "{\n"
                "    produce<<<1, 128>>>(flag);\n"
                "}\n",
            .fix = "Elect once, keep the answer, and call functions that elect "
                   "from the whole warp.",
            .measured = "on H200: hangs while the other lanes live",
        },
};
