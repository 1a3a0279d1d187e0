#include "barlint/semantics.h"
#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"

// Whether the barrier is another one's number gone round: named-id-range tells it.
static bool is_gone_round(const struct engine_result *result, int64_t slot)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_range *id = &result->event[i].id;
        // The greatest number of the range that comes to the slot.
        int64_t number = id->high - ((id->high - slot) & (BARLINT_NAMED_SLOTS - 1));
        if (event_is_named(&result->event[i]) && id->given && id->known && number >= id->low &&
            number >= BARLINT_NAMED_SLOTS)
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "named-id-conflict", incident))) {
        long long slot = (long long)incident->number[0];
        if (is_gone_round(result, slot))
            continue;
        long long count =
            (long long)(incident->number[1] ? incident->number[1] : incident->number[2]);
        struct rule_report *report =
            rule_report_incident(context, result, incident,
                                 "barrier %lld serves %lld threads and the whole block at the same "
                                 "time%s",
                                 slot, count, slot == 0 ? ": __syncthreads() is barrier 0" : "");
        fix_named_slot(report, result, slot);
    }
}

const struct rule rule_named_id_conflict = {
    .id = "named-id-conflict",
    .family = "named",
    .summary = "one barrier serves the whole block and a counted group at the same time",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1", "CUDA Programming Guide 13, 5.4.4.1"},
    .check = check,
    .doc =
        {
            .what = "One named barrier is used with a thread count while other threads use it "
                    "for the whole block. Barrier 0 is the one behind __syncthreads(), "
                    "block.sync() and what is built on them. Uses that cannot meet in time "
                    "are left alone: code that lets some warps leave first and then counts "
                    "the rest on barrier 0 is common.",
            .why = "The two uses complete each other: warps that wait for the whole block go "
                   "on with the arrivals of the group, or the counts meet in one use and the "
                   "device aborts the kernel.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void fold(float *data)\n"
                   "{\n"
                   "    __shared__ float tile[128];\n"
                   "    tile[threadIdx.x] = data[threadIdx.x];\n"
                   "    if (threadIdx.x < 64) {\n"
                   "        asm volatile(\"bar.sync 0, 64;\" ::: \"memory\");\n"
                   "        data[threadIdx.x] = tile[63 - threadIdx.x];\n"
                   "    }\n"
                   "    __syncthreads(); // expect: named-id-conflict\n"
                   "    data[threadIdx.x] += tile[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    fold<<<1, 128>>>(data);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void fold(float *data)\n"
                    "{\n"
                    "    __shared__ float tile[128];\n"
                    "    tile[threadIdx.x] = data[threadIdx.x];\n"
                    "    if (threadIdx.x < 64) {\n"
                    "        asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");\n"
                    "        data[threadIdx.x] = tile[63 - threadIdx.x];\n"
                    "    }\n"
                    "    __syncthreads();\n"
                    "    data[threadIdx.x] += tile[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    fold<<<1, 128>>>(data);\n"
                    "}\n",
            .fix = "Leave barrier 0 to __syncthreads() and name the others in one place, an "
                   "enum for instance.",
        },
};
