#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const char *target = result->unit->target;
    int arch = target && strncmp(target, "sm_", 3) == 0 ? atoi(target + 3) : 0;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind != MODEL_MBARRIER_TEST || event->model.flags & MODEL_TRY ||
            !event->in_loop || arch < 90)
            continue;
        const struct engine_object *object = event_object(result, event);
        rule_pedantic(rule_report(
            context, event->loc, event->chain, RULE_CERTAIN,
            "this loop keeps asking whether a phase of '%s' is over: try_wait sleeps meanwhile",
            object && object->name ? object->name : "the barrier"));
    }
}

const struct rule rule_perf_test_wait_spin = {
    .id = "perf-test-wait-spin",
    .family = "performance",
    .summary = "a loop asks for the end of a phase without letting the thread sleep",
    .level = RULE_NOTE,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.16", "CUDA Programming Guide 13, 5.6.1"},
    .check = check,
    .doc =
        {
            .what = "A loop on test_wait (mbarrier.test_wait, __mbarrier_test_wait, "
                    "cuda::ptx::mbarrier_test_wait) for a target from sm_90 on, where "
                    "try_wait does the same. Told with --pedantic only.",
            .why = "test_wait answers at once, so that the loop takes issue slots from "
                   "the warps that are waited for. try_wait may suspend the thread "
                   "until the phase ends or a time has passed.",
            .bad = "// pedantic: advice on speed\n"
                   "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void reverse(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ float line[128];\n"
                   "    __shared__ uint64_t stored;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(&stored, 128);\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    cuda::ptx::mbarrier_arrive(&stored);\n"
                   "    while (!cuda::ptx::mbarrier_test_wait_parity(&stored, 0)) { // expect: "
                   "perf-test-wait-spin\n"
                   "    }\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    reverse<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void reverse(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ float line[128];\n"
                    "    __shared__ uint64_t stored;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        cuda::ptx::mbarrier_init(&stored, 128);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    cuda::ptx::mbarrier_arrive(&stored);\n"
                    "    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) {\n"
                    "    }\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    reverse<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "try_wait instead of test_wait.",
        },
};
