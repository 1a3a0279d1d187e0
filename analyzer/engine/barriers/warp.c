// What the operations of warps yield, and what they order.
#include <string.h>

#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/story/trace.h"
#include "engine/walk/walk.h"

enum { WARP = 32 };

// Of the whole block, one value a warp: the lanes of the group as bits, those only for which `vote`
// is not zero where there is a vote.
static int64_t *lane_bits(struct run *run, const struct group *group, const struct node *vote)
{
    int64_t *bits = arena_array(&run->arena, int64_t, run->masks->threads);
    uint32_t size = run->engine->block_threads;
    mask_each (run->masks, group->mask, t) {
        int64_t yes = 1;
        if (vote)
            node_lane(vote, t, &yes);
        if (yes)
            bits[warp_of(run, t)] |= INT64_C(1) << (t % size % 32);
    }
    for (uint32_t t = 0; t < run->masks->threads; ++t)
        bits[t] = bits[warp_of(run, t)];
    return bits;
}

static const struct node *elected(struct run *run, const struct group *group)
{
    int64_t *lane = run->nodes->scratch;
    memset(lane, 0, run->masks->threads * sizeof *lane);
    uint32_t size = run->engine->block_threads, done = UINT32_MAX;
    mask_each (run->masks, group->mask, t) {
        uint32_t warp = t / size * 64 + t % size / 32;
        lane[t] = warp != done;
        done = warp;
    }
    return node_vector(run->nodes, lane);
}

// Whether the value is the same in all warps, lane by lane.
static bool is_by_lane(struct run *run, const struct mask *mask, const struct node *node)
{
    if (run->masks->threads != run->engine->block_threads)
        return false;
    uint32_t first = mask->first - mask->first % 32;
    mask_each (run->masks, mask, t) {
        if (!mask_has(mask, first + t % 32))
            return false;
    }
    return made_alike(run, node, mask, first, 32);
}

// --- Shuffles ----------------------------------------------------------------------------------

// Of a value that some lanes were given, a token or an address: what the lane `source` of each warp
// has, for the whole warp; NULL where that differs from lane to lane.
static const struct node *shuffled_piece(struct run *run, const struct node *value, uint32_t source)
{
    uint32_t size = run->engine->block_threads, threads = run->masks->threads, count = 0;
    struct node_piece *piece = arena_array(&run->arena, struct node_piece, threads);
    for (uint32_t first = 0; first < threads;) {
        uint32_t end = first / size * size + size, next = first + 32 < end ? first + 32 : end;
        uint32_t at = first + source < end ? first + source : first;
        const struct node *lane = node_restrict(run->nodes, value, mask_one(run->masks, at));
        if (lane->shape != SHAPE_UNIFORM || lane->kind == NODE_PIECES)
            return NULL;
        piece[count++] = (struct node_piece){mask_range(run->masks, first, next), lane};
        first = next;
    }
    return node_pieces(run->nodes, piece, count);
}

// The lane of the warp that lane `own` reads from, of `width` lanes that shuffle among themselves.
// (PTX ISA 9.1, 9.7.9.6.)
static uint32_t source_lane(enum model_warp_op how, uint32_t own, int64_t operand, uint32_t width)
{
    uint32_t first = own - own % width;
    int64_t source = own;
    if (how == MODEL_SHFL_IDX)
        return first + (uint32_t)(operand & (width - 1));
    if (how == MODEL_SHFL_XOR)
        source = own ^ (operand & 31);
    else
        source += how == MODEL_SHFL_UP ? -operand : operand;
    bool reads = source < first + width && (source >= first || how == MODEL_SHFL_XOR);
    return reads ? (uint32_t)source : own;
}

// What each lane reads of known values, where it is known from which lane.
static const struct node *shuffled_known(struct run *run, const struct model_op *op,
                                         const struct node *value, const struct node *from,
                                         uint32_t width)
{
    int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
    uint32_t size = run->engine->block_threads;
    for (uint32_t t = 0; t < run->masks->threads; ++t) {
        uint32_t own = t % size % 32;
        int64_t operand = 0;
        node_lane(from, t, &operand);
        uint32_t at = t - own + source_lane(op->warp_op, own, operand, width);
        node_lane(value, at < run->masks->threads ? at : t, &lane[t]);
    }
    return node_vector(run->nodes, lane);
}

