#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-late-expect", incident)))
        rule_report_incident(context, result, incident,
                             incident->number[2] == ENGINE_ANNOUNCED_APART
                                 ? "nothing keeps the arrivals at '%s' from ending the phase "
                                   "before these bytes are announced"
                                 : "bytes are announced to '%s' after the last arrival of their "
                                   "phase",
                             incident_object(result, incident));
}

const struct rule rule_tx_late_expect = {
    .id = "tx-late-expect",
    .family = "tx",
    .summary = "bytes are announced after the phase they belong to can have ended",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.6", "PTX ISA 9.1, 9.7.13.15.11",
                   "PTX ISA 9.1, 9.7.13.15.13"},
    .check = check,
    .doc =
        {
            .what = "A thread arrives at an mbarrier first and announces the bytes of its "
                    "copy to the same phase afterwards: the arrival may be the last one, and "
                    "the phase ends without the data. So it may where all arrivals of the phase "
                    "are made by threads that nothing tells of the announcement.",
            .why = "The waiters go on before the copy has landed, and the late announcement "
                   "burdens the next phase, which then does not end with its arrivals.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void reverse(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ alignas(16) float tile[128];\n"
                   "    __shared__ uint64_t full;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(&full, 1);\n"
                   "    __syncthreads();\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        cuda::ptx::mbarrier_arrive(&full);\n"
                   "        cuda::ptx::mbarrier_expect_tx( // expect: tx-late-expect\n"
                   "            cuda::ptx::sem_relaxed, cuda::ptx::scope_cta, "
                   "cuda::ptx::space_shared, &full,\n"
                   "            sizeof(tile));\n"
                   "        cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, "
                   "cuda::ptx::space_global, tile, in,\n"
                   "                                 sizeof(tile), &full);\n"
                   "    }\n"
                   "    while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0)) {\n"
                   "    }\n"
                   "    out[threadIdx.x] = tile[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    reverse<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void reverse(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ alignas(16) float tile[128];\n"
                    "    __shared__ uint64_t full;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        cuda::ptx::mbarrier_init(&full, 1);\n"
                    "    __syncthreads();\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        cuda::ptx::mbarrier_expect_tx(cuda::ptx::sem_relaxed, "
                    "cuda::ptx::scope_cta,\n"
                    "                                      cuda::ptx::space_shared, &full, "
                    "sizeof(tile));\n"
                    "        cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, "
                    "cuda::ptx::space_global, tile, in,\n"
                    "                                 sizeof(tile), &full);\n"
                    "        cuda::ptx::mbarrier_arrive(&full);\n"
                    "    }\n"
                    "    while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0)) {\n"
                    "    }\n"
                    "    out[threadIdx.x] = tile[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    reverse<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Announce before the arrival of the same thread, or with it in one "
                   "arrive.expect_tx.",
        },
};
