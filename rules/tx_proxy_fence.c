#include <string.h>

#include "barlint/semantics.h"
#include "ir/cfg.h"
#include "ir/origin.h"
#include "rules/facts.h"

enum { MOST_DEPTH = 12, MOST_OPS = 100000, MOST_STORED = 32 };

// Global memory that the kernel stores to: behind a parameter, or a variable of the device.
struct stored {
    int param; // -1: the variable
    int64_t global;
    ir_block_id at; // of the kernel
    struct ir_loc loc;
};

// The kernel's text in its order: what has been stored with no fence since.
struct walk {
    struct rule_context *context;
    const struct engine_result *result;
    struct arena arena;
    struct cfg cfg; // of the kernel
    ir_block_id at;
    uint32_t ops;
    struct stored stored[MOST_STORED];
    uint32_t count;
};

static bool place_of(struct walk *walk, const struct ir_frame *frame, ir_value address,
                     struct stored *out)
{
    const struct ir_unit *unit = walk->result->unit;
    const struct ir_param *param = unit->function[walk->result->kernel].param;
    if (address == IR_NONE)
        return false;
    *out = (struct stored){ir_origin_of(unit, frame, address, &walk->arena), -1, walk->at, {0}};
    if (out->param >= 0)
        return unit->type[param[out->param].type].kind == IR_TYPE_POINTER;
    const struct ir_op *base = ir_base_of(unit, frame, address, &walk->arena);
    if (!base || base->code != IR_GLOBAL || unit->global[base->imm].space != IR_SPACE_GLOBAL)
        return false;
    out->param = -1;
    out->global = base->imm;
    return true;
}

static void note_store(struct walk *walk, const struct ir_frame *frame, const struct ir_op *op)
{
    struct stored stored;
    if (walk->count == MOST_STORED ||
        !place_of(walk, frame, ir_operand(frame->function, op, 0), &stored))
        return;
    stored.loc = op->loc;
    walk->stored[walk->count++] = stored;
}

// Whether the load comes once behind the store: not in another round of a loop around both, which
// mostly is for other bytes, and not in the stead of it.
static bool is_behind(struct walk *walk, const struct stored *stored, int depth)
{
    const struct cfg *cfg = &walk->cfg;
    if (stored->at == walk->at && depth > 0)
        return false;
    for (uint32_t loop = cfg->loop_of[stored->at]; loop != IR_NONE; loop = cfg->loop[loop].parent) {
        if (cfg_in_loop(cfg, loop, walk->at))
            return false;
    }
    return cfg_reached_from(cfg, stored->at, &walk->arena)[walk->at];
}

static void note_copy(struct walk *walk, const struct ir_frame *frame, const struct ir_op *op,
                      ir_value from, int depth)
{
    const struct ir_unit *unit = walk->result->unit;
    struct stored read;
    if (!walk->count || !place_of(walk, frame, from, &read))
        return;
    for (uint32_t i = 0; i < walk->count; ++i) {
        const struct stored *stored = &walk->stored[i];
        if (stored->param != read.param || stored->global != read.global ||
            !is_behind(walk, stored, depth))
            continue;
        const char *name = read.param >= 0
                               ? unit->function[walk->result->kernel].param[read.param].name
                               : unit->global[read.global].name;
        struct rule_report *report =
            rule_report(walk->context, op->loc, frame_chain(walk->result, frame), RULE_POSSIBLE,
                        "no fence.proxy.async comes between the stores to '%s', in global memory, "
                        "and this bulk copy from it",
                        name);
        rule_note(report, stored->loc, "it is written here");
        walk->count = 0;
        return;
    }
}

static bool fences_global(const struct model_op *model)
{
    return model->kind == MODEL_FENCE &&
           (model->fence == MODEL_FENCE_PROXY_ASYNC || model->fence == MODEL_FENCE_PROXY_OTHER);
}

static void walk_function(struct walk *walk, const struct ir_frame *frame, ir_function_id id,
                          int depth)
{
    const struct engine_result *result = walk->result;
    struct ir_frame here = *frame;
    here.function = &result->unit->function[id];
    if (depth >= MOST_DEPTH || !(here.function->flags & IR_FN_BODY))
        return;
    for (ptrdiff_t b = 0; b < arrlen(here.function->block); ++b) {
        if (depth == 0)
            walk->at = (ir_block_id)b;
        for (ptrdiff_t k = 0; k < arrlen(here.function->block[b].op); ++k) {
            ir_value value = here.function->block[b].op[k];
            const struct ir_op *op = ir_op_at(here.function, value);
            struct model_op model;
            if (++walk->ops > MOST_OPS)
                return;
            if (op->code == IR_STORE || op->code == IR_COPY)
                note_store(walk, &here, op);
            if (op->code != IR_CALL && op->code != IR_PTX)
                continue;
            if (!model_match(result->model, result->unit, here.function, value, &model)) {
                struct ir_frame callee = {&here, NULL, op};
                if (op->code == IR_CALL)
                    walk_function(walk, &callee, (ir_function_id)op->imm, depth + 1);
            } else if (fences_global(&model)) {
                walk->count = 0;
            } else if (model.kind == MODEL_BULK_LOAD && !(model.flags & MODEL_TENSOR)) {
                note_copy(walk, &here, op, model.src, depth);
            }
        }
    }
}