// Of values that are the same in all warps, lane by lane, what all read who ask the same is so,
// too: one value for the whole block where all lanes ask for one.
static const struct node *shuffled_alike(struct run *run, struct group *group,
                                         const struct model_op *op, const struct node *value,
                                         const struct node *from, uint32_t width)
{
    int64_t low, high;
    if (!width || !is_by_lane(run, group->mask, value) || !is_by_lane(run, group->mask, from))
        return NULL;
    interval_of(run, value, &low, &high);
    return op->warp_op == MODEL_SHFL_IDX && from->shape == SHAPE_UNIFORM && width == 32
               ? run_exchanged(run, "a shuffled value", SHAPE_UNIFORM, low, high)
               : run_by_lane(run, "a shuffled value", low, high);
}

// What one warp alone is given of a value that its lanes have one each of: that of the lane
// `source`, for all of them. NULL where others are in the group, or the lane is not.
static const struct node *shuffled_own(struct run *run, const struct group *group,
                                       const struct model_op *op, const struct node *value,
                                       uint32_t source)
{
    if (op->width == IR_NONE)
        return NULL;
    uint32_t size = run->engine->block_threads, first = group->mask->first;
    uint32_t start = warp_of(run, first), at = start + source;
    uint32_t end =
        start + 32 < first / size * size + size ? start + 32 : first / size * size + size;
    if (value->shape != SHAPE_VARYING || value->kind == NODE_ADDRESS || at >= end ||
        !mask_has(group->mask, at) ||
        !mask_subset(run->masks, group->mask, mask_range(run->masks, start, end)))
        return NULL;
    const struct node *lane = node_restrict(run->nodes, value, mask_one(run->masks, at));
    if (lane->shape == SHAPE_VARYING)
        lane = node_expr(run->nodes, NODE_OP_LANE, 0, at, lane, NULL, NULL);
    return lane->shape == SHAPE_UNIFORM ? lane : NULL;
}

static const struct node *shuffled(struct run *run, struct group *group, const struct model_op *op,
                                   const struct node *value, const struct node *from,
                                   uint32_t width)
{
    // A value that the whole warp shares stays what it is.
    if (value->shape == SHAPE_UNIFORM)
        return value;
    const struct node *given = NULL;
    int64_t source, low, high;
    if (from && width && node_known(from) && node_known(value))
        return shuffled_known(run, op, value, from, width);
    if (from && width == 32 && op->warp_op == MODEL_SHFL_IDX &&
        node_is_const(from, group->mask, run->masks, &source)) {
        if (value->kind == NODE_PIECES)
            given = shuffled_piece(run, value, (uint32_t)source & 31);
        if (!given)
            given = shuffled_own(run, group, op, value, (uint32_t)source & 31);
    }
    if (!given && from)
        given = shuffled_alike(run, group, op, value, from, width);
    if (given)
        return given;
    interval_of(run, value, &low, &high);
    return from && width && op->warp_op == MODEL_SHFL_IDX &&
                   node_is_const(from, group->mask, run->masks, &source)
               ? run_by_tile(run, "a shuffled value", SHAPE_VARYING, width, low, high)
               : run_exchanged(run, "a shuffled value", SHAPE_VARYING, low, high);
}

static const struct node *shuffle(struct run *run, struct group *group, const struct model_op *op,
                                  const struct node *value)
{
    const struct node *from = op->lane == IR_NONE ? NULL : operand_field(run, group, op, &op->lane);
    uint32_t width = op->width == IR_NONE ? WARP : shuffle_width(run, group, op);
    const struct node *given = shuffled(run, group, op, value, from, width);
    int64_t bit;
    if (op->warp_op == MODEL_SHFL_XOR && node_is_exchanged(given) && given != value && from &&
        node_is_const(from, group->mask, run->masks, &bit) && bit > 0 && bit < width &&
        (bit & (bit - 1)) == 0)
        butterfly_crossed(run, group->mask, value, given, (uint32_t)bit,
                          is_by_lane(run, group->mask, value));
    return given;
}

// What all lanes that exchange something are given alike: one number a warp, where all of the warp
// take part.
static const struct node *given_to_warp(struct run *run, struct group *group,
                                        const struct model_op *op, const char *name,
                                        enum node_shape shape, int64_t low, int64_t high)
{
    int64_t mask = UINT32_MAX;
    bool whole = op->mask == IR_NONE || node_is_const(operand_field(run, group, op, &op->mask),
                                                      group->mask, run->masks, &mask);
    return whole && (uint32_t)mask == UINT32_MAX ? run_by_tile(run, name, shape, WARP, low, high)
                                                 : run_exchanged(run, name, shape, low, high);
}

// --- Votes -------------------------------------------------------------------------------------

