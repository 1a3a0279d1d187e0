#include "rules/facts.h"
#include "rules/number.h"

static void offer_parity(struct rule_report *report, const struct engine_result *result,
                         const struct engine_incident *incident, unsigned right)
{
    const struct engine_event *event = incident_event(result, incident);
    if (!event || event->model.parity == IR_NONE)
        return;
    struct rule_fix *fix = rule_fix(report, false, "wait for parity %u", right);
    fix_number(fix, number_place(result, event->function, event->model.parity, event->chain),
               !right, right);
}

// Whether the parity of the same wait goes wrong in more than its start, which is told then.
static bool is_flipped_wrong(const struct engine_result *result,
                             const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, "phase-parity-flip", other))) {
        if (other->function == incident->function && other->op == incident->op &&
            other->supported >= incident->supported)
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "phase-parity-initial", incident))) {
        const char *name = incident_object(result, incident),
                   *who = threads_text(&incident->threads);
        if (is_flipped_wrong(result, incident) || incident_of_new_life(result, incident) ||
            incident_behind_surplus(result, incident, ENGINE_SURPLUS_OF_PHASE))
            continue;
        bool is_free = incident->kind == ENGINE_DEADLOCK && incident->number[2] == 0;
        struct rule_report *report;
        if (is_free)
            report = rule_report_incident(
                context, result, incident,
                "%s {waits|wait} for the first phase of '%s', which nobody can end before "
                "they go on: a barrier of "
                "free buffers is first waited for with parity 1",
                who, name);
        else if (incident->kind == ENGINE_VIOLATION && incident->number[0])
            report = rule_report_incident(
                context, result, incident,
                "%s {waits|wait} for parity 1 of '%s', which a fresh barrier lets pass, "
                "and read data that are only there when its first phase is over",
                who, name);
        else
            report = rule_report_incident(
                context, result, incident,
                "the first wait of %s on '%s' is for parity 1: it passes before "
                "the first phase is over, and "
                "hangs after it",
                who, name);
        offer_parity(report, result, incident, is_free ? 1 : 0);
    }
}

const struct rule rule_phase_parity_initial = {
    .id = "phase-parity-initial",
    .family = "phase",
    .summary = "the first wait by parity starts with the wrong parity",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.9", "PTX ISA 9.1, 9.7.13.15.16",
                   "CUDA Programming Guide 13, 4.9.4", "CUDA Programming Guide 13, 4.9.7"},
    .check = check,
    .doc =
        {
            .what = "The first wait on a fresh barrier has the wrong parity: 1 where the first "
                    "phase is meant, which is what who waits for data or for everybody needs; or 0 "
                    "on a barrier of free buffers, whose first phase only ends when somebody has "
                    "used one, and for which nobody arrives beforehand.",
            .why = "A fresh barrier is in phase 0, and the phase before it counts as over. A wait "
                   "for parity 1 passes at once as long as phase 0 lasts, with no data there, and "
                   "hangs when phase 0 was quicker. A producer that waits for parity 0 of a fresh "
                   "empty barrier waits for a consumer that waits for it.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "// Warp 0 fills a buffer that warp 1 empties.\n"
                   "__global__ void hand_over(const float *in, float *out, int rounds)\n"
                   "{\n"
                   "    __shared__ uint64_t full, empty;\n"
                   "    __shared__ float buffer[32];\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        cuda::ptx::mbarrier_init(&full, 32);\n"
                   "        cuda::ptx::mbarrier_init(&empty, 32);\n"
                   "    }\n"
                   "    __syncthreads();\n"
                   "    const int lane = threadIdx.x % 32;\n"
                   "    for (int i = 0; i < rounds; ++i) {\n"
                   "        if (threadIdx.x < 32) {\n"
                   "            while (!cuda::ptx::mbarrier_try_wait_parity( // expect: "
                   "phase-parity-initial\n"
                   "                &empty, i & 1)) {\n"
                   "            }\n"
                   "            buffer[lane] = in[i * 32 + lane];\n"
                   "            cuda::ptx::mbarrier_arrive(&full);\n"
                   "        } else {\n"
                   "            while (!cuda::ptx::mbarrier_try_wait_parity(&full, i & 1)) {\n"
                   "            }\n"
                   "            out[i * 32 + lane] = buffer[31 - lane];\n"
                   "            cuda::ptx::mbarrier_arrive(&empty);\n"
                   "        }\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out, int rounds)\n"
                   "{\n"
                   "    hand_over<<<1, 64>>>(in, out, rounds);\n"
                   "}\n",
            .good =
                "#include <cstdint>\n"
                "#include <cuda/ptx>\n"
                "\n"
                "// Warp 0 fills a buffer that warp 1 empties.\n"
                "__global__ void hand_over(const float *in, float *out, int rounds)\n"
                "{\n"
                "    __shared__ uint64_t full, empty;\n"
                "    __shared__ float buffer[32];\n"
                "    if (threadIdx.x == 0) {\n"
                "        cuda::ptx::mbarrier_init(&full, 32);\n"
                "        cuda::ptx::mbarrier_init(&empty, 32);\n"
                "    }\n"
                "    __syncthreads();\n"
                "    const int lane = threadIdx.x % 32;\n"
                "    for (int i = 0; i < rounds; ++i) {\n"
                "        if (threadIdx.x < 32) {\n"
                "            while (!cuda::ptx::mbarrier_try_wait_parity(&empty, (i & 1) ^ 1)) {\n"
                "            }\n"
                "            buffer[lane] = in[i * 32 + lane];\n"
                "            cuda::ptx::mbarrier_arrive(&full);\n"
                "        } else {\n"
                "            while (!cuda::ptx::mbarrier_try_wait_parity(&full, i & 1)) {\n"
                "            }\n"
                "            out[i * 32 + lane] = buffer[31 - lane];\n"
                "            cuda::ptx::mbarrier_arrive(&empty);\n"
                "        }\n"
                "    }\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out, int rounds)\n"
                "{\n"
                "    hand_over<<<1, 64>>>(in, out, rounds);\n"
                "}\n",
            .fix = "Who waits for data starts with parity 0; who waits for a buffer that is free "
                   "at the start begins with 1, or lets somebody arrive beforehand.",
        },
};
