#include "base/vec.h"
#include "rules/facts.h"

// Where the object is initialised: a reader has to add the barrier there.
static const struct engine_event *initialisation(const struct engine_result *result,
                                                 uint32_t object)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind == MODEL_MBARRIER_INIT && event->object == object)
            return event;
    }
    return NULL;
}
static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-no-sync", incident))) {
        if (incident_repeats(result, incident))
            continue;
        const char *name = incident_object(result, incident);
        const struct engine_event *init = initialisation(result, incident->object);
        if (!init || init->op == incident->op) {
            rule_report_incident(
                context, result, incident,
                "'%s' is initialised after other threads may have used it, with no barrier between",
                name);
            continue;
        }
        struct engine_incident at = *incident;
        at.loc = init->loc;
        at.chain = at.loc_chain = init->chain;
        struct rule_report *report =
            rule_report_incident(context, result, &at,
                                 "'%s' is initialised by %s, and no barrier makes that known to "
                                 "other threads before they use it",
                                 name, event_threads(init));
        rule_note(report, incident->loc, "%s may get here before the initialisation",
                  threads_text(&incident->threads));
    }
}

const struct rule rule_init_no_sync = {
    .id = "init-no-sync",
    .family = "init",
    .summary = "other threads may use a barrier before its initialisation is known to them",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .check = check,
    .doc =
        {
            .what = "A thread other than the initialising one may use the barrier, and no barrier "
                    "of the block (or of the warp, when both threads are in it) lies between the "
                    "initialisation and that use on every path. A fence makes nobody wait.",
            .why = "The other warps may get there first: their arrivals act on memory that is no "
                   "barrier yet and abort the kernel, or are lost when the initialisation comes "
                   "after them, and the block hangs. With luck of timing it runs for years.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                   "    __shared__ float line[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&stored, blockDim.x); // expect: init-no-sync\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    stored.arrive_and_wait();\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    mirror<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void mirror(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x == 0)\n"
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
            .fix = "Put __syncthreads(), block.sync() or, for other blocks of a cluster, a cluster "
                   "barrier behind the initialisation.",
            .source = "Programming Guide 13, 4.9.1; PTX ISA 9.1, 9.7.13.15.9 and its examples",
        },
};
