#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"

enum { WARP = 32 };

static bool is_wrong(int64_t count, const struct engine_event *event)
{
    // Zero threads: the documents ask for a number of threads other than zero of an arrive only.
    if (count == 0)
        return event->model.kind == MODEL_NAMED_ARRIVE;
    if (count < 0)
        return true;
    // Where the unit of the count is not agreed upon, only what is wrong in both units is wrong.
    return !(event->model.flags & MODEL_UNITS_UNKNOWN) && count % WARP != 0;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        struct engine_range known;
        enum rule_certainty certainty;
        if (!event_is_named(event) || !range_known(&event->count, &known, &certainty))
            continue;
        bool low = is_wrong(known.low, event), high = is_wrong(known.high, event);
        if (!low && !high)
            continue;
        int64_t count = low ? known.low : known.high;
        struct rule_report *report =
            rule_report(context, event->loc, event->chain, certainty,
                        "the thread count of a named barrier is %lld, which is not a positive "
                        "multiple of the warp size",
                        (long long)count);
        event_must_be_launched(report, event);
        if (count > 0)
            rule_note(report, event->loc,
                      "warps arrive as a whole, 32 threads each: %lld would be right for %lld "
                      "warps",
                      (long long)((count + WARP - 1) / WARP * WARP),
                      (long long)((count + WARP - 1) / WARP));
        if (count > 0 && event->id.known && event->id.low == event->id.high)
            fix_named_count(report, result, event->id.low);
    }
}

const struct rule rule_named_count_multiple = {
    .id = "named-count-multiple",
    .family = "named",
    .summary = "a named barrier's thread count is not a positive multiple of 32",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1 (bar, barrier)"},
    .check = check,
    .doc =
        {
            .what = "The thread count of a named barrier can be negative, not a multiple of 32, or "
                    "zero for an arrive. Counts computed from the size of the block are taken from "
                    "the launches.",
            .why = "A named barrier counts whole warps. The assembler refuses a wrong constant; a "
                   "wrong register makes the device trap with an illegal instruction, and the "
                   "kernel is lost.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__device__ void sync_first(int threads)\n"
                   "{\n"
                   "    asm volatile(\"bar.sync 1, %0;\" ::\"r\"(threads) : \"memory\");\n"
                   "}\n"
                   "\n"
                   "__global__ void halve(float *data)\n"
                   "{\n"
                   "    int half = blockDim.x / 2; // 48\n"
                   "    if (threadIdx.x < half) {\n"
                   "        data[threadIdx.x] *= 0.5f;\n"
                   "        sync_first(half); // expect: named-count-multiple\n"
                   "        data[threadIdx.x] += 0.5f * data[threadIdx.x];\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    halve<<<8, 96>>>(data);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__device__ void sync_first(int threads)\n"
                    "{\n"
                    "    asm volatile(\"bar.sync 1, %0;\" ::\"r\"(threads) : \"memory\");\n"
                    "}\n"
                    "\n"
                    "__global__ void halve(float *data)\n"
                    "{\n"
                    "    int half = (blockDim.x / 2 + 31) & ~31; // 64: whole warps\n"
                    "    if (threadIdx.x < half) {\n"
                    "        data[threadIdx.x] *= 0.5f;\n"
                    "        sync_first(half);\n"
                    "        data[threadIdx.x] += 0.5f * data[threadIdx.x];\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    halve<<<8, 96>>>(data);\n"
                    "}\n",
            .fix = "Round the count up to whole warps and let whole warps take part.",
        },
};