// What a vote on a bound that lanes have one each comes to, `i < n` with the same n: that of the
// lane that is least (or most) likely within it. NULL where the vote is on something else.
static const struct node *vote_on_bound(struct run *run, const struct group *group,
                                        const struct node *vote, bool any)
{
    struct node_pool *pool = run->nodes;
    if (vote->kind != NODE_EXPR || vote->expr.op != NODE_OP_GT0)
        return NULL;
    const struct node *asked = vote->expr.argument[0];
    if (asked->kind != NODE_LINEAR || asked->linear.base->kind != NODE_VECTOR)
        return NULL;
    const struct node *base = asked->linear.base;
    const struct node *form = node_binary(pool, IR_SUB, 64, true, asked, base);
    if (form->shape != SHAPE_UNIFORM)
        return NULL;
    int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
    mask_each (run->masks, group->mask, t) {
        uint32_t first = warp_of(run, t);
        lane[t] = base->vector[t];
        for (uint32_t l = first; l < first + 32 && l < run->masks->threads; ++l) {
            bool better = any ? base->vector[l] > lane[t] : base->vector[l] < lane[t];
            if (better && mask_has(group->mask, l))
                lane[t] = base->vector[l];
        }
    }
    asked = node_binary(pool, IR_ADD, 64, true, form, node_vector(pool, lane));
    return node_binary(pool, IR_GT, 64, true, asked, pool->zero);
}

// Whether the same lanes of each warp take part, and what they vote on is the same in all warps,
// lane by lane: then so is the result.
static bool votes_by_lane(struct run *run, struct group *group, const struct model_op *op,
                          const struct node *vote)
{
    uint32_t warps = 0, last = UINT32_MAX, lanes = 0, begin = warp_of(run, group->mask->first);
    mask_each (run->masks, group->mask, t) {
        uint32_t warp = warp_of(run, t);
        warps += warp != last;
        lanes += warp == begin;
        last = warp;
    }
    const struct node *named =
        op->mask == IR_NONE ? run->nodes->zero : operand_field(run, group, op, &op->mask);
    int64_t mask;
    bool apart = node_known(named) && !node_is_const(named, group->mask, run->masks, &mask);
    return !apart && warps * lanes == group->mask->count && is_by_lane(run, group->mask, vote);
}

// What a vote comes to whose lanes are known.
static const struct node *counted(struct run *run, const struct group *group,
                                  const struct model_op *op, const struct node *vote)
{
    int64_t *votes = lane_bits(run, group, vote);
    const int64_t *all = lane_bits(run, group, NULL);
    for (uint32_t t = 0; t < run->masks->threads; ++t)
        votes[t] = op->warp_op == MODEL_VOTE_BALLOT ? votes[t]
                   : op->warp_op == MODEL_VOTE_ANY  ? votes[t] != 0
                                                    : votes[t] == all[t];
    return node_vector(run->nodes, votes);
}

// In how many rounds the group, or a function that calls what it executes, has come to where it is.
static uint32_t rounds_here(const struct group *group)
{
    uint32_t rounds = 0;
    for (const struct frame *frame = group->frame; frame; frame = frame->parent) {
        if (frame->visits[frame->block] > rounds)
            rounds = frame->visits[frame->block];
    }
    return rounds;
}

// Lanes below a bound: masks are made of them for what stands under the same condition. Where a
// loop makes its next mask of those who go on, what the vote says is how long it is: long enough.
static const struct node *decided_vote(struct run *run, const struct group *group,
                                       const struct node *vote)
{
    uint64_t site =
        (uint64_t)group->frame->function << 32 | group->frame->block << 12 | group->frame->position;
    enum { OPEN_ROUNDS = 9 };
    run->forced = rounds_here(group) > OPEN_ROUNDS;
    const struct mask *yes = decide(run, group->mask, vote, !run->forced, site);
    run->forced = false;
    int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
    mask_each (run->masks, yes, t)
        lane[t] = 1;
    return node_vector(run->nodes, lane);
}

