#include "base/vec.h"
#include "rules/facts.h"

// Whether all threads of the block, or of more, wait for each other there.
static bool is_block_barrier(const struct model_op *op)
{
    switch (op->kind) {
    case MODEL_NAMED_SYNC:
        return op->id == IR_NONE && op->id_constant == 0 && op->count == IR_NONE;
    case MODEL_GROUP_SYNC:
    case MODEL_GROUP_COPY_WAIT:
        return op->scope == MODEL_SCOPE_BLOCK;
    case MODEL_GRID_SYNC:
    case MODEL_CLUSTER_SYNC:
        return true;
    default:
        return false;
    }
}

// Whether the operation touches nothing but the thread's own variables.
static bool is_own(const struct engine_result *result, const struct ir_function *function,
                   ir_value value)
{
    const struct ir_op *op = ir_op_at(function, value);
    struct model_op model;
    switch (op->code) {
    case IR_LOAD:
    case IR_STORE:
    case IR_ZERO: {
        const struct ir_op *to = ir_op_at(function, ir_operand(function, op, 0));
        return to && to->code == IR_LOCAL;
    }
    case IR_CALL:
    case IR_PTX:
        return model_match(result->model, result->unit, function, value, &model) &&
               model.kind == MODEL_VALUE && model.value_op != MODEL_VALUE_LDG &&
               model.value_op != MODEL_VALUE_STG;
    case IR_COPY:
    case IR_CALLI:
    case IR_OPAQUE:
        return false;
    default:
        return true;
    }
}

static ptrdiff_t position_of(const struct ir_function *function, ir_value value, ptrdiff_t *block)
{
    for (*block = 0; *block < arrlen(function->block); ++*block) {
        const struct ir_block *in = &function->block[*block];
        for (ptrdiff_t k = 0; k < arrlen(in->op); ++k) {
            if (in->op[k] == value)
                return k;
        }
    }
    return -1;
}

// The barrier that follows with nothing to order between the two; IR_NONE where there is none.
// `ends` says that the function ends instead.
static ir_value next_barrier(const struct engine_result *result, const struct ir_function *function,
                             ir_value value, bool *ends)
{
    ptrdiff_t block, at = position_of(function, value, &block);
    *ends = false;
    for (int jumps = 0; at >= 0 && jumps < 4; ++jumps) {
        const struct ir_block *in = &function->block[block];
        ir_block_id target = IR_NONE;
        for (ptrdiff_t k = jumps ? 0 : at + 1; k < arrlen(in->op) && target == IR_NONE; ++k) {
            const struct ir_op *op = ir_op_at(function, in->op[k]);
            struct model_op model;
            *ends = op->code == IR_RET;
            if (op->code == IR_BR && op->target[0] > (ir_block_id)block) {
                target = op->target[0];
                continue;
            }
            // Others may come to the block another way: a barrier there is not only behind this.
            bool barrier = (op->code == IR_CALL || op->code == IR_PTX) &&
                           model_match(result->model, result->unit, function, in->op[k], &model) &&
                           is_block_barrier(&model);
            if (barrier)
                return jumps ? IR_NONE : in->op[k];
            if (ir_is_terminator((enum ir_op_code)op->code) || !is_own(result, function, in->op[k]))
                return IR_NONE;
        }
        if (target == IR_NONE)
            return IR_NONE;
        block = (ptrdiff_t)target;
    }
    return IR_NONE;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct ir_function *function = &result->unit->function[event->function];
        struct model_op model;
        if (function->flags & (IR_FN_PARTIAL | IR_FN_PATTERN | IR_FN_SYSTEM) ||
            !model_match(result->model, result->unit, function, event->op, &model) ||
            !is_block_barrier(&model))
            continue;
        bool ends;
        ir_value next = next_barrier(result, function, event->op, &ends);
        if (next != IR_NONE && model.kind != MODEL_CLUSTER_SYNC) {
            const struct ir_op *op = ir_op_at(function, next);
            struct model_op second;
            // The stronger of the two stays.
            bool narrow = model_match(result->model, result->unit, function, next, &second) &&
                          (second.kind == MODEL_NAMED_SYNC || second.kind == MODEL_GROUP_SYNC);
            if (!narrow)
                continue;
            struct rule_report *report =
                rule_report(context, op->loc, event->chain, RULE_CERTAIN,
                            "nothing happens between this barrier and the one before it");
            rule_note(report, event->loc, "the block has synchronised here already");
            rule_pedantic(report);
        } else if (ends && arrlen(result->incident) == 0 && event->chain == 0 &&
                   event->function == result->kernel &&
                   (model.kind == MODEL_NAMED_SYNC || model.kind == MODEL_GROUP_SYNC)) {
            rule_pedantic(rule_report(context, event->loc, 0, RULE_CERTAIN,
                                      "the kernel ends behind this barrier: nothing waits for it"));
        }
    }
}

const struct rule rule_perf_redundant_sync = {
    .id = "perf-redundant-sync",
    .family = "performance",
    .summary = "a barrier of the block with nothing to order",
    .level = RULE_NOTE,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 5.4.4.1",
                   "CUDA Programming Guide 13, 5.6.3 (wait synchronises its group)"},
    .check = check,
    .doc =
        {
            .what = "Two barriers of the whole block follow each other with no access "
                    "to memory between, among them those inside cg::wait(block), "
                    "grid.sync() and block.sync(); or a barrier of the block is the "
                    "last thing a kernel does. Told with --pedantic only.",
            .why = "The first has ordered everything already. Each costs the block the "
                   "time of its slowest warp.",
            .bad = "// pedantic: advice on speed\n"
                   "#include <cooperative_groups.h>\n"
                   "#include <cooperative_groups/memcpy_async.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void reverse(const int *in, int *out)\n"
                   "{\n"
                   "    __shared__ alignas(16) int line[128];\n"
                   "    auto block = cg::this_thread_block();\n"
                   "    cg::memcpy_async(block, line, in, sizeof(line));\n"
                   "    cg::wait(block);\n"
                   "    __syncthreads(); // expect: perf-redundant-sync\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    reverse<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "#include <cooperative_groups/memcpy_async.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void reverse(const int *in, int *out)\n"
                    "{\n"
                    "    __shared__ alignas(16) int line[128];\n"
                    "    auto block = cg::this_thread_block();\n"
                    "    cg::memcpy_async(block, line, in, sizeof(line));\n"
                    "    cg::wait(block);\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out)\n"
                    "{\n"
                    "    reverse<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Leave one of the two away, or the one at the end.",
        },
};
