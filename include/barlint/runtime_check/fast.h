// The ordinary case without a lock. What changes at a plain arrive on an mbarrier, or when a whole
// warp comes to a barrier that others wait at in the same way, fits into one 64-bit word, which
// threads replace by compare-and-swap. Whatever is not ordinary is done under the block's lock on
// the full state: the word is marked as open, its contents go to the state, and back in the end.
#ifndef BARLINT_RUNTIME_CHECK_FAST_H
#define BARLINT_RUNTIME_CHECK_FAST_H

#include "shadow.h"

// ---- mbarriers ----
//
// bits 63 open, 62 plain (live, no bytes or asynchronous arrivals), 61 seen, 41-60 expected count,
// 21-40 pending count, 0-20 phase.
#define BARLINT_RT_OPEN (1ull << 63)
#define BARLINT_RT_PLAIN (1ull << 62)
#define BARLINT_RT_SEEN (1ull << 61)
#define BARLINT_RT_PHASE_MASK 0x1fffffull

BARLINT_HD static inline uint32_t barlint_rt_word_pending(uint64_t word)
{
    return (uint32_t)(word >> 21) & BARLINT_COUNT_MAX_V0;
}

BARLINT_HD static inline uint32_t barlint_rt_word_expected(uint64_t word)
{
    return (uint32_t)(word >> 41) & BARLINT_COUNT_MAX_V0;
}

BARLINT_HD static inline uint64_t barlint_rt_pack(const struct barlint_mbarrier *m)
{
    bool plain = m->state == BARLINT_LIVE && m->layout == BARLINT_LAYOUT_V0 && m->tx == 0 &&
                 m->async_arrivals == 0 && m->bytes_in_flight == 0 && m->orphaned == 0;
    return (plain ? BARLINT_RT_PLAIN : 0) | (m->seen ? BARLINT_RT_SEEN : 0) |
           (uint64_t)m->expected << 41 | (uint64_t)m->pending << 21 |
           (m->phase & BARLINT_RT_PHASE_MASK);
}

// Phases that ended by way of the word announced nothing.
BARLINT_HD static inline void barlint_rt_unpack(uint64_t word, struct barlint_mbarrier *m)
{
    uint32_t ahead = ((uint32_t)word - m->phase) & (uint32_t)BARLINT_RT_PHASE_MASK;
    if (ahead != 0) {
        m->announced = 0;
        m->announcer = 0;
    }
    m->phase += ahead;
    m->pending = barlint_rt_word_pending(word);
    m->seen = (word & BARLINT_RT_SEEN) != 0;
}

// The phase of an object by its word, and by the state as of some opening before or after.
BARLINT_HD static inline uint32_t barlint_rt_word_phase(uint64_t word,
                                                        const struct barlint_mbarrier *m)
{
    return m->phase + (uint32_t)((int32_t)(((uint32_t)word - m->phase) << 11) >> 11);
}

// `count` plain arrivals. Returns the new word, or 0 where this is no ordinary case.
BARLINT_HD static inline uint64_t barlint_rt_word_arrive(uint64_t word, uint32_t count)
{
    uint32_t pending = barlint_rt_word_pending(word);
    uint64_t wanted = BARLINT_RT_PLAIN | BARLINT_RT_SEEN;
    if ((word & (BARLINT_RT_OPEN | wanted)) != wanted || count == 0 || count > pending) {
        return 0;
    }
    if (count < pending) {
        return word - ((uint64_t)count << 21);
    }
    uint32_t expected = barlint_rt_word_expected(word);
    return BARLINT_RT_PLAIN | (uint64_t)expected << 41 | (uint64_t)expected << 21 |
           ((word + 1u) & BARLINT_RT_PHASE_MASK);
}

// ---- named barriers ----
//
// bits 63 open, 62 slow (the full state is the truth), 48-55 generation, 42-47 count in warps (0:
// all), 32-41 where in the text, 0-31 the warps that have come.
#define BARLINT_RT_SLOW (1ull << 62)

// Tells places in the text apart: ten bits, never 0.
BARLINT_HD static inline uint32_t barlint_rt_site_mark(uint64_t site)
{
    return (uint32_t)((site * 0x9e3779b97f4a7c15ull) >> 54) | 1u;
}

BARLINT_HD static inline uint32_t barlint_rt_word_generation(uint64_t word)
{
    return (uint32_t)(word >> 48) & 0xffu;
}

BARLINT_HD static inline uint64_t barlint_rt_pack_slot(const struct barlint_named_slot *slot)
{
    return (slot->open ? BARLINT_RT_SLOW : 0) | (uint64_t)(slot->generation & 0xffu) << 48;
}

BARLINT_HD static inline void barlint_rt_unpack_slot(uint64_t word, struct barlint_named_slot *slot)
{
    if (word & BARLINT_RT_SLOW) {
        return;
    }
    slot->generation += (barlint_rt_word_generation(word) - slot->generation) & 0xffu;
    slot->arrived = (uint32_t)word;
    slot->sleeping = slot->arrived;
    slot->arrivals = barlint_popcount(slot->arrived);
    slot->count = ((uint32_t)(word >> 42) & 63u) * BARLINT_WARP_SIZE;
    slot->site = (uint32_t)(word >> 32) & 0x3ffu;
    slot->open = slot->arrived != 0;
    slot->red = false;
    slot->aligned = slot->open;
}

// A whole warp comes to an aligned sync. `live_warps` is how many warps of the block have a live
// thread. Returns the new word, or 0 where this is no ordinary case; `*out_completes` says whether
// the generation ends.
BARLINT_HD static inline uint64_t barlint_rt_word_sync(uint64_t word, uint32_t warp, uint32_t count,
                                                       uint32_t mark, uint32_t live_warps,
                                                       bool *out_completes)
{
    uint32_t arrived = (uint32_t)word, warps = count / BARLINT_WARP_SIZE;
    uint64_t kind = (uint64_t)warps << 42 | (uint64_t)mark << 32;
    *out_completes = false;
    if ((word & (BARLINT_RT_OPEN | BARLINT_RT_SLOW)) || count % BARLINT_WARP_SIZE != 0 ||
        warps > live_warps || (arrived >> warp & 1u) ||
        (arrived != 0 && (word & 0x0000ffff00000000ull) != kind)) {
        return 0;
    }
    arrived |= 1u << warp;
    uint64_t generation = barlint_rt_word_generation(word);
    *out_completes = barlint_popcount(arrived) >= (warps != 0 ? warps : live_warps);
    return *out_completes ? ((generation + 1u) & 0xffu) << 48 | 1ull << 56
                          : 1ull << 56 | generation << 48 | kind | arrived;
}

#endif
