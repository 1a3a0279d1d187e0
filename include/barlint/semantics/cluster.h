// The barrier of a cluster: barrier.cluster.arrive and .wait. (PTX ISA 9.1, 9.7.13.3.) The cluster
// holds counters, one pair a CTA; each thread holds its own IN or OUT.
#ifndef BARLINT_SEMANTICS_CLUSTER_H
#define BARLINT_SEMANTICS_CLUSTER_H

#include "effect.h"

#define BARLINT_MAX_CLUSTER 16u // CTAs, non-portable size included

struct barlint_cluster {
    uint32_t ctas;  // 1 without a cluster launch: the barrier is then that of the CTA
    uint32_t phase; // completed phases
    uint32_t live[BARLINT_MAX_CLUSTER];    // live threads
    uint32_t arrived[BARLINT_MAX_CLUSTER]; // arrivals in the open phase
    uint32_t live_in_all, arrived_in_all;  // the same of all CTAs together
};

// One thread's part. All zero: OUT.
struct barlint_cluster_thread {
    bool in;        // arrived and not yet waited
    uint32_t phase; // it arrived in
};

BARLINT_HD static inline void barlint_cluster_start(struct barlint_cluster *cluster, uint32_t ctas,
                                                    uint32_t threads)
{
    cluster->ctas = ctas;
    cluster->phase = 0;
    BARLINT_ROLLED
    for (uint32_t i = 0; i < BARLINT_MAX_CLUSTER; i++) {
        cluster->live[i] = i < ctas ? threads : 0;
        cluster->arrived[i] = 0;
    }
    cluster->live_in_all = ctas * threads;
    cluster->arrived_in_all = 0;
}

BARLINT_HD static inline void barlint_cluster_thread_clear(struct barlint_cluster_thread *thread)
{
    thread->in = false;
    thread->phase = 0;
}

// Ends the phase once there are as many arrivals as live threads.
BARLINT_HD static inline void barlint_cluster_try_complete(struct barlint_cluster *cluster,
                                                           struct barlint_effect *effect)
{
    if (cluster->arrived_in_all == 0 || cluster->arrived_in_all < cluster->live_in_all) {
        return;
    }
    BARLINT_ROLLED
    for (uint32_t i = 0; i < cluster->ctas; i++) {
        cluster->arrived[i] = 0;
    }
    cluster->arrived_in_all = 0;
    cluster->phase++;
    effect->completed = true;
}

// ---- for many threads of a CTA at once: what each of them does, and the cluster's part of it ----

// barrier.cluster.arrive by a thread while the phase `phase` is open. A second arrive without a wait is
// not noticed by the hardware. Measured: it blocks until the phase of the first has ended and then
// counts for the next one, so that the thread is a phase ahead of its peers from then on. `passed` is
// false while it blocks, ask again later; else it is to be counted.
BARLINT_HD static inline struct barlint_effect
barlint_cluster_thread_arrives(struct barlint_cluster_thread *thread, uint32_t phase)
{
    struct barlint_effect effect = barlint_effect_none();
    if (thread->in) {
        barlint_effect_add(&effect, BARLINT_CLUSTER_ARRIVE_TWICE, BARLINT_CONTINUES);
        if (thread->phase == phase) {
            return effect;
        }
    }
    thread->in = true;
    thread->phase = phase;
    effect.passed = true;
    return effect;
}

// So many threads of CTA `cta` have arrived in the open phase.
BARLINT_HD static inline void barlint_cluster_count(struct barlint_cluster *cluster, uint32_t cta,
                                                    uint32_t threads, struct barlint_effect *effect)
{
    cluster->arrived[cta] += threads;
    cluster->arrived_in_all += threads;
    barlint_cluster_try_complete(cluster, effect);
}

// barrier.cluster.wait while the phase `phase` is open: `passed` is false while it blocks; ask again
// later. Without an arrive of its own it returns at once and synchronises nothing (measured).
BARLINT_HD static inline struct barlint_effect
barlint_cluster_thread_waits(struct barlint_cluster_thread *thread, uint32_t phase)
{
    struct barlint_effect effect = barlint_effect_none();
    if (!thread->in) {
        barlint_effect_add(&effect, BARLINT_CLUSTER_WAIT_ALONE, BARLINT_CONTINUES);
        effect.passed = true;
        return effect;
    }
    effect.passed = phase != thread->phase;
    thread->in = !effect.passed;
    return effect;
}

// A thread exits, IN or OUT, while the phase `phase` is open. Returns whether it has arrived in it.
BARLINT_HD static inline bool barlint_cluster_thread_ends(struct barlint_cluster_thread *thread,
                                                          uint32_t phase)
{
    bool arrived = thread->in && thread->phase == phase;
    thread->in = false;
    return arrived;
}

