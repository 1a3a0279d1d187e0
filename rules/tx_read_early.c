#include <string.h>

#include "barlint/semantics.h"
#include "base/vec.h"
#include "rules/facts.h"
#include "rules/outcome.h"

// Whether nobody waits for the copy at all, which is told where it is started.
static bool is_told_at_copy(const struct engine_result *result,
                            const struct engine_incident *incident)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (incident->number[1] == (int64_t)event->op &&
            incident->number[2] == (int64_t)event->function && event_is_never_awaited(event))
            return incident->violation == BARLINT_ASYNC_READ_EARLY;
    }
    return false;
}

// Whether the mbarrier that bulk copies complete on, or who comes to it, is told to be wrong, and
// that as surely; or a test of one that holds nobody back.
static bool is_consequence(const struct engine_result *result,
                           const struct engine_incident *incident)
{
    // A phase that nobody has waited for makes nobody come early elsewhere, nor does a fence of the
    // proxies that is missing.
    static const char *const others[] = {
        "tx-read-early",    "exit-inflight",  "sync-missing", "phase-unobserved",
        "exit-before-sync", "tx-proxy-fence", "perf-"};
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        const struct engine_incident *cause = &result->incident[i];
        bool other = cause->supported < incident->supported;
        for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k)
            other |= strncmp(cause->rule, others[k], strlen(others[k])) == 0;
        if (!other)
            return true;
    }
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind == MODEL_MBARRIER_TEST && outcome_of(result, event) != OUTCOME_HEEDED)
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-read-early", incident))) {
        int64_t kind = incident->number[0] & 3; // of the copy, beside whether it is overwritten
        bool bulk = kind >= 2, others_waited = kind == 3;
        if (bulk ? is_consequence(result, incident) : is_told_at_copy(result, incident))
            continue;
        const char *object = incident_object(result, incident);
        int length = (int)strcspn(object, "["); // of the variable, without an element
        bool writes = kind == 1 || incident->number[0] & 4;
        const char *use = writes ? "{overwrites|overwrite}" : "{reads|read}";
        const char *threads = threads_text(&incident->threads);
        if (incident->violation == BARLINT_ASYNC_NOT_PUBLISHED)
            rule_report_incident(context, result, incident,
                                 "%s %s what other threads copied into '%.*s': no barrier comes "
                                 "between that wait and this",
                                 threads, use, length, object);
        else
            rule_report_incident(context, result, incident,
                                 "%s %s '%.*s' while a copy into it is under way: %s waited for it",
                                 threads, use, length, object,
                                 others_waited             ? "only others have"
                                 : incident->number[0] & 8 ? "not all who copy have"
                                                           : "nobody has");
    }
}

const struct rule rule_tx_read_early = {
    .id = "tx-read-early",
    .family = "tx",
    .summary = "data of an asynchronous copy are used before they are known to be there",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.9.25", "CUDA Programming Guide 13, 5.6.2"},
    .check = check,
    .doc =
        {
            .what = "Shared memory that a thread fills with cp.async (or "
                    "__pipeline_memcpy_async, cg::memcpy_async) is read or overwritten before "
                    "that thread has waited for the copy, or by other threads before a "
                    "barrier follows its wait. Or bytes of a bulk copy are read or overwritten "
                    "before any thread has waited for the phase of the mbarrier that it "
                    "completes.",
            .why = "The copy runs on beside the thread. A barrier does not wait for it, and "
                   "a wait makes the data visible to the thread that issued the copy only: "
                   "others read what was there before.",
            .bad =
                "#include <cuda_pipeline_primitives.h>\n"
                "\n"
                "__global__ void reverse(const int *in, int *out)\n"
                "{\n"
                "    __shared__ alignas(16) int tile[512];\n"
                "    __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[threadIdx.x * 4], 16);\n"
                "    __pipeline_commit();\n"
                "    __pipeline_wait_prior(0);\n"
                "    for (int i = threadIdx.x; i < 512; i += 128)\n"
                "        out[i] = tile[511 - i]; // expect: tx-read-early\n"
                "}\n"
                "\n"
                "void launch(const int *in, int *out)\n"
                "{\n"
                "    reverse<<<1, 128>>>(in, out);\n"
                "}\n",
            .good =
                "#include <cuda_pipeline_primitives.h>\n"
                "\n"
                "__global__ void reverse(const int *in, int *out)\n"
                "{\n"
                "    __shared__ alignas(16) int tile[512];\n"
                "    __pipeline_memcpy_async(&tile[threadIdx.x * 4], &in[threadIdx.x * 4], 16);\n"
                "    __pipeline_commit();\n"
                "    __pipeline_wait_prior(0);\n"
                "    __syncthreads();\n"
                "    for (int i = threadIdx.x; i < 512; i += 128)\n"
                "        out[i] = tile[511 - i];\n"
                "}\n"
                "\n"
                "void launch(const int *in, int *out)\n"
                "{\n"
                "    reverse<<<1, 128>>>(in, out);\n"
                "}\n",
            .fix = "Let the threads that copy commit and wait, then put a barrier before the "
                   "data are used.",
        },
};
