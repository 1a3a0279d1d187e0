// The ordinary case without a lock. A plain arrival at an mbarrier, and a whole warp that comes to a
// barrier others come to in the same way, each are one addition to a 32-bit word; what the word was
// before says what it means, and who ends a phase or a generation. Whatever is not ordinary is done
// under the block's lock on the full state. Whoever holds the lock first makes the word say so, then
// takes over what it held, and in the end makes a new one.
#ifndef BARLINT_RUNTIME_CHECK_FAST_H
#define BARLINT_RUNTIME_CHECK_FAST_H

#include "shadow_named.h"

// ---- mbarriers ----
//
// bits 12-31 pending count, 11 plain (live; no bytes, no asynchronous arrivals), 10 open (the lock's
// holder has it, and it is neither of the others), 9 counted (live; copies arrive or complete on it of
// which only the hardware knows how many or how much), 0-8 phase. Of a word that is neither plain nor
// counted the rest means nothing. The phase of a plain one ends with its last arrival, that of a counted
// one when the hardware says so.
#define BARLINT_RT_PENDING_SHIFT 12u
#define BARLINT_RT_PLAIN (1u << 11)
#define BARLINT_RT_OPEN (1u << 10)
#define BARLINT_RT_COUNTED (1u << 9)
#define BARLINT_RT_PHASE_MASK 0x1ffu

BARLINT_HD static inline uint32_t barlint_rt_pack(const struct barlint_rt_object *o)
{
    const struct barlint_mbarrier *m = &o->m;
    bool live = m->state == BARLINT_LIVE && m->layout == BARLINT_LAYOUT_V0 &&
                m->async_arrivals == 0 && m->expected != 0 && !o->dropped;
    bool by_hardware = o->unknown_bytes || o->by_copies;
    int32_t announced = m->tx - (o->by_copies ? 1 : 0);
    bool dry = announced == 0 && m->bytes_in_flight == 0;
    bool plain = dry && m->orphaned == 0 && !by_hardware;
    // Bytes that are known are held against those announced when the phase ends, under the lock.
    bool counted = by_hardware && !o->foreign && (o->unknown_bytes || dry);
    uint32_t kind = live && plain ? BARLINT_RT_PLAIN : live && counted ? BARLINT_RT_COUNTED : 0;
    return kind | m->pending << BARLINT_RT_PENDING_SHIFT | (m->phase & BARLINT_RT_PHASE_MASK);
}

BARLINT_HD static inline bool barlint_rt_is_plain(uint32_t word)
{
    return (word & BARLINT_RT_PLAIN) != 0;
}

BARLINT_HD static inline bool barlint_rt_is_counted(uint32_t word)
{
    return (word & BARLINT_RT_COUNTED) != 0;
}

BARLINT_HD static inline bool barlint_rt_is_usable(uint32_t word)
{
    return (word & (BARLINT_RT_PLAIN | BARLINT_RT_COUNTED)) != 0;
}

// What taking a word over from those who arrive changes in it.
BARLINT_HD static inline uint32_t barlint_rt_word_opened(uint32_t word)
{
    return (word & (BARLINT_RT_PLAIN | BARLINT_RT_COUNTED)) | (~word & BARLINT_RT_OPEN);
}

// The phase in a word, given the object's phase as of about the same time.
BARLINT_HD static inline uint32_t barlint_rt_word_phase(uint32_t word, uint32_t phase)
{
    return phase + (uint32_t)((int32_t)((word - phase) << 23) >> 23);
}

// May `arrivals` threads arrive by way of the word? The last of a phase may.
BARLINT_HD static inline bool barlint_rt_word_takes(uint32_t word, uint32_t arrivals,
                                                    uint32_t expected)
{
    uint32_t pending = word >> BARLINT_RT_PENDING_SHIFT;
    return barlint_rt_is_usable(word) && arrivals <= pending && pending <= expected;
}

// The same for the short ways, where what follows from a comparison comes late: the upper bit is set where
// there are fewer or more pending than may be. Of a usable word; counts have 20 bits.
BARLINT_HD static inline uint32_t barlint_rt_word_exceeds(uint32_t word, uint32_t arrivals,
                                                          uint32_t expected)
{
    uint32_t pending = word >> BARLINT_RT_PENDING_SHIFT;
    return (pending - arrivals) | (expected - pending);
}

// `seen` and `fenced` in the word of flags behind `expected`.
#define BARLINT_RT_SEEN_BITS (0xffu << 16)
#define BARLINT_RT_SEEN_BIT (1u << 16) // a bool that is set is 1
#define BARLINT_RT_FENCED_BITS (0xffu << 24)

// What the short ways need to know of an mbarrier, by two accesses.
struct barlint_rt_glance {
    uint32_t address, known, tag, name; // as in the object
    uint32_t word, phase, expected;
    bool seen;
};

// What whoever ends the phase adds to the word for the next one.
BARLINT_HD static inline uint32_t barlint_rt_word_next(uint32_t word, uint32_t expected)
{
    uint32_t phase = word & BARLINT_RT_PHASE_MASK;
    return (expected << BARLINT_RT_PENDING_SHIFT) +
           (phase == BARLINT_RT_PHASE_MASK ? 0u - BARLINT_RT_PHASE_MASK : 1u);
}

