#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

// Whether others' data may be used behind the operation only, or own data must be stored before it.
static bool orders_memory(const struct model_op *op)
{
    switch (op->kind) {
    case MODEL_NAMED_SYNC:
    case MODEL_NAMED_ARRIVE:
    case MODEL_NAMED_RED:
    case MODEL_WARP_SYNC:
    case MODEL_CLUSTER_ARRIVE:
    case MODEL_CLUSTER_WAIT:
    case MODEL_MBARRIER_TEST:
    case MODEL_CP_ASYNC_WAIT:
    case MODEL_BULK_WAIT:
        return !(op->flags & MODEL_RELAXED);
    case MODEL_MBARRIER_ARRIVE:
        return !(op->flags & MODEL_RELAXED);
    default:
        return false;
    }
}

// Whether the function, or the one that calls it, touches memory that is not its own.
static bool touches_memory(const struct engine_result *result, uint32_t chain)
{
    for (int depth = 0; depth < 8 && chain < arrlenu(result->chain); ++depth) {
        const struct engine_chain *at = &result->chain[chain];
        const struct ir_function *function = &result->unit->function[at->function];
        for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
            const struct ir_op *op = &function->op[i];
            if (op->code != IR_LOAD && op->code != IR_STORE)
                continue;
            // Down to the variable that the address starts from.
            const struct ir_op *from = ir_op_at(function, ir_operand(function, op, 0));
            while (from &&
                   (from->code == IR_INDEX || from->code == IR_OFFSET || from->code == IR_CAST))
                from = ir_op_at(function, ir_operand(function, from, 0));
            if (from && from->code == IR_GLOBAL && !(op->flags & IR_VOLATILE) &&
                result->unit->global[from->imm].space == IR_SPACE_SHARED)
                return true;
        }
        if (!at->wrapper || at->parent >= chain)
            return false;
        chain = at->parent;
    }
    return false;
}

static bool told_before(const struct engine_result *result, const struct engine_event *event)
{
    for (const struct engine_event *other = result->event; other < event; ++other) {
        if (memcmp(&other->loc, &event->loc, sizeof event->loc) == 0)
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct ir_op *op = ir_op_at(&result->unit->function[event->function], event->op);
        if (op->code != IR_PTX || !orders_memory(&event->model) || op->flags & IR_MEMORY_CLOBBER ||
            result->unit->file[op->loc.file].is_system || told_before(result, event) ||
            !touches_memory(result, event->chain))
            continue;
        rule_report(
            // Where it is written, whoever calls it.
            context, event->loc, 0, RULE_CERTAIN,
            op->flags & IR_VOLATILE
                ? "the compiler may move accesses to shared memory across this '%s': its assembly "
                  "does not name \"memory\""
                : "the compiler may drop this '%s' or move it: its assembly is neither volatile "
                  "nor names \"memory\"",
            op->text ? op->text : "instruction");
    }
}

const struct rule rule_port_asm_clobber = {
    .id = "port-asm-clobber",
    .family = "portability",
    .summary =
        "inline assembly of a barrier that the compiler may drop or move memory accesses across",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"Inline PTX Assembly in CUDA (volatile, memory clobber)"},
    .check = check,
    .doc =
        {
            .what = "Inline assembly of an operation that hands memory over (bar.sync, "
                    "mbarrier.arrive, try_wait, barrier.cluster, cp.async.wait_group "
                    "and their like) does not list \"memory\" among what it clobbers, in "
                    "a function that accesses variables in shared memory, or called "
                    "from one. Assembly without outputs is volatile by itself, one with "
                    "outputs must say so.",
            .why = "To the compiler such a statement touches its operands and nothing "
                   "else. It may keep shared variables in registers across the "
                   "barrier, or read them before it. Whether it does depends on "
                   "version, optimisation and what is inlined where.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void reverse(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ float line[128];\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    asm volatile(\"bar.sync 0;\"); // expect: port-asm-clobber\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    reverse<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void reverse(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ float line[128];\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    asm volatile(\"bar.sync 0;\" ::: \"memory\");\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    reverse<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "asm volatile(\"...\" : outputs : inputs : \"memory\").",
        },
};
