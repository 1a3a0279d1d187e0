#include "base/vec.h"
#include "rules/facts.h"

// More blocks than any device holds at once: 32 a multiprocessor, 2048 threads a multiprocessor,
// and no device has more than 192 of those.
static bool is_too_large(const struct engine_shape *shape)
{
    enum { MULTIPROCESSORS = 192, MOST_BLOCKS = 32, MOST_THREADS = 2048 };
    double blocks = 1, threads = 1;
    for (int k = 0; k < 3; ++k) {
        blocks *= (double)shape->grid[k];
        threads *= (double)shape->block[k];
    }
    return blocks > (double)MULTIPROCESSORS * MOST_BLOCKS ||
           blocks * threads > (double)MULTIPROCESSORS * MOST_THREADS;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_shape *shape = &result->shape;
    if (!shape->launched || shape->attributes_lost)
        return;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.scope != MODEL_SCOPE_GRID || event->pattern)
            continue;
        const char *name = result->unit->function[result->kernel].name;
        if (shape->cooperative && !(shape->block_known && is_too_large(shape)))
            return;
        struct rule_report *report =
            shape->cooperative
                ? rule_report(context, shape->loc, 0, RULE_CERTAIN,
                              "'%s' has a barrier of the grid and more blocks than a device can "
                              "hold at once",
                              name)
                : rule_report(context, shape->loc, 0, RULE_CERTAIN,
                              "'%s' has a barrier of the grid and is not launched cooperatively",
                              name);
        rule_note(report, event->loc, "the grid synchronises here");
        return;
    }
}

const struct rule rule_launch_cooperative = {
    .id = "launch-cooperative",
    .family = "launch",
    .summary = "a kernel with a barrier of the grid is launched without the cooperative attribute",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 5.6.3 (grid synchronisation)",
                   "CUDA Runtime API, cudaLaunchCooperativeKernel"},
    .check = check,
    .doc =
        {
            .what = "A kernel that comes to grid.sync() (or barrier_arrive() and "
                    "barrier_wait() of a grid_group), itself or in what it calls, is "
                    "launched with <<<>>>, cudaLaunchKernel, or cudaLaunchKernelEx "
                    "without the cooperative attribute; or cooperatively with more "
                    "blocks than any device holds at once.",
            .why = "Only a cooperative launch starts all blocks together and prepares "
                   "the memory of the barrier. Without it grid.sync() aborts the "
                   "kernel; a cooperative launch of too many blocks fails.",
            .bad = "#include <cooperative_groups.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void relax(float *data)\n"
                   "{\n"
                   "    auto grid = cg::this_grid();\n"
                   "    data[grid.thread_rank()] *= 0.5f;\n"
                   "    grid.sync();\n"
                   "    data[grid.thread_rank()] += data[grid.thread_rank() ^ 1];\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    relax<<<64, 128>>>(data); // expect: launch-cooperative\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void relax(float *data)\n"
                    "{\n"
                    "    auto grid = cg::this_grid();\n"
                    "    data[grid.thread_rank()] *= 0.5f;\n"
                    "    grid.sync();\n"
                    "    data[grid.thread_rank()] += data[grid.thread_rank() ^ 1];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    void *arguments[] = {&data};\n"
                    "    cudaLaunchCooperativeKernel((void *)relax, dim3(64), dim3(128), "
                    "arguments, 0, nullptr);\n"
                    "}\n",
            .fix = "cudaLaunchCooperativeKernel, or cudaLaunchKernelEx with "
                   "cudaLaunchAttributeCooperative, and a grid no larger than "
                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor times the "
                   "multiprocessors.",
            .measured = "on H200: launch failure, and error 720 where the grid is too large",
        },
};
