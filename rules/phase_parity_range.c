#include "base/vec.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        struct engine_range parity;
        enum rule_certainty certainty;
        if (!event_parity_is_wide(result, event, &parity, &certainty))
            continue;
        bool is_bool = event->model.flags & MODEL_PARITY_BOOL;
        char text[RANGE_TEXT];
        struct rule_report *report = rule_report(
            context, event->loc, event->chain, certainty,
            "the phase parity waited for is %s; it must be 0 or 1", range_text(&parity, text));
        if (is_bool)
            rule_note(report, event->loc,
                      "the parameter is a bool: every even phase but 0 is waited for as an odd "
                      "one");
        else
            rule_note(report, event->loc,
                      "parity is the lowest bit of the number of the phase: pass 'phase & 1'");
    }
}

const struct rule rule_phase_parity_range = {
    .id = "phase-parity-range",
    .family = "phase",
    .summary = "a wait is given a phase parity other than 0 or 1",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.16 (mbarrier.test_wait, try_wait)",
                   "CUDA Programming Guide 13, 5.6.1"},
    .check = check,
    .doc =
        {
            .what = "The parity operand of a wait or test by parity can be other than 0 and 1: "
                    "usually the number of a phase or of an iteration that was not reduced to its "
                    "lowest bit.",
            .why =
                "The instruction is defined for 0 and 1 only. cuda::barrier::wait_parity and the "
                "__mbarrier functions take a bool, so phase 2 becomes 1: the wait is for a phase "
                "that is not there yet, and the kernel hangs.",
            .bad = "#include <cuda/barrier>\n"
                   "#include <utility>\n"
                   "\n"
                   "__global__ void iterate(float *data)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&step, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    for (int phase = 0; phase < 8; ++phase) {\n"
                   "        data[threadIdx.x] += 0.5f * data[threadIdx.x];\n"
                   "        (void)step.arrive();\n"
                   "        step.wait_parity(phase); // expect: phase-parity-range\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    iterate<<<1, 128>>>(data);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "#include <utility>\n"
                    "\n"
                    "__global__ void iterate(float *data)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&step, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    for (int phase = 0; phase < 8; ++phase) {\n"
                    "        data[threadIdx.x] += 0.5f * data[threadIdx.x];\n"
                    "        (void)step.arrive();\n"
                    "        step.wait_parity(phase & 1);\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    iterate<<<1, 128>>>(data);\n"
                    "}\n",
            .fix = "Pass the lowest bit of the phase: phase & 1.",
        },
};
