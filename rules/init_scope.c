#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

enum { SCOPE_SYSTEM, SCOPE_BLOCK = 2, SCOPE_THREAD = 10 }; // cuda::thread_scope

// The scope in the type that an address points to, -1 where it is no cuda::barrier.
static int scope_in_type(const struct ir_unit *unit, ir_type_id pointer)
{
    // The scope is the first argument of the class and the last one of its base.
    static const char class_name[] = "cuda::barrier<", base_name[] = "cuda::std::__barrier_base<";
    if (pointer == IR_NONE || unit->type[pointer].kind != IR_TYPE_POINTER)
        return -1;
    const struct ir_type *type = &unit->type[unit->type[pointer].elem];
    if (type->kind != IR_TYPE_RECORD)
        return -1;
    if (strncmp(type->name, class_name, sizeof class_name - 1) == 0)
        return atoi(type->name + sizeof class_name - 1);
    const char *last = strrchr(type->name, ',');
    return last && strncmp(type->name, base_name, sizeof base_name - 1) == 0 ? atoi(last + 1) : -1;
}

// The scope of the object the operation works on. A barrier of one scope may be made of one of
// another: the outermost class says what was meant.
static int scope_of(const struct engine_result *result, const struct engine_event *event)
{
    const struct ir_function *function = &result->unit->function[event->function];
    const struct ir_op *op = ir_op_at(function, event->model.object);
    int scope = -1;
    while (op) {
        int outer = scope_in_type(result->unit, op->type);
        if (outer < 0)
            break;
        scope = outer;
        op = op->code == IR_OFFSET || op->code == IR_CAST
                 ? ir_op_at(function, ir_operand(function, op, 0))
                 : NULL;
    }
    return scope;
}

static const char *scope_text(int scope)
{
    return scope == SCOPE_BLOCK ? "a block" : scope == SCOPE_THREAD ? "one thread" : "a device";
}

// Whether an operation before this one has the object with the same scope, and is told of already.
static bool told_before(const struct engine_result *result, const struct engine_event *event,
                        int scope)
{
    for (const struct engine_event *other = result->event; other < event; ++other) {
        if (event_is_mbarrier(other) && other->model.kind != MODEL_MBARRIER_INIT &&
            scope_of(result, other) == scope && other->object == event->object &&
            (other->host.file != 0) == (event->host.file != 0))
            return true;
    }
    return false;
}

static void check_event(struct rule_context *context, const struct engine_result *result,
                        const struct engine_event *event)
{
    const int64_t *grid = result->shape.grid;
    bool one_block = grid[0] == 1 && grid[1] == 1 && grid[2] == 1;
    bool known = grid[0] > 0 && grid[1] > 0 && grid[2] > 0;
    int scope = scope_of(result, event);
    const struct engine_object *object = event_object(result, event);
    const char *name = object && object->name ? object->name : "the barrier";
    if (scope < 0 || scope == SCOPE_SYSTEM || told_before(result, event, scope))
        return;
    bool is_own = object && object->is_own;
    if (event->host.file)
        rule_note(rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                              "'%s' has the scope of %s, and the host works on it while the kernel "
                              "may run",
                              name, scope_text(scope)),
                  event->host, "the host uses it here, behind the launch");
    else if (scope == SCOPE_THREAD && event->most_at_once > 1 && !is_own)
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "'%s' has the scope of one thread and is used by %s", name,
                    event_threads(event));
    else if (scope == SCOPE_BLOCK && event->same_in_grid && !one_block)
        rule_report(context, event->loc, event->chain, known ? RULE_CERTAIN : RULE_POSSIBLE,
                    "'%s' has the scope of a block, and all blocks of the grid share it", name);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event_is_mbarrier(event) && event->model.kind != MODEL_MBARRIER_INIT &&
            event->model.flags & MODEL_LIBRARY_OBJECT)
            check_event(context, result, event);
    }
}

const struct rule rule_init_scope = {
    .id = "init-scope",
    .family = "init",
    .summary = "the scope of a cuda::barrier does not cover the threads that use it",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"libcu++, cuda::barrier: concurrency restrictions and thread scopes"},
    .check = check,
    .doc =
        {
            .what = "A cuda::barrier of thread_scope_block in global memory is used by more than "
                    "one block of the grid, or one of thread_scope_thread by more than one thread. "
                    "Reported when the address is the same in all blocks and the launch has more "
                    "than one; where the extent of the grid is not known the finding is possible. "
                    "Reported as well when the function that launches the kernel works on the "
                    "same object, of any scope but the system's, between the launch and the call "
                    "that waits for it: CPU and GPU may share objects of thread_scope_system only "
                    "(and these where the device has concurrentManagedAccess or "
                    "hostNativeAtomicSupported, which no source says).",
            .why = "The scope is a promise on which the implementation builds: operations of a "
                   "narrower scope need not be seen by the other blocks, and the barrier lets "
                   "threads pass early or never.",
            .bad =
                "#include <cuda/barrier>\n"
                "\n"
                "__global__ void meet(cuda::barrier<cuda::thread_scope_block> *all, float *data)\n"
                "{\n"
                "    data[blockIdx.x] += 1.0f;\n"
                "    all->arrive_and_wait(); // expect: init-scope\n"
                "}\n"
                "\n"
                "void launch(cuda::barrier<cuda::thread_scope_block> *all, float *data)\n"
                "{\n"
                "    meet<<<4, 128>>>(all, data);\n"
                "}\n",
            .good =
                "#include <cuda/barrier>\n"
                "\n"
                "__global__ void meet(cuda::barrier<cuda::thread_scope_device> *all, float *data)\n"
                "{\n"
                "    data[blockIdx.x] += 1.0f;\n"
                "    all->arrive_and_wait();\n"
                "}\n"
                "\n"
                "void launch(cuda::barrier<cuda::thread_scope_device> *all, float *data)\n"
                "{\n"
                "    meet<<<4, 128>>>(all, data);\n"
                "}\n",
            .fix = "Use thread_scope_device (thread_scope_system with the host or other GPUs) for "
                   "what blocks share, and make sure that all blocks are on the device together; "
                   "or use a grid barrier.",
        },
};
