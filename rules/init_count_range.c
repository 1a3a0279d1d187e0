#include "base/vec.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        struct engine_range count;
        enum rule_certainty certainty;
        if (event->model.kind != MODEL_MBARRIER_INIT ||
            !range_known(&event->count, &count, &certainty))
            continue;
        const struct engine_object *object = event_object(result, event);
        int64_t least, most;
        event_count_limits(result, event, &least, &most);
        if (count.low >= least && count.high <= most)
            continue;
        char text[RANGE_TEXT];
        struct rule_report *report =
            rule_report(context, event->loc, event->chain, certainty,
                        "'%s' is initialised with an expected count of %s; it must be 1 to %lld",
                        object && object->name ? object->name : "the barrier",
                        range_text(&count, text), (long long)most);
        event_must_be_launched(report, event);
        if (object && object->loc.file != 0)
            rule_note(report, object->loc, "'%s' is declared here", object->name);
    }
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-count-range", incident)))
        rule_report_incident(context, result, incident,
                             "the copies of %s raise the pending count of '%s' above its maximum",
                             threads_text(&incident->threads), incident_object(result, incident));
}

const struct rule rule_init_count_range = {
    .id = "init-count-range",
    .family = "init",
    .summary = "a barrier is initialised with an expected count it cannot hold",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.2", "PTX ISA 9.1, 9.7.13.15.9 (mbarrier.init)",
                   "CUDA Programming Guide 13, 5.6.1"},
    .check = check,
    .doc =
        {
            .what =
                "The expected count given to init, to __mbarrier_init or to mbarrier.init is "
                "zero, negative, above 1048575, or above 16383 for __mbarrier_init; above "
                "2147483647 "
                "for a cuda::barrier outside the block's shared memory. Or asynchronous copies, "
                "whose arrival raises the pending count first (__pipeline_arrive_on), raise it "
                "above that maximum.",
            .why =
                "The count is a field of the barrier's 64 bits. With a count of zero no phase is "
                "ever pending and the first arrival underflows; a count that is too large does "
                "not fit. On the device the kernel fails at the init or at the first arrival.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void gather(const float *in, float *out, int stride)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> ready;\n"
                   "    int producers = blockDim.x / 64; // 0 for the launch below\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&ready, producers); // expect: init-count-range\n"
                   "    __syncthreads();\n"
                   "    out[threadIdx.x] = in[threadIdx.x * stride];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    gather<<<4, 32>>>(in, out, 3);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void gather(const float *in, float *out, int stride)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> ready;\n"
                    "    int producers = (blockDim.x + 63) / 64;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&ready, producers);\n"
                    "    __syncthreads();\n"
                    "    out[threadIdx.x] = in[threadIdx.x * stride];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    gather<<<4, 32>>>(in, out, 3);\n"
                    "}\n",
            .fix = "Compute the count from the number of arrivals that really come, and assert "
                   "that it is within the limits.",
        },
};