// So many threads of CTA `cta` have exited, `arrived` of which had arrived in the open phase: the
// barrier no longer waits for them (9.7.13.3, 9.7.12.7).
BARLINT_HD static inline void barlint_cluster_leave(struct barlint_cluster *cluster, uint32_t cta,
                                                    uint32_t threads, uint32_t arrived,
                                                    struct barlint_effect *effect)
{
    threads = threads < cluster->live[cta] ? threads : cluster->live[cta];
    arrived = arrived < cluster->arrived[cta] ? arrived : cluster->arrived[cta];
    cluster->live[cta] -= threads;
    cluster->live_in_all -= threads;
    cluster->arrived[cta] -= arrived;
    cluster->arrived_in_all -= arrived;
    barlint_cluster_try_complete(cluster, effect);
}

// ---- for one thread ----

// barrier.cluster.arrive by a thread of CTA `cta`. `passed` is false while it blocks.
BARLINT_HD static inline struct barlint_effect
barlint_cluster_arrive(struct barlint_cluster *cluster, struct barlint_cluster_thread *thread,
                       uint32_t cta)
{
    struct barlint_effect effect = barlint_cluster_thread_arrives(thread, cluster->phase);
    if (effect.passed) {
        barlint_cluster_count(cluster, cta, 1, &effect);
    }
    return effect;
}

// barrier.cluster.wait. `passed` is false while it blocks.
BARLINT_HD static inline struct barlint_effect
barlint_cluster_wait(const struct barlint_cluster *cluster, struct barlint_cluster_thread *thread)
{
    return barlint_cluster_thread_waits(thread, cluster->phase);
}

// A thread of CTA `cta` exits.
BARLINT_HD static inline struct barlint_effect
barlint_cluster_thread_exit(struct barlint_cluster *cluster, struct barlint_cluster_thread *thread,
                            uint32_t cta)
{
    struct barlint_effect effect = barlint_effect_none();
    bool arrived = barlint_cluster_thread_ends(thread, cluster->phase);
    barlint_cluster_leave(cluster, cta, 1, arrived, &effect);
    return effect;
}

// An aligned form is executed by `lanes` of a warp whose live lanes are `live`. Measured: it hangs
// if the rest of the warp executes another one; the form that is not aligned meets it.
BARLINT_HD static inline struct barlint_violations barlint_cluster_check_aligned(uint32_t lanes,
                                                                                 uint32_t live)
{
    struct barlint_violations violations = barlint_violations_none();
    if ((live & ~lanes) != 0) {
        barlint_violations_add(&violations, BARLINT_CLUSTER_UNALIGNED);
    }
    return violations;
}

// An access to the shared memory of another CTA. `waits` is how many cluster barriers the
// executing thread has passed, `owner_exited` whether all threads of the other CTA have exited.
// Measured: a store to an exited CTA aborts the launch, a remote arrive raises nothing.
BARLINT_HD static inline struct barlint_effect
barlint_cluster_check_remote(uint32_t waits, bool owner_exited, bool stores)
{
    struct barlint_effect effect = barlint_effect_none();
    if (waits == 0) {
        barlint_effect_add(&effect, BARLINT_CLUSTER_DSMEM_START, BARLINT_UNKNOWN);
    }
    if (owner_exited) {
        barlint_effect_add(&effect, BARLINT_CLUSTER_EXIT,
                           stores ? BARLINT_TRAPS : BARLINT_CONTINUES);
    }
    return effect;
}

struct barlint_cluster_stuck {
    bool for_ever;
    uint32_t missing[BARLINT_MAX_CLUSTER]; // live threads of each CTA that did not arrive
    struct barlint_violations violations;
};

// At quiescence: does a thread that waits for the phase it arrived in wait for ever?
BARLINT_HD static inline struct barlint_cluster_stuck
barlint_cluster_check_stuck(const struct barlint_cluster *cluster,
                            const struct barlint_cluster_thread *thread)
{
    struct barlint_cluster_stuck stuck;
    stuck.for_ever = thread->in && thread->phase == cluster->phase;
    stuck.violations = barlint_violations_none();
    BARLINT_ROLLED
    for (uint32_t i = 0; i < BARLINT_MAX_CLUSTER; i++) {
        uint32_t arrived = cluster->arrived[i];
        stuck.missing[i] =
            stuck.for_ever && cluster->live[i] > arrived ? cluster->live[i] - arrived : 0;
    }
    if (stuck.for_ever) {
        barlint_violations_add(&stuck.violations, BARLINT_CLUSTER_DIVERGENT);
    }
    return stuck;
}

#endif
