#include "barlint/semantics.h"
#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "arrive-nocomplete", incident))) {
        // Where more arrivals come than are expected, one of them ends the phase too early.
        if (incident->violation != BARLINT_ARRIVE_PENDING_COUNT &&
            incident_explained(result, "arrive-over", incident))
            continue;
        if (incident->violation == BARLINT_ARRIVE_PENDING_COUNT)
            rule_report_incident(context, result, incident,
                                 "the pending count is asked of a token that does not come from "
                                 "an arrive with .noComplete");
        else
            rule_report_incident(context, result, incident,
                                 "this arrive must not complete a phase, but it is the last of "
                                 "the %lld arrivals '%s' expects",
                                 (long long)incident->number[0], incident_object(result, incident));
    }
}

const struct rule rule_arrive_nocomplete = {
    .id = "arrive-nocomplete",
    .family = "arrive",
    .summary = "an arrive that must not complete a phase can be its last",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.13", "PTX ISA 9.1, 9.7.13.15.14",
                   "PTX ISA 9.1, 9.7.13.15.17 (mbarrier.pending_count)"},
    .check = check,
    .doc =
        {
            .what = "An arrive with .noComplete (mbarrier.arrive.noComplete, "
                    "arrive_drop.noComplete, __mbarrier_arrive_and_drop of older targets) "
                    "takes the last pending arrival of a phase; or the pending count is asked "
                    "of a token that no such arrive has made.",
            .why = "The document leaves the result undefined. The device was seen to "
                   "complete the phase as if the arrive were an ordinary one and to say "
                   "nothing; the number read from another token means nothing.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void publish(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ uint64_t ready;\n"
                   "    __shared__ float value;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(&ready, 2);\n"
                   "    __syncthreads();\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        value = in[blockIdx.x];\n"
                   "        cuda::ptx::mbarrier_arrive_no_complete(&ready, 2); // expect: "
                   "arrive-nocomplete\n"
                   "    }\n"
                   "    while (!cuda::ptx::mbarrier_try_wait_parity(&ready, 0)) {\n"
                   "    }\n"
                   "    out[blockIdx.x * 128 + threadIdx.x] = value;\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    publish<<<8, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void publish(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ uint64_t ready;\n"
                    "    __shared__ float value;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        cuda::ptx::mbarrier_init(&ready, 2);\n"
                    "    __syncthreads();\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        cuda::ptx::mbarrier_arrive_no_complete(&ready, 1);\n"
                    "        value = in[blockIdx.x];\n"
                    "        cuda::ptx::mbarrier_arrive(&ready);\n"
                    "    }\n"
                    "    while (!cuda::ptx::mbarrier_try_wait_parity(&ready, 0)) {\n"
                    "    }\n"
                    "    out[blockIdx.x * 128 + threadIdx.x] = value;\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    publish<<<8, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Leave the arrival that completes the phase to a plain arrive.",
        },
};
