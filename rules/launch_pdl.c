#include <stdlib.h>

#include "base/vec.h"
#include "rules/facts.h"

enum { MOST_DEPTH = 12 };

struct walk {
    const struct engine_result *result;
    bool *seen; // by function
    bool waits, loads_before, loads_after;
    struct ir_loc wait, load;
};

enum reach { REACH_OWN, REACH_UNKNOWN, REACH_GLOBAL };

// Where an address points: a pointer that came from a parameter, whatever was added to it, leads
// into global memory.
static enum reach reach_of(const struct walk *walk, const struct ir_function *function,
                           ir_value address)
{
    for (int depth = 0; depth < 32; ++depth) {
        const struct ir_op *op = ir_op_at(function, address);
        if (!op)
            return REACH_UNKNOWN;
        switch (op->code) {
        case IR_OFFSET:
        case IR_INDEX:
        case IR_CAST:
        case IR_ADD:
            address = ir_operand(function, op, 0);
            continue;
        case IR_LOAD: {
            const struct ir_op *from = ir_op_at(function, ir_operand(function, op, 0));
            return from && from->code == IR_LOCAL && op->type != IR_NONE &&
                           walk->result->unit->type[op->type].kind == IR_TYPE_POINTER
                       ? REACH_GLOBAL
                       : REACH_UNKNOWN;
        }
        case IR_LOCAL:
        case IR_GLOBAL:
            return REACH_OWN;
        default:
            return REACH_UNKNOWN;
        }
    }
    return REACH_UNKNOWN;
}

// Goes through the code in the order of the text, which for what stands before and behind a wait
// that all threads come to is the order of time.
static void walk_function(struct walk *walk, ir_function_id id, int depth)
{
    const struct ir_function *function = &walk->result->unit->function[id];
    if (depth >= MOST_DEPTH || walk->seen[id] || !(function->flags & IR_FN_BODY))
        return;
    walk->seen[id] = true;
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
        for (ptrdiff_t k = 0; k < arrlen(function->block[b].op); ++k) {
            ir_value value = function->block[b].op[k];
            const struct ir_op *op = ir_op_at(function, value);
            struct model_op model;
            enum reach reach = op->code == IR_LOAD
                                   ? reach_of(walk, function, ir_operand(function, op, 0))
                                   : REACH_OWN;
            bool loads = reach == REACH_GLOBAL;
            walk->loads_after |= walk->waits && reach == REACH_UNKNOWN;
            if (op->code == IR_CALL || op->code == IR_PTX) {
                bool matched =
                    model_match(walk->result->model, walk->result->unit, function, value, &model);
                if (matched && model.kind == MODEL_GRID_DEPENDENCY_WAIT && !walk->waits) {
                    walk->waits = true;
                    walk->wait = op->loc;
                }
                loads |= matched && model.kind == MODEL_VALUE && model.value_op == MODEL_VALUE_LDG;
                // Whatever is not understood may load.
                loads |= !matched && op->code == IR_PTX;
                loads |=
                    matched && (model.kind == MODEL_BULK_LOAD || model.kind == MODEL_CP_ASYNC ||
                                model.kind == MODEL_GROUP_COPY || model.kind == MODEL_ATOMIC);
                if (!matched && op->code == IR_CALL)
                    walk_function(walk, (ir_function_id)op->imm, depth + 1);
            }
            if (!loads)
                continue;
            if (!walk->waits && !walk->loads_before)
                walk->load = op->loc;
            walk->loads_before |= !walk->waits;
            walk->loads_after |= walk->waits;
        }
    }
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_shape *shape = &result->shape;
    const struct ir_function *kernel = &result->unit->function[result->kernel];
    if (!shape->dependent || kernel->flags & (IR_FN_PARTIAL | IR_FN_PATTERN))
        return;
    struct walk walk = {.result = result,
                        .seen = calloc(arrlenu(result->unit->function) + 1, sizeof(bool))};
    if (!walk.seen)
        return;
    walk_function(&walk, result->kernel, 0);
    free(walk.seen);
    if (!walk.loads_before || walk.loads_after)
        return;
    struct rule_report *report =
        walk.waits ? rule_report(context, walk.wait, 0, RULE_POSSIBLE,
                                 "'%s' waits for the kernel before it when it has read all its "
                                 "data already",
                                 kernel->name)
                   : rule_report(context, walk.load, 0, RULE_POSSIBLE,
                                 "'%s' may start before the kernel before it has ended, and reads "
                                 "memory without waiting for it",
                                 kernel->name);
    if (walk.waits)
        rule_note(report, walk.load, "memory is read here, before");
}

const struct rule rule_launch_pdl = {
    .id = "launch-pdl",
    .family = "launch",
    .summary = "a kernel that may start early does not wait for the one before it",
    .level = RULE_WARNING,
    .reach = RULE_POSSIBLE,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.13 (griddepcontrol)",
                   "CUDA Programming Guide 13, programmatic dependent launch"},
    .check = check,
    .doc =
        {
            .what = "A kernel is launched with the attribute of programmatic stream "
                    "serialization, so that it may start while the kernel before it "
                    "still runs, and reads global memory: without ever executing "
                    "cudaGridDependencySynchronize() (griddepcontrol.wait), or before "
                    "it only. Reads before the wait are fine as long as others follow "
                    "it: what does not depend on the kernel before may be fetched "
                    "early.",
            .why = "Until the wait nothing the kernel before has written needs to be "
                   "visible, whether that kernel triggers early or not; a trigger "
                   "publishes no writes that follow it.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void copy(const int *in, int *out)\n"
                   "{\n"
                   "    out[threadIdx.x] = in[threadIdx.x];\n"
                   "    cudaGridDependencySynchronize(); // expect: launch-pdl\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out, cudaStream_t stream)\n"
                   "{\n"
                   "    cudaLaunchAttribute attribute[1];\n"
                   "    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;\n"
                   "    attribute[0].val.programmaticStreamSerializationAllowed = 1;\n"
                   "    cudaLaunchConfig_t config = {};\n"
                   "    config.gridDim = dim3(1);\n"
                   "    config.blockDim = dim3(128);\n"
                   "    config.stream = stream;\n"
                   "    config.attrs = attribute;\n"
                   "    config.numAttrs = 1;\n"
                   "    cudaLaunchKernelEx(&config, copy, in, out);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void copy(const int *in, int *out)\n"
                    "{\n"
                    "    cudaGridDependencySynchronize();\n"
                    "    out[threadIdx.x] = in[threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out, cudaStream_t stream)\n"
                    "{\n"
                    "    cudaLaunchAttribute attribute[1];\n"
                    "    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;\n"
                    "    attribute[0].val.programmaticStreamSerializationAllowed = 1;\n"
                    "    cudaLaunchConfig_t config = {};\n"
                    "    config.gridDim = dim3(1);\n"
                    "    config.blockDim = dim3(128);\n"
                    "    config.stream = stream;\n"
                    "    config.attrs = attribute;\n"
                    "    config.numAttrs = 1;\n"
                    "    cudaLaunchKernelEx(&config, copy, in, out);\n"
                    "}\n",
            .fix = "Wait in every thread before the first access to what the kernel "
                   "before writes.",
            .limit = "Whether the kernel before it in the stream writes what this one reads is "
                     "decided by the host program: which kernels follow each other, and which "
                     "memory they get, is not followed.",
        },
};
