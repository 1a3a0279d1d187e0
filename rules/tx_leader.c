#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-leader", incident))) {
        const char *name = incident_object(result, incident);
        bool copies = event_copies(result, incident);
        rule_report_incident(
            context, result, incident,
            incident->number[2]
                ? "%s {copies|each copy} the same bytes, which one thread should do alone, and "
                  "'%s' is told of each copy"
            : copies ? "%s {issues|issue} this copy to '%s', which was announced once only"
                     : "%s {announces|announce} bytes to '%s', which one thread should do alone",
            threads_text(&incident->threads), name);
    }
}

const struct rule rule_tx_leader = {
    .id = "tx-leader",
    .family = "tx",
    .summary = "several threads announce or issue what one of them should",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.13", "CUDA Programming Guide 13, 4.9"},
    .check = check,
    .doc =
        {
            .what = "The announcement of a phase (arrive.expect_tx) is executed by more "
                    "threads than the mbarrier counts, or the copy by several threads and the "
                    "announcement by one: the guard that elects one thread is missing, stands "
                    "before one of the two calls only, or elects one lane in each of several "
                    "warps. Where all of that agrees, several threads that copy to the same bytes "
                    "at once are told all the same.",
            .why = "Each thread announces, or copies, everything. The transaction count no "
                   "longer comes to zero, so that the phase never ends; arrivals above the "
                   "expected count abort the kernel. Copies that are all announced write the same "
                   "bytes in no order, and cost as much as all of them.",
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
                   "    cuda::ptx::mbarrier_arrive_expect_tx( // expect: tx-leader\n"
                   "        cuda::ptx::sem_release, cuda::ptx::scope_cta, cuda::ptx::space_shared, "
                   "&full,\n"
                   "        sizeof(tile));\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, "
                   "cuda::ptx::space_global, tile, in,\n"
                   "                                 sizeof(tile), &full);\n"
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
                    "        cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, "
                    "cuda::ptx::scope_cta,\n"
                    "                                             cuda::ptx::space_shared, &full, "
                    "sizeof(tile));\n"
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
            .fix = "Let one elected thread of the block do both, under one condition.",
        },
};
