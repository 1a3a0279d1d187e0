#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"

enum { NAMED_BARRIERS = 16 }; // a block, PTX ISA 9.1, 9.7.13.1

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        char text[RANGE_TEXT];
        struct engine_range id;
        enum rule_certainty certainty;
        if (!event_is_named(event) || !range_known(&event->id, &id, &certainty) ||
            (id.low >= 0 && id.high < NAMED_BARRIERS))
            continue;
        struct rule_report *report =
            rule_report(context, event->loc, event->chain, certainty,
                        "named barrier %s does not exist: a block has 16, numbered 0 to 15",
                        range_text(&id, text));
        event_must_be_launched(report, event);
        if (id.low != id.high)
            rule_note(report, event->loc, "the number differs between %s", event_threads(event));
        if (id.low == id.high)
            fix_named_slot(report, result, id.low);
        if (id.high >= NAMED_BARRIERS)
            rule_note(report, event->loc,
                      "the hardware takes the number modulo 16 and says nothing, so that barrier "
                      "%lld meets the users of barrier %lld",
                      (long long)id.high, (long long)(id.high % NAMED_BARRIERS));
    }
}

const struct rule rule_named_id_range = {
    .id = "named-id-range",
    .family = "named",
    .summary = "a named barrier's number is outside 0 to 15",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1 (bar, barrier)"},
    .check = check,
    .doc =
        {
            .what =
                "The number of a named barrier (bar.sync, bar.arrive, bar.red, barrier.cta.*, "
                "__barrier_sync and what is built on them) can be outside 0 to 15. The value is "
                "followed through wrappers, template arguments and arithmetic on thread numbers.",
            .why =
                "A block has 16 named barriers. The assembler refuses a constant that is too "
                "large, but nothing checks a register: on the device, number 16 + k is barrier k, "
                "so two groups that should not know of each other share one barrier and release "
                "each other early.",
            .bad =
                "#include <cuda_runtime.h>\n"
                "\n"
                "__device__ void group_sync(int id, int threads)\n"
                "{\n"
                "    asm volatile(\"bar.sync %0, %1;\" ::\"r\"(id), \"r\"(threads) : \"memory\");\n"
                "}\n"
                "\n"
                "__global__ void scale_rows(float *rows)\n"
                "{\n"
                "    int warp = threadIdx.x / 32; // 0 to 31\n"
                "    rows[threadIdx.x] *= 2.0f;\n"
                "    group_sync(1 + warp, 32); // expect: named-id-range\n"
                "    rows[threadIdx.x] += rows[threadIdx.x ^ 1];\n"
                "}\n"
                "\n"
                "void launch(float *rows)\n"
                "{\n"
                "    scale_rows<<<1, 1024>>>(rows);\n"
                "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__device__ void group_sync(int id, int threads)\n"
                    "{\n"
                    "    asm volatile(\"bar.sync %0, %1;\" ::\"r\"(id), \"r\"(threads) : "
                    "\"memory\");\n"
                    "}\n"
                    "\n"
                    "__global__ void scale_rows(float *rows)\n"
                    "{\n"
                    "    int group = threadIdx.x / 128; // 0 to 7\n"
                    "    rows[threadIdx.x] *= 2.0f;\n"
                    "    group_sync(1 + group, 128);\n"
                    "    rows[threadIdx.x] += rows[threadIdx.x ^ 1];\n"
                    "}\n"
                    "\n"
                    "void launch(float *rows)\n"
                    "{\n"
                    "    scale_rows<<<1, 1024>>>(rows);\n"
                    "}\n",
            .fix = "Bound the number: give larger groups one barrier each, use __syncwarp() where "
                   "the group is a warp, or an array of mbarriers, which has no such limit.",
        },
};
