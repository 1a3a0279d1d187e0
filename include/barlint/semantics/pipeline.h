// Pipelines: cuda::pipeline, CUTLASS's and hand-written pairs of full and empty barriers. (libcu++
// pipeline; Guide 4.9.7, 4.10; CUTLASS PipelineState.)
//
//   struct barlint_pipe_thread  one thread of a cuda::pipeline: what it may call next
//   struct barlint_pipe_stage   one stage: EMPTY(r), ACQUIRED(r), FILLED(r), then EMPTY(r + 1)
//   struct barlint_ring         a position {index, phase, count} in a ring of stages
#ifndef BARLINT_SEMANTICS_PIPELINE_H
#define BARLINT_SEMANTICS_PIPELINE_H

#include "effect.h"

enum barlint_pipe_role {
    BARLINT_PIPE_PRODUCER = 1,
    BARLINT_PIPE_CONSUMER = 2,
    BARLINT_PIPE_BOTH = 3, // a unified pipeline
};

struct barlint_pipe_thread {
    uint32_t stages;
    uint32_t commits, releases;
    uint8_t role;  // enum barlint_pipe_role
    bool local;    // of thread scope: acquire and release do nothing there, nobody else waits
    bool acquired; // and not yet committed
    bool waited;   // and not yet released
    bool quit;
};

BARLINT_HD static inline void barlint_pipe_start(struct barlint_pipe_thread *thread,
                                                 uint32_t stages, enum barlint_pipe_role role,
                                                 bool local)
{
    thread->stages = stages;
    thread->commits = 0;
    thread->releases = 0;
    thread->role = (uint8_t)role;
    thread->local = local;
    thread->acquired = false;
    thread->waited = false;
    thread->quit = false;
}

// The producer count given to make_pipeline for a group of `group_size` threads.
BARLINT_HD static inline struct barlint_violations
barlint_pipe_check_producers(uint32_t producer_count, uint32_t group_size)
{
    struct barlint_violations violations = barlint_violations_none();
    if (producer_count == 0 || producer_count >= group_size) {
        barlint_violations_add(&violations, BARLINT_PIPE_PRODUCER_COUNT);
    }
    return violations;
}

// What holds for every call: the role allows it and the thread has not quit.
BARLINT_HD static inline void barlint_pipe_begin(const struct barlint_pipe_thread *thread,
                                                 enum barlint_pipe_role role,
                                                 struct barlint_effect *effect)
{
    if (thread->quit) {
        barlint_effect_add(effect, BARLINT_PIPE_AFTER_QUIT, BARLINT_UNKNOWN);
    }
    if ((thread->role & (uint8_t)role) == 0) {
        barlint_effect_add(effect, BARLINT_PIPE_ROLE, BARLINT_UNKNOWN);
    }
}

// Stages the thread has committed and not released; below 0 after releases out of turn.
BARLINT_HD static inline int64_t barlint_pipe_kept(const struct barlint_pipe_thread *thread)
{
    return (int64_t)thread->commits - (int64_t)thread->releases;
}

// producer_acquire: waits until the stage is empty. A thread that is also consumer and holds all
// stages waits for a release of its own.
BARLINT_HD static inline struct barlint_effect
barlint_pipe_acquire(struct barlint_pipe_thread *thread)
{
    struct barlint_effect effect = barlint_effect_none();
    barlint_pipe_begin(thread, BARLINT_PIPE_PRODUCER, &effect);
    if (thread->acquired) {
        barlint_effect_add(&effect, BARLINT_PIPE_ACQUIRE_TWICE, BARLINT_CONTINUES);
    }
    if (thread->role == BARLINT_PIPE_BOTH && barlint_pipe_kept(thread) >= (int64_t)thread->stages) {
        barlint_effect_add(&effect, BARLINT_PIPE_OVERRUN,
                           thread->local ? BARLINT_CONTINUES : BARLINT_HANGS);
    }
    thread->acquired = true;
    return effect;
}

// producer_commit.
BARLINT_HD static inline struct barlint_effect
barlint_pipe_commit(struct barlint_pipe_thread *thread)
{
    struct barlint_effect effect = barlint_effect_none();
    barlint_pipe_begin(thread, BARLINT_PIPE_PRODUCER, &effect);
    if (!thread->acquired) {
        barlint_effect_add(&effect, BARLINT_PIPE_COMMIT_ALONE, BARLINT_CONTINUES);
    }
    thread->acquired = false;
    thread->commits++;
    return effect;
}

