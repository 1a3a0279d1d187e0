#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    // The engine tells a skipped barrier as sync-divergent; what separates the threads says which
    // of the two rules it is.
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "sync-divergent", incident))) {
        if (incident->kind != ENGINE_SKIPPED || incident->number[1] == 0)
            continue;
        rule_report_incident(
            context, result, incident,
            "%s {comes|come} to this barrier of the whole block when %s {has|have} left the "
            "loop: from then on the two are a barrier apart",
            threads_text(&incident->threads), threads_text(&incident->missing));
    }
}

const struct rule rule_sync_divergent_loop = {
    .id = "sync-divergent-loop",
    .family = "syncthreads",
    .summary = "a block barrier stands in a loop that threads leave at different times",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA C++ Guidelines 3.0.1, 1.14 (synchronize.active_threads)",
                   "CUDA Programming Guide 13, 5.4.4.1", "PTX ISA 9.1, 9.7.13.1"},
    .check = check,
    .doc =
        {
            .what = "A barrier of the whole block stands in a loop whose number of rounds "
                    "differs between threads: a loop that starts at the thread's number and "
                    "ends at a bound that is no multiple of the step, a bound or a break that "
                    "depends on the thread's own data.",
            .why = "As for sync-divergent: threads that have left the loop arrive at their "
                   "next barrier instead, and the block is out of step from then on. Where "
                   "the loop is the last thing the kernel does, the threads that left it "
                   "have exited and the others go on: it works by luck, and only there.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void scan(const float *in, float *out, int n)\n"
                   "{\n"
                   "    __shared__ float tile[128];\n"
                   "    for (int i = threadIdx.x; i < n; i += blockDim.x) {\n"
                   "        tile[threadIdx.x] = in[i];\n"
                   "        __syncthreads(); // expect: sync-divergent-loop\n"
                   "        out[i] = tile[(threadIdx.x + 1) % 128];\n"
                   "        __syncthreads();\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out, int n)\n"
                   "{\n"
                   "    scan<<<1, 128>>>(in, out, n);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void scan(const float *in, float *out, int n)\n"
                    "{\n"
                    "    __shared__ float tile[128];\n"
                    "    for (int base = 0; base < n; base += blockDim.x) {\n"
                    "        int i = base + threadIdx.x;\n"
                    "        tile[threadIdx.x] = i < n ? in[i] : 0.0f;\n"
                    "        __syncthreads();\n"
                    "        if (i < n)\n"
                    "            out[i] = tile[(threadIdx.x + 1) % 128];\n"
                    "        __syncthreads();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out, int n)\n"
                    "{\n"
                    "    scan<<<1, 128>>>(in, out, n);\n"
                    "}\n",
            .fix = "Loop over a base that all threads share, rounded up to the step, and "
                   "guard the work.",
        },
};
