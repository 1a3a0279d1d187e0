#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "pipe-quit", incident))) {
        const char *name = incident_object(result, incident);
        // Who leaves with a stage in hand does in the last round what pipe-unbalanced tells of all.
        if (incident->violation == BARLINT_PIPE_QUIT && incident->number[0] &&
            incident_explained(result, "pipe-unbalanced", incident))
            continue;
        if (incident->violation == BARLINT_PIPE_AFTER_QUIT)
            rule_report_incident(context, result, incident,
                                 "%s {uses|use} '%s' after having quit it",
                                 threads_text(&incident->threads), name);
        else
            rule_report_incident(
                context, result, incident,
                "%s {leaves|leave} '%s' after %lld of the %lld stages that others go "
                "through",
                threads_text(&incident->threads), name, (long long)incident->number[1],
                (long long)incident->number[2]);
    }
}

const struct rule rule_pipe_quit = {
    .id = "pipe-quit",
    .family = "pipeline",
    .summary = "a thread leaves a pipeline whose stages still count on it",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 4.10", "libcu++ cuda::pipeline quit"},
    .check = check,
    .doc =
        {
            .what = "A thread leaves a cuda::pipeline of the block early, by a return, by "
                    "quit() or by its destructor, while other threads of its role go through "
                    "further stages; or a whole role stops with stages to go that the other role "
                    "waits for; or a thread uses the pipeline after quit().",
            .why = "Each stage counts on all threads it was made with. quit() does not take "
                   "the thread out of that count, so that the others wait for ever for the "
                   "stages it does not take part in.",
            .bad =
                "#include <cooperative_groups.h>\n"
                "#include <cuda/pipeline>\n"
                "\n"
                "namespace cg = cooperative_groups;\n"
                "\n"
                "__global__ void reverse(const float *in, float *out, int n)\n"
                "{\n"
                "    __shared__ float tile[128];\n"
                "    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;\n"
                "    auto block = cg::this_thread_block();\n"
                "    auto pipe = cuda::make_pipeline(block, &state);\n"
                "    if (threadIdx.x >= n) {\n"
                "        pipe.quit(); // expect: pipe-quit\n"
                "        return;\n"
                "    }\n"
                "    pipe.producer_acquire();\n"
                "    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float), "
                "pipe);\n"
                "    pipe.producer_commit();\n"
                "    pipe.consumer_wait();\n"
                "    out[threadIdx.x] = tile[threadIdx.x];\n"
                "    pipe.consumer_release();\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out)\n"
                "{\n"
                "    reverse<<<1, 128>>>(in, out, 100);\n"
                "}\n",
            .good =
                "#include <cooperative_groups.h>\n"
                "#include <cuda/pipeline>\n"
                "\n"
                "namespace cg = cooperative_groups;\n"
                "\n"
                "__global__ void reverse(const float *in, float *out, int n)\n"
                "{\n"
                "    __shared__ float tile[128];\n"
                "    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;\n"
                "    auto block = cg::this_thread_block();\n"
                "    auto pipe = cuda::make_pipeline(block, &state);\n"
                "    pipe.producer_acquire();\n"
                "    if (threadIdx.x < n)\n"
                "        cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float), "
                "pipe);\n"
                "    pipe.producer_commit();\n"
                "    pipe.consumer_wait();\n"
                "    if (threadIdx.x < n)\n"
                "        out[threadIdx.x] = tile[threadIdx.x];\n"
                "    pipe.consumer_release();\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out)\n"
                "{\n"
                "    reverse<<<1, 128>>>(in, out, 100);\n"
                "}\n",
            .fix = "Let all threads go through the same stages and put the condition around "
                   "the work.",
            .measured = "measured: quit() does not take the arrivals of the thread out",
        },
};
