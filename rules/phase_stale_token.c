#include "rules/facts.h"

// Whether more arrivals come to the object than a phase expects.
static bool is_miscounted(const struct engine_result *result, uint32_t object)
{
    static const char *const rule[] = {"init-count-mismatch", "arrive-over", "arrive-granularity"};
    for (size_t r = 0; r < sizeof rule / sizeof *rule; ++r) {
        const struct engine_incident *other = NULL;
        while ((other = incident_next(result, rule[r], other))) {
            if (other->object == object && other->kind == ENGINE_VIOLATION)
                return true;
        }
    }
    return false;
}
static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "phase-stale-token", incident))) {
        if (incident->kind == ENGINE_DEADLOCK && incident_repeats(result, incident))
            continue; // the wait that hangs was told before
        if (is_miscounted(result, incident->object))
            continue; // phases end that nobody meant
        if (incident_explained(result, "init-reinit-live", incident))
            continue; // phases begin anew
        rule_report_incident(context, result, incident,
                             "%s {waits|wait} on '%s' with a token of a phase before the last one",
                             threads_text(&incident->threads), incident_object(result, incident));
    }
}

const struct rule rule_phase_stale_token = {
    .id = "phase-stale-token",
    .family = "phase",
    .summary = "a wait uses a token of a phase that is long over",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.16", "CUDA Programming Guide 13, 5.6.1"},
    .check = check,
    .doc =
        {
            .what = "A wait or test uses a token of a phase older than the one before the current: "
                    "kept over iterations, saved for a stage that has gone through more phases "
                    "since, taken once before a loop.",
            .why = "The hardware knows one bit of the phase. An old token is taken for one of the "
                   "current or of the preceding phase: the wait blocks for a phase that nobody "
                   "completes, or passes before the data is there.",
            .bad = "#include <cuda/barrier>\n"
                   "#include <utility>\n"
                   "\n"
                   "__global__ void steps(float *data, int count)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&step, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    auto first = step.arrive();\n"
                   "    for (int i = 0; i < count; ++i) {\n"
                   "        data[i * 128 + threadIdx.x] += 1.0f;\n"
                   "        auto token = first;\n"
                   "        step.wait(std::move(token)); // expect: phase-stale-token\n"
                   "        (void)step.arrive();\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    steps<<<1, 128>>>(data, 4);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "#include <utility>\n"
                    "\n"
                    "__global__ void steps(float *data, int count)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&step, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    for (int i = 0; i < count; ++i) {\n"
                    "        auto token = step.arrive();\n"
                    "        data[i * 128 + threadIdx.x] += 1.0f;\n"
                    "        step.wait(std::move(token));\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    steps<<<1, 128>>>(data, 4);\n"
                    "}\n",
            .fix = "Wait with the token of the current or just finished phase, in the iteration "
                   "that made it.",
        },
};
