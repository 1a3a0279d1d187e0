#include "base/vec.h"
#include "rules/facts.h"

// Whether the threads have stored what those who wait at the barrier may read: to their own block's
// memory, or to that of the block they arrive at.
static bool stores_before(const struct engine_event *event)
{
    return event->model.kind == MODEL_MBARRIER_ARRIVE &&
           (event->wrote || (event->remote && event->wrote_remote));
}

static const struct engine_event *storing_arrive(const struct engine_result *result,
                                                 uint32_t object)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object == object && stores_before(event))
            return event;
    }
    return NULL;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *object = event_object(result, event);
        if (!(event->model.flags & MODEL_RELAXED) || !object)
            continue;
        if (stores_before(event)) {
            rule_report(context, event->loc, event->chain, RULE_POSSIBLE,
                        "%s {arrives|arrive} at '%s' with a relaxed operation, which publishes "
                        "nothing of what was stored to shared memory before",
                        event_threads(event), object->name);
        } else if (event->model.kind == MODEL_MBARRIER_TEST ||
                   event->model.kind == MODEL_MBARRIER_WAIT) {
            const struct engine_event *arrive = storing_arrive(result, event->object);
            if (!arrive)
                continue;
            struct rule_report *report =
                rule_report(context, event->loc, event->chain, RULE_POSSIBLE,
                            "%s {waits|wait} for '%s' with a relaxed operation, which shows "
                            "nothing of what the "
                            "arriving threads stored",
                            event_threads(event), object->name);
            rule_note(report, arrive->loc, "%s {arrives|arrive} here after stores to shared memory",
                      event_threads(arrive));
        }
    }
}

const struct rule rule_phase_order = {
    .id = "phase-order",
    .family = "phase",
    .summary = "data goes through a phase whose arrival or wait orders no memory",
    .level = RULE_WARNING,
    .reach = RULE_POSSIBLE,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.13", "PTX ISA 9.1, 9.7.13.15.16",
                   "PTX ISA 9.1, 8.8 (release and acquire patterns)"},
    .check = check,
    .doc =
        {
            .what =
                "Shared memory is exchanged through a phase whose arrive or wait is relaxed: the "
                "arriving threads have stored to it since they last released, with no fence before "
                "the relaxed arrive (__syncwarp() tells the warp of its stores, and nobody else, "
                "so that one lane may not tell the others of them by a relaxed arrive); or threads "
                "store, arrive, and a relaxed wait follows. Data "
                "touched between a thread's own arrive and its wait is not looked at yet.",
            .why = "A relaxed arrival counts and publishes nothing; a relaxed wait comes back and "
                   "shows nothing. What the others stored before may become visible later, or on "
                   "the next architecture.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ uint64_t stored;\n"
                   "    __shared__ float line[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(&stored, 128);\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&stored));\n"
                   "    asm volatile(\"mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];\" "
                   "::\"r\"(at) : \"memory\"); // expect: phase-order\n"
                   "    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) {\n"
                   "    }\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    mirror<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void mirror(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ uint64_t stored;\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        cuda::ptx::mbarrier_init(&stored, 128);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&stored));\n"
                    "    asm volatile(\"mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];\" "
                    "::\"r\"(at) : \"memory\");\n"
                    "    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) {\n"
                    "    }\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    mirror<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Leave the arrive its default, release, and the wait its default, acquire; or "
                   "put fences around them.",
            .limit =
                "Whether the waiting threads read just what was stored is followed as far as the "
                "bytes that a warp stores before it arrives are known, and not for other blocks.",
        },
};
