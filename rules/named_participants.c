#include "barlint/semantics.h"
#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"

// Which warps come is not the program's choice where the number of the hardware decides.
static void check_hardware(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        bool counts = event->model.count != IR_NONE || event->model.count_constant > 0;
        if (!event->hardware.file || !counts || !event_is_named(event))
            continue;
        rule_note(rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                              "which warps come to the barrier, the number of the warp in hardware "
                              "decides, which is not counted within the block and may change"),
                  event->hardware, "%%warpid is asked for here");
    }
}

// Whether the same absence holds threads up at another wait for the same barrier, where it is told:
// that behind the innermost of the conditions which keep the missing threads away, the last one.
static bool is_told_elsewhere(const struct engine_result *result,
                              const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, incident->rule, other))) {
        bool same = other->kind == ENGINE_DEADLOCK && other->number[0] == incident->number[0] &&
                    other->number[1] == incident->number[1] &&
                    threads_alike(result, &other->missing, &incident->missing);
        if (other != incident && same && other->supported >= incident->supported &&
            (ir_loc_before(&incident->branch, &other->branch) ||
             (!ir_loc_before(&other->branch, &incident->branch) && other < incident)))
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "named-participants", incident))) {
        long long slot = (long long)incident->number[0];
        if (incident_behind_arrivals(result, incident, UINT32_C(1) << slot))
            continue;
        // Who waits in a circle comes as soon as that is open: named-order-cycle tells.
        if (incident->kind == ENGINE_DEADLOCK &&
            (incident_at_same(result, "named-order-cycle", incident) ||
             is_told_elsewhere(result, incident)))
            continue;
        long long count = (long long)incident->number[1];
        if (incident->kind != ENGINE_DEADLOCK && incident->branch.file)
            rule_report_incident(context, result, incident,
                                 "barrier %lld counts %lld threads, and two groups come to it that "
                                 "nothing keeps apart: one may go on with the arrivals of the "
                                 "other",
                                 slot, count);
        else if (incident->kind != ENGINE_DEADLOCK)
            rule_report_incident(
                context, result, incident,
                "barrier %lld counts %lld threads, and %s {comes|come} to it together: "
                "one group may go on with the arrivals of another",
                slot, count, threads_text(&incident->threads));
        else
            fix_named_count(rule_report_incident(
                                context, result, incident,
                                "barrier %lld counts %lld threads, and %lld of them never come: "
                                "%s {waits|wait} for ever",
                                slot, count, (long long)incident->number[2] * 32,
                                threads_text(&incident->threads)),
                            result, slot);
    }
    check_hardware(context, result);
}

const struct rule rule_named_participants = {
    .id = "named-participants",
    .family = "named",
    .summary = "the warps that come to a named barrier are not as many as it counts",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1"},
    .check = check,
    .doc =
        {
            .what = "The warps that execute a named barrier, in all roles together and "
                    "arrivals included, are fewer or more than its thread count says. All "
                    "roles are counted before anything is said: a count that is larger than "
                    "one branch has threads is right when another role arrives. Which warps "
                    "come is not the program's choice where the number of the warp in hardware "
                    "(%warpid) decides it, which counts the warps of a multiprocessor and may "
                    "change: such roles are reported whatever the count.",
            .why = "With too few, those who wait hang. With too many, the first count / 32 "
                   "warps complete the barrier and the others begin the next use of it, "
                   "silently: the data that the barrier was to protect is read before it is "
                   "written.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void fold(float *data)\n"
                   "{\n"
                   "    __shared__ float tile[64];\n"
                   "    if (threadIdx.x < 64) {\n"
                   "        tile[threadIdx.x] = data[threadIdx.x];\n"
                   "        asm volatile(\"bar.sync 1, 128;\" ::: \"memory\"); // expect: "
                   "named-participants\n"
                   "        data[threadIdx.x] = tile[63 - threadIdx.x];\n"
                   "    }\n"
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
                    "    __shared__ float tile[64];\n"
                    "    if (threadIdx.x < 64) {\n"
                    "        tile[threadIdx.x] = data[threadIdx.x];\n"
                    "        asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");\n"
                    "        data[threadIdx.x] = tile[63 - threadIdx.x];\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    fold<<<1, 128>>>(data);\n"
                    "}\n",
            .fix = "Give the number of threads of all warps that wait or arrive.",
            .measured = "on H200: too few hang, too many are silent",
        },
};
