// Whether copies that no run waited for may be waited for on a way that none of them took.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/walk/facts.h"
#include "ir/origin.h"

static bool was_executed(const struct engine_result *result, ir_function_id function, ir_value op)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i)
        if (result->event[i].function == function && result->event[i].op == op)
            return true;
    return false;
}

// Whether the operation waits for copies, or calls what does. `unseen`: such that no run came to.
static bool may_wait(struct engine *engine, ir_function_id id, ir_value value, bool unseen,
                     int depth)
{
    const struct ir_function *function = &engine->unit->function[id];
    const struct model_op *op = facts_model(engine, id, value);
    if (op->kind != MODEL_NONE)
        return (op->kind == MODEL_CP_ASYNC_WAIT || op->kind == MODEL_GROUP_COPY_WAIT ||
                op->kind == MODEL_MBARRIER_CP_ASYNC_ARRIVE || op->kind == MODEL_PIPELINE_WAIT) &&
               !(unseen && was_executed(engine->result, id, value));
    if (function->op[value].code != IR_CALL || depth == 0)
        return false;
    ir_function_id callee = (ir_function_id)function->op[value].imm;
    bool found = false;
    for (ptrdiff_t i = 0; i < arrlen(engine->unit->function[callee].op) && !found; ++i)
        found = may_wait(engine, callee, (ir_value)i, unseen, depth - 1);
    return found;
}

static ir_block_id block_with(const struct ir_function *function, ir_value op)
{
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b)
        for (ptrdiff_t i = 0; i < arrlen(function->block[b].op); ++i)
            if (function->block[b].op[i] == op)
                return (ir_block_id)b;
    return IR_NONE;
}

// The calls that lead to the copy's function, as far as they are known; NULL without one.
static const struct ir_frame *entered_by(struct engine *engine, uint32_t chain)
{
    const struct ir_unit *unit = engine->unit;
    const struct engine_chain *at = &engine->result->chain[chain];
    struct ir_frame *frame = arena_new(engine->arena, struct ir_frame);
    frame->function = &unit->function[at->function];
    if (at->parent == UINT32_MAX)
        return frame;
    const struct ir_function *caller = &unit->function[engine->result->chain[at->parent].function];
    frame->call = ir_op_at(caller, engine_call_of(engine->result, at));
    frame->caller = frame->call ? entered_by(engine, at->parent) : NULL;
    return frame->caller ? frame : NULL;
}

// Whether the helper that starts the copy is told by its caller, with a constant, not to come to
// the block: `if (with_wait) cg::wait(block);`.
static bool is_told_not_to(struct engine *engine, const struct ir_frame *frame,
                           const struct cfg *cfg, ir_block_id block)
{
    for (ptrdiff_t b = 0; b < arrlen(frame->function->block); ++b) {
        const struct ir_op *end = ir_op_at(frame->function, arrlast(frame->function->block[b].op));
        int64_t taken;
        if (end->code != IR_CONDBR || !cfg_dominates(cfg, (ir_block_id)b, block) ||
            !ir_constant_of(engine->unit, frame, ir_operand(frame->function, end, 0), engine->arena,
                            &taken))
            continue;
        ir_block_id other = end->target[taken ? 1 : 0];
        if (cfg_dominates(cfg, other, block) && cfg->predecessor[other].count == 1)
            return true;
    }
    return false;
}

// Whether a wait of the function that comes behind the operation may be the one for the copy: no
// run came by it after the copy, or the copy's loop has it and no run went round again.
static bool waits_behind(struct engine *engine, const struct engine_event *event, ir_function_id id,
                         ir_value value, const struct ir_frame *frame)
{
    enum { DEPTH = 4 }; // of helpers around the instruction
    const struct ir_function *function = &engine->unit->function[id];
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    ir_block_id home = value == IR_NONE ? 0 : block_with(function, value);
    if (home == IR_NONE || arrlen(function->block) == 0)
        return false;
    const bool *reached = cfg_reached_from(cfg, home, engine->arena);
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
        if (!reached[b] || (frame && is_told_not_to(engine, frame, cfg, (ir_block_id)b)))
            continue;
        bool goes_round = false;
        for (uint32_t loop = cfg->loop_of[home]; loop != IR_NONE; loop = cfg->loop[loop].parent)
            goes_round |= !event->again && cfg_in_loop(cfg, loop, (ir_block_id)b);
        // In the block itself those behind it, unless it is come to again.
        bool behind = (ir_block_id)b != home || cfg->loop_of[home] != IR_NONE || value == IR_NONE;
        for (ptrdiff_t i = 0; i < arrlen(function->block[b].op); ++i) {
            ir_value op = function->block[b].op[i];
            if (behind && may_wait(engine, id, op, event->passed_by && !goes_round, DEPTH))
                return true;
            behind |= op == value;
        }
    }
    return false;
}

// The same, where no run came to a wait at all, of all functions that lead to the copy; where a
// call is not known, of all of the function.
static bool may_be_awaited(struct engine *engine, const struct engine_event *event)
{
    const struct engine_result *result = engine->result;
    uint32_t at = event->chain;
    bool found = waits_behind(engine, event, event->function, event->op, entered_by(engine, at));
    while (!found && !event->passed_by && result->chain[at].parent != UINT32_MAX) {
        ir_value call = engine_call_of(result, &result->chain[at]);
        at = result->chain[at].parent;
        found =
            waits_behind(engine, event, result->chain[at].function, call, entered_by(engine, at));
    }
    return found;
}

// Whether a function that leads to the copy calls what nothing declares: it may be the wait, where
// no run came to it.
static bool calls_unread(struct engine *engine, uint32_t chain)
{
    const struct engine_result *result = engine->result;
    for (uint32_t at = chain; at != UINT32_MAX; at = result->chain[at].parent) {
        ir_function_id id = result->chain[at].function;
        for (ptrdiff_t i = 0; i < arrlen(engine->unit->function[id].op); ++i)
            if (facts_may_await(engine, id, (ir_value)i))
                return true;
    }
    return false;
}

void copies_settle(struct engine *engine)
{
    for (ptrdiff_t i = 0; i < arrlen(engine->result->event); ++i) {
        struct engine_event *event = &engine->result->event[i];
        if (event->left_open && !event->awaited)
            event->awaited = may_be_awaited(engine, event) || calls_unread(engine, event->chain);
    }
}
