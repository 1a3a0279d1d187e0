#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "arrive-divergent", incident))) {
        const char *name = incident_object(result, incident);
        // What is left over of a phase that took more than its arrivals is nobody's absence.
        if (incident_behind_surplus(result, incident, ENGINE_SURPLUS_OF_PHASE) ||
            incident_explained(result, "arrive-over", incident))
            continue;
        rule_report_incident(
            context, result, incident,
            "'%s' expects %lld arrival%s in each phase, but %s {does|do} not come to this "
            "arrive: %s {waits|wait} for ever",
            name, (long long)incident->number[0], plural_s(incident->number[0]),
            threads_text(&incident->missing), threads_text(&incident->threads));
    }
}

const struct rule rule_arrive_divergent = {
    .id = "arrive-divergent",
    .family = "arrive",
    .summary = "some of the threads that a barrier counts can pass its arrive by",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 4.9.1", "CUDA Programming Guide 13, 4.9.2",
                   "PTX ISA 9.1, 9.7.13.15.6 (phase completion)"},
    .check = check,
    .doc =
        {
            .what = "An arrive, or arrive_and_wait, stands under a condition that differs "
                    "between the threads which the barrier counts, and those that take the "
                    "other way neither arrive there nor have dropped out. Where the condition "
                    "depends on nothing but the number of the thread, so that the same "
                    "threads stay away every time, init-count-mismatch tells it; where it "
                    "ends a loop, arrive-loop-mismatch; where it leads to a return, and not "
                    "to the wait all the same, exit-missing-drop.",
            .why = "The phase lacks the arrivals of the threads that went the other way. It "
                   "never completes, every thread that waits for it hangs, and exiting does "
                   "not help: unlike __syncthreads, an mbarrier does not forgive threads "
                   "that are gone. compute-sanitizer reports nothing. A finding is certain "
                   "when the threads are seen to stay away in every way the kernel can run; "
                   "with data it cannot know, barlint says what it assumes.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void relax(const float *in, float *out, const int *active)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                   "    __shared__ float line[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&step, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    if (active[threadIdx.x] > 0)\n"
                   "        step.arrive_and_wait(); // expect: arrive-divergent\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out, const int *active)\n"
                   "{\n"
                   "    relax<<<1, 128>>>(in, out, active);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void relax(const float *in, float *out, const int *active)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&step, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = active[threadIdx.x] > 0 ? in[threadIdx.x] : 0.0f;\n"
                    "    step.arrive_and_wait();\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out, const int *active)\n"
                    "{\n"
                    "    relax<<<1, 128>>>(in, out, active);\n"
                    "}\n",
            .fix = "Move the arrive out of the condition, arrive in both arms, or initialise "
                   "the barrier with the number of threads that really arrive.",
        },
};
