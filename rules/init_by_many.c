#include "base/vec.h"
#include "rules/facts.h"

// Whether the engine has told of the operation on that object.
static bool is_told(const struct engine_result *result, const struct engine_event *event)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-by-many", incident))) {
        if (incident->function == event->function && incident->op == event->op &&
            incident->object == event->object)
            return true;
    }
    return false;
}

// Lanes of one warp that initialise one object at once.
static void tell_lanes(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind != MODEL_MBARRIER_INIT || event->most_at_once < 2 ||
            event->object >= arrlenu(result->object) || !result->object[event->object].exact ||
            result->object[event->object].is_own || is_told(result, event))
            continue;
        struct rule_report *report = rule_report(
            context, event->loc, event->chain, RULE_POSSIBLE,
            "'%s' is initialised by %s at once: one thread alone may do it, though the hardware "
            "writes the same of the lanes of one warp once",
            result->object[event->object].name, threads_text(&event->threads));
        rule_pedantic(report);
    }
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-by-many", incident))) {
        rule_report_incident(context, result, incident,
                             "'%s' is initialised by %s; one thread alone may do it",
                             incident_object(result, incident), threads_text(&incident->threads));
    }
    tell_lanes(context, result);
}

const struct rule rule_init_by_many = {
    .id = "init-by-many",
    .family = "init",
    .summary = "more than one thread initialises one barrier",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.9 (initialising a valid object is undefined)",
                   "CUDA Programming Guide 13, 4.9.1"},
    .check = check,
    .doc =
        {
            .what = "More than one thread executes the initialisation of one barrier: no test for "
                    "a single thread stands before it, or a test that several threads pass "
                    "(threadIdx.x == 0 in a two-dimensional block, elect.sync in every warp). "
                    "Lanes of one warp that execute the same initialisation are told of with "
                    "--pedantic alone: the hardware writes it once, and libraries rely on that.",
            .why = "The second initialisation meets a valid object, which is undefined: arrivals "
                   "made between the two are lost and the phase never ends.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                   "    __shared__ float line[128];\n"
                   "    init(&stored, blockDim.x); // expect: init-by-many\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    stored.arrive_and_wait();\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    mirror<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void mirror(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                    "    __shared__ float line[128];\n"
                    "    if (cooperative_groups::this_thread_block().thread_rank() == 0)\n"
                    "        init(&stored, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    stored.arrive_and_wait();\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    mirror<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Let one thread do it, chosen by its linear rank in the block.",
        },
};