// Whether the kernel has a copy that the walk is for; most have none.
static bool loads_in_bulk(const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        if (result->event[i].model.kind == MODEL_BULK_LOAD)
            return true;
    }
    return false;
}

static void check_global(struct rule_context *context, const struct engine_result *result)
{
    struct walk walk = {.context = context, .result = result};
    struct ir_frame top = {0};
    if (!loads_in_bulk(result))
        return;
    arena_init(&walk.arena);
    cfg_build(&walk.cfg, &result->unit->function[result->kernel], &walk.arena);
    walk_function(&walk, &top, result->kernel, 0);
    arena_release(&walk.arena);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-proxy-fence", incident))) {
        // Where not even the threads are ordered, a barrier comes first.
        if (incident_at_same(result, "sync-missing", incident))
            continue;
        const char *object = incident_object(result, incident);
        int length = (int)strcspn(object, "[");
        // The memory model is content with the issuing thread's fence, the documents are not.
        struct engine_incident told = *incident;
        told.certain &= incident->number[0] != ENGINE_READ_BY_FENCED_STORE;
        if (incident->number[0] == ENGINE_READ_BY_MATRIX)
            rule_report_incident(context, result, &told,
                                 "no fence.proxy.async comes between the stores to '%.*s' and this "
                                 "multiplication, which reads it",
                                 length, object);
        else if (incident->number[0] == ENGINE_READ_BY_STORE)
            rule_report_incident(context, result, &told,
                                 "no fence.proxy.async comes between the stores to '%.*s' and this "
                                 "bulk copy from it",
                                 length, object);
        else if (incident->number[0] == ENGINE_OVERWRITTEN)
            rule_report_incident(context, result, &told,
                                 "no fence.proxy.async comes between the stores to '%.*s' and this "
                                 "bulk copy over them",
                                 length, object);
        else
            rule_report_incident(context, result, &told,
                                 "the issuing thread fences for all who stored to '%.*s': each of "
                                 "them should, before the barrier",
                                 length, object);
    }
    check_global(context, result);
}

const struct rule rule_tx_proxy_fence = {
    .id = "tx-proxy-fence",
    .family = "tx",
    .summary =
        "a bulk copy or a multiplication meets ordinary stores that no proxy fence made known",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.9.25", "PTX ISA 9.1, 9.7.13.4",
                   "PTX ISA 9.1, 9.7.15.5.1, 9.7.16.6", "PTX ISA 9.1, 8.9 (proxy fences)",
                   "CUDA Programming Guide 13, 4.11 (TMA examples)"},
    .check = check,
    .doc =
        {
            .what = "Shared memory that threads wrote with ordinary stores is the source of a "
                    "bulk or tensor store or of a bulk copy to another block, or a matrix that "
                    "wgmma or tcgen05.mma reads by its "
                    "descriptor, or the destination of the next bulk copy, and no "
                    "fence.proxy.async stands on the way: neither do "
                    "the writers execute one after their stores, nor the thread that starts the "
                    "copy or the multiplication after the "
                    "barrier that hands the memory over. A finding is possible only where the "
                    "thread that issues a store fences behind that barrier in place of the "
                    "writers: the memory model is content with a fence anywhere on the way, while "
                    "the Programming Guide has every writer fence before the barrier, as "
                    "libraries do. It is possible too where a kernel stores to global memory, and "
                    "behind that copies from there in bulk.",
            .why = "Bulk stores and multiplications read shared memory through the asynchronous "
                   "proxy. A "
                   "barrier orders the threads, not the proxies: what was there before may be "
                   "read, and an old store may land on top of what a copy has brought.",
            .bad = "#include <cuda/ptx>\n"
                   "\n"
                   "namespace ptx = cuda::ptx;\n"
                   "\n"
                   "__global__ void square(const int *in, int *out)\n"
                   "{\n"
                   "    __shared__ alignas(16) int line[128];\n"
                   "    line[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x];\n"
                   "    __syncthreads();\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        ptx::cp_async_bulk( // expect: tx-proxy-fence\n"
                   "            ptx::space_global, ptx::space_shared, out, line, sizeof(line));\n"
                   "        ptx::cp_async_bulk_commit_group();\n"
                   "        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    square<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda/ptx>\n"
                    "\n"
                    "namespace ptx = cuda::ptx;\n"
                    "\n"
                    "__global__ void square(const int *in, int *out)\n"
                    "{\n"
                    "    __shared__ alignas(16) int line[128];\n"
                    "    line[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x];\n"
                    "    ptx::fence_proxy_async(ptx::space_shared);\n"
                    "    __syncthreads();\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, line, "
                    "sizeof(line));\n"
                    "        ptx::cp_async_bulk_commit_group();\n"
                    "        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out)\n"
                    "{\n"
                    "    square<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Let every writer execute fence.proxy.async after its stores, before the "
                   "barrier.",
        },
};
