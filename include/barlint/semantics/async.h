// Asynchronous operations of a thread: its groups of cp.async copies and of bulk stores, and what
// the operands of asynchronous copies must satisfy. (PTX ISA 9.1, 9.7.9.25, 9.7.9.27.) Groups
// complete for the issuing thread only: nobody else sees the data before a barrier.
#ifndef BARLINT_SEMANTICS_ASYNC_H
#define BARLINT_SEMANTICS_ASYNC_H

#include "effect.h"

// The groups of one thread and one kind, a queue of which only the counts matter: groups finish in
// the order they were committed as far as the thread can know. All zero but `bulk` at the start.
struct barlint_async {
    bool bulk;          // bulk stores; else cp.async
    bool tracks;        // uses cp.async.mbarrier.arrive
    uint32_t open;      // operations issued and not committed
    uint32_t committed; // groups
    uint32_t finished;  // the first so many groups are known to be complete
    uint32_t read;      // bulk: the first so many are known to have read their sources
    uint32_t last_used; // 1 + the last committed group that is not empty; 0: none
    uint32_t untracked; // cp.async issued since the last cp.async.mbarrier.arrive
};

enum barlint_async_state {
    BARLINT_ASYNC_IN_FLIGHT, // neither source nor destination may be touched
    BARLINT_ASYNC_READ,      // the source is free
    BARLINT_ASYNC_VISIBLE,   // complete, for the issuing thread
};

BARLINT_HD static inline void barlint_async_start(struct barlint_async *async, bool bulk)
{
    async->bulk = bulk;
    async->tracks = false;
    async->open = 0;
    async->committed = 0;
    async->finished = 0;
    async->read = 0;
    async->last_used = 0;
    async->untracked = 0;
}

// One more copy or store. Returns the number of the group it will belong to.
BARLINT_HD static inline uint32_t barlint_async_issue(struct barlint_async *async)
{
    async->open++;
    async->untracked += async->bulk ? 0u : 1u;
    return async->committed;
}

// commit_group: closes the open operations, none included, into a group.
BARLINT_HD static inline void barlint_async_commit(struct barlint_async *async)
{
    async->committed++;
    if (async->open > 0) {
        async->last_used = async->committed;
        async->open = 0;
    }
}

BARLINT_HD static inline uint32_t barlint_async_reach(const struct barlint_async *async,
                                                      uint32_t keep)
{
    return async->committed > keep ? async->committed - keep : 0;
}

// A wait_group that waits for nothing while operations lie open was meant for those.
BARLINT_HD static inline void barlint_async_check_wait(const struct barlint_async *async,
                                                       uint32_t done, struct barlint_effect *effect)
{
    if (async->open > 0 && done >= async->last_used) {
        barlint_effect_add(effect, BARLINT_ASYNC_UNCOMMITTED, BARLINT_CONTINUES);
    }
}

// wait_group `keep`: at most that many of the newest groups stay open.
BARLINT_HD static inline struct barlint_effect barlint_async_wait(struct barlint_async *async,
                                                                  uint32_t keep)
{
    struct barlint_effect effect = barlint_effect_none();
    uint32_t reach = barlint_async_reach(async, keep);
    barlint_async_check_wait(async, async->finished, &effect);
    async->finished = reach > async->finished ? reach : async->finished;
    async->read = async->finished > async->read ? async->finished : async->read;
    if (async->open == 0 && async->finished >= async->last_used) {
        async->untracked = 0;
    }
    effect.passed = true;
    return effect;
}

// cp.async.bulk.wait_group.read `keep`: only the sources are free then.
BARLINT_HD static inline struct barlint_effect barlint_async_wait_read(struct barlint_async *async,
                                                                       uint32_t keep)
{
    struct barlint_effect effect = barlint_effect_none();
    uint32_t reach = barlint_async_reach(async, keep);
    barlint_async_check_wait(async, async->read, &effect);
    async->read = reach > async->read ? reach : async->read;
    effect.passed = true;
    return effect;
}

// cp.async.wait_all: everything the thread issued, committed or not.
BARLINT_HD static inline struct barlint_effect barlint_async_wait_all(struct barlint_async *async)
{
    if (async->open > 0) {
        barlint_async_commit(async);
    }
    return barlint_async_wait(async, 0);
}

// cp.async.mbarrier.arrive: an mbarrier tracks what was issued so far (9.7.13.15.15).
BARLINT_HD static inline void barlint_async_track(struct barlint_async *async)
{
    async->tracks = true;
    async->untracked = 0;
}

BARLINT_HD static inline enum barlint_async_state
barlint_async_state_of(const struct barlint_async *async, uint32_t group)
{
    return group < async->finished              ? BARLINT_ASYNC_VISIBLE
           : async->bulk && group < async->read ? BARLINT_ASYNC_READ
                                                : BARLINT_ASYNC_IN_FLIGHT;
}

