// The cluster barrier and the barriers of warps in a run.
#include <string.h>

#include "base/vec.h"
#include "engine/story/trace.h"

// --- Cluster barrier -------------------------------------------------------------------------

bool cluster_execute(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value)
{
    struct machines *machines = run->machines;
    uint32_t size = run->engine->block_threads;
    struct barlint_violations violations = barlint_violations_none();
    record_event(run, group, group->mask, op, value, UINT32_MAX);
    if (op->kind != MODEL_CLUSTER_WAIT) {
        uint32_t before = machines->cluster.phase;
        trace_cluster(run, group, value, false);
        peers_sync(run, group->mask);
        mask_each (run->masks, group->mask, t) {
            struct barlint_effect effect =
                barlint_cluster_arrive(&machines->cluster, &machines->cluster_thread[t], t / size);
            barlint_violations_merge(&violations, effect.violations);
        }
        machines->cluster_knows |= knowledge_of(run, group->mask);
        races_order(run, group->mask);
        if (!(op->flags & MODEL_RELAXED)) {
            // The arrival is a release of cluster scope (PTX ISA 9.1, 9.7.13.3).
            mbarriers_publish(run, group->mask);
            touch_release(run, group->mask, true);
        } else {
            peers_relaxed(run, group, value);
            mask_each (run->masks, group->mask, t)
                ++machines->releases[t]; // others come after it all the same
        }
        if (op->kind == MODEL_CLUSTER_SYNC)
            trace_cluster(run, group, value, true);
        trace_cluster_phase(run, before);
        ++run->changes;
    }
    if (op->kind == MODEL_CLUSTER_WAIT)
        trace_cluster(run, group, value, true);
    if (op->kind != MODEL_CLUSTER_ARRIVE) {
        group_block(run, group, WAIT_CLUSTER, value);
        mask_each (run->masks, group->mask, t) {
            if (!machines->cluster_thread[t].in)
                barlint_violations_add(&violations, BARLINT_CLUSTER_WAIT_ALONE);
        }
    }
    record_effect(run, group, group->mask, value, NULL, violations);
    return op->kind == MODEL_CLUSTER_ARRIVE || cluster_resume(run, group);
}

bool cluster_resume(struct run *run, struct group *group)
{
    struct machines *machines = run->machines;
    mask_each (run->masks, group->mask, t) {
        const struct barlint_cluster_thread *thread = &machines->cluster_thread[t];
        if (thread->in && thread->phase == machines->cluster.phase)
            return false;
    }
    mask_each (run->masks, group->mask, t) {
        barlint_cluster_wait(&machines->cluster, &machines->cluster_thread[t]);
        ++machines->epoch[t];
        ++machines->cluster_epoch[t];
    }
    knowledge_give(run, group->mask, machines->cluster_knows);
    peers_synced(run, group->mask);
    group->state = GROUP_READY;
    group->wait = WAIT_NONE;
    ++run->changes;
    return true;
}

void cluster_skipped(struct run *run, const struct group *blocked, const struct mask *skipping,
                     const struct join *join)
{
    const struct machines *machines = run->machines;
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    // Those who have arrived by another operation need not come to this one.
    mask_each (run->masks, skipping, t) {
        const struct barlint_cluster_thread *thread = &machines->cluster_thread[t];
        if (!thread->in || thread->phase != machines->cluster.phase)
            word[t / 64] |= UINT64_C(1) << (t % 64);
    }
    const struct mask *missing = mask_from_words(run->masks, word);
    if (missing->count == 0)
        return;
    struct engine_incident *incident =
        record_incident(run, ENGINE_SKIPPED, BARLINT_CLUSTER_DIVERGENT, blocked->wait_function,
                        blocked->wait_op, blocked->wait_chain, UINT32_MAX, blocked->mask);
    if (!incident)
        return;
    incident->branch = join->branch;
    incident->number[1] = join->is_loop;
    record_threads(run, &incident->missing, missing);
    record_step(run, incident, join->branch, "%s {takes|take} another way here",
                mask_words(run, missing));
}

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

