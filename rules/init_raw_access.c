#include "rules/facts.h"
static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-raw-access", incident))) {
        rule_report_incident(
            context, result, incident,
            "ordinary code of %s touches the bytes of '%s', which is a valid barrier",
            threads_text(&incident->threads), incident_object(result, incident));
    }
}

const struct rule rule_init_raw_access = {
    .id = "init-raw-access",
    .family = "init",
    .summary = "ordinary code touches the bytes of a valid barrier",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15", "PTX ISA 9.1, 9.7.13.15.3",
                   "PTX ISA 9.1, 9.7.13.15.10"},
    .check = check,
    .doc =
        {
            .what = "Ordinary loads, stores, atomics or a memset touch the bytes of a barrier "
                    "between its initialisation and its invalidation: a reset by assignment, a "
                    "shared struct cleared as a whole, data laid over it in carved dynamic shared "
                    "memory, a look at its value for debugging.",
            .why = "The format of the 64 bits is the hardware's own. A store destroys the counts, "
                   "so that the phase ends early or never; a load means nothing.",
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
                   "    cuda::ptx::mbarrier_arrive(&stored);\n"
                   "    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) {\n"
                   "    }\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "    __syncthreads();\n"
                   "    if (threadIdx.x == 0)\n"
                   "        stored = 0; // expect: init-raw-access\n"
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
                    "    cuda::ptx::mbarrier_arrive(&stored);\n"
                    "    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) {\n"
                    "    }\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    mirror<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Touch a barrier through mbarrier operations only, keep data and barriers "
                   "apart, and invalidate it before its bytes serve something else.",
        },
};
