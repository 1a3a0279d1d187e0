#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "pipe-overrun", incident))) {
        // Stages that are never given back fill up.
        if (incident->number[1] && incident_explained(result, "pipe-unbalanced", incident))
            continue;
        rule_report_incident(
            context, result, incident,
            "%s {acquires|acquire} a stage of '%s' while {it holds|they hold} all %lld of them",
            threads_text(&incident->threads), incident_object(result, incident),
            (long long)incident->number[0]);
    }
}

const struct rule rule_pipe_overrun = {
    .id = "pipe-overrun",
    .family = "pipeline",
    .summary = "a thread acquires more stages than its pipeline has",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"libcu++ cuda::pipeline producer_acquire", "CUDA Programming Guide 13, 4.10"},
    .check = check,
    .doc =
        {
            .what = "A thread that is both producer and consumer of a cuda::pipeline acquires "
                    "a stage while it holds all of them, committed and not yet released: it "
                    "prefetches as many stages ahead as there are, or more.",
            .why = "producer_acquire waits for the stage to be released, which the same "
                   "thread would do later: it waits for ever.",
            .bad = "#include <cooperative_groups.h>\n"
                   "#include <cuda/pipeline>\n"
                   "\n"
                   "// Four rows are fetched ahead, through a pipeline that has room for two.\n"
                   "__global__ void ahead(const float4 *in, float4 *out)\n"
                   "{\n"
                   "    __shared__ float4 row[4][32];\n"
                   "    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> room;\n"
                   "    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), "
                   "&room);\n"
                   "    for (int r = 0; r < 4; ++r) {\n"
                   "        pipe.producer_acquire(); // expect: pipe-overrun\n"
                   "        cuda::memcpy_async(&row[r][threadIdx.x], &in[r * 32 + threadIdx.x],\n"
                   "                           cuda::aligned_size_t<16>(16), pipe);\n"
                   "        pipe.producer_commit();\n"
                   "    }\n"
                   "    for (int r = 0; r < 4; ++r) {\n"
                   "        pipe.consumer_wait();\n"
                   "        out[r * 32 + threadIdx.x] = row[r][31 - threadIdx.x];\n"
                   "        pipe.consumer_release();\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float4 *in, float4 *out)\n"
                   "{\n"
                   "    ahead<<<1, 32>>>(in, out);\n"
                   "}\n",
            .good =
                "#include <cooperative_groups.h>\n"
                "#include <cuda/pipeline>\n"
                "\n"
                "// Four rows are fetched ahead, through a pipeline that has room for them.\n"
                "__global__ void ahead(const float4 *in, float4 *out)\n"
                "{\n"
                "    __shared__ float4 row[4][32];\n"
                "    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> room;\n"
                "    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), "
                "&room);\n"
                "    for (int r = 0; r < 4; ++r) {\n"
                "        pipe.producer_acquire();\n"
                "        cuda::memcpy_async(&row[r][threadIdx.x], &in[r * 32 + threadIdx.x],\n"
                "                           cuda::aligned_size_t<16>(16), pipe);\n"
                "        pipe.producer_commit();\n"
                "    }\n"
                "    for (int r = 0; r < 4; ++r) {\n"
                "        pipe.consumer_wait();\n"
                "        out[r * 32 + threadIdx.x] = row[r][31 - threadIdx.x];\n"
                "        pipe.consumer_release();\n"
                "    }\n"
                "}\n"
                "\n"
                "void launch(const float4 *in, float4 *out)\n"
                "{\n"
                "    ahead<<<1, 32>>>(in, out);\n"
                "}\n",
            .fix = "Give the pipeline at least as many stages as are filled before the first "
                   "release.",
        },
};
