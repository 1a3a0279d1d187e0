#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"

enum { WARP = 32 };

// Whether enough come to the barrier where warps arrive there without waiting: one that comes
// again, to wait, is counted twice.
static bool is_made_up(const struct engine_result *result, const struct engine_event *at,
                       int64_t count)
{
    int64_t threads = 0;
    bool arrives = false;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        bool meets = event->id.known && at->id.known && event->id.low <= at->id.high &&
                     at->id.low <= event->id.high;
        if (!event_is_named(event) || !meets)
            continue;
        threads += ((int64_t)event->threads.count + WARP - 1) / WARP * WARP;
        arrives |= event->model.kind == MODEL_NAMED_ARRIVE;
    }
    return arrives && threads >= count;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const int64_t *block = result->shape.block;
    int64_t threads = block[0] * block[1] * block[2];
    int64_t whole = (threads + WARP - 1) / WARP * WARP;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        struct engine_range count;
        enum rule_certainty certainty;
        if (!event_is_named(event) || !range_known(&event->count, &count, &certainty) ||
            count.high <= whole || event->model.flags & MODEL_UNITS_UNKNOWN)
            continue;
        if (is_made_up(result, event, count.high))
            continue;
        struct rule_report *report = rule_report(
            context, event->loc, event->chain, event->launched ? certainty : RULE_POSSIBLE,
            "a named barrier wants %lld threads, but the block has %lld: it never completes",
            (long long)count.high, (long long)threads);
        // What a block of a guessed size lacks, the real one may have.
        if (result->shape.source == ENGINE_SHAPE_GUESS)
            rule_pedantic(report);
        event_must_be_launched(report, event);
        if (event->id.known && event->id.low == event->id.high)
            fix_named_count(report, result, event->id.low);
    }
}

const struct rule rule_named_count_block = {
    .id = "named-count-block",
    .family = "named",
    .summary = "a named barrier wants more threads than the block has",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1"},
    .check = check,
    .doc =
        {
            .what = "The thread count of a named barrier is larger than the block, rounded up "
                    "to whole warps, at some launch or under the bounds that the kernel "
                    "declares. Where neither a launch nor an attribute tells the size of the "
                    "block, it is told with --pedantic only. Where warps arrive without "
                    "waiting, one of them may come twice and is counted twice.",
            .why = "As many threads cannot arrive. Whoever waits hangs; the assembler "
                   "accepts any count, and compute-sanitizer hangs with the kernel.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void reverse(float *data)\n"
                   "{\n"
                   "    __shared__ float tile[128];\n"
                   "    tile[threadIdx.x] = data[threadIdx.x];\n"
                   "    asm volatile(\"bar.sync 1, 256;\" ::: \"memory\"); // expect: "
                   "named-count-block\n"
                   "    data[threadIdx.x] = tile[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    reverse<<<1, 128>>>(data);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void reverse(float *data)\n"
                    "{\n"
                    "    __shared__ float tile[128];\n"
                    "    tile[threadIdx.x] = data[threadIdx.x];\n"
                    "    asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\n"
                    "    data[threadIdx.x] = tile[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    reverse<<<1, 128>>>(data);\n"
                    "}\n",
            .fix = "Derive the count from the constant that the launch uses.",
            .measured = "on H200: hangs",
        },
};
