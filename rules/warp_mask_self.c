#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"

// A shuffle that is given its value where the mask belongs.
static void check_arguments(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->lacks_mask)
            rule_report(context, event->loc, event->chain, RULE_POSSIBLE,
                        "what is passed as the mask here differs from lane to lane, and no lane "
                        "comes to another one by this distance: the mask is missing, and the "
                        "value stands in its place");
    }
}

// Whether the kernel names all lanes of a warp elsewhere: it is not made for smaller blocks.
static bool names_whole_warps(const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->mask.known && event->mask.low == event->mask.high &&
            (uint32_t)event->mask.low == UINT32_MAX && event->most_at_once >= 32)
            return true;
    }
    return false;
}

// Whether the mask names as many lanes as a number that the kernel's template is given: the
// instance is one for blocks of so many threads.
static bool is_of_the_instance(const struct engine_result *result, int64_t mask)
{
    const struct ir_function *kernel = &result->unit->function[result->kernel];
    for (ptrdiff_t i = 0; i < arrlen(kernel->template_arg); ++i) {
        const struct ir_template_arg *given = &kernel->template_arg[i];
        if (given->kind == IR_ARG_INT && given->value > 0 && given->value < 32 &&
            mask == (INT64_C(1) << given->value) - 1)
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    check_arguments(context, result);
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "warp-mask-self", incident))) {
        struct rule_report *report =
            rule_report_incident(context, result, incident,
                                 "%s {executes|execute} this with a mask that does not name "
                                 "{it|them}: that of thread %lld "
                                 "is 0x%08llx",
                                 threads_text(&incident->threads), (long long)incident->number[1],
                                 (unsigned long long)incident->number[0]);
        fix_mask(report, result, incident);
        if (incident->number[2] &&
            (!names_whole_warps(result) || is_of_the_instance(result, incident->number[0])))
            rule_pedantic(report);
    }
}

const struct rule rule_warp_mask_self = {
    .id = "warp-mask-self",
    .family = "warp",
    .summary = "a lane executes a warp operation whose mask does not name it",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA C++ Guidelines 3.0.1, 2.3 (collective.warp.include_self)",
                   "PTX ISA 9.1, 9.7.13.2 (bar.warp.sync)", "CUDA Programming Guide 13, 5.4.6.6"},
    .check = check,
    .doc =
        {
            .what = "A thread executes __syncwarp(), a shuffle, a vote, a match, "
                    "a reduction or elect.sync with a mask in which its own bit "
                    "is not set. The masks of all lanes that come to the "
                    "operation are known: constants, or computed from the number "
                    "of the thread. Or a shuffle is called as those were that had no "
                    "mask: a value of each lane stands for it, and the width for "
                    "the distance.",
            .why = "The behaviour is undefined. On current devices a lane "
                   "outside its own mask is an illegal instruction at some "
                   "operations and exchanges nothing at others: a shuffle "
                   "returns garbage, a barrier orders nothing.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void sum(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ float half[16];\n"
                   "    if (threadIdx.x < 16) {\n"
                   "        half[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 16];\n"
                   "        __syncwarp(0xffff0000); // expect: warp-mask-self\n"
                   "        out[threadIdx.x] = half[15 - threadIdx.x];\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    sum<<<1, 32>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void sum(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ float half[16];\n"
                    "    if (threadIdx.x < 16) {\n"
                    "        half[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 16];\n"
                    "        __syncwarp(0x0000ffff);\n"
                    "        out[threadIdx.x] = half[15 - threadIdx.x];\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    sum<<<1, 32>>>(in, out);\n"
                    "}\n",
            .fix = "Name every lane that comes: 0xffffffff for a whole warp, for "
                   "a part of it the mask of the lanes that the condition lets "
                   "through.",
        },
};
