#include "base/vec.h"
#include "rules/facts.h"

// A warp that the block does not fill executes something that names all 32 lanes.
static const struct engine_event *whole_warp_event(const struct engine_result *result,
                                                   int64_t threads)
{
    int64_t last = threads - threads % 32;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const uint64_t *mask = event->threads.mask;
        if (event->model.kind == MODEL_WARP_ALIGNED && mask && mask[last / 64] >> (last % 64) & 1)
            return event;
    }
    return NULL;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_shape *shape = &result->shape;
    const struct ir_function *kernel = &result->unit->function[result->kernel];
    const struct ir_launch_attributes *given = &kernel->attributes;
    int64_t threads = 1;
    if (shape->source != ENGINE_SHAPE_LAUNCH || !shape->block_known)
        return;
    for (int k = 0; k < 3; ++k)
        threads *= shape->block[k] <= 4096 ? shape->block[k] : 4097;
    bool exact = given->block[0] > 0;
    for (int k = 0; k < 3 && exact; ++k) {
        if (shape->block[k] == (given->block[k] > 0 ? given->block[k] : 1))
            continue;
        struct rule_report *report = rule_report(
            context, shape->loc, 0, RULE_CERTAIN,
            "'%s' is launched with other blocks than its __block_size__ says", kernel->name);
        rule_note(report, kernel->loc, "it is declared here");
        return;
    }
    if (threads > 1024) {
        rule_report(context, shape->loc, 0, RULE_CERTAIN,
                    "'%s' is launched with more than 1024 threads in a block", kernel->name);
    } else if (given->max_threads > 0 && threads > given->max_threads) {
        struct rule_report *report = rule_report(
            context, shape->loc, 0, RULE_CERTAIN,
            "'%s' is launched with %lld threads in a block and is compiled for at most %lld",
            kernel->name, (long long)threads, (long long)given->max_threads);
        rule_note(report, kernel->loc, "__launch_bounds__ is given here");
    } else if (threads % 32) {
        const struct engine_event *event = whole_warp_event(result, threads);
        if (!event)
            return;
        struct rule_report *report =
            rule_report(context, shape->loc, 0, RULE_CERTAIN,
                        "blocks of %lld threads end in a warp that is not full, and '%s' needs "
                        "whole warps",
                        (long long)threads, kernel->name);
        rule_note(report, event->loc, "this instruction is one for all 32 threads of a warp");
    }
}

const struct rule rule_launch_block_size = {
    .id = "launch-block-size",
    .family = "launch",
    .summary = "a launch gives a block that the kernel's attributes or its warps do not allow",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 5.4.5 (__launch_bounds__)",
                   "CUDA Programming Guide 13, 2.2.1 (1024 threads in a block)",
                   "PTX ISA 9.1, 9.7.14"},
    .check = check,
    .doc =
        {
            .what = "A launch whose block size is known contradicts the kernel: more "
                    "threads than __launch_bounds__ allows, other extents than "
                    "__block_size__ gives, more than 1024; or a block that does not "
                    "fill its last warp, which executes an instruction of whole warps "
                    "(mma, ldmatrix). Barriers whose counts do not fit the block are "
                    "told at the barrier, by init-count-mismatch, named-count-block and "
                    "their like.",
            .why = "The launch fails with an error that only the next call of the "
                   "runtime returns, so that the kernel seems to do nothing; or a part "
                   "of a warp executes what is undefined for a part.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void __launch_bounds__(128) halve(float *data)\n"
                   "{\n"
                   "    data[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;\n"
                   "    __syncthreads();\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    halve<<<8, 256>>>(data); // expect: launch-block-size\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "constexpr int threads = 128;\n"
                    "\n"
                    "__global__ void __launch_bounds__(threads) halve(float *data)\n"
                    "{\n"
                    "    data[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;\n"
                    "    __syncthreads();\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    halve<<<16, threads>>>(data);\n"
                    "}\n",
            .fix = "Let the launch and the kernel's attributes share one constant.",
        },
};
