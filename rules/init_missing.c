#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

// Used before it was initialised in one order of the threads, and initialised all the same: that
// story is told by init-no-sync.
static bool initialised_too_late(const struct engine_result *result,
                                 const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, "init-no-sync", other))) {
        if (other->object == incident->object)
            return true;
    }
    return false;
}

// Whether the kernel initialises the object, or one that may be it.
static bool is_initialised(const struct engine_result *result, const struct engine_object *object)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *other = event_object(result, event);
        if (event->model.kind == MODEL_MBARRIER_INIT &&
            (!other || (other->is_own && (other == object || !other->exact))))
            return true;
    }
    return false;
}

// A barrier of the library among the variables of a thread: no machine follows it, and nobody else
// can have initialised it. Its end is no use, as that of one that was never needed is none.
static void check_own(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *object = event_object(result, event);
        if (!object || !object->is_own || !object->exact ||
            !(event->model.flags & MODEL_LIBRARY_OBJECT) ||
            event->model.kind == MODEL_MBARRIER_INVAL || event->model.kind == MODEL_NOTHING ||
            is_initialised(result, object))
            continue;
        struct rule_report *report =
            rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                        "'%s' is used by %s and was never initialised: each thread has its own",
                        object->name, threads_text(&event->threads));
        if (object->loc.file != 0)
            rule_note(report, object->loc, "'%s' is declared here, without __shared__",
                      object->name);
        return;
    }
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    check_own(context, result);
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-missing", incident))) {
        // What follows the first use of an object is the same mistake.
        if (incident_repeats(result, incident) || initialised_too_late(result, incident))
            continue;
        rule_report_incident(context, result, incident,
                             "'%s' is used by %s and was never initialised",
                             incident_object(result, incident), threads_text(&incident->threads));
    }
}

const struct rule rule_init_missing = {
    .id = "init-missing",
    .family = "init",
    .summary = "a barrier is used that nobody has initialised",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15", "PTX ISA 9.1, 9.7.13.15.3",
                   "CUDA Programming Guide 13, 4.9.1"},
    .check = check,
    .doc =
        {
            .what = "An arrival, a wait, an announcement of bytes, a drop or an asynchronous copy "
                    "reaches a shared barrier that no thread has initialised on that path, or a "
                    "local one that its thread never initialises. A declaration does not "
                    "initialise: nvcc runs no constructor of a shared variable, and that of a "
                    "cuda::barrier without a count leaves it as it is; and neither do zeroes.",
            .why = "The barrier's 64 bits hold whatever was in shared memory. On the device the "
                   "first arrival aborts the kernel with a launch failure; a wait answers by the "
                   "garbage it finds, at once or never.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                   "    __shared__ float line[128];\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    stored.arrive_and_wait(); // expect: init-missing\n"
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
            .fix = "Let one thread initialise the barrier, put a block barrier behind it, then use "
                   "it. Of an array initialise every element.",
        },
};
