// Where loops end, as the code says, for those that are passed over.
#include "base/vec.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

bool loop_exit(const struct run *run, const struct group *group, const struct ir_op *op,
               ir_block_id *inside, ir_block_id *outside)
{
    const struct cfg *cfg = facts_of(run->engine, group->frame->function)->cfg;
    uint32_t loop = cfg->loop_of[group->frame->block];
    if (loop == IR_NONE)
        return false;
    bool stays0 = cfg_in_loop(cfg, loop, op->target[0]);
    bool stays1 = cfg_in_loop(cfg, loop, op->target[1]);
    if (stays0 == stays1)
        return false;
    *inside = op->target[stays0 ? 0 : 1];
    *outside = op->target[stays0 ? 1 : 0];
    return true;
}

// Where the block goes when it decides that the loop is over; IR_NONE where it decides nothing.
static ir_block_id way_out(const struct ir_function *function, const struct cfg *cfg, uint32_t loop,
                           ir_block_id block)
{
    const struct ir_op *end = ir_terminator(function, block);
    if (!end || end->code != IR_CONDBR)
        return IR_NONE;
    bool stays = cfg_in_loop(cfg, loop, end->target[0]);
    if (stays == cfg_in_loop(cfg, loop, end->target[1]))
        return IR_NONE;
    return end->target[stays ? 1 : 0];
}

// Whether the block decides if the loop goes on, and the way out leads to `join` with nothing done.
static bool leaves_for(const struct ir_function *function, const struct cfg *cfg, uint32_t loop,
                       ir_block_id block, ir_block_id join)
{
    ir_block_id to = way_out(function, cfg, loop, block);
    if (to == IR_NONE)
        return false;
    for (int i = 0; i < 4 && to != join && arrlen(function->block[to].op) == 1; ++i) {
        const struct ir_op *next = ir_terminator(function, to);
        if (!next || next->code != IR_BR)
            break;
        to = next->target[0];
    }
    return to == join;
}

bool leads_to_launch(const struct engine *engine, const struct ir_function *function,
                     const struct cfg *cfg, ir_block_id from, struct arena *arena)
{
    const bool *reached = cfg_reached_from(cfg, from, arena);
    for (ir_block_id b = 0; b < cfg->block_count; ++b) {
        const struct ir_block *block = &function->block[b];
        for (ptrdiff_t i = 0; i < arrlen(block->op) && reached[b]; ++i) {
            const struct ir_op *op = ir_op_at(function, block->op[i]);
            if (op->code == IR_LAUNCH || (op->code == IR_CALL && engine->calls->launchers[op->imm]))
                return true;
        }
    }
    return false;
}

bool host_gives_up(struct run *run, const struct group *group, ir_block_id outside)
{
    const struct ir_function *function = frame_function(run, group->frame);
    const struct cfg *cfg = facts_of(run->engine, group->frame->function)->cfg;
    if (leads_to_launch(run->engine, function, cfg, outside, &run->arena))
        return false;
    struct cfg_edge *edge;
    uint32_t count = cfg_loop_exits(cfg, cfg->loop_of[group->frame->block], &run->arena, &edge);
    for (uint32_t i = 0; i < count; ++i) {
        if (leads_to_launch(run->engine, function, cfg, edge[i].to, &run->arena))
            return true;
    }
    return false;
}

// Where a loop of a host function ends that is left elsewhere for another place: by a way out that
// comes to a launch, else by the first one that is written; a check within it returns.
static ir_block_id end_of_host_loop(struct run *run, const struct ir_function *function,
                                    const struct cfg *cfg, uint32_t loop)
{
    ir_block_id first = IR_NONE;
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i) {
        ir_block_id block = cfg->loop_block[cfg->loop[loop].first + i];
        ir_block_id to = way_out(function, cfg, loop, block);
        if (to == IR_NONE)
            continue;
        if (leads_to_launch(run->engine, function, cfg, to, &run->arena))
            return block;
        first = first == IR_NONE ? block : first;
    }
    return first;
}

ir_block_id end_of_loop(struct run *run, const struct group *group)
{
    const struct ir_function *function = frame_function(run, group->frame);
    const struct cfg *cfg = facts_of(run->engine, group->frame->function)->cfg;
    ir_block_id at = group->frame->block, join = cfg_join(cfg, at);
    uint32_t loop = cfg->loop_of[at];
    if (leaves_for(function, cfg, loop, at, join))
        return at;
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i) {
        ir_block_id block = cfg->loop_block[cfg->loop[loop].first + i];
        if (leaves_for(function, cfg, loop, block, join))
            return block;
    }
    return run->engine->host ? end_of_host_loop(run, function, cfg, loop) : at;
}
