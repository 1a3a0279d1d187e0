#include <string.h>

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
static void check(struct rule_context *context, const struct engine_result *result)
{
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
                    "reaches a shared barrier that no thread has initialised on that path. A "
                    "declaration does not initialise: nvcc runs no constructor of a shared "
                    "variable; and neither do zeroes.",
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
