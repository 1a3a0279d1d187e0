#include <string.h>

#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-proxy-fence", incident))) {
        const char *object = incident_object(result, incident);
        rule_report_incident(context, result, incident,
                             "no fence.proxy.async comes between the stores to '%.*s' and this "
                             "store from it",
                             (int)strcspn(object, "["), object);
    }
}

const struct rule rule_tx_proxy_fence = {
    .id = "tx-proxy-fence",
    .family = "tx",
    .summary = "a bulk store reads ordinary stores that no proxy fence made known",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.9.25", "PTX ISA 9.1, 9.7.13.4",
                   "CUDA Programming Guide 13, 4.11 (TMA examples)"},
    .check = check,
    .doc =
        {
            .what = "Shared memory that threads wrote with ordinary stores is the source of a "
                    "bulk or tensor store, and neither the writers after their stores nor the "
                    "issuing thread execute fence.proxy.async.",
            .why = "Bulk stores read shared memory through the asynchronous proxy. A barrier "
                   "orders the threads, not the proxies: the store may read what was there "
                   "before.",
            .bad = "#include <cuda/ptx>\n"
                   "\n"
                   "namespace ptx = cuda::ptx;\n"
                   "\n"
                   "__global__ void square(const int *in, int *out)\n"
                   "{\n"
                   "    __shared__ alignas(16) int line[128];\n"
                   "    line[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x];\n"
                   "    __syncthreads();\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        ptx::cp_async_bulk( // expect: tx-proxy-fence\n"
                   "            ptx::space_global, ptx::space_shared, out, line, sizeof(line));\n"
                   "        ptx::cp_async_bulk_commit_group();\n"
                   "        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    square<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda/ptx>\n"
                    "\n"
                    "namespace ptx = cuda::ptx;\n"
                    "\n"
                    "__global__ void square(const int *in, int *out)\n"
                    "{\n"
                    "    __shared__ alignas(16) int line[128];\n"
                    "    line[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x];\n"
                    "    ptx::fence_proxy_async(ptx::space_shared);\n"
                    "    __syncthreads();\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, line, "
                    "sizeof(line));\n"
                    "        ptx::cp_async_bulk_commit_group();\n"
                    "        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out)\n"
                    "{\n"
                    "    square<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Let every writer execute fence.proxy.async after its stores, before the "
                   "barrier.",
        },
};