// The phase that the object is in.
BARLINT_HD static inline uint32_t barlint_rt_phase_now(const struct barlint_rt_object *o)
{
    uint32_t word = barlint_rt_load(&o->word), phase = barlint_rt_load(&o->m.phase);
    return barlint_rt_is_counted(word) ? barlint_rt_word_phase(word, phase) : phase;
}

// ---- named barriers ----
//
// A whole warp that comes writes its word (barlint_rt_stand), and then looks at those of all warps.
// Shared memory keeps one order of what all do to it, so whoever is last sees all: it ends the
// generation, by the gate's word, before it enters the hardware's barrier. More than one may find
// itself to be the last; they have seen the same. Who sees that it does not belong takes its word
// back, and who does writes that it is sure: whoever shuts the gate waits for one or the other.

// 15 bits that tell operations apart which are not to meet at one barrier.
BARLINT_HD static inline uint32_t barlint_rt_gate_kind(uint64_t site, uint32_t count,
                                                       uint32_t flags)
{
    uint32_t kind = count != 0                        ? count / BARLINT_WARP_SIZE * 37u + 1u
                    : flags & BARLINT_RT_GATE_ALIGNED ? (uint32_t)(site ^ site >> 47) * 5u + 2u
                                                      : 3u;
    return (kind ^ (flags & BARLINT_RT_GATE_RED ? 0x4000u : 0)) & 0x7fffu;
}

// Tells places in the text apart: never 0.
BARLINT_HD static inline uint32_t barlint_rt_site_mark(uint64_t site)
{
    return (uint32_t)((site * 0x9e3779b97f4a7c15ull) >> 34) | 1u;
}

// The full state of a slot whose gate has just been shut and of whose warps all that stand there are
// sure.
BARLINT_HD static inline void barlint_rt_gate_unpack(struct barlint_rt_block *b, uint32_t s)
{
    struct barlint_rt_gate *gate = &b->gate[s];
    struct barlint_named_slot *slot = &b->slot[s];
    slot->generation = gate->word / BARLINT_RT_GATE_NEXT;
    slot->arrived = 0;
    slot->open = false;
    slot->count = 0;
    slot->site = 0;
    slot->aligned = false;
    slot->red = false;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        const struct barlint_rt_warp *warp = &b->warp[w];
        if (barlint_rt_stands_at(b, w, s) && b->by_rounds) {
            uint32_t word = barlint_rt_round_of(b, w);
            struct barlint_named_op op = barlint_rt_round_op(word);
            (void)barlint_named_count(slot, &b->block, w, &op);
            b->slot_site[s] = barlint_rt_round_site(b, word);
        } else if (barlint_rt_stands_at(b, w, s)) {
            slot->arrived |= 1u << w;
            slot->open = true;
            slot->count = warp->count & BARLINT_RT_GATE_COUNT;
            slot->red = (warp->count & BARLINT_RT_GATE_RED) != 0;
            slot->site = barlint_rt_site_mark(warp->site);
            slot->aligned = (warp->count & BARLINT_RT_GATE_ALIGNED) != 0;
            b->slot_site[s] = warp->site;
        }
    }
    slot->sleeping = slot->arrived;
    slot->arrivals = barlint_popcount(slot->arrived);
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps && w < BARLINT_RT_GIVERS_MOST; w++) {
        uint32_t given = b->given[s][w];
        if (!(given & BARLINT_RT_GIVEN_SURE) || !barlint_rt_gave_in(given, gate->word)) {
            continue;
        }
        if (!slot->open) {
            slot->open = true;
            slot->count = barlint_rt_given_count(given);
            slot->site = barlint_rt_site_mark(b->slot_site[s]);
        }
        slot->arrived |= 1u << w;
        slot->arrivals++;
    }
}

// A generation of slot `s` is about to end, without the lock: who slept there, and who had arrived. By one
// lane of whoever found out.
BARLINT_HD static inline void barlint_rt_gate_ends(struct barlint_rt_block *b,
                                                   struct barlint_rt_gate *gate, uint32_t s,
                                                   uint32_t count, uint32_t sleepers,
                                                   uint32_t givers)
{
    if (count != 0) {
        uint32_t at = barlint_rt_load(&b->sequence) + 1u; // which it will be then
        barlint_rt_store(&gate->ended_at, at);
        barlint_rt_store(&gate->ended_with, count);
        if (givers != 0) {
            barlint_rt_store(&b->gave[s], givers);
            barlint_rt_store(&b->gave_until[s], at);
        }
    }
    barlint_rt_store(&gate->members, sleepers);
}

// May the gate be opened again: is nobody there, or to be asked when it comes?
BARLINT_HD static inline bool barlint_rt_gate_is_free(const struct barlint_rt_block *b, uint32_t s)
{
    bool gathering = b->twice.warps != 0 && b->twice.slot == s;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        gathering = gathering || (b->warp[w].slot == s && b->warp[w].named.lanes != 0);
    }
    return !gathering && !b->slot[s].open;
}

#endif
