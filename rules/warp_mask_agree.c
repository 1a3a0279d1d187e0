#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"

// Whether a shuffle that takes a mask reads from lanes that the block does not have. Of one
// without, which no current device has, port-removed-api tells.
static bool reads_absent(const struct engine_result *result, const struct engine_event *event)
{
    const struct ir_unit *unit = result->unit;
    const struct ir_op *op = ir_op_at(&unit->function[event->function], event->op);
    bool removed = event->model.mask == IR_NONE && op->code == IR_CALL &&
                   !strstr(unit->function[op->imm].lookup, "::");
    return event->model.kind == MODEL_WARP_SHUFFLE && event->reads_absent && !removed;
}

// Whether it is told of one further up in the same function: the block is what is wrong with both.
static bool is_told_above(const struct engine_result *result, const struct engine_event *event)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *other = &result->event[i];
        if (other->function == event->function && other->chain == event->chain &&
            other->loc.file == event->loc.file &&
            (other->loc.line < event->loc.line ||
             (other->loc.line == event->loc.line && other->loc.column < event->loc.column)) &&
            reads_absent(result, other))
            return true;
    }
    return false;
}

// The last warp of the block is smaller than the mask says.
static void check_absent(struct rule_context *context, const struct engine_result *result)
{
    const int64_t *block = result->shape.block;
    int64_t threads = block[0] * block[1] * block[2];
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (reads_absent(result, event) && !is_told_above(result, event))
            rule_report(context, event->loc, event->chain, RULE_POSSIBLE,
                        "a block of %lld thread%s has %lld lane%s in its last warp, and this "
                        "operation reads from others",
                        (long long)threads, plural_s(threads), (long long)(threads % 32),
                        plural_s(threads % 32));
    }
}

// Whether lanes that the mask does not name execute the operation: with them in the mask, what is
// read from them is defined, and warp-mask-self says so. A mask that is made for smaller blocks may
// be right, and is left to this rule.
static bool is_told_of_mask(const struct engine_result *result, const struct engine_event *event)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "warp-mask-self", incident))) {
        if (!incident->number[2] && memcmp(&incident->loc, &event->loc, sizeof event->loc) == 0)
            return true;
    }
    return false;
}

static void check_unnamed(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        if (result->event[i].model.kind == MODEL_ACTIVE_MASK)
            return; // warp-activemask
    }
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind == MODEL_WARP_SHUFFLE && event->reads_unnamed &&
            !is_told_of_mask(result, event))
            rule_report(context, event->loc, event->chain, RULE_POSSIBLE,
                        "lanes that the mask of this operation names read from lanes that it does "
                        "not name: what they get is not defined");
    }
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    check_absent(context, result);
    check_unnamed(context, result);
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "warp-mask-agree", incident))) {
        // Where lanes outside the mask execute it, warp-mask-self tells about the mask.
        if (incident_at_same(result, "warp-mask-self", incident))
            continue;
        struct rule_report *report = rule_report_incident(
            context, result, incident,
            "the mask of this operation, executed by %s, names %s too, which {lives|live} "
            "and {does|do} not come to it",
            threads_text(&incident->threads), threads_text(&incident->missing));
        fix_mask(report, result, incident);
    }
}

const struct rule rule_warp_mask_agree = {
    .id = "warp-mask-agree",
    .family = "warp",
    .summary = "a lane that the mask of a warp operation names does not come to it",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA C++ Guidelines 3.0.1, 2.1 (collective.warp.participants.active)",
                   "CUDA C++ Guidelines 3.0.1, 2.4 (collective.warp.in_convergence)",
                   "PTX ISA 9.1, 9.7.13.2", "PTX ISA 9.1, 9.7.9.6",
                   "CUDA Programming Guide 13, 5.4.6.6"},
    .check = check,
    .doc =
        {
            .what = "The mask of __syncwarp(), a shuffle, a vote, a match or a "
                    "reduction names a lane that is still alive, and that lane "
                    "goes another way: the operation stands under a condition "
                    "that parts the warp, or in a loop that lanes leave at "
                    "different rounds. An operation of the same kind with the "
                    "same mask on the other way makes up for it; lanes that have "
                    "left the kernel are not waited for. Or a shuffle reads from lanes that "
                    "the block does not have, as its last warp is not a whole one, or that "
                    "the mask does not name, and the lanes go on with what they get.",
            .why = "Since Volta the lanes of a warp that took different ways run "
                   "apart. The operation waits for the lanes of its mask, or "
                   "exchanges data with lanes that are not there: it hangs, or "
                   "yields what nobody put there. Where the compiler happens to "
                   "bring the lanes together, it seems to work.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void pairs(float *data)\n"
                   "{\n"
                   "    const int lane = threadIdx.x % 32;\n"
                   "    float value = data[threadIdx.x];\n"
                   "    if (lane < 16)\n"
                   "        value += __shfl_down_sync(0xffffffff, value, 16); // expect: "
                   "warp-mask-agree\n"
                   "    data[threadIdx.x] = value;\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    pairs<<<1, 128>>>(data);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void pairs(float *data)\n"
                    "{\n"
                    "    const int lane = threadIdx.x % 32;\n"
                    "    float value = data[threadIdx.x];\n"
                    "    const float other = __shfl_down_sync(0xffffffff, value, 16);\n"
                    "    if (lane < 16)\n"
                    "        value += other;\n"
                    "    data[threadIdx.x] = value;\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    pairs<<<1, 128>>>(data);\n"
                    "}\n",
            .fix = "Let all lanes execute the operation and guard what is done "
                   "with its result, or ask __ballot_sync() for the lanes that "
                   "go the way, before the condition, and name those.",
            .measured = "on H200: hangs while the other lanes live, ends when they have exited",
        },
};
