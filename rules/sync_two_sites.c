#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    if (sync_is_divergent(result))
        return; // the block is out of step: that other barriers meet follows from it
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "sync-two-sites", incident))) {
        bool parts = incident->number[1] != 0;
        struct rule_report *report = rule_report_incident(
            context, result, incident,
            parts
                ? "lanes of one warp wait at this block barrier and at another one: the device "
                  "hangs"
                : "some warps of the block meet others at this barrier that stand at another one");
        if (!parts)
            rule_pedantic(report);
    }
}

const struct rule rule_sync_two_sites = {
    .id = "sync-two-sites",
    .family = "syncthreads",
    .summary = "threads of a block meet at different block barriers in the text",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .check = check,
    .doc =
        {
            .what = "Threads of one block meet at block barriers that are different places of "
                    "the text, one in each arm of a condition. Reported by default where "
                    "lanes of one warp part. Where whole warps take the arms and both arms "
                    "have as many barriers, it is an idiom of specialised warps that works on "
                    "the devices we know, and is told with --pedantic only.",
            .why = "The aligned instruction behind __syncthreads() asks for one and the same "
                   "barrier in all threads of a warp, and the compiler builds on that. Lanes "
                   "of one warp at two of them were seen to hang; whole warps at two of them "
                   "are counted together by present hardware. compute-sanitizer reports an "
                   "error for both.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void split(float *data)\n"
                   "{\n"
                   "    __shared__ float tile[128];\n"
                   "    if (threadIdx.x % 2 == 0) {\n"
                   "        tile[threadIdx.x] = data[threadIdx.x];\n"
                   "        __syncthreads();\n"
                   "    } else {\n"
                   "        tile[threadIdx.x] = -data[threadIdx.x];\n"
                   "        __syncthreads(); // expect: sync-two-sites\n"
                   "    }\n"
                   "    data[threadIdx.x] = tile[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    split<<<1, 128>>>(data);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void split(float *data)\n"
                    "{\n"
                    "    __shared__ float tile[128];\n"
                    "    if (threadIdx.x % 2 == 0)\n"
                    "        tile[threadIdx.x] = data[threadIdx.x];\n"
                    "    else\n"
                    "        tile[threadIdx.x] = -data[threadIdx.x];\n"
                    "    __syncthreads();\n"
                    "    data[threadIdx.x] = tile[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    split<<<1, 128>>>(data);\n"
                    "}\n",
            .fix = "Put one barrier behind both arms; where warps really are specialised, "
                   "use named barriers of the unaligned kind or an mbarrier.",
            .source = "PTX ISA 9.1, 9.7.13.1 (.aligned); Programming Guide 13, 5.4.4.1; "
                      "measured on H200",
        },
};
