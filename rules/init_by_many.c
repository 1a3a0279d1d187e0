#include "rules/facts.h"
static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-by-many", incident))) {
        rule_report_incident(context, result, incident,
                             "'%s' is initialised by %s; one thread alone may do it",
                             incident_object(result, incident), threads_text(&incident->threads));
    }
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
                    "(threadIdx.x == 0 in a two-dimensional block, elect.sync in every warp). All "
                    "lanes of one warp executing the same initialisation are let pass: the "
                    "hardware writes it once, and libraries rely on that.",
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
