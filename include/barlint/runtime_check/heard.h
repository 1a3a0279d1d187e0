// What threads of a block can know of each other: that a phase or a generation is over, or that others have
// looked at it. Who cannot know, and goes on as if it did, goes well only as long as somebody is slow. What
// the shadow keeps of the order of things says that: the block's sequence, and what it was when somebody
// passed something last. Threads may tell each other by memory as well, which nobody sees: what rests
// on this is a note, but where the kernel has nothing that could hear it, and lanes of the warp are asked, too.
#ifndef BARLINT_RUNTIME_CHECK_HEARD_H
#define BARLINT_RUNTIME_CHECK_HEARD_H

#include "rounds.h"

BARLINT_HD static inline uint64_t barlint_rt_stamp(uint32_t tag, uint32_t phase)
{
    return (uint64_t)tag << 32 | phase;
}

// The threads of other warps that have waited for the last phase, and of whom this one, which ends the
// object's life, cannot know that they have: since somebody first saw the end of that phase, no barrier
// and no other phase of the block has ended. Where warps count rounds: and they have come to one only
// since the object was made, which made it known. A warp that has arrived in the current phase has said so.
BARLINT_HD static inline uint32_t barlint_rt_unheard(const struct barlint_rt_block *b,
                                                     uint32_t index, uint32_t own_warp)
{
    const struct barlint_rt_object *o = &b->object[index];
    bool ended = !o->m.seen || b->seen_at[index] != barlint_rt_load(&b->sequence) ||
                 (b->by_rounds &&
                  barlint_rt_round_number(b, own_warp) != o->made_in + BARLINT_RT_ROUND);
    uint64_t last = barlint_rt_stamp(o->tag, o->m.phase - 1u);
    uint64_t now = barlint_rt_stamp(o->tag, o->m.phase);
    uint32_t count = 0;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps && !ended && o->m.phase != 0; w++) {
        const struct barlint_rt_records *r = b->warp[w].records;
        uint32_t waited = 0;
        bool told = r == 0 || w == own_warp || r->all_arrived[index] == now;
        BARLINT_ROLLED
        for (uint32_t lane = 0; lane < BARLINT_WARP_SIZE && !told; lane++) {
            waited += r->waited[index][lane] == last || r->all_waited[index] == last ? 1u : 0u;
            told = r->arrived[index][lane] == now;
        }
        count += told ? 0 : waited;
    }
    return count;
}

// What a gate's word says of a generation of `count` threads, 0 for all.
BARLINT_HD static inline uint32_t barlint_rt_part(const struct barlint_rt_block *b, uint32_t count)
{
    return count != 0 && count < BARLINT_WARP_SIZE * b->warps ? BARLINT_RT_GATE_PART : 0;
}

// A warp comes to a barrier of all, and in the last generation other warps met there by their count. Has
// nothing told it that this is over, `synced_at` when it last passed any barrier or phase? Had it been
// faster, it would have come to theirs.
BARLINT_HD static inline bool barlint_rt_meets_others(const struct barlint_rt_block *b, uint32_t warp,
                                                      const struct barlint_named_op *op,
                                                      uint32_t synced_at)
{
    uint32_t s = barlint_named_slot_of(op->id);
    const struct barlint_rt_gate *gate = &b->gate[s];
    return op->count == 0 && !b->by_rounds && barlint_rt_part(b, gate->ended_with) != 0 &&
           ((gate->members | b->gave[s]) >> warp & 1u) == 0 && synced_at < gate->ended_at;
}

// A warp is about to arrive at a slot at which it has arrived in a generation that is over now. Has
// nothing told it that, as neither it nor a thread of it has passed a barrier or a phase since? Had it been
// faster, it would have come to that generation twice.
BARLINT_HD static inline bool barlint_rt_gives_again(const struct barlint_rt_block *b, uint32_t warp,
                                                     const struct barlint_named_op *op)
{
    uint32_t s = barlint_named_slot_of(op->id), until = b->gave_until[s];
    const struct barlint_rt_warp *w = &b->warp[warp];
    bool unaware = op->kind == BARLINT_NAMED_ARRIVE && (b->gave[s] >> warp & 1u) &&
                   barlint_rt_load(&w->synced_at) < until;
    BARLINT_ROLLED
    for (uint32_t lane = 0; lane < BARLINT_WARP_SIZE && unaware && w->records != 0; lane++) {
        unaware = barlint_rt_load(&w->records->thread[lane].synced_at) < until;
    }
    return unaware;
}

#endif
