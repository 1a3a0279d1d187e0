#include <string.h>

#include "base/vec.h"
#include "ir/cfg.h"
#include "ir/origin.h"
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
        // What an arrival with bytes tells of is stored by copies, not by the thread.
        return !(op->flags & MODEL_RELAXED) && op->bytes == IR_NONE;
    default:
        return false;
    }
}

// Whether accesses are wrong on the far side of the operation: those behind it, of which it says
// that they may begin, or those before it, of which it says that they are done.
static bool holds_back(const struct model_op *op, bool behind)
{
    switch (op->kind) {
    case MODEL_CLUSTER_WAIT:
    case MODEL_MBARRIER_TEST:
    case MODEL_CP_ASYNC_WAIT:
    case MODEL_BULK_WAIT:
        return behind;
    case MODEL_NAMED_ARRIVE:
    case MODEL_CLUSTER_ARRIVE:
    case MODEL_MBARRIER_ARRIVE:
        return !behind;
    default:
        return true;
    }
}

// Whether the operation reads a shared variable, or writes one where it is asked for that too.
static bool touches_shared(const struct ir_unit *unit, const struct ir_function *function,
                           const struct ir_op *op, bool stores, struct arena *arena)
{
    struct ir_frame frame = {.function = function};
    if ((op->code != IR_LOAD && (op->code != IR_STORE || !stores)) || op->flags & IR_VOLATILE)
        return false;
    // A member of a class that depends on template parameters may be an array: not read then.
    if (op->code == IR_LOAD && op->type != IR_NONE && unit->type[op->type].kind == IR_TYPE_OPAQUE)
        return false;
    const struct ir_op *base = ir_base_of(unit, &frame, ir_operand(function, op, 0), arena);
    if (!base || base->code != IR_GLOBAL)
        return false;
    enum ir_space space = unit->global[base->imm].space;
    return space == IR_SPACE_SHARED || space == IR_SPACE_SHARED_DYNAMIC;
}

// Whether the compiler moves nothing across the operation in that direction, or should not: what
// goes on behind such a barrier is that barrier's fault.
static bool stops_compiler(const struct engine_result *result, const struct ir_function *function,
                           ir_value value, bool behind, int depth)
{
    const struct ir_op *op = ir_op_at(function, value);
    struct model_op model;
    if (op->code == IR_PTX)
        return op->flags & IR_MEMORY_CLOBBER ||
               (model_match(result->model, result->unit, function, value, &model) &&
                orders_memory(&model) && holds_back(&model, behind));
    if (op->code != IR_CALL || depth > 4)
        return false;
    if (model_match(result->model, result->unit, function, value, &model))
        return orders_memory(&model) || model.kind == MODEL_FENCE ||
               model.kind == MODEL_GROUP_SYNC || model.kind == MODEL_GROUP_WAIT ||
               model.kind == MODEL_GROUP_COPY_WAIT || model.kind == MODEL_GRID_SYNC ||
               model.kind == MODEL_CLUSTER_SYNC || model.kind == MODEL_MBARRIER_WAIT ||
               model.kind == MODEL_MBARRIER_ARRIVE_WAIT || model.kind == MODEL_PIPELINE_WAIT;
    const struct ir_function *callee = &result->unit->function[op->imm];
    for (ptrdiff_t i = 0; i < arrlen(callee->op); ++i) {
        if (stops_compiler(result, callee, (ir_value)i, behind, depth + 1))
            return true;
    }
    return false;
}

enum meets {
    MEETS_STOP,   // something across which nothing moves, on every way
    MEETS_END,    // the function's own end first, on some way
    MEETS_ACCESS, // an access to a shared variable
};

