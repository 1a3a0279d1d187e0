// Split barriers of cooperative groups: barrier_arrive yields a token, barrier_wait takes it.
// (Guide 5.6.3.) The machine follows the documented contract: for thread_block, CUDA 13's
// barrier_arrive generates no instruction at all, so that misuse goes unnoticed by the hardware.
#ifndef BARLINT_SEMANTICS_GROUP_H
#define BARLINT_SEMANTICS_GROUP_H

#include "effect.h"

// The group as a whole. All zero but `live`.
struct barlint_group {
    uint32_t group; // the caller's name for it
    uint32_t live;  // live threads
    uint32_t arrived;
    uint32_t phase; // completed phases
};

// One thread's part: NONE or HELD.
struct barlint_group_thread {
    bool held;
    uint32_t phase;
};

struct barlint_group_token {
    uint32_t group, phase;
    bool valid; // issued and not moved from
};

BARLINT_HD static inline void barlint_group_start(struct barlint_group *group, uint32_t name,
                                                  uint32_t threads)
{
    group->group = name;
    group->live = threads;
    group->arrived = 0;
    group->phase = 0;
}

BARLINT_HD static inline void barlint_group_thread_clear(struct barlint_group_thread *thread)
{
    thread->held = false;
    thread->phase = 0;
}

BARLINT_HD static inline void barlint_group_try_complete(struct barlint_group *group,
                                                         struct barlint_effect *effect)
{
    if (group->arrived > 0 && group->arrived >= group->live) {
        group->arrived = 0;
        group->phase++;
        effect->completed = true;
    }
}

// barrier_arrive.
BARLINT_HD static inline struct barlint_effect
barlint_group_arrive(struct barlint_group *group, struct barlint_group_thread *thread,
                     struct barlint_group_token *out_token)
{
    struct barlint_effect effect = barlint_effect_none();
    if (thread->held) {
        barlint_effect_add(&effect, BARLINT_GROUP_ARRIVE_HELD, BARLINT_CONTINUES);
    }
    out_token->group = group->group;
    out_token->phase = group->phase;
    out_token->valid = true;
    thread->held = true;
    thread->phase = group->phase;
    group->arrived++;
    barlint_group_try_complete(group, &effect);
    effect.passed = true;
    return effect;
}

// barrier_wait: `passed` is false while it blocks; ask again later. The token is moved from once it
// passes. Without a valid token it passes at once.
BARLINT_HD static inline struct barlint_effect
barlint_group_wait(const struct barlint_group *group, struct barlint_group_thread *thread,
                   struct barlint_group_token *token)
{
    struct barlint_effect effect = barlint_effect_none();
    bool none = !thread->held || !token->valid;
    bool foreign = token->valid && token->group != group->group;
    if (foreign) {
        barlint_effect_add(&effect, BARLINT_GROUP_FOREIGN_TOKEN, BARLINT_CONTINUES);
    }
    if (none) {
        barlint_effect_add(&effect, BARLINT_GROUP_WAIT_NONE, BARLINT_CONTINUES);
    }
    effect.passed = !thread->held || group->phase != thread->phase;
    if (effect.passed) {
        thread->held = false;
        token->valid = false;
    }
    return effect;
}

// Any collective of the group: sync, reduce, shfl, partition, memcpy_async, ... As a barrier it is
// arrive and wait; that part is the caller's.
BARLINT_HD static inline struct barlint_violations
barlint_group_collective(const struct barlint_group_thread *thread)
{
    struct barlint_violations violations = barlint_violations_none();
    if (thread->held) {
        barlint_violations_add(&violations, BARLINT_GROUP_COLLECTIVE_HELD);
    }
    return violations;
}

// A thread exits; the underlying barriers do not wait for it.
BARLINT_HD static inline struct barlint_effect
barlint_group_thread_exit(struct barlint_group *group, struct barlint_group_thread *thread)
{
    struct barlint_effect effect = barlint_effect_none();
    if (thread->held) {
        barlint_effect_add(&effect, BARLINT_GROUP_NEVER_WAITED, BARLINT_CONTINUES);
        if (thread->phase == group->phase && group->arrived > 0) {
            group->arrived--;
        }
    }
    thread->held = false;
    if (group->live > 0) {
        group->live--;
    }
    barlint_group_try_complete(group, &effect);
    return effect;
}

// At quiescence: `missing` live threads skip the phase that `thread` waits for; 0 if it does not
// wait for ever. More than 0 is group-collective-divergent.
BARLINT_HD static inline uint32_t barlint_group_missing(const struct barlint_group *group,
                                                        const struct barlint_group_thread *thread)
{
    bool waits = thread->held && thread->phase == group->phase;
    return waits && group->live > group->arrived ? group->live - group->arrived : 0;
}

#endif
