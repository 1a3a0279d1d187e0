#include "base/vec.h"
#include "rules/facts.h"

enum { MOST_ARRIVALS = (1 << 20) - 1 }; // PTX ISA 9.1, 9.7.13.15.2

static void check_operands(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        struct engine_range count;
        enum rule_certainty certainty;
        if (event->model.kind != MODEL_MBARRIER_ARRIVE ||
            !range_known(&event->count, &count, &certainty) ||
            (count.low >= 1 && count.high <= MOST_ARRIVALS))
            continue;
        char text[RANGE_TEXT];
        struct rule_report *report =
            rule_report(context, event->loc, event->chain, certainty,
                        "an arrive counts as %s arrivals; it must be 1 to %d",
                        range_text(&count, text), MOST_ARRIVALS);
        event_must_be_launched(report, event);
    }
}

// Whether those who wait for the barrier, or for another stage of its ring that the same operation
// arrives at, do so from the start as if its first phase were over: they give the buffers back too
// early, and more arrivals come. phase-parity-initial tells.
static bool is_begun_wrong(const struct engine_result *result,
                           const struct engine_incident *incident)
{
    const struct engine_incident *stage = NULL;
    while ((stage = incident_next(result, incident->rule, stage))) {
        if (stage->function == incident->function && stage->op == incident->op &&
            incident_explained(result, "phase-parity-initial", stage))
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    check_operands(context, result);
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "arrive-over", incident))) {
        // A barrier that expects nobody was made so: init-count-range and exit-drop-to-zero tell.
        // Whoever has dropped out of one is too many: exit-drop-then-use tells.
        // Who came here in the round before has nothing that holds it back: phase-parity-lag tells.
        if (incident->number[0] == 0 || incident_out_of_step(result, incident) ||
            (!(incident->surplus & ENGINE_SURPLUS_OF_PHASE) &&
             incident_behind_surplus(result, incident, ENGINE_SURPLUS_OF_ROUNDS)) ||
            incident_about(result, "exit-drop-then-use", incident->object) ||
            is_begun_wrong(result, incident))
            continue;
        rule_report_incident(context, result, incident,
                             "'%s' expects %lld arrival%s in a phase, and more come",
                             incident_object(result, incident), (long long)incident->number[0],
                             plural_s(incident->number[0]));
    }
}

const struct rule rule_arrive_over = {
    .id = "arrive-over",
    .family = "arrive",
    .summary = "a phase of a barrier receives more arrivals than it expects",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.13 (mbarrier.arrive)",
                   "CUDA Programming Guide 13, 5.6.1", "C++ draft, [thread.barrier.class] arrive"},
    .check = check,
    .doc =
        {
            .what = "More arrivals come to a barrier in one phase than it expects: an arrive "
                    "with a count above what is still pending, a thread that arrives twice "
                    "before it waits, a count that is zero, negative or above 1048575.",
            .why = "The surplus arrivals take the pending count below zero. A converged warp "
                   "does so in one step and the device aborts the kernel with a launch "
                   "failure; lanes that come one by one complete the phase early and count "
                   "for the next one, so that waiters go on while others are still at work. "
                   "The assembler refuses a constant count of zero only.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void gather(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ uint64_t ready;\n"
                   "    __shared__ float tile[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(&ready, 128);\n"
                   "    __syncthreads();\n"
                   "    tile[threadIdx.x] = in[threadIdx.x];\n"
                   "    cuda::ptx::mbarrier_arrive(&ready, 128); // expect: arrive-over\n"
                   "    while (!cuda::ptx::mbarrier_try_wait_parity(&ready, 0)) {\n"
                   "    }\n"
                   "    out[threadIdx.x] = tile[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    gather<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void gather(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ uint64_t ready;\n"
                    "    __shared__ float tile[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        cuda::ptx::mbarrier_init(&ready, 128);\n"
                    "    __syncthreads();\n"
                    "    tile[threadIdx.x] = in[threadIdx.x];\n"
                    "    __syncwarp();\n"
                    "    if (threadIdx.x % 32 == 0)\n"
                    "        cuda::ptx::mbarrier_arrive(&ready, 32);\n"
                    "    while (!cuda::ptx::mbarrier_try_wait_parity(&ready, 0)) {\n"
                    "    }\n"
                    "    out[threadIdx.x] = tile[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    gather<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Let exactly the expected number of arrivals come in each phase.",
        },
};
