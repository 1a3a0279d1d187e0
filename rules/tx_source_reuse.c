#include <string.h>

#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-source-reuse", incident))) {
        const char *object = incident_object(result, incident);
        if (incident->violation == BARLINT_ASYNC_UNCOMMITTED)
            rule_report_incident(
                context, result, incident,
                "%s {waits|wait} for bulk stores that are not committed to a group",
                threads_text(&incident->threads));
        else if (incident->number[0] != ENGINE_READ_BY_STORE &&
                 incident->number[0] != ENGINE_READ_BY_MATRIX)
            rule_report_incident(context, result, incident,
                                 "%s {writes|write} to '%s' while an asynchronous copy may still "
                                 "read there",
                                 threads_text(&incident->threads), object);
        else
            rule_report_incident(
                context, result, incident,
                "%s {overwrites|overwrite} '%.*s' while a %s may still read it",
                threads_text(&incident->threads), (int)strcspn(object, "["), object,
                incident->number[0] == ENGINE_READ_BY_MATRIX ? "wgmma" : "bulk store");
    }
}

const struct rule rule_tx_source_reuse = {
    .id = "tx-source-reuse",
    .family = "tx",
    .summary = "the source of an asynchronous copy is written before it has been read",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.9.25", "PTX ISA 9.1, 9.7.9.27.2"},
    .check = check,
    .doc =
        {
            .what = "Shared memory from which a bulk or tensor store reads is overwritten, by "
                    "ordinary stores or by another copy, before the thread that issued the "
                    "store has committed it to a group and waited for that group (wait_group or "
                    "wait_group.read); or by other threads without a barrier after that wait. "
                    "The same of a matrix that wgmma.mma_async reads, until wgmma.wait_group. "
                    "Or the source of a copy to another block of the cluster is overwritten by "
                    "threads that do not know of the phase which that copy completes, over "
                    "there. Or a thread waits while its stores are not committed. Or a thread "
                    "stores to, or changes atomically, what a cp.async of its own "
                    "(__pipeline_memcpy_async, memcpy_async) is to read, before it has waited "
                    "for that copy.",
            .why = "The store runs on beside the thread and only that thread can wait for "
                   "it, group by group. A wait without a commit, or in another thread, waits "
                   "for nothing: the store sends what is written later.",
            .bad = "#include <cuda/ptx>\n"
                   "\n"
                   "namespace ptx = cuda::ptx;\n"
                   "\n"
                   "// Each row is made in shared memory and sent out while the next one is made.\n"
                   "__global__ void rows(const int *in, int *out, int count)\n"
                   "{\n"
                   "    __shared__ alignas(16) int line[64];\n"
                   "    for (int row = 0; row < count; ++row) {\n"
                   "        line[threadIdx.x] = in[threadIdx.x] + row; // expect: tx-source-reuse\n"
                   "        ptx::fence_proxy_async(ptx::space_shared);\n"
                   "        __syncthreads();\n"
                   "        if (threadIdx.x == 0) {\n"
                   "            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + row "
                   "* 64, line,\n"
                   "                               sizeof(line));\n"
                   "            ptx::cp_async_bulk_commit_group();\n"
                   "        }\n"
                   "        __syncthreads();\n"
                   "    }\n"
                   "    if (threadIdx.x == 0)\n"
                   "        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    rows<<<1, 64>>>(in, out, 3);\n"
                   "}\n",
            .good =
                "#include <cuda/ptx>\n"
                "\n"
                "namespace ptx = cuda::ptx;\n"
                "\n"
                "// Each row is made in shared memory and sent out while the next one is made.\n"
                "__global__ void rows(const int *in, int *out, int count)\n"
                "{\n"
                "    __shared__ alignas(16) int line[64];\n"
                "    for (int row = 0; row < count; ++row) {\n"
                "        line[threadIdx.x] = in[threadIdx.x] + row;\n"
                "        ptx::fence_proxy_async(ptx::space_shared);\n"
                "        __syncthreads();\n"
                "        if (threadIdx.x == 0) {\n"
                "            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + row * "
                "64, line,\n"
                "                               sizeof(line));\n"
                "            ptx::cp_async_bulk_commit_group();\n"
                "            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});\n"
                "        }\n"
                "        __syncthreads();\n"
                "    }\n"
                "    if (threadIdx.x == 0)\n"
                "        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});\n"
                "}\n"
                "\n"
                "void launch(const int *in, int *out)\n"
                "{\n"
                "    rows<<<1, 64>>>(in, out, 3);\n"
                "}\n",
            .fix = "Issue, commit and wait in one thread, then put a barrier before the "
                   "memory is used again.",
        },
};
