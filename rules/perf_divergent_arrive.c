#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ir/cfg.h"
#include "rules/facts.h"

enum { WARP = 32, MOST_FRAMES = 8, MOST_BLOCKS = 16 };

// --- Which values differ between the lanes of a warp
// ----------------------------------------------

enum differs { DIFFERS_UNKNOWN, DIFFERS_NOT, DIFFERS_BY_NUMBER, DIFFERS_BY_DATA };

// One function, with what has been worked out of its values. A value that is being worked out
// counts as one that does not differ: a loop's variable differs by what goes into it.
struct lanes {
    const struct engine_result *result;
    const struct ir_function *function;
    uint8_t *value, *local; // enum differs
};

static enum differs value_differs(struct lanes *lanes, ir_value value);

static enum differs larger(enum differs a, enum differs b)
{
    return a > b ? a : b;
}

static enum differs local_differs(struct lanes *lanes, int64_t local)
{
    if (lanes->local[local] != DIFFERS_UNKNOWN)
        return (enum differs)lanes->local[local];
    lanes->local[local] = DIFFERS_NOT;
    enum differs differs = DIFFERS_NOT;
    for (ptrdiff_t i = 0; i < arrlen(lanes->function->op); ++i) {
        const struct ir_op *op = &lanes->function->op[i];
        const struct ir_op *to = op->code == IR_STORE
                                     ? ir_op_at(lanes->function, ir_operand(lanes->function, op, 0))
                                     : NULL;
        if (to && to->code == IR_LOCAL && to->imm == local)
            differs = larger(differs, value_differs(lanes, ir_operand(lanes->function, op, 1)));
    }
    return (enum differs)(lanes->local[local] = (uint8_t)differs);
}

static enum differs operands_differ(struct lanes *lanes, const struct ir_op *op)
{
    enum differs differs = DIFFERS_NOT;
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        ir_value operand = ir_operand(lanes->function, op, i);
        if (operand != IR_NONE)
            differs = larger(differs, value_differs(lanes, operand));
    }
    return differs;
}

static enum differs work_out(struct lanes *lanes, ir_value value, const struct ir_op *op)
{
    struct model_op model;
    const struct ir_op *from;
    switch (op->code) {
    case IR_SPECIAL:
        return op->imm == IR_TID_X || op->imm == IR_TID_Y || op->imm == IR_TID_Z ||
                       op->imm == IR_LANEID
                   ? DIFFERS_BY_NUMBER
                   : DIFFERS_NOT;
    case IR_LOAD:
        from = ir_op_at(lanes->function, ir_operand(lanes->function, op, 0));
        if (from && from->code == IR_LOCAL)
            return local_differs(lanes, from->imm);
        return operands_differ(lanes, op) > DIFFERS_NOT ? DIFFERS_BY_DATA : DIFFERS_NOT;
    case IR_CALL:
    case IR_PTX:
        if (!model_match(lanes->result->model, lanes->result->unit, lanes->function, value, &model))
            return DIFFERS_NOT;
        return model.kind == MODEL_ATOMIC  ? DIFFERS_BY_DATA
               : model.kind == MODEL_VALUE ? operands_differ(lanes, op)
                                           : DIFFERS_NOT;
    default:
        return operands_differ(lanes, op);
    }
}

static enum differs value_differs(struct lanes *lanes, ir_value value)
{
    const struct ir_op *op = ir_op_at(lanes->function, value);
    if (!op)
        return DIFFERS_NOT;
    if (lanes->value[value] == DIFFERS_UNKNOWN) {
        lanes->value[value] = DIFFERS_NOT;
        lanes->value[value] = (uint8_t)work_out(lanes, value, op);
    }
    return (enum differs)lanes->value[value];
}

// --- The way to the arrival
// ------------------------------------------------------------------------

// Whether the operation leaves the lanes of a warp as they stand.
static bool leaves_apart(const struct engine_result *result, const struct ir_function *function,
                         ir_value value)
{
    const struct ir_op *op = ir_op_at(function, value);
    struct model_op model;
    if (op->code == IR_CALLI || op->code == IR_OPAQUE)
        return false;
    if (op->code != IR_CALL && op->code != IR_PTX)
        return true;
    return model_match(result->model, result->unit, function, value, &model) &&
           (model.kind == MODEL_VALUE || model.kind == MODEL_NOTHING ||
            model.kind == MODEL_ATOMIC || model.kind == MODEL_MEMORY_SET ||
            model.kind == MODEL_ADDRESS_SAME);
}

