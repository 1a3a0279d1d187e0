#include "barlint/semantics.h"
#include "rules/facts.h"
static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-use-after-inval", incident))) {
        const char *name = incident_object(result, incident);
        switch (incident->violation) {
        case BARLINT_INIT_USE_AFTER_INVAL:
            if (!incident_repeats(result, incident))
                rule_report_incident(context, result, incident,
                                     "'%s' is used by %s after its invalidation", name,
                                     threads_text(&incident->threads));
            break;
        case BARLINT_INIT_INVAL_WAITERS:
            rule_report_incident(
                context, result, incident,
                "'%s' is invalidated by %s while other threads may still be using it", name,
                threads_text(&incident->threads));
            break;
        default:
            if (incident->number[1] == 0)
                rule_report_incident(context, result, incident,
                                     "'%s' is invalidated in the middle of a phase: bytes that "
                                     "were announced have not arrived",
                                     name);
            else // who has nothing more to wait for often leaves arrivals of others behind
                rule_pedantic(rule_report_incident(
                    context, result, incident,
                    "'%s' is invalidated in the middle of a phase: %lld of %lld arrivals are "
                    "missing",
                    name, (long long)incident->number[1], (long long)incident->number[0]));
            break;
        }
    }
}

const struct rule rule_init_use_after_inval = {
    .id = "init-use-after-inval",
    .family = "init",
    .summary = "a barrier is used after, or while, it is invalidated",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.10 (its examples)", "CUDA Programming Guide 13, 5.6.1"},
    .check = check,
    .doc =
        {
            .what = "An operation other than init follows the invalidation of a barrier "
                    "(mbarrier.inval, the destructor of cuda::barrier, __mbarrier_inval); or a "
                    "thread invalidates it while others may still wait on it, because no barrier "
                    "comes before the invalidation.",
            .why = "The object is no longer valid: what an arrive or a wait does to it is "
                   "undefined, and whoever was still polling may wait for ever.",
            .bad = "#include <cuda_awbarrier_primitives.h>\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ __mbarrier_t stored;\n"
                   "    __shared__ float line[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        __mbarrier_init(&stored, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    __mbarrier_token_t token = __mbarrier_arrive(&stored);\n"
                   "    while (!__mbarrier_test_wait(&stored, token)) {\n"
                   "    }\n"
                   "    if (threadIdx.x == 0)\n"
                   "        __mbarrier_inval(&stored); // expect: init-use-after-inval\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    mirror<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda_awbarrier_primitives.h>\n"
                    "\n"
                    "__global__ void mirror(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ __mbarrier_t stored;\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        __mbarrier_init(&stored, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    __mbarrier_token_t token = __mbarrier_arrive(&stored);\n"
                    "    while (!__mbarrier_test_wait(&stored, token)) {\n"
                    "    }\n"
                    "    __syncthreads();\n"
                    "    if (threadIdx.x == 0)\n"
                    "        __mbarrier_inval(&stored);\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    mirror<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix =
                "A barrier for all users, then one thread invalidates, then another barrier before "
                "the memory is used again. At the end of a kernel no invalidation is owed.",
        },
};
