// The barrier of all threads, where a kernel has no other of its block. A warp counts its rounds:
// before it enters the hardware's barrier it writes the number of its round and the place in the text
// into a word that nobody else writes, and afterwards it looks at the word of the next warp. All have
// come to the same place if each has come to that of the next. There are two words for a warp, for
// rounds with an even number and with an odd one: who looks has not come to the next round, and so
// nobody is in the one after it, whose words are these again. Nothing is said, and nothing asked, of
// threads that end: their word is missing.
#ifndef BARLINT_RUNTIME_CHECK_ROUNDS_H
#define BARLINT_RUNTIME_CHECK_ROUNDS_H

#include "shadow_block.h"
#include "sites.h"

// A warp's word: bits 16-31 number, 15 bar.red, 14 not aligned, 0-13 place.
#define BARLINT_RT_ROUND (1u << 16)
#define BARLINT_RT_ROUND_RED (1u << 15)
#define BARLINT_RT_ROUND_LOOSE BARLINT_RT_ROUND_PLACES
#define BARLINT_RT_ROUND_PLACE (BARLINT_RT_ROUND_PLACES - 1u)
#define BARLINT_RT_ROUND_NUMBER (0u - BARLINT_RT_ROUND)
#define BARLINT_RT_ROUND_TURN 128u // between the addresses of a warp's two words

BARLINT_HD static inline uint32_t barlint_rt_round_mark(uint32_t kind, uint32_t flags,
                                                        uint64_t site)
{
    return (kind == BARLINT_NAMED_RED ? BARLINT_RT_ROUND_RED : 0u) |
           (flags & BARLINT_RT_ALIGNED ? 0u : BARLINT_RT_ROUND_LOOSE) |
           ((uint32_t)site & BARLINT_RT_ROUND_PLACE);
}

// The operation that a warp's word is of. Places are told apart by their number in the module, from
// 1 on.
BARLINT_HD static inline struct barlint_named_op barlint_rt_round_op(uint32_t word)
{
    struct barlint_named_op op;
    op.id = 0;
    op.count = 0;
    op.site = (word & BARLINT_RT_ROUND_PLACE) + 1u;
    op.kind = word & BARLINT_RT_ROUND_RED ? BARLINT_NAMED_RED : BARLINT_NAMED_SYNC;
    op.aligned = !(word & BARLINT_RT_ROUND_LOOSE);
    return op;
}

// The later one of a warp's two words of rounds.
BARLINT_HD static inline uint32_t barlint_rt_round_of(const struct barlint_rt_block *b,
                                                      uint32_t warp)
{
    uint32_t even = barlint_rt_load(&b->round[0][warp]);
    uint32_t odd = barlint_rt_load(&b->round[1][warp]);
    uint32_t ahead = (even & BARLINT_RT_ROUND_NUMBER) - (odd & BARLINT_RT_ROUND_NUMBER);
    return (int32_t)ahead > 0 ? even : odd;
}

BARLINT_HD static inline uint32_t barlint_rt_round_number(const struct barlint_rt_block *b,
                                                          uint32_t warp)
{
    return barlint_rt_round_of(b, warp) & BARLINT_RT_ROUND_NUMBER;
}

// Does the warp wait for others to come to its round?
BARLINT_HD static inline bool barlint_rt_is_ahead(const struct barlint_rt_block *b, uint32_t warp)
{
    uint32_t own = barlint_rt_round_number(b, warp);
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        uint32_t other = barlint_rt_round_number(b, w);
        if (b->block.live[w] != 0 && (int32_t)(own - other) > 0) {
            return true;
        }
    }
    return false;
}

// The place of a warp's word.
BARLINT_HD static inline uint64_t barlint_rt_round_site(const struct barlint_rt_block *b,
                                                        uint32_t word)
{
    return (b->entered_at >> 32 << 32) | (word & BARLINT_RT_ROUND_PLACE);
}

// Who has passed a round since the mbarrier was initialised knows it, and all that were before it.
// (All that run are in the same round: who is ahead waits.)
BARLINT_HD static inline void barlint_rt_learn(struct barlint_rt_block *b, uint32_t warp,
                                               const struct barlint_rt_object *o)
{
    struct barlint_rt_warp *w = &b->warp[warp];
    if (b->by_rounds && barlint_rt_round_number(b, warp) != o->made_in &&
        w->synced_at <= o->known) {
        barlint_rt_store(&w->synced_at, o->known + 1u);
    }
}

// The lanes of a warp that wait in a hook. What they waited for in an earlier round they do not.
BARLINT_HD static inline uint32_t barlint_rt_blocked(const struct barlint_rt_block *b,
                                                     uint32_t warp)
{
    const struct barlint_rt_warp *w = &b->warp[warp];
    bool passed = b->by_rounds && w->blocked_in != barlint_rt_round_number(b, warp);
    return passed ? 0 : barlint_rt_load(&w->blocked);
}

// Lanes of a warp have come to a round one by one: now the warp has, and they wake. The block's lock
// is held.
BARLINT_HD static inline void barlint_rt_round_count(struct barlint_rt_block *b, uint32_t warp)
{
    struct barlint_rt_warp *w = &b->warp[warp];
    const struct barlint_named_op *op = &w->named.op;
    uint32_t number = barlint_rt_round_number(b, warp) + BARLINT_RT_ROUND;
    w->woken |= w->named.lanes;
    w->named.lanes = 0;
    uint32_t word = number | (op->kind == BARLINT_NAMED_RED ? BARLINT_RT_ROUND_RED : 0u) |
                    (op->aligned ? 0u : BARLINT_RT_ROUND_LOOSE) | (op->site - 1u);
    b->ended_site = barlint_rt_round_site(b, word);
    barlint_rt_store(&b->round[number / BARLINT_RT_ROUND % 2u][warp], word);
    barlint_rt_add(&b->progress, 1u);
}

// The same if those are all lanes of the warp that live. Returns whether they are.
BARLINT_HD static inline bool barlint_rt_round_gather(struct barlint_rt_block *b, uint32_t warp,
                                                      struct barlint_violations *violations)
{
    struct barlint_named_warp *gathered = &b->warp[warp].named;
    uint32_t live = b->block.live[warp];
    if (gathered->lanes == 0 || gathered->split || (live & ~gathered->lanes) != 0) {
        return false;
    }
    if (live != barlint_block_lanes(b->block.threads, warp) && !b->exits_told) {
        barlint_violations_add(violations, BARLINT_EXIT_BEFORE_SYNC);
    }
    barlint_rt_round_count(b, warp);
    return true;
}

#endif