const struct node *warp_voted(struct run *run, struct group *group, const struct model_op *op)
{
    const struct node *vote =
        op->predicate == IR_NONE ? NULL : operand_field(run, group, op, &op->predicate);
    bool ballot = op->warp_op == MODEL_VOTE_BALLOT;
    if (ballot && vote && vote->shape == SHAPE_VARYING && !node_known(vote) && !run->afterlife) {
        vote = decided_vote(run, group, vote);
        run->machines->voted = true;
    }
    if (vote && node_known(vote))
        return counted(run, group, op, vote);
    const struct node *bound =
        vote && !ballot ? vote_on_bound(run, group, vote, op->warp_op == MODEL_VOTE_ANY) : NULL;
    if (bound)
        return bound;
    // One warp agrees; different warps may not, where their data differ.
    bool uniform = (vote && vote->shape == SHAPE_UNIFORM) || run->engine->block_threads <= 32;
    uniform = uniform || (vote && votes_by_lane(run, group, op, vote));
    bool differs = vote && vote->shape == SHAPE_VARYING;
    return given_to_warp(run, group, op, "the result of a warp's vote",
                         uniform   ? SHAPE_UNIFORM
                         : differs ? SHAPE_VARYING
                                   : SHAPE_UNKNOWN,
                         0, ballot ? INT64_C(0xffffffff) : 1);
}

// --- Entry -------------------------------------------------------------------------------------

static const struct node *warp_result(struct run *run, struct group *group,
                                      const struct model_op *op)
{
    const struct node *value =
        op->value == IR_NONE ? NULL : operand_field(run, group, op, &op->value);
    switch (op->kind) {
    case MODEL_WARP_ELECT:
        return elected(run, group);
    case MODEL_WARP_SHUFFLE:
        if (value)
            return shuffle(run, group, op, value);
        break;
    case MODEL_WARP_VOTE:
        return warp_voted(run, group, op);
    case MODEL_ACTIVE_MASK:
        return node_vector(run->nodes, lane_bits(run, group, NULL));
    default:
        break;
    }
    const char *name = "the result of a warp's operation";
    enum node_shape shape = run->engine->block_threads <= WARP ? SHAPE_UNIFORM : SHAPE_UNKNOWN;
    return op->kind == MODEL_WARP_REDUCE
               ? given_to_warp(run, group, op, name, shape, INT64_MIN, INT64_MAX)
               : run_exchanged(run, name, shape, INT64_MIN, INT64_MAX);
}

bool parts_warp(const struct run *run, const struct mask *mask)
{
    warps_each(run, mask, first, end)
    {
        for (uint32_t lane = first; lane < end; ++lane) {
            if (!mask_has(mask, lane) && !mask_has(run->exited, lane))
                return true;
        }
    }
    return false;
}

bool warp_resume(struct run *run, struct group *group)
{
    const struct model_op *op = facts_model(run->engine, group->frame->function, group->wait_op);
    if (meeting_is_held_up(run, group, op))
        return false;
    group->state = GROUP_READY;
    group->wait = WAIT_NONE;
    ++run->changes;
    return true;
}

bool warp_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    // Lanes are not made to wait for others, whose ways tell whether they come, but where one is to
    // lead: those that have gone ahead of the leader do not choose one among them.
    if (op->kind == MODEL_WARP_ELECT && meeting_is_held_up(run, group, op)) {
        group_block(run, group, WAIT_WARP, value);
        --group->frame->position; // to come here again
        return true;
    }
    struct engine_event *event = record_event(run, group, group->mask, op, value, UINT32_MAX);
    if (op->mask != IR_NONE)
        record_range(run, &event->mask, operand_field(run, group, op, &op->mask), group->mask,
                     operand_assumed(run, group, op->mask));
    event->reads_absent |= reads_absent_lane(run, group, op, value);
    event->lacks_mask |= lacks_mask(run, group, op);
    event->reads_unnamed |= reads_unnamed_lane(run, group, op, value);
    if (op->kind == MODEL_WARP_SHUFFLE && op->width != IR_NONE)
        record_range(run, &event->count, operand_field(run, group, op, &op->width), group->mask,
                     operand_assumed(run, group, op->width));
    if (op->kind != MODEL_ACTIVE_MASK)
        meeting_join(run, group, op, value);
    else if (run->policy == POLICY_TOGETHER)
        event->part_of_warp |= parts_warp(run, group->mask);
    if (op->kind == MODEL_WARP_SYNC) {
        orders_meet(run, group->mask, meeting_named(run, group, op));
        touch_meet_warp(run, group->mask);
        return true;
    }
    if (op->kind != MODEL_ACTIVE_MASK)
        orders_gather(run, group->mask, op->kind != MODEL_WARP_ELECT);
    const struct ir_op *at = ir_op_at(&run->engine->unit->function[group->frame->function], value);
    const struct node *result = warp_result(run, group, op);
    if (at->type != IR_NONE)
        group_set(run, group, value, result);
    ir_value address = op->kind == MODEL_WARP_ELECT && op->result_predicate != IR_NONE
                           ? op->result_predicate
                           : op->result;
    if (address != IR_NONE)
        store_result(run, group, group->mask, address, result);
    return true;
}