// The block that begins the straight way to `value`, when nothing on it brings the lanes together;
// IR_NONE otherwise.
static ir_block_id way_begins(const struct engine_result *result,
                              const struct ir_function *function, const struct cfg *cfg,
                              ir_value value)
{
    ir_block_id block = 0;
    ptrdiff_t at = -1;
    for (; block < arrlenu(function->block) && at < 0; ++block) {
        for (ptrdiff_t k = 0; k < arrlen(function->block[block].op); ++k) {
            if (function->block[block].op[k] == value)
                at = k;
        }
    }
    if (at < 0 || !cfg_reachable(cfg, --block))
        return IR_NONE;
    for (int steps = 0; steps < MOST_BLOCKS; ++steps) {
        while (--at >= 0) {
            if (!leaves_apart(result, function, function->block[block].op[at]))
                return IR_NONE;
        }
        const struct cfg_list *before = &cfg->predecessor[block];
        const struct ir_op *end =
            before->count == 1 ? ir_terminator(function, before->item[0]) : NULL;
        if (!end || end->code != IR_BR)
            return block;
        block = before->item[0];
        at = arrlen(function->block[block].op);
    }
    return IR_NONE;
}

static bool differs_by_data(struct lanes *lanes, const struct ir_op *end)
{
    return end && end->code == IR_CONDBR &&
           value_differs(lanes, ir_operand(lanes->function, end, 0)) == DIFFERS_BY_DATA;
}

// Whether a block between the condition and the place where its arms meet calls a function or
// loops: arms that are shorter the compiler executes for all lanes.
static bool arms_work(const struct lanes *lanes, const struct cfg *cfg, ir_block_id condition,
                      ir_block_id join)
{
    for (ir_block_id b = 0; b < arrlenu(lanes->function->block); ++b) {
        if (b == condition || !cfg_reachable(cfg, b) || !cfg_dominates(cfg, condition, b) ||
            cfg_dominates(cfg, join, b))
            continue;
        if (cfg->loop_of[b] != cfg->loop_of[condition])
            return true;
        for (ptrdiff_t k = 0; k < arrlen(lanes->function->block[b].op); ++k) {
            const struct ir_op *op = ir_op_at(lanes->function, lanes->function->block[b].op[k]);
            if (op->code == IR_CALL || op->code == IR_CALLI)
                return true;
        }
    }
    return false;
}

// The condition right before the block that parts the lanes of a warp by data; NULL where there is
// none. `*is_loop`: it decides how often each lane goes through a loop.
static const struct ir_op *parting(struct lanes *lanes, const struct cfg *cfg, ir_block_id block,
                                   bool *is_loop)
{
    const struct cfg_list *before = &cfg->predecessor[block];
    for (uint32_t i = 0; i < before->count; ++i) {
        const struct ir_op *end = ir_terminator(lanes->function, before->item[i]);
        uint32_t loop = cfg->loop_of[before->item[i]];
        *is_loop = true;
        if (loop != IR_NONE && loop != cfg->loop_of[block] && differs_by_data(lanes, end))
            return end;
    }
    *is_loop = false;
    ir_block_id condition = cfg->dominator.parent[block];
    if (before->count < 2 || condition == IR_NONE || cfg_join(cfg, condition) != block)
        return NULL;
    const struct ir_op *end = ir_terminator(lanes->function, condition);
    return differs_by_data(lanes, end) && arms_work(lanes, cfg, condition, block) ? end : NULL;
}

static const struct ir_op *parting_before(const struct engine_result *result,
                                          const struct ir_function *function, ir_value value,
                                          bool *is_loop, bool *begins_here)
{
    struct arena arena;
    struct cfg cfg;
    arena_init(&arena);
    cfg_build(&cfg, function, &arena);
    struct lanes lanes = {result, function, arena_array(&arena, uint8_t, arrlenu(function->op) + 1),
                          arena_array(&arena, uint8_t, arrlenu(function->local) + 1)};
    ir_block_id block = way_begins(result, function, &cfg, value);
    const struct ir_op *found = block == IR_NONE ? NULL : parting(&lanes, &cfg, block, is_loop);
    *begins_here = block != IR_NONE && cfg.predecessor[block].count == 0;
    arena_release(&arena);
    return found;
}

// --- Check
// -----------------------------------------------------------------------------------------

// Whether every warp that comes, comes with all the lanes it has.
static bool whole_warps(const struct engine_result *result, const struct engine_event *event)
{
    const int64_t *block = result->shape.block;
    int64_t threads = block[0] * block[1] * block[2];
    if (!event->threads.mask || event->threads.count < WARP)
        return false;
    for (int64_t warp = 0; warp * WARP < threads; ++warp) {
        uint32_t here = (uint32_t)(event->threads.mask[warp / 2] >> (warp % 2 * WARP));
        uint32_t all =
            threads - warp * WARP >= WARP ? UINT32_MAX : (1u << (threads - warp * WARP)) - 1;
        if (here && here != all)
            return false;
    }
    return true;
}

