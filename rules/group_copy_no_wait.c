#include <string.h>

#include "barlint/semantics.h"
#include "base/vec.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    // A way that was not walked may have the wait, unless the kernel has none.
    bool unwalked = result->statistics.cut_short && result->statistics.awaits_copies;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (!event_is_never_awaited(event) || event_tracked_too_early(result, event))
            continue;
        bool by_group = event->model.kind == MODEL_GROUP_COPY;
        struct rule_report *report = rule_report(
            context, event->loc, event->chain,
            unwalked ? RULE_POSSIBLE : RULE_CERTAIN,
            "%s {starts|start} this copy and never {waits|wait} for it%s", event_threads(event),
            by_group ? ": cg::wait() of the group is missing" : "");
        if (unwalked)
            rule_pedantic(report);
        const struct engine_incident *use = copy_used_early(result, event->function, event->op);
        if (use)
            rule_note(report, use->loc, "%s %s the data here", threads_text(&use->threads),
                      use->number[0] ? "{overwrites|overwrite}" : "{reads|read}");
    }
}

const struct rule rule_group_copy_no_wait = {
    .id = "group-copy-no-wait",
    .family = "group",
    .summary = "an asynchronous copy that nobody ever waits for",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 5.6.3 (memcpy_async)",
                   "CUDA Programming Guide 13, 5.6.2", "PTX ISA 9.1, 9.7.9.25"},
    .check = check,
    .doc =
        {
            .what = "A copy that its threads have to wait for themselves (cp.async, "
                    "__pipeline_memcpy_async, cooperative_groups::memcpy_async) is "
                    "started, and no wait on any way to the end of the kernel covers "
                    "it: cg::wait or wait_prior, cp.async.wait_group or wait_all, "
                    "__pipeline_wait_prior, or an arrival that makes an mbarrier track "
                    "it. Copies that are waited for too late are told by tx-read-early, "
                    "waits that leave too much open by pipe-unbalanced.",
            .why = "The instruction returns at once. Whoever reads the destination "
                   "sees what was there before, or a part of the data, and no barrier "
                   "changes that: barriers do not wait for these copies.",
            .bad = "#include <cooperative_groups.h>\n"
                   "#include <cooperative_groups/memcpy_async.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void reverse(const int *in, int *out)\n"
                   "{\n"
                   "    __shared__ alignas(16) int line[128];\n"
                   "    auto block = cg::this_thread_block();\n"
                   "    cg::memcpy_async(block, line, in + blockIdx.x * 128, sizeof(line)); // "
                   "expect: group-copy-no-wait\n"
                   "    block.sync();\n"
                   "    out[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    reverse<<<8, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "#include <cooperative_groups/memcpy_async.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void reverse(const int *in, int *out)\n"
                    "{\n"
                    "    __shared__ alignas(16) int line[128];\n"
                    "    auto block = cg::this_thread_block();\n"
                    "    cg::memcpy_async(block, line, in + blockIdx.x * 128, sizeof(line));\n"
                    "    cg::wait(block);\n"
                    "    out[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out)\n"
                    "{\n"
                    "    reverse<<<8, 128>>>(in, out);\n"
                    "}\n",
            .fix = "cg::wait(group), which is a barrier of the group as well; or a "
                   "wait of the copying threads and a barrier before others read.",
        },
};
