#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

// Whether something else is wrong with the bytes or the phases of the mbarrier, or the data of the
// copy are used without a wait: what is left open at the end follows from it.
static bool is_consequence(const struct engine_result *result,
                           const struct engine_incident *incident)
{
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        const struct engine_incident *other = &result->incident[i];
        if (other->object == incident->object && other->rule &&
            strcmp(other->rule, incident->rule) != 0)
            return true;
    }
    const struct engine_incident *use = copy_used_early(result, incident->function, incident->op);
    return use && use->supported >= incident->supported;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "exit-inflight", incident))) {
        if (incident_repeats(result, incident) || is_consequence(result, incident) ||
            incident_out_of_step(result, incident))
            continue;
        const char *name = incident_object(result, incident);
        if (incident->number[0] == 2)
            // Many kernels end so, and no document says whether the memory is kept until then.
            rule_pedantic(rule_report_incident(context, result, incident,
                                               "this store may still read '%s' when its block "
                                               "ends: no thread waits for its group",
                                               name));
        else if (incident->number[0] == 0)
            rule_report_incident(context, result, incident,
                                 "this copy may be under way when its block ends: nobody waits at "
                                 "'%s', which it completes on",
                                 name);
        else
            rule_report_incident(context, result, incident,
                                 "this copy may be under way when its block ends: nobody waits "
                                 "for phase %lld of '%s', which it completes",
                                 (long long)incident->number[1], name);
    }
}

const struct rule rule_exit_inflight = {
    .id = "exit-inflight",
    .family = "exit",
    .summary = "a block can end while a copy to its shared memory is under way",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines =
        {"PTX ISA 9.1, 9.7.9.25 (a thread must wait for an asynchronous operation explicitly)",
         "PTX ISA 9.1, 9.7.13.15.10"},
    .check = check,
    .doc =
        {
            .what =
                "An asynchronous operation that completes on an mbarrier (a bulk or "
                "tensor copy, a remote store, the answer of a cluster launch "
                "cancel) is started, and the kernel comes to its end without any "
                "thread of the block having waited for the phase it completes. It "
                "is enough that one thread waits: a producer that leaves after its "
                "last copies is fine as long as consumers wait for them. A bulk store whose "
                "thread has not waited for its group, at least until the source is read, is "
                "reported with --pedantic only: many kernels end so, and no document says whether "
                "the memory is kept for it.",
            .why = "Shared memory is given to the next block as soon as all threads "
                   "have exited. A copy that is still under way writes into that "
                   "block's data, and its completion is counted on what may be an "
                   "mbarrier there. The documents ask for a wait for every operation "
                   "and define nothing for its absence.",
            .bad =
                "#include <cstdint>\n"
                "#include <cuda/ptx>\n"
                "\n"
                "__global__ void sums(const float *in, float *out, int tiles)\n"
                "{\n"
                "    __shared__ alignas(16) float tile[2][128];\n"
                "    __shared__ uint64_t full[2];\n"
                "    if (threadIdx.x == 0) {\n"
                "        cuda::ptx::mbarrier_init(&full[0], 1);\n"
                "        cuda::ptx::mbarrier_init(&full[1], 1);\n"
                "    }\n"
                "    __syncthreads();\n"
                "    auto load = [&](int t) {\n"
                "        cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, "
                "cuda::ptx::scope_cta,\n"
                "                                             cuda::ptx::space_shared, &full[t % "
                "2], 512);\n"
                "        cuda::ptx::cp_async_bulk( // expect: exit-inflight\n"
                "            cuda::ptx::space_cluster, cuda::ptx::space_global, tile[t % 2], in + "
                "t * 128, 512,\n"
                "            &full[t % 2]);\n"
                "    };\n"
                "    if (threadIdx.x == 0)\n"
                "        load(0);\n"
                "    float sum = 0.0f;\n"
                "    for (int t = 0; t < tiles; ++t) {\n"
                "        if (threadIdx.x == 0)\n"
                "            load(t + 1);\n"
                "        while (!cuda::ptx::mbarrier_try_wait_parity(&full[t % 2], t / 2 % 2)) {\n"
                "        }\n"
                "        sum += tile[t % 2][threadIdx.x];\n"
                "        __syncthreads();\n"
                "    }\n"
                "    out[threadIdx.x] = sum;\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out, int tiles)\n"
                "{\n"
                "    sums<<<1, 128>>>(in, out, tiles);\n"
                "}\n",
            .good =
                "#include <cstdint>\n"
                "#include <cuda/ptx>\n"
                "\n"
                "__global__ void sums(const float *in, float *out, int tiles)\n"
                "{\n"
                "    __shared__ alignas(16) float tile[2][128];\n"
                "    __shared__ uint64_t full[2];\n"
                "    if (threadIdx.x == 0) {\n"
                "        cuda::ptx::mbarrier_init(&full[0], 1);\n"
                "        cuda::ptx::mbarrier_init(&full[1], 1);\n"
                "    }\n"
                "    __syncthreads();\n"
                "    auto load = [&](int t) {\n"
                "        if (t >= tiles)\n"
                "            return;\n"
                "        cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, "
                "cuda::ptx::scope_cta,\n"
                "                                             cuda::ptx::space_shared, &full[t % "
                "2], 512);\n"
                "        cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, "
                "cuda::ptx::space_global, tile[t % 2],\n"
                "                                 in + t * 128, 512, &full[t % 2]);\n"
                "    };\n"
                "    if (threadIdx.x == 0)\n"
                "        load(0);\n"
                "    float sum = 0.0f;\n"
                "    for (int t = 0; t < tiles; ++t) {\n"
                "        if (threadIdx.x == 0)\n"
                "            load(t + 1);\n"
                "        while (!cuda::ptx::mbarrier_try_wait_parity(&full[t % 2], t / 2 % 2)) {\n"
                "        }\n"
                "        sum += tile[t % 2][threadIdx.x];\n"
                "        __syncthreads();\n"
                "    }\n"
                "    out[threadIdx.x] = sum;\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out, int tiles)\n"
                "{\n"
                "    sums<<<1, 128>>>(in, out, tiles);\n"
                "}\n",
            .fix = "Start only copies that somebody waits for, or wait for the last "
                   "ones before the block ends (producer_tail of CUTLASS pipelines "
                   "does).",
        },
};