// --- Warps -----------------------------------------------------------------------------------

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
    uint32_t size = run->engine->block_threads;
    mask_each (run->masks, group->mask, t) {
        uint32_t first = t - t % size % 32;
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

static const struct node *warp_result(struct run *run, struct group *group,
                                      const struct model_op *op)
{
    const struct node *value =
        op->value == IR_NONE ? NULL : operand_field(run, group, op, &op->value);
    switch (op->kind) {
    case MODEL_WARP_ELECT: {
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
    case MODEL_WARP_SHUFFLE: {
        const struct node *from =
            op->lane == IR_NONE ? NULL : operand_field(run, group, op, &op->lane);
        int64_t source, low, high;
        if (!value)
            break;
        // A value that the whole warp shares stays what it is.
        if (value->shape == SHAPE_UNIFORM)
            return value;
        if (node_known(value) && from && op->warp_op == MODEL_SHFL_IDX &&
            node_is_const(from, group->mask, run->masks, &source)) {
            int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
            uint32_t size = run->engine->block_threads;
            for (uint32_t t = 0; t < run->masks->threads; ++t) {
                uint32_t at = t - t % size % 32 + ((uint32_t)source & 31);
                node_lane(value, at < run->masks->threads ? at : t, &lane[t]);
            }
            return node_vector(run->nodes, lane);
        }
        const struct node *given = NULL;
        if (value->kind == NODE_PIECES && from && op->warp_op == MODEL_SHFL_IDX &&
            node_is_const(from, group->mask, run->masks, &source))
            given = shuffled_piece(run, value, (uint32_t)source & 31);
        if (given)
            return given;
        interval_of(run, value, &low, &high);
        return run_exchanged(run, "a shuffled value", SHAPE_VARYING, low, high);
    }
    case MODEL_WARP_VOTE: {
        const struct node *vote =
            op->predicate == IR_NONE ? NULL : operand_field(run, group, op, &op->predicate);
        bool ballot = op->warp_op == MODEL_VOTE_BALLOT;
        // Lanes below a bound: masks are made of them for what stands under the same condition.
        if (ballot && vote && vote->shape == SHAPE_VARYING && !node_known(vote) &&
            !run->afterlife) {
            uint64_t site = (uint64_t)group->frame->function << 32 | group->frame->block << 12 |
                            group->frame->position;
            const struct mask *yes = decide(run, group->mask, vote, true, site);
            int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
            mask_each (run->masks, yes, t)
                lane[t] = 1;
            vote = node_vector(run->nodes, lane);
        }
        if (vote && node_known(vote)) {
            int64_t *lane = run->nodes->scratch;
            uint32_t size = run->engine->block_threads;
            memset(lane, 0, run->masks->threads * sizeof *lane);
            for (uint32_t pass = 0; pass < 2; ++pass) {
                mask_each (run->masks, group->mask, t) {
                    int64_t bit = 0;
                    uint32_t base = t - t % size % 32;
                    if (pass == 0) {
                        node_lane(vote, t, &bit);
                        if (bit)
                            lane[base] |= INT64_C(1) << (t % size % 32);
                    }
                }
            }
            int64_t *out = arena_array(&run->arena, int64_t, run->masks->threads);
            for (uint32_t t = 0; t < run->masks->threads; ++t) {
                uint32_t base = t - t % size % 32;
                int64_t votes = lane[base], all = 0;
                for (uint32_t l = base; l < base + 32 && l < run->masks->threads; ++l) {
                    if (mask_has(group->mask, l))
                        all |= INT64_C(1) << (l - base);
                }
                out[t] = ballot ? votes : op->warp_op == MODEL_VOTE_ANY ? votes != 0 : votes == all;
            }
            return node_vector(run->nodes, out);
        }
        const struct node *bound =
            vote && !ballot ? vote_on_bound(run, group, vote, op->warp_op == MODEL_VOTE_ANY) : NULL;
        if (bound)
            return bound;
        // One warp agrees; different warps may not.
        enum node_shape shape = vote && vote->shape == SHAPE_UNIFORM ? SHAPE_UNIFORM
                                : run->engine->block_threads <= 32   ? SHAPE_UNIFORM
                                                                     : SHAPE_UNKNOWN;
        return run_exchanged(run, "the result of a warp's vote", shape, 0,
                             ballot ? INT64_C(0xffffffff) : 1);
    }
    case MODEL_ACTIVE_MASK: {
        int64_t *lane = run->nodes->scratch;
        uint32_t size = run->engine->block_threads;
        memset(lane, 0, run->masks->threads * sizeof *lane);
        mask_each (run->masks, group->mask, t)
            lane[t - t % size % 32] |= INT64_C(1) << (t % size % 32);
        for (uint32_t t = 0; t < run->masks->threads; ++t)
            lane[t] = lane[t - t % size % 32];
        return node_vector(run->nodes, lane);
    }
    default:
        break;
    }
    return run_exchanged(run, "the result of a warp's operation",
                         run->engine->block_threads <= 32 ? SHAPE_UNIFORM : SHAPE_UNKNOWN,
                         INT64_MIN, INT64_MAX);
}

// Whether live lanes of a warp of the mask are not in it.
static bool parts_warp(struct run *run, const struct mask *mask)
{
    uint32_t size = run->engine->block_threads;
    mask_each (run->masks, mask, t) {
        uint32_t first = t - t % size % 32;
        uint32_t end = first + 32 < t / size * size + size ? first + 32 : t / size * size + size;
        for (uint32_t lane = first; lane < end; ++lane) {
            if (!mask_has(mask, lane) && !mask_has(run->exited, lane))
                return true;
        }
    }
    return false;
}

bool warp_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    struct engine_event *event = record_event(run, group, group->mask, op, value, UINT32_MAX);
    if (op->mask != IR_NONE)
        record_range(run, &event->mask, operand_field(run, group, op, &op->mask), group->mask,
                     operand_assumed(run, group, op->mask));
    event->reads_absent |= reads_absent_lane(run, group, op);
    if (op->kind != MODEL_ACTIVE_MASK)
        meeting_join(run, group, op, value);
    else if (run->policy == POLICY_TOGETHER)
        event->part_of_warp |= parts_warp(run, group->mask);
    races_meet(run, group->mask);
    if (op->kind == MODEL_WARP_SYNC) {
        // What one lane knows, the lanes that came with it know.
        uint32_t size = run->engine->block_threads;
        const struct mask *rest = group->mask;
        touch_release(run, rest, false);
        while (rest->count) {
            uint32_t base = rest->first - rest->first % size % 32;
            uint32_t end =
                base + 32 < base / size * size + size ? base + 32 : base / size * size + size;
            const struct mask *lanes =
                mask_and(run->masks, rest, mask_range(run->masks, base, end));
            knowledge_give(run, lanes, knowledge_of(run, lanes));
            rest = mask_minus(run->masks, rest, lanes);
        }
        return true;
    }
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
