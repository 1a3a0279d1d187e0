// The cluster barrier in a run.
#include <string.h>

#include "base/vec.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/story/trace.h"
#include "engine/walk/walk.h"

bool cluster_execute(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value)
{
    struct machines *machines = run->machines;
    uint32_t size = run->engine->block_threads;
    struct barlint_violations violations = barlint_violations_none();
    record_event(run, group, group->mask, op, value, UINT32_MAX);
    if (op->flags & MODEL_ALIGNED)
        aligned_execute(run, group, op, value);
    if (op->kind != MODEL_CLUSTER_WAIT) {
        uint32_t before = machines->cluster.phase;
        trace_cluster(run, group, value, false);
        peers_sync(run, group->mask);
        mask_each (run->masks, group->mask, t) {
            struct barlint_effect effect =
                barlint_cluster_arrive(&machines->cluster, &machines->cluster_thread[t], t / size);
            barlint_violations_merge(&violations, effect.violations);
        }
        // Relaxed arrivals have a rule of their own.
        orders_release(run, group->mask, &machines->cluster_released);
        if (machines->cluster.phase != before)
            orders_over(&machines->cluster_released);
        if (!(op->flags & MODEL_RELAXED)) {
            // The arrival is a release of cluster scope (PTX ISA 9.1, 9.7.13.3).
            mbarriers_publish(run, group->mask);
            touch_release(run, group->mask, true);
        } else {
            peers_relaxed(run, group, value);
            touch_relaxed(run, group->mask);
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
    orders_acquire_all(run, group->mask, &machines->cluster_released);
    peers_synced(run, group->mask);
    pulled_met(run, group->mask);
    group->state = GROUP_READY;
    group->wait = WAIT_NONE;
    ++run->changes;
    return true;
}

// Whether those who skip the barrier go from the condition straight to the end of the kernel, which
// the others do behind it: it holds the block's memory until its peers are done, and is one of the
// threads that have not left (PTX ISA 9.1, 9.7.13.3). Those who skip it might as well have
// returned; a part of a warp, in which the others wait, had better not.
static bool only_leave(struct run *run, const struct group *blocked, const struct mask *skipping,
                       const struct join *join)
{
    struct parting_found found;
    if (!parting_between(run, skipping, blocked->mask, &found) || found.parting->is_loop ||
        parts_warp(run, blocked->mask))
        return false;
    int side = mask_overlaps(run->masks, found.parting->side[0], skipping) ? 0 : 1;
    const struct frame *frame = blocked->frame;
    while (frame && frame->instance != join->instance)
        frame = frame->parent;
    ir_block_id block = join->block;
    if (!frame || frame->chain != found.parting->chain || block == IR_NONE ||
        found.parting->target[side] != block)
        return false;
    return frame_is_over(run, frame, block, IR_NONE) &&
           frame_is_over(run, blocked->frame, blocked->frame->block, blocked->wait_op);
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
    if (missing->count == 0 || only_leave(run, blocked, missing, join))
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
