// Where groups that went different ways meet again.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"
#include "engine/walk/walk.h"

static void join_leave(struct run *run, struct join *join);

// Whether nothing is done in the function from that operation of the block on, up to its end, that
// anybody else could see: values are made of others, and tensor memory is given back.
static bool only_returns(struct engine *engine, ir_function_id id, ir_block_id block, ptrdiff_t at,
                         int depth)
{
    enum { FAR = 16, DEEP = 4 };
    const struct ir_function *function = &engine->unit->function[id];
    for (int step = 0; step < FAR && function->flags & IR_FN_BODY; ++step, at = 0) {
        const struct ir_block *in = &function->block[block];
        for (; at < arrlen(in->op); ++at) {
            const struct ir_op *op = ir_op_at(function, in->op[at]);
            bool models = op->code == IR_CALL || op->code == IR_PTX;
            enum model_kind kind = models ? facts_model(engine, id, in->op[at])->kind : MODEL_NONE;
            bool plain = kind == MODEL_NONE || kind == MODEL_WARP_ALIGNED;
            if (op->code == IR_RET || op->code == IR_EXIT)
                return true;
            if (op->code == IR_BR)
                block = op->target[0];
            else if (op->code == IR_CALL
                         ? !plain || depth >= DEEP ||
                               !only_returns(engine, (ir_function_id)op->imm, 0, 0, depth + 1)
                     : op->code == IR_PTX ? !plain || op->flags & IR_MEMORY_CLOBBER
                                          : op->code == IR_CALLI || op->code == IR_OPAQUE ||
                                                (op->code != IR_DECLARE && !ir_has_value(op->code)))
                return false;
        }
    }
    return false;
}

bool frame_is_over(struct run *run, const struct frame *frame, ir_block_id block, ir_value behind)
{
    for (;;) {
        const struct ir_function *function = &run->engine->unit->function[frame->function];
        ptrdiff_t at = 0;
        if (behind != IR_NONE) {
            const struct ir_block *in = &function->block[block];
            while (at < arrlen(in->op) && in->op[at++] != behind)
                continue;
        }
        if (block != IR_NONE && !only_returns(run->engine, frame->function, block, at, 0))
            return false;
        if (!frame->parent)
            return true;
        behind = frame->call;
        frame = frame->parent;
        block = frame->block;
    }
}

// Merges the groups parked at the join into one, which goes on from there.
static void join_merge(struct run *run, struct join *join)
{
    struct group *first = NULL;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        struct group *group = run->group[i];
        if (group->state != GROUP_PARKED || group->join != join)
            continue;
        if (!first) {
            first = group;
            continue;
        }
        const struct function_facts *facts = facts_of(run->engine, first->frame->function);
        struct frame *frame = frame_own(run, first);
        struct node_piece piece[2] = {{first->mask, NULL}, {group->mask, NULL}};
        for (uint32_t k = 0; k < facts->across_count; ++k) {
            ir_value v = facts->across[k];
            const struct node **own = &frame->value[facts->slot[v]];
            const struct node *other = group->frame->value[facts->slot[v]];
            if (!other || *own == other)
                continue;
            piece[0].value = *own ? *own : run->nodes->undefined;
            piece[1].value = other;
            *own = node_pieces(run->nodes, piece, 2);
        }
        registers_merge(run, first, group);
        if (first->returning && first->result && group->result) {
            piece[0].value = first->result;
            piece[1].value = group->result;
            first->result = node_pieces(run->nodes, piece, 2);
        }
        first->mask = mask_or(run->masks, first->mask, group->mask);
        group->state = GROUP_DONE;
        ++run->done;
    }
    if (first) {
        bool over =
            run->machines->meeting && frame_is_over(run, first->frame, join->block, IR_NONE);
        warps_met(run, first->mask, over);
        first->join = join->outer;
        first->state = GROUP_READY;
        join_arrive(run, first);
    } else if (join->outer) {
        join_leave(run, join->outer);
    }
}

// One member of the join will never come.
static void join_leave(struct run *run, struct join *join)
{
    if (--join->members == 0)
        join_merge(run, join);
}

void join_arrive(struct run *run, struct group *group)
{
    struct join *join = group->join;
    if (!join || join->instance != group->frame->instance)
        return;
    if (group->returning ? join->block != IR_NONE : join->block != group->frame->block)
        return;
    if (!group->returning && group->frame->position != 0)
        return;
    group->state = GROUP_PARKED;
    join_leave(run, join);
}

// Takes a join out: its members go on without waiting for each other.
static void join_splice(struct run *run, struct join *join)
{
    uint32_t members = 0;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        struct group *group = run->group[i];
        if (group->state == GROUP_DONE)
            continue;
        if (group->join == join) {
            ++members;
            group->join = join->outer;
            continue;
        }
        for (struct join *inner = group->join; inner; inner = inner->outer) {
            if (inner->outer == join && !inner->spliced) {
                inner->outer = join->outer;
                inner->spliced = true;
                ++members;
            }
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        for (struct join *inner = run->group[i]->join; inner; inner = inner->outer)
            inner->spliced = false;
    }
    if (join->outer)
        join->outer->members += members - 1;
}

bool join_release(struct run *run)
{
    struct join *join = NULL;
    for (ptrdiff_t i = 0; i < arrlen(run->group) && !join; ++i) {
        if (run->group[i]->state == GROUP_PARKED)
            join = run->group[i]->join;
    }
    if (!join)
        return false;
    struct group **woken = NULL;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        if (run->group[i]->state == GROUP_PARKED && run->group[i]->join == join)
            arrput(woken, run->group[i]);
    }
    join_splice(run, join);
    for (ptrdiff_t i = 0; i < arrlen(woken); ++i)
        woken[i]->state = GROUP_READY;
    for (ptrdiff_t i = 0; i < arrlen(woken); ++i) {
        if (woken[i]->state == GROUP_READY)
            join_arrive(run, woken[i]);
    }
    arrfree(woken);
    return true;
}

struct group *join_part(struct run *run, struct group *group, const struct mask *yes,
                        const struct ir_op *op, const struct node *asked, bool is_loop)
{
    const struct cfg *cfg = facts_of(run->engine, group->frame->function)->cfg;
    ir_block_id meet = cfg_join(cfg, group->frame->block);
    struct join *join = arena_new(&run->arena, struct join);
    *join = (struct join){.outer = group->join,
                          .instance = group->frame->instance,
                          .block = meet == cfg->exit ? IR_NONE : meet,
                          .members = 1,
                          .branch = op->loc,
                          .chain = group->frame->chain,
                          .is_loop = is_loop,
                          .by_hardware = made_by_hardware(run, asked),
                          .by_grid_warp = parting_is_by_grid_warp(run, group, op)};
    group->join = join;
    return group_fork(run, group, mask_minus(run->masks, group->mask, yes));
}

void group_exit(struct run *run, struct group *group)
{
    run->exited = mask_or(run->masks, run->exited, group->mask);
    deeds_exit(run, group);
    ++run->changes;
    struct join *join = group->join;
    group->state = GROUP_DONE;
    ++run->done;
    barrier_exit(run, group);
    if (join)
        join_leave(run, join);
}
