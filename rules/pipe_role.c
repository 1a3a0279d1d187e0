#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "pipe-role", incident))) {
        const char *name = incident_object(result, incident);
        bool counts = incident->violation == BARLINT_PIPE_PRODUCER_COUNT;
        if (counts && incident->number[2] == ENGINE_PRODUCERS_DIFFER)
            rule_report_incident(context, result, incident,
                                 "some threads make '%s' for %lld producers and others for %lld",
                                 name, (long long)incident->number[0],
                                 (long long)incident->number[1]);
        else if (counts && incident->number[2])
            rule_report_incident(
                context, result, incident, "'%s' is made for %lld %s, and %lld threads %s", name,
                (long long)incident->number[0],
                incident->number[2] == ENGINE_PRODUCERS_ACT ? "producers" : "consumers",
                (long long)incident->number[1],
                incident->number[2] == ENGINE_PRODUCERS_ACT ? "produce" : "consume");
        else if (counts)
            rule_report_incident(context, result, incident,
                                 "'%s' is made with %lld producers in a group of %lld threads",
                                 name, (long long)incident->number[0],
                                 (long long)incident->number[1]);
        else
            rule_report_incident(context, result, incident,
                                 "%s {is|are} made for the other role of '%s'",
                                 threads_text(&incident->threads), name);
    }
}

const struct rule rule_pipe_role = {
    .id = "pipe-role",
    .family = "pipeline",
    .summary = "a pipeline is used against the roles it was made with",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"libcu++ make_pipeline, cuda::pipeline"},
    .check = check,
    .doc =
        {
            .what = "A thread that was made producer of a partitioned cuda::pipeline calls "
                    "consumer_wait or consumer_release, or a consumer producer_acquire or "
                    "producer_commit; or the producer count is 0 or leaves no consumer, is not "
                    "the number of threads that produce, or not the same in all threads.",
            .why = "The barriers of the stages count on each thread in its role only. What "
                   "the others do comes on top: the kernel is aborted, or stages change "
                   "hands too early.",
            .bad =
                "#include <cooperative_groups.h>\n"
                "#include <cuda/pipeline>\n"
                "\n"
                "namespace cg = cooperative_groups;\n"
                "\n"
                "__global__ void reverse(const float *in, float *out, int tiles)\n"
                "{\n"
                "    __shared__ float tile[2][128];\n"
                "    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;\n"
                "    auto block = cg::this_thread_block();\n"
                "    const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer\n"
                "                                       : cuda::pipeline_role::consumer;\n"
                "    auto pipe = cuda::make_pipeline(block, &state, role);\n"
                "    for (int t = 0; t < tiles; ++t) {\n"
                "        pipe.producer_acquire(); // expect: pipe-role\n"
                "        if (threadIdx.x < 32)\n"
                "            cuda::memcpy_async(cg::tiled_partition<32>(block), tile[t % 2], in + "
                "t * 128,\n"
                "                               sizeof(tile[0]), pipe);\n"
                "        pipe.producer_commit();\n"
                "        pipe.consumer_wait();\n"
                "        out[t * 128 + threadIdx.x] = tile[t % 2][127 - threadIdx.x];\n"
                "        pipe.consumer_release();\n"
                "    }\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out, int tiles)\n"
                "{\n"
                "    reverse<<<1, 128>>>(in, out, tiles);\n"
                "}\n",
            .good =
                "#include <cooperative_groups.h>\n"
                "#include <cuda/pipeline>\n"
                "\n"
                "namespace cg = cooperative_groups;\n"
                "\n"
                "__global__ void reverse(const float *in, float *out, int tiles)\n"
                "{\n"
                "    __shared__ float tile[2][128];\n"
                "    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;\n"
                "    auto block = cg::this_thread_block();\n"
                "    const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer\n"
                "                                       : cuda::pipeline_role::consumer;\n"
                "    auto pipe = cuda::make_pipeline(block, &state, role);\n"
                "    for (int t = 0; t < tiles; ++t) {\n"
                "        if (role == cuda::pipeline_role::producer) {\n"
                "            pipe.producer_acquire();\n"
                "            cuda::memcpy_async(cg::tiled_partition<32>(block), tile[t % 2], in + "
                "t * 128,\n"
                "                               sizeof(tile[0]), pipe);\n"
                "            pipe.producer_commit();\n"
                "        } else {\n"
                "            pipe.consumer_wait();\n"
                "            for (int i = threadIdx.x - 32; i < 128; i += 96)\n"
                "                out[t * 128 + i] = tile[t % 2][127 - i];\n"
                "            pipe.consumer_release();\n"
                "        }\n"
                "    }\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out, int tiles)\n"
                "{\n"
                "    reverse<<<1, 128>>>(in, out, tiles);\n"
                "}\n",
            .fix = "Branch on the role before each half; give the group at least one "
                   "producer and one consumer.",
        },
};
