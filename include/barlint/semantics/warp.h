// Barriers and collectives of a warp: bar.warp.sync, elect.sync, shfl/vote/match/redux.sync. (PTX
// ISA 9.1, 9.7.13.2, 9.7.13.14; Guide 5.4.6.6.) Lanes meet by operation and mask, not by place in
// the text; a meeting is complete when all live lanes of its mask have come.
#ifndef BARLINT_SEMANTICS_WARP_H
#define BARLINT_SEMANTICS_WARP_H

#include "effect.h"

// BARLINT_WARP_ELECT_SYNC reports warp-elect; any other value is the caller's.
enum barlint_warp_op {
    BARLINT_WARP_SYNC,
    BARLINT_WARP_ELECT_SYNC,
    BARLINT_WARP_SHUFFLE,
    BARLINT_WARP_VOTE,
    BARLINT_WARP_MATCH,
    BARLINT_WARP_REDUCE,
};

struct barlint_rendezvous {
    uint32_t op; // enum barlint_warp_op
    uint32_t mask;
    uint32_t joined;
    uint32_t site; // of the first lane; 0: not known
};

// Every pending rendezvous holds a lane that waits in it, so there are 32 at most.
struct barlint_warp {
    uint32_t live;
    uint32_t pending; // used entries of meet
    struct barlint_rendezvous meet[BARLINT_WARP_SIZE];
};

BARLINT_HD static inline void barlint_warp_start(struct barlint_warp *warp, uint32_t live)
{
    warp->live = live;
    warp->pending = 0;
    BARLINT_ROLLED
    for (uint32_t i = 0; i < BARLINT_WARP_SIZE; i++) {
        warp->meet[i].op = BARLINT_WARP_SYNC;
        warp->meet[i].mask = 0;
        warp->meet[i].joined = 0;
        warp->meet[i].site = 0;
    }
}

BARLINT_HD static inline enum barlint_violation barlint_warp_blame(uint32_t op)
{
    return op == BARLINT_WARP_ELECT_SYNC ? BARLINT_WARP_ELECT : BARLINT_WARP_MASK_AGREE;
}

// Removes every rendezvous that is complete; returns the lanes that go on.
BARLINT_HD static inline uint32_t barlint_warp_complete(struct barlint_warp *warp)
{
    uint32_t released = 0, kept = 0;
    for (uint32_t i = 0; i < warp->pending; i++) {
        struct barlint_rendezvous meet = warp->meet[i];
        if ((meet.mask & warp->live & ~meet.joined) == 0) {
            released |= meet.joined;
        } else {
            warp->meet[kept++] = meet;
        }
    }
    warp->pending = kept;
    return released;
}

// Two rendezvous that each want a lane waiting in the other can never complete. One that merely
// names lanes of another is legal: lanes of the inner one come later.
BARLINT_HD static inline bool barlint_warp_blocks(struct barlint_rendezvous a,
                                                  struct barlint_rendezvous b)
{
    return (a.mask & b.joined & ~a.joined) != 0 && (b.mask & a.joined & ~b.joined) != 0;
}

// `lanes` execute the operation with `mask` together. A lane outside its own mask aborts the kernel
// (measured; where the compiler has removed the instruction, it goes on); here it does not wait.
// Lanes that wait for each other in two operations hang (measured; where both are compiled to the
// same instruction, they meet). `completed`: a rendezvous is complete; `released` are the lanes
// that go on; `passed`: all of `lanes` do.
BARLINT_HD static inline struct barlint_effect barlint_warp_join(struct barlint_warp *warp,
                                                                 uint32_t op, uint32_t mask,
                                                                 uint32_t lanes, uint32_t site)
{
    struct barlint_effect effect = barlint_effect_none();
    uint32_t inside = lanes & mask;
    uint32_t at = 0;
    if ((lanes & ~mask) != 0) {
        barlint_effect_add(&effect, BARLINT_WARP_MASK_SELF, BARLINT_TRAPS);
        effect.released = lanes & ~mask;
    }
    while (at < warp->pending && (warp->meet[at].op != op || warp->meet[at].mask != mask)) {
        at++;
    }
    if (inside != 0 && at < BARLINT_WARP_SIZE) {
        if (at == warp->pending) {
            warp->meet[at].op = op;
            warp->meet[at].mask = mask;
            warp->meet[at].joined = 0;
            warp->meet[at].site = site;
            warp->pending++;
        }
        warp->meet[at].joined |= inside;
        for (uint32_t i = 0; i < warp->pending; i++) {
            if (i != at && barlint_warp_blocks(warp->meet[i], warp->meet[at])) {
                enum barlint_hardware hardware =
                    warp->meet[i].op == op ? BARLINT_HANGS : BARLINT_UNKNOWN;
                barlint_effect_add(&effect, barlint_warp_blame(op), hardware);
                barlint_effect_add(&effect, barlint_warp_blame(warp->meet[i].op), hardware);
            }
        }
    }
    uint32_t released = barlint_warp_complete(warp);
    effect.completed = released != 0;
    effect.released |= released;
    effect.passed = (lanes & ~effect.released) == 0;
    return effect;
}

// `lanes` exit: they are waited for no longer (Guide 5.4.6.6; measured).
BARLINT_HD static inline struct barlint_effect barlint_warp_exit(struct barlint_warp *warp,
                                                                 uint32_t lanes)
{
    struct barlint_effect effect = barlint_effect_none();
    warp->live &= ~lanes;
    effect.released = barlint_warp_complete(warp);
    effect.completed = effect.released != 0;
    return effect;
}

// The lane that elect.sync elects: the same one every time for a mask. Which one is not said; the
// lowest stands for it. 32 for an empty mask.
BARLINT_HD static inline uint32_t barlint_warp_leader(uint32_t mask, uint32_t live)
{
    BARLINT_ROLLED
    for (uint32_t lane = 0; lane < BARLINT_WARP_SIZE; lane++) {
        if (((mask & live) >> lane) & 1u) {
            return lane;
        }
    }
    return BARLINT_WARP_SIZE;
}

struct barlint_warp_stuck {
    bool for_ever;
    uint32_t waiting; // lanes that wait in some rendezvous
    uint32_t missing; // live lanes that a rendezvous wants and that did not come to it
    struct barlint_violations violations;
};

// At quiescence every pending rendezvous waits for ever.
BARLINT_HD static inline struct barlint_warp_stuck
barlint_warp_check_stuck(const struct barlint_warp *warp)
{
    struct barlint_warp_stuck stuck;
    stuck.for_ever = warp->pending > 0;
    stuck.waiting = 0;
    stuck.missing = 0;
    stuck.violations = barlint_violations_none();
    for (uint32_t i = 0; i < warp->pending; i++) {
        const struct barlint_rendezvous *meet = &warp->meet[i];
        stuck.waiting |= meet->joined;
        stuck.missing |= meet->mask & warp->live & ~meet->joined;
        barlint_violations_add(&stuck.violations, barlint_warp_blame(meet->op));
    }
    return stuck;
}

#endif
