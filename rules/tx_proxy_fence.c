#include <string.h>

#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-proxy-fence", incident))) {
        // Where not even the threads are ordered, a barrier comes first.
        if (incident_at_same(result, "sync-missing", incident))
            continue;
        const char *object = incident_object(result, incident);
        int length = (int)strcspn(object, "[");
        // The memory model is content with the issuing thread's fence, the documents are not.
        struct engine_incident told = *incident;
        told.certain &= incident->number[0] != ENGINE_READ_BY_FENCED_STORE;
        if (incident->number[0] == ENGINE_READ_BY_MATRIX)
            rule_report_incident(context, result, &told,
                                 "no fence.proxy.async comes between the stores to '%.*s' and this "
                                 "multiplication, which reads it",
                                 length, object);
        else if (incident->number[0] == ENGINE_READ_BY_STORE)
            rule_report_incident(context, result, &told,
                                 "no fence.proxy.async comes between the stores to '%.*s' and this "
                                 "bulk copy from it",
                                 length, object);
        else
            rule_report_incident(context, result, &told,
                                 "the issuing thread fences for all who stored to '%.*s': each of "
                                 "them should, before the barrier",
                                 length, object);
    }
}

const struct rule rule_tx_proxy_fence = {
    .id = "tx-proxy-fence",
    .family = "tx",
    .summary =
        "a bulk copy or a multiplication reads ordinary stores that no proxy fence made known",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.9.25", "PTX ISA 9.1, 9.7.13.4",
                   "PTX ISA 9.1, 9.7.15.5.1, 9.7.16.6", "PTX ISA 9.1, 8.9 (proxy fences)",
                   "CUDA Programming Guide 13, 4.11 (TMA examples)"},
    .check = check,
    .doc =
        {
            .what = "Shared memory that threads wrote with ordinary stores is the source of a "
                    "bulk or tensor store or of a bulk copy to another block, or a matrix that "
                    "wgmma or tcgen05.mma reads by its "
                    "descriptor, and no fence.proxy.async stands on the way: neither do "
                    "the writers execute one after their stores, nor the reading thread after the "
                    "barrier that hands the data over. A finding is possible only where the "
                    "thread that issues a store fences behind that barrier in place of the "
                    "writers: the memory model is content with a fence anywhere on the way, while "
                    "the Programming Guide has every writer fence before the barrier, as "
                    "libraries do.",
            .why = "Bulk stores and multiplications read shared memory through the asynchronous "
                   "proxy. A "
                   "barrier orders the threads, not the proxies: what was there before may be "
                   "read.",
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