// consumer_wait. A thread that is also producer waits for ever for a stage it has not committed.
BARLINT_HD static inline struct barlint_effect barlint_pipe_wait(struct barlint_pipe_thread *thread)
{
    struct barlint_effect effect = barlint_effect_none();
    barlint_pipe_begin(thread, BARLINT_PIPE_CONSUMER, &effect);
    if (thread->waited) {
        barlint_effect_add(&effect, BARLINT_PIPE_WAIT_TWICE, BARLINT_CONTINUES);
    }
    if (thread->role == BARLINT_PIPE_BOTH && barlint_pipe_kept(thread) <= 0) {
        barlint_effect_add(&effect, BARLINT_PIPE_WAIT_EMPTY,
                           thread->local ? BARLINT_CONTINUES : BARLINT_HANGS);
    }
    thread->waited = true;
    return effect;
}

// consumer_release.
BARLINT_HD static inline struct barlint_effect
barlint_pipe_release(struct barlint_pipe_thread *thread)
{
    struct barlint_effect effect = barlint_effect_none();
    barlint_pipe_begin(thread, BARLINT_PIPE_CONSUMER, &effect);
    if (!thread->waited) {
        barlint_effect_add(&effect, BARLINT_PIPE_RELEASE_ALONE, BARLINT_CONTINUES);
    }
    thread->waited = false;
    thread->releases++;
    return effect;
}

// quit(), the destructor, or the thread's exit. `furthest` is the number of stages that some thread
// of the same role goes through in all: quit() does not drop the thread's arrivals (measured: it
// hangs), so the others get no further than this thread did.
BARLINT_HD static inline struct barlint_effect
barlint_pipe_leave(struct barlint_pipe_thread *thread, uint32_t furthest)
{
    struct barlint_effect effect = barlint_effect_none();
    uint32_t done = (thread->role & BARLINT_PIPE_PRODUCER) ? thread->commits : thread->releases;
    if (thread->quit) {
        barlint_effect_add(&effect, BARLINT_PIPE_AFTER_QUIT, BARLINT_UNKNOWN);
        return effect;
    }
    if (thread->acquired || thread->waited ||
        (thread->role == BARLINT_PIPE_BOTH && thread->commits != thread->releases)) {
        barlint_effect_add(&effect, BARLINT_PIPE_LEFT_OPEN, BARLINT_CONTINUES);
    }
    if (!thread->local && (int32_t)(furthest - done) > 0) {
        barlint_effect_add(&effect, BARLINT_PIPE_QUIT, BARLINT_HANGS);
    }
    thread->quit = true;
    return effect;
}

// One stage with its two barriers: `producers` arrivals fill it, `consumers` arrivals empty it.
struct barlint_pipe_stage {
    uint32_t producers, consumers;
    uint32_t round;             // of use, from 0
    uint32_t commits, releases; // in this round
    uint32_t acquired;          // producers that acquired it in this round and have not committed
};

BARLINT_HD static inline void barlint_pipe_stage_start(struct barlint_pipe_stage *stage,
                                                       uint32_t producers, uint32_t consumers)
{
    stage->producers = producers;
    stage->consumers = consumers;
    stage->round = 0;
    stage->commits = 0;
    stage->releases = 0;
    stage->acquired = 0;
}

BARLINT_HD static inline bool barlint_pipe_stage_is_filled(const struct barlint_pipe_stage *stage)
{
    return stage->commits >= stage->producers;
}

// A producer asks for the stage in round `round`: waits on the empty barrier with parity
// (round & 1) ^ 1, which a fresh one passes. `passed` is false while it must wait.
BARLINT_HD static inline struct barlint_effect
barlint_pipe_stage_acquire(struct barlint_pipe_stage *stage, uint32_t round)
{
    struct barlint_effect effect = barlint_effect_none();
    effect.passed = (int32_t)(stage->round - round) >= 0;
    if (effect.passed) {
        if (stage->round != round || barlint_pipe_stage_is_filled(stage)) {
            barlint_effect_add(&effect, BARLINT_PIPE_STAGE_ORDER, BARLINT_UNKNOWN);
        }
        stage->acquired++;
    }
    return effect;
}

