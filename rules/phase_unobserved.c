#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

// Whether some thread waits on the object, though in another run or another order.
static bool is_waited_for(const struct engine_result *result, uint32_t object)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        enum model_kind kind = event->model.kind;
        if (event->object == object &&
            (kind == MODEL_MBARRIER_TEST || kind == MODEL_MBARRIER_WAIT ||
             kind == MODEL_MBARRIER_ARRIVE_WAIT))
            return true;
    }
    return false;
}

// Whether the other of two arrivals in a row is told, and by default where this one would be.
static bool is_told(const struct engine_result *result, const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, incident->rule, other)) && other != incident) {
        if (other->object == incident->object && other->number[1] == ENGINE_ARRIVALS_AHEAD &&
            other->supported >= incident->supported)
            return true;
    }
    return incident_about(result, "arrive-over", incident->object);
}

// Whether those who arrive tell somebody that nobody asks for: a barrier by which the arrivals at
// another one, which may get ahead of them, were to be held back. phase-parity-lag tells that.
static bool was_to_hold_back(const struct engine_result *result,
                             const struct engine_incident *incident)
{
    const struct engine_incident *lag = NULL;
    while ((lag = incident_next(result, "phase-parity-lag", lag))) {
        if (lag->object != incident->object && lag->supported >= incident->supported &&
            threads_alike(result, &lag->threads, &incident->threads))
            return !is_waited_for(result, incident->object);
    }
    return false;
}

// Whether something else that is wrong with the object is told.
static bool has_other(const struct engine_result *result, const struct engine_incident *incident)
{
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        const struct engine_incident *other = &result->incident[i];
        if (other != incident && other->object == incident->object &&
            other->supported >= incident->supported &&
            (strcmp(other->rule, incident->rule) != 0 || other->number[1] != incident->number[1]))
            return true;
    }
    return false;
}

static void tell_early(struct rule_context *context, const struct engine_result *result,
                       const struct engine_incident *incident)
{
    // Where phases are got ahead of or mistaken, what comes of it is not told again.
    if (!incident_is_supported(result, "phase-parity-lag") &&
        !incident_is_supported(result, "phase-parity-flip") && !has_other(result, incident) &&
        !incident_out_of_step(result, incident))
        rule_report_incident(context, result, incident,
                             "%s may arrive at '%s' once more before the phase before is over: "
                             "that one then ends without others that it is to wait for",
                             threads_text(&incident->threads), incident_object(result, incident));
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "phase-unobserved", incident))) {
        if (incident->number[1] == ENGINE_ARRIVALS_EARLY) {
            tell_early(context, result, incident);
            continue;
        }
        if (is_waited_for(result, incident->object) && !incident->number[1])
            continue; // phase-parity-lag tells it
        if ((incident->number[1] && is_told(result, incident)) ||
            incident_out_of_step(result, incident) || was_to_hold_back(result, incident))
            continue;
        rule_report_incident(
            context, result, incident,
            "%s {arrives|arrive} in a new phase of '%s' and nobody has waited for the one before",
            threads_text(&incident->threads), incident_object(result, incident));
    }
}

const struct rule rule_phase_unobserved = {
    .id = "phase-unobserved",
    .family = "phase",
    .summary = "arrivals for the next phase although nobody has waited for the one before",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.4", "CUDA Programming Guide 13, 4.9.2"},
    .check = check,
    .doc =
        {
            .what = "Threads arrive in a new phase while no thread has had a successful wait for "
                    "the phase before: arrivals in a loop whose tokens are dropped and for which "
                    "nobody else waits either, or two arrivals for each wait. Where somebody else "
                    "waits, and may come too late, phase-parity-lag tells it, but for a thread "
                    "that makes up two phases in a row and waits for nothing; where the second "
                    "arrival is by threads that the count leaves out, init-count-mismatch does. "
                    "And threads come back to a barrier that they do not wait at, with nothing "
                    "that brings them behind the others' arrivals in the phase before: two of "
                    "theirs may make up one phase.",
            .why = "Some thread has to observe the end of a phase before anything arrives in the "
                   "next one. The hardware was seen to count on regardless; nothing promises it.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void rounds(float *data, int count)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> over;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&over, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    for (int i = 0; i < count; ++i) {\n"
                   "        data[i * 128 + threadIdx.x] += 1.0f;\n"
                   "        (void)over.arrive(); // expect: phase-unobserved\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    rounds<<<1, 128>>>(data, 4);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void rounds(float *data, int count)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> over;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&over, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    for (int i = 0; i < count; ++i) {\n"
                    "        data[i * 128 + threadIdx.x] += 1.0f;\n"
                    "        over.arrive_and_wait();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    rounds<<<1, 128>>>(data, 4);\n"
                    "}\n",
            .fix = "Let at least one participant wait for each phase before anybody arrives for "
                   "the next.",
        },
};