// What the compiler comes to when it goes on from the place in one direction, to a store too where
// that is asked for.
static enum meets look(const struct engine_result *result, const struct ir_function *function,
                       ir_value value, bool behind, bool stores)
{
    struct arena arena;
    struct cfg cfg;
    arena_init(&arena);
    cfg_build(&cfg, function, &arena);
    bool *seen = arena_array(&arena, bool, (size_t)cfg.block_count + 1);
    ir_block_id *open = NULL;
    enum meets found = MEETS_STOP;
    ir_block_id block = 0;
    ptrdiff_t at = -1;
    for (ir_block_id b = 0; b < cfg.block_count && at < 0; ++b) {
        for (ptrdiff_t k = 0; k < arrlen(function->block[b].op) && at < 0; ++k) {
            at = function->block[b].op[k] == value ? k : -1;
            block = b;
        }
    }
    bool placed = at >= 0;
    at += behind ? 1 : -1;
    while (placed && found != MEETS_ACCESS) {
        const struct ir_block *in = &function->block[block];
        bool stopped = false;
        for (ptrdiff_t k = at; k >= 0 && k < arrlen(in->op) && !stopped; k += behind ? 1 : -1) {
            if (touches_shared(result->unit, function, ir_op_at(function, in->op[k]), stores,
                               &arena)) {
                found = MEETS_ACCESS;
                break;
            }
            stopped = stops_compiler(result, function, in->op[k], behind, 0);
        }
        const struct cfg_list *next = behind ? &cfg.successor[block] : &cfg.predecessor[block];
        for (uint32_t i = 0; i < next->count && !stopped; ++i) {
            if (next->item[i] < cfg.block_count && !seen[next->item[i]])
                arrput(open, next->item[i]);
            if (next->item[i] < cfg.block_count)
                seen[next->item[i]] = true;
        }
        if (!stopped && found == MEETS_STOP && (next->count == 0 || (!behind && block == 0)))
            found = MEETS_END;
        if (arrlen(open) == 0)
            break;
        block = arrpop(open);
        at = behind ? 0 : arrlen(function->block[block].op) - 1;
    }
    arrfree(open);
    arena_release(&arena);
    return found;
}

// Whether there is an access to a shared variable that may be moved across the operation: in its
// function, or, where that ends or begins before there is one, in the one that calls it.
static bool lets_accesses_pass(const struct engine_result *result, const struct engine_event *event,
                               bool behind)
{
    uint32_t chain = event->chain;
    ir_value value = event->op;
    // Behind copies of its own into shared memory a thread reads; what it stores goes elsewhere.
    bool stores = event->model.kind != MODEL_CP_ASYNC_WAIT;
    for (int depth = 0; depth < 8 && chain < arrlenu(result->chain) && value != IR_NONE; ++depth) {
        const struct engine_chain *at = &result->chain[chain];
        enum meets meets =
            look(result, &result->unit->function[at->function], value, behind, stores);
        if (meets != MEETS_END || at->parent >= chain)
            return meets == MEETS_ACCESS;
        value = engine_call_of(result, at);
        chain = at->parent;
    }
    return false;
}

static bool told_before(const struct ir_loc *told, const struct ir_loc *loc)
{
    for (ptrdiff_t i = 0; i < arrlen(told); ++i) {
        if (memcmp(&told[i], loc, sizeof *loc) == 0)
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    struct ir_loc *told = NULL; // one call of a wrapper may be harmless and the next not
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct ir_op *op = ir_op_at(&result->unit->function[event->function], event->op);
        if (op->code != IR_PTX || !orders_memory(&event->model) || op->flags & IR_MEMORY_CLOBBER ||
            result->unit->file[op->loc.file].is_system || told_before(told, &event->loc) ||
            !((holds_back(&event->model, true) && lets_accesses_pass(result, event, true)) ||
              (holds_back(&event->model, false) && lets_accesses_pass(result, event, false))))
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
        arrput(told, event->loc);
    }
    arrfree(told);
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
                    "and their like) does not list \"memory\" among what it clobbers, and "
                    "on the side that it is there for, before an arrival or behind a wait, "
                    "variables in shared memory are accessed with no barrier in between that "
                    "the compiler knows. Assembly without outputs is volatile by itself, one "
                    "with outputs must say so.",
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
