#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"
#include "rules/turned.h"

// Whether the parity turns over as it should but for what a bool makes of the number it is read
// from: an even one, which phase-parity-range tells.
static bool is_number_as_bool(const struct engine_result *result,
                              const struct engine_incident *incident)
{
    const struct engine_event *event = incident_event(result, incident);
    struct engine_range parity;
    enum rule_certainty certainty;
    return event && event->model.flags & MODEL_PARITY_BOOL &&
           event_parity_is_wide(result, event, &parity, &certainty);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "phase-parity-flip", incident))) {
        if (is_number_as_bool(result, incident))
            continue;
        const char *name = incident_object(result, incident),
                   *who = threads_text(&incident->threads);
        if (incident->kind == ENGINE_DEADLOCK)
            rule_report_incident(context, result, incident,
                                 "%s {waits|wait} for ever on '%s': the parity {it gives|they "
                                 "give} is that of phase "
                                 "%lld, in progress, and not "
                                 "of the one they need",
                                 who, name, (long long)incident->number[2]);
        else
            rule_report_incident(
                context, result, incident,
                "the parity that %s {waits|wait} for on '%s' does not follow its phases: "
                "the wait passes for a phase "
                "that was over before",
                who, name);
    }
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *object = event_object(result, event);
        struct ir_loc turn;
        if (!turned_on_failure(result, event, &turn))
            continue;
        struct rule_report *report =
            rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                        "where this test of '%s' fails, the parity is turned over before the next: "
                        "that one passes for another phase",
                        object && object->name ? object->name : "the barrier");
        rule_note(report, turn, "it is turned here, whether the phase is over or not");
    }
}

const struct rule rule_phase_parity_flip = {
    .id = "phase-parity-flip",
    .family = "phase",
    .summary = "the parity waited for does not follow the phases of the barrier",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.16 (the phase is the caller's to track)",
                   "CUDA Programming Guide 13, 4.9.4"},
    .check = check,
    .doc =
        {
            .what =
                "The parity that a thread waits for does not turn over once for each completed "
                "phase of that barrier: never turned, turned with every stage of a ring "
                "instead of when the index wraps, turned after a test that failed, shared by two "
                "barriers of different rates, computed from a counter with the wrong "
                "divisor.",
            .why = "A wait for the parity of the phase before the current one passes at once, "
                   "before the data is there; a wait for the wrong phase hangs.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void smooth(float *data, int steps)\n"
                   "{\n"
                   "    __shared__ uint64_t stored;\n"
                   "    __shared__ float line[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(&stored, 128);\n"
                   "    __syncthreads();\n"
                   "    for (int s = 0; s < steps; ++s) {\n"
                   "        line[threadIdx.x] = data[threadIdx.x];\n"
                   "        cuda::ptx::mbarrier_arrive(&stored);\n"
                   "        while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) { // expect: "
                   "phase-parity-flip\n"
                   "        }\n"
                   "        data[threadIdx.x] = 0.5f * (line[threadIdx.x] + line[127 - "
                   "threadIdx.x]);\n"
                   "        __syncthreads();\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    smooth<<<1, 128>>>(data, 8);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void smooth(float *data, int steps)\n"
                    "{\n"
                    "    __shared__ uint64_t stored;\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        cuda::ptx::mbarrier_init(&stored, 128);\n"
                    "    __syncthreads();\n"
                    "    for (int s = 0; s < steps; ++s) {\n"
                    "        line[threadIdx.x] = data[threadIdx.x];\n"
                    "        cuda::ptx::mbarrier_arrive(&stored);\n"
                    "        while (!cuda::ptx::mbarrier_try_wait_parity(&stored, s & 1)) {\n"
                    "        }\n"
                    "        data[threadIdx.x] = 0.5f * (line[threadIdx.x] + line[127 - "
                    "threadIdx.x]);\n"
                    "        __syncthreads();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    smooth<<<1, 128>>>(data, 8);\n"
                    "}\n",
            .fix = "Turn the parity over after each successful wait; with a ring of S stages, when "
                   "the index wraps, or compute it as (i / S) & 1 from the number of the use.",
        },
};
