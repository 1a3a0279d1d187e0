#include "rules/facts.h"
static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-reinit-live", incident))) {
        rule_report_incident(context, result, incident,
                             "'%s' is initialised again by %s while it is still valid",
                             incident_object(result, incident), threads_text(&incident->threads));
    }
}

const struct rule rule_init_reinit_live = {
    .id = "init-reinit-live",
    .family = "init",
    .summary = "a barrier is initialised while it is still valid",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.3", "PTX ISA 9.1, 9.7.13.15.9"},
    .check = check,
    .doc =
        {
            .what = "An initialisation reaches a barrier that was initialised before and has not "
                    "been invalidated since: in a loop over tiles, in a helper that is called "
                    "twice, with another count for another part of the kernel.",
            .why = "Initialising a valid object is undefined. A barrier resets itself at the end "
                   "of each phase; a second init throws away arrivals and announced bytes, and "
                   "sets the parity back to 0 under threads that still wait.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void tiles(const float *in, float *out, int count)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                   "    __shared__ float line[128];\n"
                   "    for (int i = 0; i < count; ++i) {\n"
                   "        if (threadIdx.x == 0)\n"
                   "            init(&stored, blockDim.x); // expect: init-reinit-live\n"
                   "        __syncthreads();\n"
                   "        line[threadIdx.x] = in[i * 128 + threadIdx.x];\n"
                   "        stored.arrive_and_wait();\n"
                   "        out[i * 128 + threadIdx.x] = line[127 - threadIdx.x];\n"
                   "        __syncthreads();\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    tiles<<<1, 128>>>(in, out, 4);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void tiles(const float *in, float *out, int count)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&stored, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    for (int i = 0; i < count; ++i) {\n"
                    "        line[threadIdx.x] = in[i * 128 + threadIdx.x];\n"
                    "        stored.arrive_and_wait();\n"
                    "        out[i * 128 + threadIdx.x] = line[127 - threadIdx.x];\n"
                    "        __syncthreads();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    tiles<<<1, 128>>>(in, out, 4);\n"
                    "}\n",
            .fix = "Initialise once, before the loop. Where the count must change: a barrier for "
                   "all threads, one thread invalidates (or destroys), a barrier, one thread "
                   "initialises, a barrier.",
        },
};
