#include "base/vec.h"
#include "rules/facts.h"

// Whether everything that happens to the object is that the same threads, as many as a block or a
// warp has, arrive and wait at once; `first` is the first such operation.
static bool is_plain(const struct engine_result *result, uint32_t object, int64_t threads,
                     const struct engine_event **first)
{
    *first = NULL;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object != object)
            continue;
        const struct engine_range *count = &event->count;
        switch (event->model.kind) {
        case MODEL_MBARRIER_INIT:
            if (!count->given || !count->known || count->low != threads || count->high != threads)
                return false;
            break;
        case MODEL_MBARRIER_INVAL:
            break;
        case MODEL_MBARRIER_ARRIVE_WAIT:
            if ((int64_t)event->most_at_once != threads || event->threads.count != threads ||
                event->threads.first % 32 || event->partial || event->pattern)
                return false;
            *first = *first ? *first : event;
            break;
        default:
            return false;
        }
    }
    return *first != NULL;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const int64_t *block = result->shape.block;
    int64_t threads = block[0] * block[1] * block[2];
    int64_t blocks = 1;
    for (int k = 0; k < 3; ++k)
        blocks *= result->shape.cluster[k] > 0 ? result->shape.cluster[k] : 1;
    if (!result->shape.block_known || blocks > 1 || result->statistics.unknown_objects)
        return;
    for (ptrdiff_t i = 0; i < arrlen(result->object); ++i) {
        const struct engine_object *object = &result->object[i];
        const struct engine_event *first;
        if (!object->in_shared || !object->exact)
            continue;
        if (threads > 32 && is_plain(result, (uint32_t)i, 32, &first))
            rule_pedantic(rule_report(context, first->loc, first->chain, RULE_CERTAIN,
                                      "all threads of a warp arrive and wait at '%s' at once, here "
                                      "and elsewhere: __syncwarp() does that faster",
                                      object->name));
        else if (is_plain(result, (uint32_t)i, threads, &first))
            rule_pedantic(rule_report(context, first->loc, first->chain, RULE_CERTAIN,
                                      "all %lld threads of the block arrive and wait at '%s' at "
                                      "once, here and elsewhere: __syncthreads() does that faster",
                                      (long long)threads, object->name));
    }
}

const struct rule rule_perf_mbarrier_as_syncthreads = {
    .id = "perf-mbarrier-as-syncthreads",
    .family = "performance",
    .summary = "a cuda::barrier does nothing that __syncthreads() would not",
    .level = RULE_NOTE,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 4.9 (asynchronous barriers)", "libcu++ barrier"},
    .check = check,
    .doc =
        {
            .what = "A cuda::barrier in shared memory whose expected count is the size "
                    "of the block is used by arrive_and_wait() of all its threads and "
                    "in no other way: no arrival apart from its wait, no copy, no "
                    "transaction. Told with --pedantic only. The same for all threads of one warp, "
                    "which have "
                    "__syncwarp().",
            .why = "The barrier of the block is one instruction of the hardware; an "
                   "mbarrier is a word in shared memory that every warp updates and "
                   "polls.",
            .bad = "// pedantic: advice on speed\n"
                   "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void reverse(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ float line[128];\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&stored, 128);\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    stored.arrive_and_wait(); // expect: perf-mbarrier-as-syncthreads\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    reverse<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "#include <utility>\n"
                    "\n"
                    "__global__ void reverse(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ float line[128];\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&stored, 128);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    auto token = stored.arrive();\n"
                    "    const float old = out[threadIdx.x];\n"
                    "    stored.wait(std::move(token));\n"
                    "    out[threadIdx.x] = old + line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    reverse<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "__syncthreads(), or work between arrive() and wait().",
        },
};
