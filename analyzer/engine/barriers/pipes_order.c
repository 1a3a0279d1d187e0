// The order that a cuda::pipeline makes between threads, by the two barriers of each stage: who
// commits a stage releases to those who wait for it, who releases it to those who acquire it for
// the next round. Whoever comes too early waits; where nobody else can go on either, or where
// something about the pipeline is not known, nobody is held back from then on, and whatever is
// handed over there is taken to be known to all. What hangs is told by the counts (pipes.c).
#include "base/vec.h"
#include "engine/barriers/pipes_internal.h"
#include "engine/walk/walk.h"

void pipe_order_start(struct run *run, struct pipe *pipe)
{
    if (pipe->full)
        return;
    pipe->full = arena_array(&run->arena, struct released, MAX_BLOCKS * MOST_STAGES);
    pipe->empty = arena_array(&run->arena, struct released, MAX_BLOCKS * MOST_STAGES);
}

static bool produces(enum model_kind kind)
{
    return kind == MODEL_PIPELINE_ACQUIRE || kind == MODEL_PIPELINE_COMMIT;
}

// The stages that the thread has gone through in that role.
static uint32_t gone(const struct barlint_pipe_thread *thread, bool producer)
{
    return producer ? thread->commits : thread->releases;
}

// Nobody waits there any more, and what the threads have done is taken to be known.
static void loosen(struct run *run, struct pipe *pipe)
{
    if (!pipe->loose && pipe->made->count > 0)
        orders_tell(run, pipe->made);
    pipe->loose = true;
    ++run->changes;
}

// Whether the order of the group's threads can be told by the stages: all are at the same one.
static bool is_followed(const struct run *run, const struct pipe *pipe, const struct group *group,
                        bool producer)
{
    const struct barlint_pipe_thread *first = &pipe->thread[group->mask->first];
    if (pipe->loose || pipe->lost || run->afterlife || first->stages > MOST_STAGES ||
        first->stages == 0)
        return false;
    mask_each (run->masks, group->mask, t) {
        if (gone(&pipe->thread[t], producer) != gone(first, producer) ||
            pipe->thread[t].stages != first->stages)
            return false;
    }
    return true;
}

// Whether all of the block's threads that have the role have gone through so many stages in it.
static bool is_complete(const struct run *run, const struct pipe *pipe, uint32_t block,
                        bool producer, uint32_t stages)
{
    enum barlint_pipe_role role = producer ? BARLINT_PIPE_PRODUCER : BARLINT_PIPE_CONSUMER;
    uint32_t size = run->engine->block_threads;
    int64_t there = 0, needed = producer ? pipe->producers : size - pipe->producers;
    for (uint32_t t = block * size; t < (block + 1) * size; ++t) {
        const struct barlint_pipe_thread *thread = &pipe->thread[t];
        bool through = gone(thread, producer) >= stages;
        if (!pipe->by_use && thread->role & role && !through)
            return false;
        there += through;
    }
    return !pipe->by_use || there >= needed;
}

static struct released *stage_of(const struct run *run, const struct pipe *pipe, uint32_t block,
                                 bool full, uint32_t stage)
{
    const uint32_t stages = pipe->thread[block * run->engine->block_threads].stages;
    return &(full ? pipe->full : pipe->empty)[block * MOST_STAGES + stage % stages];
}

void pipe_hands_over(struct run *run, struct pipe *pipe, const struct group *group,
                     enum model_kind kind)
{
    bool producer = produces(kind);
    if (!is_followed(run, pipe, group, producer)) {
        loosen(run, pipe);
        orders_tell(run, group->mask);
        return;
    }
    uint32_t through = gone(&pipe->thread[group->mask->first], producer);
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        const struct mask *here = mask_and(run->masks, group->mask, run->block_mask[b]);
        if (here->count == 0)
            continue;
        struct released *at = stage_of(run, pipe, b, producer, through - 1);
        orders_release(run, here, at);
        if (is_complete(run, pipe, b, producer, through))
            orders_over(at);
    }
    ++run->changes;
}

// Whether what the group waits for has come about in all of its blocks; then it knows of it.
static bool passes(struct run *run, struct pipe *pipe, struct group *group, bool producer)
{
    const struct barlint_pipe_thread *first = &pipe->thread[group->mask->first];
    uint32_t stage = gone(first, producer);
    if (producer && stage < first->stages)
        return true; // nobody has used it
    uint32_t through = producer ? stage - first->stages + 1 : stage + 1;
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        if (mask_overlaps(run->masks, group->mask, run->block_mask[b]) &&
            !is_complete(run, pipe, b, !producer, through))
            return false;
    }
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        const struct mask *here = mask_and(run->masks, group->mask, run->block_mask[b]);
        if (here->count > 0)
            orders_acquire(run, here, stage_of(run, pipe, b, !producer, stage));
    }
    return true;
}

// The group goes on.
static void go_on(struct run *run, struct pipe *pipe, struct group *group, bool producer)
{
    if (!producer)
        pipe_filled(run, pipe, gone(&pipe->thread[group->mask->first], false));
    if (group->state != GROUP_BLOCKED)
        return;
    group->state = GROUP_READY;
    group->wait = WAIT_NONE;
    ++run->changes;
}

bool pipe_comes(struct run *run, struct pipe *pipe, struct group *group, enum model_kind kind,
                ir_value value)
{
    bool producer = produces(kind), followed = is_followed(run, pipe, group, producer);
    if (!followed)
        loosen(run, pipe);
    if (followed && !passes(run, pipe, group, producer)) {
        group_block(run, group, producer ? WAIT_PIPE_EMPTY : WAIT_PIPE_FULL, value);
        group->wait_barrier = 0;
        while (run->machines->pipe[group->wait_barrier] != pipe)
            ++group->wait_barrier;
        return false;
    }
    go_on(run, pipe, group, producer);
    return true;
}

bool pipes_resume(struct run *run, struct group *group)
{
    struct pipe *pipe = run->machines->pipe[group->wait_barrier];
    bool producer = group->wait == WAIT_PIPE_EMPTY;
    if (is_followed(run, pipe, group, producer) && !passes(run, pipe, group, producer))
        return false;
    go_on(run, pipe, group, producer);
    return true;
}

bool pipes_force(struct run *run)
{
    bool any = false;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        struct group *group = run->group[i];
        bool full = group->wait == WAIT_PIPE_FULL;
        if (group->state != GROUP_BLOCKED || (!full && group->wait != WAIT_PIPE_EMPTY))
            continue;
        loosen(run, run->machines->pipe[group->wait_barrier]);
        any |= pipes_resume(run, group);
    }
    return any;
}