// A producer has filled its part: arrives on the full barrier. `completed`: the stage is filled.
BARLINT_HD static inline struct barlint_effect
barlint_pipe_stage_commit(struct barlint_pipe_stage *stage)
{
    struct barlint_effect effect = barlint_effect_none();
    if (stage->acquired == 0 || barlint_pipe_stage_is_filled(stage)) {
        barlint_effect_add(&effect, BARLINT_PIPE_STAGE_ORDER, BARLINT_UNKNOWN);
    }
    stage->acquired -= stage->acquired > 0 ? 1u : 0u;
    stage->commits++;
    effect.completed = stage->commits == stage->producers;
    return effect;
}

// A consumer asks for the data of round `round`: waits on the full barrier with parity round & 1.
// A consumer that comes after the round was consumed has lost its data.
BARLINT_HD static inline struct barlint_effect
barlint_pipe_stage_wait(const struct barlint_pipe_stage *stage, uint32_t round)
{
    struct barlint_effect effect = barlint_effect_none();
    int32_t ahead = (int32_t)(stage->round - round);
    effect.passed = ahead > 0 || (ahead == 0 && barlint_pipe_stage_is_filled(stage));
    if (ahead > 0) {
        barlint_effect_add(&effect, BARLINT_PIPE_STAGE_ORDER, BARLINT_UNKNOWN);
    }
    return effect;
}

// A consumer is done: arrives on the empty barrier. `completed`: the stage is empty for the next
// round.
BARLINT_HD static inline struct barlint_effect
barlint_pipe_stage_release(struct barlint_pipe_stage *stage)
{
    struct barlint_effect effect = barlint_effect_none();
    if (!barlint_pipe_stage_is_filled(stage)) {
        barlint_effect_add(&effect, BARLINT_PIPE_STAGE_ORDER, BARLINT_UNKNOWN);
    }
    stage->releases++;
    if (stage->releases >= stage->consumers) {
        stage->round++;
        stage->commits = 0;
        stage->releases = 0;
        stage->acquired = 0;
        effect.completed = true;
    }
    return effect;
}

// A position in a ring, as CUTLASS's PipelineState. `phase` is the parity to wait with: on the full
// barriers for a consumer, on the empty ones for a producer.
struct barlint_ring {
    uint32_t stages, index, phase, count;
};

// The start of a consumer has phase 0; that of a producer phase 1, so that its first wait on each
// fresh empty barrier passes.
BARLINT_HD static inline void barlint_ring_start(struct barlint_ring *ring, uint32_t stages,
                                                 bool producer)
{
    ring->stages = stages;
    ring->index = 0;
    ring->phase = producer ? 1 : 0;
    ring->count = 0;
}

BARLINT_HD static inline void barlint_ring_advance(struct barlint_ring *ring)
{
    ring->count++;
    ring->index++;
    if (ring->index >= ring->stages) {
        ring->index = 0;
        ring->phase ^= 1u;
    }
}

// Is a first state right for its role?
BARLINT_HD static inline struct barlint_violations
barlint_ring_check_start(const struct barlint_ring *ring, bool producer)
{
    struct barlint_violations violations = barlint_violations_none();
    if (ring->phase != (producer ? 1u : 0u)) {
        barlint_violations_add(&violations, BARLINT_PIPE_START);
    }
    if (ring->index >= ring->stages) {
        barlint_violations_add(&violations, BARLINT_PIPE_STATE);
    }
    return violations;
}

// Is `after` what one step makes of `before`? The counts are not compared: hand-written states have
// none.
BARLINT_HD static inline struct barlint_violations
barlint_ring_check_step(const struct barlint_ring *before, const struct barlint_ring *after)
{
    struct barlint_violations violations = barlint_violations_none();
    struct barlint_ring want = *before;
    barlint_ring_advance(&want);
    if (after->stages != want.stages || after->index != want.index || after->phase != want.phase) {
        barlint_violations_add(&violations, BARLINT_PIPE_STATE);
    }
    return violations;
}

#endif
