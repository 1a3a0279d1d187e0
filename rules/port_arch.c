#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const char *target = result->unit->target;
    int arch = target && strncmp(target, "sm_", 3) == 0 ? atoi(target + 3) * 10 : 0;
    // sm_90a is assumed where a command names no target: it says nothing about what the code is
    // for, and what it lacks the assembler refuses at once.
    enum { ASSUMED = 900, LIBRARY = 700 };
    if (arch == 0 || arch >= ASSUMED)
        return;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct ir_op *op = ir_op_at(&result->unit->function[event->function], event->op);
        // The library falls back on something else where the instruction is missing, from sm_70 on;
        // but nothing else counts bytes.
        bool replaced = event->model.flags & MODEL_LIBRARY_OBJECT && event->model.bytes == IR_NONE;
        int needed = replaced ? LIBRARY : event->model.min_arch;
        if (needed <= arch || event->pattern)
            continue;
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "%s needs sm_%d, and this is compiled for %s",
                    op->code == IR_PTX && op->text ? op->text : event->model.spelling, needed / 10,
                    target);
    }
}

const struct rule rule_port_arch = {
    .id = "port-arch",
    .family = "portability",
    .summary = "a barrier operation that the target does not have",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, the notes on targets of each instruction",
                   "cuda_awbarrier_helpers.h of CUDA 13"},
    .check = check,
    .doc =
        {
            .what = "A kernel comes to an operation that the architecture it is "
                    "compiled for does not have: cuda::barrier below sm_70; mbarriers below sm_80; "
                    "arrivals with a "
                    "count, try_wait, transactions, bulk copies, clusters and "
                    "elect.sync below sm_90. Code that is left out for that target (by "
                    "__CUDA_ARCH__, NV_IF_TARGET) is not looked at; --arch=all looks at "
                    "each target of the command. Targets from sm_90 on are not judged.",
            .why = "Inline assembly fails to assemble, if it is ever compiled for that "
                   "target; the primitives of the toolkit compile and abort the "
                   "kernel, or fail to link.",
            .bad = "// arch: sm_80\n"
                   "#include <cuda_awbarrier_primitives.h>\n"
                   "\n"
                   "__global__ void reverse(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ float line[128];\n"
                   "    __shared__ __mbarrier_t stored;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        __mbarrier_init(&stored, 128);\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    __mbarrier_arrive(&stored);\n"
                   "    while (!__mbarrier_try_wait_parity(&stored, false, 1000)) { // expect: "
                   "port-arch\n"
                   "    }\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    reverse<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "// arch: sm_80\n"
                    "#include <cuda_awbarrier_primitives.h>\n"
                    "\n"
                    "__global__ void reverse(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ float line[128];\n"
                    "    __shared__ __mbarrier_t stored;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        __mbarrier_init(&stored, 128);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    const __mbarrier_token_t token = __mbarrier_arrive(&stored);\n"
                    "    while (!__mbarrier_test_wait(&stored, token)) {\n"
                    "    }\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    reverse<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Guard the code by __CUDA_ARCH__, or use cuda::barrier, which has a "
                   "way for every target.",
        },
};
