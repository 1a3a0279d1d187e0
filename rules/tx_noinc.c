#include "barlint/semantics.h"
#include "base/vec.h"
#include "rules/facts.h"

// Copies that come behind the arrive that should follow them, and that nobody waits for.
static void check_order(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_event *arrive =
            event_is_never_awaited(event) ? event_tracked_too_early(result, event) : NULL;
        if (!arrive)
            continue;
        struct rule_report *report = rule_report(
            context, event->loc, event->chain,
            result->statistics.cut_short ? RULE_POSSIBLE : RULE_CERTAIN,
            "this copy is started behind the cp.async.mbarrier.arrive that should follow it, and "
            "nobody waits for it");
        if (result->statistics.cut_short)
            rule_pedantic(report); // a way that was not walked may have the wait
        rule_note(report, arrive->loc, "%s {comes|come} to the arrive here, before",
                  event_threads(arrive));
    }
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    check_order(context, result);
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-noinc", incident))) {
        const char *name = incident_object(result, incident);
        if (incident->violation == BARLINT_TX_INC_RANGE)
            rule_report_incident(context, result, incident,
                                 "the pending count of '%s' is raised above its limit", name);
        else if (incident->kind == ENGINE_DEADLOCK)
            rule_report_incident(context, result, incident,
                                 "this takes back the arrival it adds: without .noinc nobody "
                                 "arrives at '%s'",
                                 name);
        else if (incident->number[2])
            rule_report_incident(context, result, incident,
                                 "a phase of '%s' may be over before this raises its "
                                 "count: none of the arrivals that it takes comes after",
                                 name);
        else
            rule_report_incident(context, result, incident,
                                 "the expected count of '%s' does not include these arrivals",
                                 name);
    }
}

const struct rule rule_tx_noinc = {
    .id = "tx-noinc",
    .family = "tx",
    .summary = "cp.async.mbarrier.arrive does not fit the expected count",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.15",
                   "CUDA Programming Guide 13, 5.6.2 (__pipeline_arrive_on)"},
    .check = check,
    .doc =
        {
            .what = "cp.async.mbarrier.arrive in its plain form raises the pending count by "
                    "one before it arrives, so that it counts for nothing by itself; with "
                    ".noinc it is an arrival that the expected count must include. The plain "
                    "form is used where the count waits for the threads, or .noinc where it "
                    "does not have them. Or the plain form is used by threads that no arrival "
                    "of the phase waits for. Or a copy is started behind the arrive that "
                    "should follow it.",
            .why = "In the first case nobody arrives and the waiters hang. In the second "
                   "there are more arrivals than expected, and phases end before their data "
                   "are there. In the third the phase may be over before its count is raised, "
                   "again before the data are there. It follows the copies that its thread has "
                   "started before, and no later ones.",
            .bad =
                "#include <cuda_awbarrier_primitives.h>\n"
                "#include <cuda_pipeline_primitives.h>\n"
                "\n"
                "__global__ void reverse(const float *in, float *out)\n"
                "{\n"
                "    __shared__ alignas(16) float tile[512];\n"
                "    __shared__ __mbarrier_t full;\n"
                "    if (threadIdx.x == 0)\n"
                "        __mbarrier_init(&full, 128);\n"
                "    __syncthreads();\n"
                "    __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[threadIdx.x * 4], 16);\n"
                "    asm volatile(\"cp.async.mbarrier.arrive.shared.b64 [%0];\" // expect: "
                "tx-noinc\n"
                "                 ::\"r\"(static_cast<unsigned>(__cvta_generic_to_shared(&full)))\n"
                "                 : \"memory\");\n"
                "    while (!__mbarrier_test_wait_parity(&full, false)) {\n"
                "    }\n"
                "    out[threadIdx.x] = tile[511 - threadIdx.x];\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out)\n"
                "{\n"
                "    reverse<<<1, 128>>>(in, out);\n"
                "}\n",
            .good =
                "#include <cuda_awbarrier_primitives.h>\n"
                "#include <cuda_pipeline_primitives.h>\n"
                "\n"
                "__global__ void reverse(const float *in, float *out)\n"
                "{\n"
                "    __shared__ alignas(16) float tile[512];\n"
                "    __shared__ __mbarrier_t full;\n"
                "    if (threadIdx.x == 0)\n"
                "        __mbarrier_init(&full, 128);\n"
                "    __syncthreads();\n"
                "    __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[threadIdx.x * 4], 16);\n"
                "    asm volatile(\"cp.async.mbarrier.arrive.noinc.shared.b64 [%0];\"\n"
                "                 ::\"r\"(static_cast<unsigned>(__cvta_generic_to_shared(&full)))\n"
                "                 : \"memory\");\n"
                "    while (!__mbarrier_test_wait_parity(&full, false)) {\n"
                "    }\n"
                "    out[threadIdx.x] = tile[511 - threadIdx.x];\n"
                "}\n"
                "\n"
                "void launch(const float *in, float *out)\n"
                "{\n"
                "    reverse<<<1, 128>>>(in, out);\n"
                "}\n",
            .fix = "Use .noinc when the expected count includes the executing threads; or "
                   "follow the plain form with an arrive of the same thread.",
        },
};
