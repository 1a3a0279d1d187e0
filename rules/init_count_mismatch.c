#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"

// Which threads come is not the program's choice where the number of the warp in hardware decides.
static void check_hardware(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (!event->hardware.file || !event_is_mbarrier(event))
            continue;
        const struct engine_object *object = event_object(result, event);
        rule_note(rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                              "which warps use '%s', the number of the warp in hardware decides, "
                              "which is not counted within the block and may change",
                              object && object->name ? object->name : "the barrier"),
                  event->hardware, "%%warpid is asked for here");
    }
}

// Whether nobody comes at all, where threads hang for the sake of a parity, or in a circle of
// named barriers: those who would come.
static bool is_held_up(const struct engine_result *result, const struct engine_incident *incident)
{
    if (incident->number[0] != incident->number[1])
        return false;
    const struct engine_incident *cause = NULL;
    while ((cause = incident_next(result, "phase-parity-flip", cause))) {
        if (cause->kind == ENGINE_DEADLOCK && cause->supported >= incident->supported &&
            cause->object != incident->object)
            return true;
    }
    while ((cause = incident_next(result, "named-order-cycle", cause))) {
        if (cause->supported >= incident->supported)
            return true;
    }
    return false;
}

// Whether nobody comes at all, as those who would wait for the first phase of a free buffer; or as
// the arrivals go to another stage of the same ring, where they are too many.
static bool is_for_a_stage(const struct engine_result *result,
                           const struct engine_incident *incident)
{
    if (incident->number[0] != incident->number[1])
        return false;
    const struct engine_incident *over = NULL;
    while ((over = incident_next(result, "arrive-over", over))) {
        if (over->supported >= incident->supported && incident_of_ring(result, over, incident))
            return true;
    }
    return incident_explained(result, "phase-parity-initial", incident);
}

// Whether what is counted is no number to count to: init-count-range tells it.
static bool is_out_of_range(const struct engine_result *result,
                            const struct engine_incident *incident)
{
    const struct engine_event *init = incident_initialisation(result, incident);
    int64_t least, most;
    if (!init || !init->count.given || !init->count.known)
        return false;
    event_count_limits(result, init, &least, &most);
    return init->count.low < least || init->count.high > most;
}

// Whether those who are too many have no business there: they have dropped out of the barrier, or
// wait at it though it belongs to another block.
static bool is_by_strangers(const struct engine_result *result,
                            const struct engine_incident *incident)
{
    return incident_explained(result, "exit-drop-then-use", incident) ||
           incident_explained(result, "phase-wait-remote", incident);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-count-mismatch", incident))) {
        if (is_out_of_range(result, incident))
            continue;
        const char *name = incident_object(result, incident);
        // Threads that come twice to a phase leave others over.
        if (incident->kind != ENGINE_DEADLOCK &&
            (incident_about(result, "arrive-over", incident->object) ||
             is_by_strangers(result, incident) || incident_out_of_step(result, incident)))
            continue;
        if (incident->kind == ENGINE_DEADLOCK &&
            (is_held_up(result, incident) || is_for_a_stage(result, incident)))
            continue;
        if (incident->kind == ENGINE_DEADLOCK) {
            int64_t expected = incident->number[0], come = expected - incident->number[1];
            struct rule_report *report = rule_report_incident(
                context, result, incident,
                "'%s' expects %lld arrival%s in a phase and %lld %s: %s {waits|wait} for ever",
                name, (long long)expected, plural_s(expected), (long long)come,
                come == 1 ? "comes" : "come", threads_text(&incident->threads));
            // Where an earlier phase was complete, the count was right for it.
            if (incident->number[2] == 0)
                fix_expected_count(report, result, incident, expected, come);
        } else {
            rule_report_incident(context, result, incident,
                                 "'%s' expects %lld arrival%s in a phase and more come: it ends "
                                 "before all have arrived",
                                 name, (long long)incident->number[0],
                                 plural_s(incident->number[0]));
        }
    }
    check_hardware(context, result);
}

const struct rule rule_init_count_mismatch = {
    .id = "init-count-mismatch",
    .family = "init",
    .summary = "the expected count of a barrier is not the number of arrivals of a phase",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 4.9.1", "PTX ISA 9.1, 9.7.13.15.6"},
    .check = check,
    .doc =
        {
            .what = "The arrivals that a full phase receives differ from the expected count given "
                    "to init. Arrivals are counted, not threads: an arrive with a count, and an "
                    "arrival made by an asynchronous copy, count as such. Where the threads that "
                    "do not arrive are kept away by data, arrive-divergent tells it; where the two "
                    "numbers differ by the factor 32, arrive-granularity does. Reported as well: "
                    "threads "
                    "that %warpid picks, whose number in a phase nobody can know.",
            .why = "With a count too large the phase never ends and every waiter hangs. With a "
                   "count too small it ends while participants are still at work, and their late "
                   "arrivals count for the next phase.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void halves(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                   "    __shared__ float line[64];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&stored, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    if (threadIdx.x < 64) {\n"
                   "        line[threadIdx.x] = in[threadIdx.x];\n"
                   "        stored.arrive_and_wait(); // expect: init-count-mismatch\n"
                   "        out[threadIdx.x] = line[63 - threadIdx.x];\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    halves<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void halves(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                    "    __shared__ float line[64];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&stored, 64);\n"
                    "    __syncthreads();\n"
                    "    if (threadIdx.x < 64) {\n"
                    "        line[threadIdx.x] = in[threadIdx.x];\n"
                    "        stored.arrive_and_wait();\n"
                    "        out[threadIdx.x] = line[63 - threadIdx.x];\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    halves<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Give init the number of arrivals of one phase.",
        },
};