static void look_at(struct rule_context *context, const struct engine_result *result,
                    const struct engine_event *event)
{
    ir_function_id id = event->function;
    ir_value value = event->op;
    uint32_t chain = event->chain;
    for (int frame = 0; frame < MOST_FRAMES; ++frame) {
        const struct ir_function *function = &result->unit->function[id];
        bool is_loop, begins_here;
        if (function->flags & (IR_FN_PARTIAL | IR_FN_PATTERN))
            return;
        const struct ir_op *branch =
            parting_before(result, function, value, &is_loop, &begins_here);
        if (branch) {
            struct rule_report *report =
                rule_report(context, ir_op_at(function, value)->loc, chain, RULE_POSSIBLE,
                            "the lanes of a warp may arrive here one by one: nothing brings them "
                            "together after %s",
                            is_loop ? "a loop that each leaves when its data say so"
                                    : "arms that each takes as its data say");
            rule_note(report, branch->loc, "they part here");
            rule_pedantic(report);
            return;
        }
        // The arrival begins a helper: what counts is what comes before its call.
        const struct engine_chain *entry = &result->chain[chain];
        if (!begins_here || entry->parent >= chain)
            return;
        value = engine_call_of(result, entry);
        chain = entry->parent;
        id = result->chain[chain].function;
        if (value == IR_NONE)
            return;
    }
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *object = event_object(result, event);
        if ((event->model.kind == MODEL_MBARRIER_ARRIVE ||
             event->model.kind == MODEL_MBARRIER_ARRIVE_WAIT) &&
            object && object->in_shared && result->shape.block_known && whole_warps(result, event))
            look_at(context, result, event);
    }
}

const struct rule rule_perf_divergent_arrive = {
    .id = "perf-divergent-arrive",
    .family = "performance",
    .summary = "the lanes of a warp arrive at an mbarrier apart from each other",
    .level = RULE_NOTE,
    .reach = RULE_POSSIBLE,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 4.9.3 (warp entanglement)"},
    .check = check,
    .doc =
        {
            .what = "All lanes of a warp arrive at an mbarrier or a cuda::barrier in shared "
                    "memory, and right before that they went different ways by data that each "
                    "lane has of its own: through a loop that each leaves when its data say so, or "
                    "through the arms of a condition that call functions or loop. Nothing in "
                    "between, such as __syncwarp(), brings them together. Told with --pedantic "
                    "only.",
            .why = "Lanes that arrive together are one update of the barrier; lanes that arrive "
                   "one after the other are an update each, up to 32, of one word in shared "
                   "memory that all warps of the block want.",
            .bad = "// pedantic: how the lanes come together is the compiler's choice\n"
                   "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void walk(const int *next, const int *steps, int *out)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> done;\n"
                   "    __shared__ int end[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&done, 128);\n"
                   "    __syncthreads();\n"
                   "    int at = threadIdx.x;\n"
                   "    for (int i = 0; i < steps[threadIdx.x]; ++i)\n"
                   "        at = next[at];\n"
                   "    end[threadIdx.x] = at;\n"
                   "    done.arrive_and_wait(); // expect: perf-divergent-arrive\n"
                   "    out[threadIdx.x] = end[127 - threadIdx.x];\n"
                   "    auto token = done.arrive();\n"
                   "    done.wait(std::move(token));\n"
                   "}\n"
                   "\n"
                   "void launch(const int *next, const int *steps, int *out)\n"
                   "{\n"
                   "    walk<<<1, 128>>>(next, steps, out);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void walk(const int *next, const int *steps, int *out)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> done;\n"
                    "    __shared__ int end[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&done, 128);\n"
                    "    __syncthreads();\n"
                    "    int at = threadIdx.x;\n"
                    "    for (int i = 0; i < steps[threadIdx.x]; ++i)\n"
                    "        at = next[at];\n"
                    "    end[threadIdx.x] = at;\n"
                    "    __syncwarp();\n"
                    "    done.arrive_and_wait();\n"
                    "    out[threadIdx.x] = end[127 - threadIdx.x];\n"
                    "    auto token = done.arrive();\n"
                    "    done.wait(std::move(token));\n"
                    "}\n"
                    "\n"
                    "void launch(const int *next, const int *steps, int *out)\n"
                    "{\n"
                    "    walk<<<1, 128>>>(next, steps, out);\n"
                    "}\n",
            .fix = "Put __syncwarp() before the arrival.",
            .limit = "Where the lanes come together again is the compiler's choice: after simple "
                     "code it mostly does that by itself, right behind the loop or the arms.",
        },
};
