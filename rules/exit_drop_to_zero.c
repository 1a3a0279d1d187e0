#include "rules/facts.h"

// Which of several roles is the last to drop is chance: the last in the text is told.
static bool is_last(const struct engine_result *result, const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, "exit-drop-to-zero", other))) {
        if (other->object == incident->object &&
            (other->loc.line > incident->loc.line ||
             (other->loc.line == incident->loc.line && other->chain > incident->chain)))
            return false;
    }
    return true;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "exit-drop-to-zero", incident))) {
        if (!is_last(result, incident))
            continue;
        struct rule_report *report = rule_report_incident(
            context, result, incident,
            "the last participants of '%s' drop out here (%s): its expected "
            "count becomes 0",
            incident_object(result, incident), threads_text(&incident->threads));
        // That all threads meet a condition on their own data is one of many ways to go.
        // Of those who go on for as long as their own data say the last one cannot know it.
        if (!incident->certain || (incident->object < arrlenu(result->object) &&
                                   result->object[incident->object].outlived))
            rule_pedantic(report);
    }
}

const struct rule rule_exit_drop_to_zero = {
    .id = "exit-drop-to-zero",
    .family = "exit",
    .summary = "every participant of a barrier drops out",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.4, 9.7.15.16.17 (arrive_drop)", "C++ draft, [thread.barrier.class]"},
    .check = check,
    .doc =
        {
            .what = "The drops of a barrier bring its expected count to 0: the last "
                    "participant drops, or more drop than are counted. Where this takes data "
                    "that all threads happen to agree on, as in the programming guide's "
                    "example of leaving early, or where data decide which thread is the "
                    "last one, it is told with --pedantic only.",
            .why = "A barrier that expects nobody has no defined next phase: the newer "
                   "document calls it undefined, the device was seen to say nothing. Nothing "
                   "goes wrong as long as nobody uses the barrier again, so a drop at the "
                   "end of a kernel is only wasted.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void shift(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> ready;\n"
                   "    __shared__ float tile[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&ready, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    tile[threadIdx.x] = in[threadIdx.x];\n"
                   "    ready.arrive_and_wait();\n"
                   "    out[threadIdx.x] = tile[(threadIdx.x + 1) % 128];\n"
                   "    ready.arrive_and_drop(); // expect: exit-drop-to-zero\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    shift<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void shift(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> ready;\n"
                    "    __shared__ float tile[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&ready, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    tile[threadIdx.x] = in[threadIdx.x];\n"
                    "    ready.arrive_and_wait();\n"
                    "    out[threadIdx.x] = tile[(threadIdx.x + 1) % 128];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    shift<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Do not drop where nobody uses the barrier afterwards: just end. Where "
                   "some go on, let one of them be the one that never drops.",
        },
};