// The thread touches the destination of a copy of `group` (0-based, from barlint_async_issue()),
// or overwrites the source of a store of it.
BARLINT_HD static inline struct barlint_violations
barlint_async_check_access(const struct barlint_async *async, uint32_t group)
{
    struct barlint_violations violations = barlint_violations_none();
    if (barlint_async_state_of(async, group) == BARLINT_ASYNC_IN_FLIGHT) {
        barlint_violations_add(&violations,
                               async->bulk ? BARLINT_ASYNC_STORE_OPEN : BARLINT_ASYNC_COPY_OPEN);
    }
    return violations;
}

// The thread exits. Copies that an mbarrier tracks are waited for there; those issued after the
// tracking arrive are waited for by nobody.
BARLINT_HD static inline struct barlint_violations
barlint_async_exit(const struct barlint_async *async)
{
    struct barlint_violations violations = barlint_violations_none();
    uint32_t done = async->bulk ? async->read : async->finished;
    if (async->tracks) {
        if (async->untracked > 0) {
            barlint_violations_add(&violations, BARLINT_TX_UNTRACKED);
        }
    } else if (async->open > 0 || done < async->last_used) {
        barlint_violations_add(&violations,
                               async->bulk ? BARLINT_ASYNC_STORE_OPEN : BARLINT_ASYNC_COPY_OPEN);
    }
    return violations;
}

// The N of __pipeline_wait_prior(N): the header takes any above 8 for 8. Returns what it waits for.
BARLINT_HD static inline uint32_t
barlint_async_clamp_prior(uint32_t prior, struct barlint_violations *out_violations)
{
    *out_violations = barlint_violations_none();
    if (prior > 8u) {
        barlint_violations_add(out_violations, BARLINT_ASYNC_WAIT_CLAMP);
        return 8u;
    }
    return prior;
}

// cp.async of `size` bytes: 4, 8 or 16, both addresses aligned to the size.
BARLINT_HD static inline struct barlint_effect
barlint_async_check_copy(uint64_t destination, uint64_t source, uint32_t size)
{
    struct barlint_effect effect = barlint_effect_none();
    if (size != 4u && size != 8u && size != 16u) {
        barlint_effect_add(&effect, BARLINT_TX_SIZE, BARLINT_UNKNOWN);
    } else if (destination % size != 0 || source % size != 0) {
        barlint_effect_add(&effect, BARLINT_TX_ALIGN, BARLINT_TRAPS);
    }
    return effect;
}

// A bulk copy or store of `size` bytes: a positive multiple of 16, both addresses aligned to 16.
BARLINT_HD static inline struct barlint_effect
barlint_async_check_bulk(uint64_t destination, uint64_t source, uint32_t size)
{
    struct barlint_effect effect = barlint_effect_none();
    if (size == 0 || size % 16u != 0) {
        barlint_effect_add(&effect, BARLINT_TX_SIZE, BARLINT_UNKNOWN);
    }
    if (destination % 16u != 0 || source % 16u != 0) {
        barlint_effect_add(&effect, BARLINT_TX_ALIGN, BARLINT_TRAPS);
    }
    return effect;
}

// A tensor copy: its place in shared memory is aligned to 128 bytes (9.7.9.27.1).
BARLINT_HD static inline struct barlint_effect barlint_async_check_tensor(uint64_t shared_address)
{
    struct barlint_effect effect = barlint_effect_none();
    if (shared_address % 128u != 0) {
        barlint_effect_add(&effect, BARLINT_TX_ALIGN, BARLINT_TRAPS);
    }
    return effect;
}

enum barlint_async_target {
    BARLINT_TARGET_BULK_CTA,  // cp.async.bulk.shared::cta: data and mbarrier in the own CTA
    BARLINT_TARGET_BULK,      // cp.async.bulk(.tensor).shared::cluster: both in one CTA
    BARLINT_TARGET_BULK_PAIR, // .cta_group::2: the mbarrier may be in the peer of the pair
    BARLINT_TARGET_ST_ASYNC,  // both in one CTA of a cluster of more than one (9.7.9.12)
    BARLINT_TARGET_RED_ASYNC, // both in one CTA that is not the own (9.7.13.7)
};

// Where an operation that completes on an mbarrier puts its data (CTA rank `data`) and its
// completion (`barrier`), executed by CTA `own` of a cluster of `ctas`.
BARLINT_HD static inline struct barlint_violations
barlint_async_check_target(enum barlint_async_target target, uint32_t own, uint32_t data,
                           uint32_t barrier, uint32_t ctas)
{
    struct barlint_violations violations = barlint_violations_none();
    bool right = data < ctas && barrier < ctas;
    switch (target) {
    case BARLINT_TARGET_BULK_CTA:
        right = right && data == own && barrier == own;
        break;
    case BARLINT_TARGET_BULK:
        right = right && data == barrier;
        break;
    case BARLINT_TARGET_BULK_PAIR:
        right = right && (data | 1u) == (barrier | 1u);
        break;
    case BARLINT_TARGET_ST_ASYNC:
        right = right && data == barrier && ctas > 1u;
        break;
    case BARLINT_TARGET_RED_ASYNC:
        right = right && data == barrier && data != own && ctas > 1u;
        break;
    }
    if (!right) {
        barlint_violations_add(&violations, BARLINT_TX_TARGET_CTA);
    }
    return violations;
}

#endif
