#include "base/vec.h"
#include "rules/facts.h"

// The barriers, a bit each, whose threads those that come to one of `slots` meet somewhere, or meet
// others that do, but for barriers of the whole block.
static uint32_t linked(const struct engine_result *result, uint32_t slots)
{
    const int64_t *block = result->shape.block, *cluster = result->shape.cluster;
    int64_t threads = block[0] * block[1] * block[2] * cluster[0] * cluster[1] * cluster[2];
    uint32_t before = 0;
    while (before != slots) {
        before = slots;
        for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
            const struct engine_event *one = &result->event[i];
            bool counted = one->count.given && one->threads.mask;
            for (ptrdiff_t k = 0; k < arrlen(result->event) && counted; ++k) {
                const struct engine_event *other = &result->event[k];
                bool meet = false;
                if (!(event_slots(one) & slots) || !other->count.given || !other->threads.mask)
                    continue;
                for (int64_t word = 0; word < (threads + 63) / 64; ++word)
                    meet |= (one->threads.mask[word] & other->threads.mask[word]) != 0;
                slots |= meet ? event_slots(other) : 0;
            }
        }
    }
    return slots;
}

// Whether different counts meet where the threads come from: the device stops there, and who was to
// be held back runs ahead.
static bool runs_ahead(const struct engine_result *result, const struct engine_incident *incident)
{
    const struct engine_incident *cause = NULL;
    while ((cause = incident_next(result, "named-count-mismatch", cause))) {
        if (cause->supported &&
            linked(result, incident_slots(result, cause)) & incident_slots(result, incident))
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "named-double-arrive", incident))) {
        if (runs_ahead(result, incident))
            continue;
        rule_report_incident(context, result, incident,
                             "%s can come to barrier %lld again before its last use is over",
                             threads_text(&incident->threads), (long long)incident->number[0]);
    }
}

const struct rule rule_named_double_arrive = {
    .id = "named-double-arrive",
    .family = "named",
    .summary = "a warp can arrive twice before a named barrier completes",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1 (bar.arrive)"},
    .check = check,
    .doc =
        {
            .what = "A warp executes bar.arrive and comes to the same barrier again while "
                    "that use of it may still be open: an arrive in a loop that nothing holds "
                    "back, an arrive followed by a wait at the same barrier. A count that is "
                    "one warp larger for that wait is no mistake: nobody is missed then.",
            .why = "The second arrival counts like that of another warp: the barrier opens "
                   "while a warp that it was to wait for is still at work. Whether it "
                   "happens depends on timing.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void stream(const float *in, float *out, int tiles)\n"
                   "{\n"
                   "    __shared__ float tile[64];\n"
                   "    for (int t = 0; t < tiles; ++t) {\n"
                   "        if (threadIdx.x < 64) {\n"
                   "            tile[threadIdx.x] = in[t * 64 + threadIdx.x];\n"
                   "            asm volatile(\"bar.arrive 1, 128;\" ::: \"memory\"); // expect: "
                   "named-double-arrive\n"
                   "        } else {\n"
                   "            asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\n"
                   "            out[t * 64 + threadIdx.x - 64] = tile[127 - threadIdx.x];\n"
                   "        }\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    stream<<<1, 128>>>(in, out, 16);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void stream(const float *in, float *out, int tiles)\n"
                    "{\n"
                    "    __shared__ float tile[64];\n"
                    "    for (int t = 0; t < tiles; ++t) {\n"
                    "        if (threadIdx.x < 64) {\n"
                    "            tile[threadIdx.x] = in[t * 64 + threadIdx.x];\n"
                    "            asm volatile(\"bar.arrive 1, 128;\" ::: \"memory\");\n"
                    "            asm volatile(\"bar.sync 2, 128;\" ::: \"memory\");\n"
                    "        } else {\n"
                    "            asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\n"
                    "            out[t * 64 + threadIdx.x - 64] = tile[127 - threadIdx.x];\n"
                    "            asm volatile(\"bar.sync 2, 128;\" ::: \"memory\");\n"
                    "        }\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    stream<<<1, 128>>>(in, out, 16);\n"
                    "}\n",
            .fix = "Let a second barrier tell the producer that the first one has been used: "
                   "full and empty, as in the document's producer and consumer example.",
            .measured = "on H200: counted twice",
        },
};
