#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"
#include "rules/fix.h"

enum { LONGEST_CALL = 300 };

// How to drop an arrival on a barrier of this name and type; NULL where the library has no call.
static const char *drop_call(const struct engine_object *object, char *buffer)
{
    const char *type = object->type ? object->type : "";
    if (strncmp(type, "cuda::barrier<", strlen("cuda::barrier<")) != 0)
        return NULL;
    int length = snprintf(buffer, LONGEST_CALL, "%s.arrive_and_drop();", object->name);
    return length > 0 && length < LONGEST_CALL ? buffer : NULL;
}

// Whether the name stands for the object in the kernel: a shared variable that it declares.
static bool is_own_variable(const struct engine_result *result, const struct engine_object *object)
{
    for (ptrdiff_t i = 0; i < arrlen(result->unit->global); ++i) {
        const struct ir_global *global = &result->unit->global[i];
        if (global->owner == result->kernel && global->space == IR_SPACE_SHARED &&
            strcmp(global->name, object->name) == 0)
            return true;
    }
    return false;
}

// How many barriers a thread of the kernel is counted by, as far as they were seen.
static unsigned barriers_of(const struct engine_result *result)
{
    uint32_t last = UINT32_MAX;
    unsigned count = 0;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind != MODEL_MBARRIER_INIT || event->object == last)
            continue;
        last = event->object;
        ++count;
    }
    return count;
}

// Whether what stands last before the place is an arrival that is still to be waited for: a drop
// would be a second one.
static bool has_arrived(const struct engine_result *result, uint32_t object,
                        const struct ir_loc *place)
{
    const struct engine_event *last = NULL;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        enum model_kind kind = event->model.kind;
        bool counts = kind == MODEL_MBARRIER_ARRIVE || kind == MODEL_MBARRIER_TEST ||
                      kind == MODEL_MBARRIER_WAIT || kind == MODEL_MBARRIER_ARRIVE_WAIT;
        if (counts && event->object == object && ir_loc_before(&event->loc, place) &&
            (!last || ir_loc_before(&last->loc, &event->loc)))
            last = event;
    }
    return last && last->model.kind == MODEL_MBARRIER_ARRIVE;
}

// Before the return of a kernel that has one barrier.
static void offer_drop(struct rule_report *report, const struct engine_result *result,
                       const struct engine_incident *incident)
{
    const struct ir_function *kernel = &result->unit->function[result->kernel];
    char buffer[LONGEST_CALL];
    if (incident->loc_chain != 0 || incident->object >= arrlenu(result->object) ||
        barriers_of(result) != 1)
        return;
    const struct engine_object *object = &result->object[incident->object];
    uint32_t index = ir_statement_at(kernel, &incident->loc);
    const char *call = object->name ? drop_call(object, buffer) : NULL;
    if (has_arrived(result, incident->object, &incident->loc))
        return;
    if (!call || index == IR_NONE || kernel->statement[index].kind != IR_STATEMENT_RETURN ||
        !is_own_variable(result, object))
        return;
    struct rule_fix *fix =
        rule_fix(report, false, "call %.*s before the return", (int)strlen(call) - 1, call);
    fix_insert_before(fix, kernel, index, call);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "exit-missing-drop", incident))) {
        if (incident_behind_surplus(result, incident, ENGINE_SURPLUS_OF_PHASE))
            continue;
        struct rule_report *report = rule_report_incident(
            context, result, incident,
            "%s can leave here without arrive_and_drop while '%s' counts on {it|them}: "
            "%s {waits|wait} for ever for phase %lld",
            threads_text(&incident->missing), incident_object(result, incident),
            threads_text(&incident->threads), (long long)incident->number[2]);
        offer_drop(report, result, incident);
    }
}

const struct rule rule_exit_missing_drop = {
    .id = "exit-missing-drop",
    .family = "exit",
    .summary = "a thread that a barrier counts leaves without dropping its arrival",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 4.9.5",
                   "PTX ISA 9.1, 9.7.13.15.14 (mbarrier.arrive_drop)"},
    .check = check,
    .doc =
        {
            .what = "A thread that a barrier counts can return, from the kernel or from the "
                    "function that runs through the phases, or exit, while the others still "
                    "wait for phases, and it has not called arrive_and_drop. A return before "
                    "the first arrive counts too: the expected count includes the thread from "
                    "the start. The finding stands at the return.",
            .why = "The phase lacks one arrival for good and every waiter hangs. This "
                   "differs from __syncthreads, which goes on without threads that have "
                   "exited; compute-sanitizer reports nothing.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void settle(float *cell, const float *force, int steps)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&step, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    for (int i = 0; i < steps; ++i) {\n"
                   "        if (cell[threadIdx.x] < force[i])\n"
                   "            return; // expect: exit-missing-drop\n"
                   "        cell[threadIdx.x] -= force[i];\n"
                   "        step.arrive_and_wait();\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float *cell, const float *force, int steps)\n"
                   "{\n"
                   "    settle<<<1, 128>>>(cell, force, steps);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void settle(float *cell, const float *force, int steps)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> step;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&step, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    for (int i = 0; i < steps; ++i) {\n"
                    "        if (threadIdx.x != 0 && cell[threadIdx.x] < force[i]) {\n"
                    "            step.arrive_and_drop();\n"
                    "            return;\n"
                    "        }\n"
                    "        cell[threadIdx.x] -= force[i];\n"
                    "        step.arrive_and_wait();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float *cell, const float *force, int steps)\n"
                    "{\n"
                    "    settle<<<1, 128>>>(cell, force, steps);\n"
                    "}\n",
            .fix = "Call arrive_and_drop (mbarrier.arrive_drop) on every barrier that counts "
                   "the thread before it leaves.",
        },
};
