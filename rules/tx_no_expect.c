#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-no-expect", incident)))
        rule_report_incident(context, result, incident,
                             "the bytes of this copy are never announced to '%s'",
                             incident_object(result, incident));
}

const struct rule rule_tx_no_expect = {
    .id = "tx-no-expect",
    .family = "tx",
    .summary = "a copy completes on a barrier to which nobody announces its bytes",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.5", "PTX ISA 9.1, 9.7.13.15.6",
                   "libcu++ barrier_expect_tx"},
    .check = check,
    .doc =
        {
            .what = "A bulk or tensor copy, st.async or red.async completes on an mbarrier, "
                    "and nobody announces its bytes in that phase with expect_tx or "
                    "arrive.expect_tx.",
            .why = "Nothing keeps the phase open for the data: it ends with the last "
                   "arrival, before the copy has landed, and waiters read what was there "
                   "before. If the bytes land first, the transaction count goes below zero "
                   "and the phase never ends.",
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
                   "        cuda::ptx::cp_async_bulk( // expect: tx-no-expect\n"
                   "            cuda::ptx::space_cluster, cuda::ptx::space_global, tile, in, "
                   "sizeof(tile), &full);\n"
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
                    "        cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, "
                    "cuda::ptx::space_global, tile, in,\n"
                    "                                 sizeof(tile), &full);\n"
                    "        cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, "
                    "cuda::ptx::scope_cta,\n"
                    "                                             cuda::ptx::space_shared, &full, "
                    "sizeof(tile));\n"
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
            .fix = "Let the thread that issues the copy arrive with arrive.expect_tx and the "
                   "number of bytes.",
        },
};
