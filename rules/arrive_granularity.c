#include "rules/facts.h"
#include "rules/number.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "arrive-granularity", incident))) {
        const char *name = incident_object(result, incident);
        long long expected = (long long)incident->number[0];
        if (incident->kind == ENGINE_DEADLOCK) {
            int64_t come = incident->number[0] - incident->number[1];
            struct rule_report *report = rule_report_incident(
                context, result, incident,
                "'%s' expects %lld arrivals, and one lane of each warp arrives "
                "here, %lld in all: %s {waits|wait} for ever",
                name, expected, (long long)come, threads_text(&incident->threads));
            if (incident->number[2] == 0)
                fix_expected_count(report, result, incident, incident->number[0], come);
        } else {
            rule_report_incident(context, result, incident,
                                 "'%s' expects %lld arrival%s, as if one lane of each warp came, "
                                 "but every lane arrives here: the device aborts the kernel",
                                 name, expected, plural_s(expected));
        }
    }
}

const struct rule rule_arrive_granularity = {
    .id = "arrive-granularity",
    .family = "arrive",
    .summary = "a barrier counts warps while every lane arrives, or threads while one lane does",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.7 (arrive-on)", "PTX ISA 9.1, 9.7.13.15.13"},
    .check = check,
    .doc =
        {
            .what = "The expected count of a barrier and its arrivals differ by the factor "
                    "32, the size of a warp: it was initialised with a number of warps, or "
                    "with one for a leader, while every lane arrives; or with a number of "
                    "threads while one elected lane of each warp arrives.",
            .why = "With the count in threads and the arrivals in warps the phase never "
                   "completes and waiters hang. The other way round a converged warp "
                   "subtracts 32 from a smaller number in one step: the pending count "
                   "underflows and the device aborts the kernel with a launch failure, or, "
                   "where the lanes come one by one, phases complete early and nobody "
                   "notices.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void totals(const int *in, int *out)\n"
                   "{\n"
                   "    __shared__ uint64_t summed;\n"
                   "    __shared__ int part[4];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(&summed, blockDim.x / 32);\n"
                   "    __syncthreads();\n"
                   "    int sum = __reduce_add_sync(0xffffffffu, in[threadIdx.x]);\n"
                   "    if (threadIdx.x % 32 == 0)\n"
                   "        part[threadIdx.x / 32] = sum;\n"
                   "    cuda::ptx::mbarrier_arrive(&summed); // expect: arrive-granularity\n"
                   "    while (!cuda::ptx::mbarrier_try_wait_parity(&summed, 0)) {\n"
                   "    }\n"
                   "    out[threadIdx.x] = part[0] + part[1] + part[2] + part[3];\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    totals<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void totals(const int *in, int *out)\n"
                    "{\n"
                    "    __shared__ uint64_t summed;\n"
                    "    __shared__ int part[4];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        cuda::ptx::mbarrier_init(&summed, blockDim.x / 32);\n"
                    "    __syncthreads();\n"
                    "    int sum = __reduce_add_sync(0xffffffffu, in[threadIdx.x]);\n"
                    "    if (threadIdx.x % 32 == 0) {\n"
                    "        part[threadIdx.x / 32] = sum;\n"
                    "        cuda::ptx::mbarrier_arrive(&summed);\n"
                    "    }\n"
                    "    while (!cuda::ptx::mbarrier_try_wait_parity(&summed, 0)) {\n"
                    "    }\n"
                    "    out[threadIdx.x] = part[0] + part[1] + part[2] + part[3];\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out)\n"
                    "{\n"
                    "    totals<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Count in one unit. Where a leader arrives for its warp, put __syncwarp() "
                   "before its arrive, so that the work of the other lanes is covered by it.",
        },
};
