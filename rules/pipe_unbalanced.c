#include <string.h>

#include "barlint/semantics.h"
#include "rules/facts.h"

static const char *const words[][2] = {
    [BARLINT_PIPE_ACQUIRE_TWICE] = {"{acquires|acquire}",
                                    "again without having committed the last one"},
    [BARLINT_PIPE_COMMIT_ALONE] = {"{commits|commit}", "that {it has|they have} not acquired"},
    [BARLINT_PIPE_WAIT_TWICE] = {"{waits|wait} for", "again without having released the last one"},
    [BARLINT_PIPE_RELEASE_ALONE] = {"{releases|release}", "that {it has|they have} not waited for"},
    [BARLINT_PIPE_WAIT_EMPTY] = {"{waits|wait} for", "that {it has|they have} never committed"},
};

// Whether none of those who use the data has a part in the copy: in a block of a guessed size they
// may be threads that the real one has not.
static bool used_by_others(const struct engine_result *result,
                           const struct engine_incident *incident)
{
    const int64_t *block = result->shape.block;
    int64_t length = (block[0] * block[1] * block[2] + 63) / 64;
    const uint64_t *copied = incident->missing.mask, *used = incident->threads.mask;
    for (int64_t word = 0; copied && used && word < length; ++word) {
        if (copied[word] & used[word])
            return false;
    }
    return true;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "pipe-unbalanced", incident))) {
        size_t which = (size_t)incident->violation;
        const char *object = incident_object(result, incident);
        int length = (int)strcspn(object, "["); // of the variable, without an element
        if (incident->violation == BARLINT_ASYNC_WAIT_SHORT) {
            struct rule_report *report = rule_report_incident(
                context, result, incident,
                "this wait leaves a group of copies into '%.*s' open, which is read next", length,
                object);
            if (result->shape.source == ENGINE_SHAPE_GUESS && used_by_others(result, incident))
                rule_pedantic(report);
        } else if (incident->violation == BARLINT_ASYNC_NOT_COMMITTED)
            rule_report_incident(context, result, incident,
                                 "this wait does not cover a copy into '%.*s', which is not "
                                 "committed and is read next",
                                 length, object);
        if (which < sizeof words / sizeof *words && words[which][0])
            rule_report_incident(context, result, incident, "%s %s a stage of '%s' %s",
                                 threads_text(&incident->threads), words[which][0],
                                 incident_object(result, incident), words[which][1]);
    }
}

const struct rule rule_pipe_unbalanced = {
    .id = "pipe-unbalanced",
    .family = "pipeline",
    .summary = "the operations on a pipeline do not pair up",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.9.25", "libcu++ cuda::pipeline",
                   "CUDA Programming Guide 13, 4.10", "CUDA Programming Guide 13, 5.6.2"},
    .check = check,
    .doc =
        {
            .what = "The waits of a thread for its own copies (cp.async.wait_group, "
                    "__pipeline_wait_prior, cg::wait_prior) leave the group open whose data "
                    "are used next, or come before the commit. Or, with a cuda::pipeline: on "
                    "some way through the kernel a thread does not pair producer_acquire with "
                    "producer_commit, or consumer_wait with consumer_release: a branch skips "
                    "the release, a stage is filled and never committed, a consumer waits for "
                    "a stage that no commit precedes.",
            .why = "wait_group N waits for all but the newest N committed groups: data of "
                   "those, and of copies that no commit closed, may not have arrived. In a "
                   "cuda::pipeline each stage has a barrier for \"full\" and one for \"empty\". "
                   "A missing commit leaves consumers waiting for ever, a missing release "
                   "the producers; one too many ends a phase of another stage, and data are "
                   "read or overwritten early.",
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
                "    auto pipe = cuda::make_pipeline(block, &state);\n"
                "    for (int t = 0; t < tiles; ++t) {\n"
                "        pipe.producer_acquire();\n"
                "        cuda::memcpy_async(block, tile[t % 2], in + t * 128, sizeof(tile[0]), "
                "pipe);\n"
                "        pipe.consumer_wait(); // expect: pipe-unbalanced\n"
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
                "    auto pipe = cuda::make_pipeline(block, &state);\n"
                "    for (int t = 0; t < tiles; ++t) {\n"
                "        pipe.producer_acquire();\n"
                "        cuda::memcpy_async(block, tile[t % 2], in + t * 128, sizeof(tile[0]), "
                "pipe);\n"
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
            .fix = "Commit what is acquired and release what is waited for on every way "
                   "through the loop.",
        },
};
