#include "base/vec.h"
#include "rules/facts.h"

// Whether those who do not come wait for ever with a token that is none for what they wait for,
// which another rule tells.
static bool is_for_a_token(const struct engine_result *result,
                           const struct engine_incident *incident)
{
    static const char *const rule[] = {"phase-token-invalid", "phase-foreign-token",
                                       "phase-stale-token"};
    for (size_t i = 0; i < sizeof rule / sizeof *rule; ++i) {
        const struct engine_incident *cause = NULL;
        while ((cause = incident_next(result, rule[i], cause))) {
            if (cause->supported >= incident->supported &&
                threads_alike(result, &cause->threads, &incident->missing))
                return true;
        }
    }
    return false;
}

// How many of them are in the first warp.
static uint32_t count_in_a_warp(const struct engine_threads *threads)
{
    uint32_t within = 0;
    for (uint32_t i = 0; i < 32 && threads->mask; ++i)
        within += threads->mask[0] >> i & 1;
    return within;
}

static bool has_beyond_a_warp(const struct engine_threads *threads)
{
    return threads->count > count_in_a_warp(threads);
}

// Whether the kernel may be made for blocks of one warp: the first one alone does all that concerns
// barriers and lanes, in a block that is guessed.
static bool may_be_of_a_warp(const struct engine_result *result)
{
    if (result->shape.source != ENGINE_SHAPE_GUESS)
        return false;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        if (has_beyond_a_warp(&result->event[i].threads))
            return false;
    }
    return true;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const bool small = may_be_of_a_warp(result);
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "sync-divergent", incident))) {
        bool skipped = incident->kind == ENGINE_SKIPPED;
        if (skipped && incident->number[1] != 0)
            continue; // a loop: sync-divergent-loop
        if (!skipped && is_for_a_token(result, incident))
            continue;
        const char *missing = threads_text(&incident->missing);
        struct rule_report *report;
        if (skipped)
            report = rule_report_incident(
                context, result, incident,
                "%s {comes|come} to this barrier of the whole block and %s {passes|pass} it by: it "
                "then pairs with a later barrier, or waits until they have ended",
                threads_text(&incident->threads), missing);
        else
            report = rule_report_incident(
                context, result, incident,
                "%s {waits|wait} at this barrier of the whole block for %s, which never "
                "{comes|come}",
                threads_text(&incident->threads), missing);
        if (skipped && small && !has_beyond_a_warp(&incident->threads) &&
            count_in_a_warp(&incident->missing) == 0)
            rule_pedantic(report);
    }
}

const struct rule rule_sync_divergent = {
    .id = "sync-divergent",
    .family = "syncthreads",
    .summary = "a block barrier stands under a condition that differs between threads",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA C++ Guidelines 3.0.1, 1.14 (synchronize.active_threads)",
                   "CUDA Programming Guide 13, 5.4.4.1", "CUDA Programming Guide 13, 5.6.3",
                   "PTX ISA 9.1, 9.7.13.1"},
    .check = check,
    .doc =
        {
            .what = "__syncthreads(), its voting forms, block.sync() or another barrier of "
                    "the whole block is reached under a condition that differs between live "
                    "threads of the block: an if or a switch, the conditional operator, && "
                    "and ||, a continue, or a call under such a condition. Threads that have "
                    "left the kernel do not count (exit-before-sync); ways with a barrier "
                    "each are told by sync-two-sites, loops by sync-divergent-loop.",
            .why = "The behaviour is undefined. On current devices the barrier counts "
                   "whoever comes: threads that passed it by arrive at their next barrier "
                   "instead, and from then on the two halves of the block are one barrier "
                   "apart, silently reading what is not yet written. Where no later barrier "
                   "comes, the kernel may end as if nothing had happened; where the others "
                   "wait for data of those who sleep, it hangs. A finding is certain where "
                   "the threads part by their number alone or in every way the kernel can "
                   "run; with data barlint says what it assumes.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void smooth(float *data, const int *mask)\n"
                   "{\n"
                   "    __shared__ float tile[128];\n"
                   "    if (mask[threadIdx.x] > 0) {\n"
                   "        tile[threadIdx.x] = data[threadIdx.x];\n"
                   "        __syncthreads(); // expect: sync-divergent\n"
                   "        data[threadIdx.x] = tile[127 - threadIdx.x];\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *data, const int *mask)\n"
                   "{\n"
                   "    smooth<<<1, 128>>>(data, mask);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void smooth(float *data, const int *mask)\n"
                    "{\n"
                    "    __shared__ float tile[128];\n"
                    "    if (mask[threadIdx.x] > 0)\n"
                    "        tile[threadIdx.x] = data[threadIdx.x];\n"
                    "    __syncthreads();\n"
                    "    if (mask[threadIdx.x] > 0)\n"
                    "        data[threadIdx.x] = tile[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data, const int *mask)\n"
                    "{\n"
                    "    smooth<<<1, 128>>>(data, mask);\n"
                    "}\n",
            .fix = "Take the barrier out of the condition and guard the work before and "
                   "after it, or make the condition the same for all threads with "
                   "__syncthreads_or().",
        },
};
