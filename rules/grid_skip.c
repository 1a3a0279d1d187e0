#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "grid-skip", incident))) {
        if (incident->kind == ENGINE_VIOLATION)
            rule_report_incident(context, result, incident,
                                 "%s {comes|come} to this barrier of the grid, and the first "
                                 "thread of the block, which speaks for it there, has exited",
                                 threads_text(&incident->threads));
        else if (incident->missing.count == 0)
            rule_report_incident(
                context, result, incident,
                "some blocks of the grid come to its barriers %lld times and some %lld times",
                (long long)incident->number[0], (long long)incident->number[1]);
        else
            rule_report_incident(context, result, incident,
                                 "%s {comes|come} to this barrier of the grid and %s, which "
                                 "{lives|live}, {passes|pass} it by",
                                 threads_text(&incident->threads),
                                 threads_text(&incident->missing));
    }
}

const struct rule rule_grid_skip = {
    .id = "grid-skip",
    .family = "grid",
    .summary = "some blocks or threads of the grid pass a barrier of the grid by",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 5.6.3"},
    .check = check,
    .doc =
        {
            .what = "grid.sync() is reached by some blocks more often than by "
                    "others: it stands under a condition on blockIdx or on data "
                    "of the block, in a loop whose rounds depend on the block, or "
                    "after a return that whole blocks take; or threads of a block "
                    "pass it by, or its first thread has left. Conditions on the "
                    "arguments of the kernel are the same in all blocks.",
            .why = "The barrier counts every block of the launch, and in current "
                   "toolkits its first thread speaks for the block. A block that "
                   "does not come is waited for without end.",
            .bad = "#include <cooperative_groups.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void relax(float *data, int n)\n"
                   "{\n"
                   "    auto grid = cg::this_grid();\n"
                   "    if (blockIdx.x * blockDim.x >= n)\n"
                   "        return;\n"
                   "    data[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;\n"
                   "    grid.sync(); // expect: grid-skip\n"
                   "    data[threadIdx.x] += data[(blockIdx.x + 1) * blockDim.x];\n"
                   "}\n"
                   "\n"
                   "void launch(float *data, int n)\n"
                   "{\n"
                   "    void *arguments[] = {&data, &n};\n"
                   "    cudaLaunchCooperativeKernel((void *)relax, dim3(64), dim3(128), arguments, "
                   "0, nullptr);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void relax(float *data, int n)\n"
                    "{\n"
                    "    auto grid = cg::this_grid();\n"
                    "    const bool inside = blockIdx.x * blockDim.x < n;\n"
                    "    if (inside)\n"
                    "        data[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;\n"
                    "    grid.sync();\n"
                    "    if (inside)\n"
                    "        data[threadIdx.x] += data[(blockIdx.x + 1) * blockDim.x];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data, int n)\n"
                    "{\n"
                    "    void *arguments[] = {&data, &n};\n"
                    "    cudaLaunchCooperativeKernel((void *)relax, dim3(64), dim3(128), "
                    "arguments, 0, nullptr);\n"
                    "}\n",
            .fix = "Let every thread of every block reach every barrier of the "
                   "grid, and put the work under the condition instead.",
            .measured = "on H200: hangs when the first thread of a block has left",
        },
};
