// Why a block in which nothing can run cannot go on. To be asked when every live thread waits in a
// hook and none of the waits can pass: then what the shadow state says is the whole truth.
#ifndef BARLINT_RUNTIME_CHECK_STUCK_H
#define BARLINT_RUNTIME_CHECK_STUCK_H

#include "shadow_named.h"

// One barrier that holds threads for ever.
struct barlint_rt_cause {
    struct barlint_violations violations;
    uint32_t subject; // enum barlint_rt_subject
    uint32_t number;  // index of the mbarrier, number of the slot, number of the warp
    uint64_t site;    // where the first of them waits
    uint32_t lanes[BARLINT_RT_WARPS];
};

// The record of a thread; NULL for one that never did anything.
BARLINT_HD static inline struct barlint_rt_thread *
barlint_rt_thread_of(const struct barlint_rt_block *b,
                     uint32_t warp, uint32_t lane)
{
    return b->warp[warp].started == BARLINT_RT_STARTED ? &b->warp[warp].records->thread[lane] : 0;
}

// The thread's history with an object; all clear when it never used it.
BARLINT_HD static inline struct barlint_user
barlint_rt_user_of(const struct barlint_rt_block *b, uint32_t warp,
                   uint32_t lane, uint32_t object)
{
    struct barlint_user user;
    const struct barlint_rt_records *r = b->warp[warp].records;
    barlint_user_clear(&user);
    return !r ? user
              : barlint_rt_user(r, object, lane, b->object[object].tag,
                                 b->warp[warp].failing >> lane & 1u);
}

BARLINT_HD static inline bool barlint_rt_waits_at(const struct barlint_rt_block *b,
                                                  uint32_t warp,
                                                  uint32_t lane, uint32_t subject, uint32_t number)
{
    const struct barlint_rt_thread *t = barlint_rt_thread_of(b, warp, lane);
    return t && ((b->block.live[warp] & b->warp[warp].blocked) >> lane & 1u) &&
           t->waits_at == subject && t->object == number;
}

// Warps that wait in the hardware count as blocked from now on, with a record of where.
BARLINT_HD static inline void barlint_rt_record_sleepers(struct barlint_rt_block *b,
                                                         const struct barlint_rt_state *state)
{
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        struct barlint_rt_warp *warp = &b->warp[w];
        if (b->block.live[w] == 0) { // its place may be another warp's by now
            continue;
        }
        if (!warp->records) {
            barlint_rt_give_records(warp, state);
        }
        if (warp->started != BARLINT_RT_STARTED) {
            for (uint32_t lane = 0; lane < BARLINT_WARP_SIZE; lane++) {
                barlint_rt_thread_start(&warp->records->thread[lane]);
            }
            barlint_warp_start(&warp->records->meeting, b->block.live[w]);
            warp->records->absent = 0;
        }
        warp->started = BARLINT_RT_STARTED;
    }
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        BARLINT_ROLLED
        for (uint32_t w = 0; w < b->warps; w++) {
            uint32_t there = barlint_rt_stands_at(b, w, s) ? 0xffffffffu
                             : barlint_rt_is_due(b, w, s) ? ~barlint_rt_blocked(b, w)
                                                          : 0;
            for (uint32_t lane = 0; lane < BARLINT_WARP_SIZE; lane++) {
                if (!(there >> lane & 1u)) {
                    continue;
                }
                struct barlint_rt_thread *t = &b->warp[w].records->thread[lane];
                t->waits_at = BARLINT_RT_NAMED;
                t->object = s;
                t->phase = b->slot[s].generation;
                b->warp[w].blocked |= b->block.live[w] & 1u << lane;
                b->warp[w].blocked_in = barlint_rt_round_number(b, w);
            }
        }
    }
}

// Who has arrived in the current phase of an object, and who owes an arrival: a thread that arrived
// in the phase before. Where no phase has ended, whoever did not arrive may owe one.
struct barlint_rt_arrivals {
    uint32_t arrived;  // threads
    uint32_t from_waiters, from_exited, from_live; // threads that owe
    uint32_t idle_waiters, idle_exited, idle_live; // threads that never arrived
};

BARLINT_HD static inline struct barlint_rt_arrivals
barlint_rt_count_arrivals(const struct barlint_rt_block *b,
                          uint32_t object)
{
    const struct barlint_mbarrier *m = &b->object[object].m;
    struct barlint_rt_arrivals a = {0, 0, 0, 0, 0, 0, 0};
    for (uint32_t thread = 0; thread < b->block.threads; thread++) {
        uint32_t warp = thread / BARLINT_WARP_SIZE, lane = thread % BARLINT_WARP_SIZE;
        struct barlint_user user = barlint_rt_user_of(b, warp, lane, object);
        bool live = b->block.live[warp] >> lane & 1u;
        bool here = barlint_rt_waits_at(b, warp, lane, BARLINT_RT_MBARRIER, object);
        if (user.dropped) {
            continue;
        }
        if (user.arrived && user.arrive_phase == m->phase) {
            a.arrived++;
        } else if (user.arrived && user.arrive_phase + 1u == m->phase) {
            a.from_waiters += here;
            a.from_exited += !live;
            a.from_live += live && !here;
        } else if (!user.arrived) {
            a.idle_waiters += here;
            a.idle_exited += !live;
            a.idle_live += live && !here;
        }
    }
    return a;
}

// A thread waits for a parity. Is it the wrong one, by the phase that it waited for last?
BARLINT_HD static inline struct barlint_violations
barlint_rt_judge_parity(const struct barlint_mbarrier *m, struct barlint_user user)
{
    struct barlint_violations violations = barlint_violations_none();
    int32_t behind = (int32_t)(m->phase - user.waits);
    if (behind == 1) {
        barlint_violations_add(&violations, user.waits == 0 ? BARLINT_PHASE_PARITY_INITIAL
                                                             : BARLINT_PHASE_PARITY_FLIP);
    } else if (behind > 1) {
        barlint_violations_add(&violations, BARLINT_PHASE_PARITY_LAG);
    }
    return violations;
}

// Threads wait for the current phase of an mbarrier, and nobody can end it.
BARLINT_HD static inline struct barlint_violations
barlint_rt_judge_mbarrier(const struct barlint_rt_block *b,
                          uint32_t object)
{
    const struct barlint_mbarrier *m = &b->object[object].m;
    struct barlint_rt_arrivals a = barlint_rt_count_arrivals(b, object);
    struct barlint_supply supply = barlint_supply_none();
    supply.arrived = a.arrived;
    supply.from_waiters = a.from_waiters;
    supply.from_exited = a.from_exited;
    supply.from_live = a.from_live;
    uint32_t owed = a.from_waiters + a.from_exited + a.from_live;
    // In the first phase nobody has shown yet that it belongs to the barrier: those that never came
    // do, if they are as many as the arrivals that are missing; not where one of each warp came.
    bool by_warps = barlint_count_compare(m->expected, a.arrived) == BARLINT_ARRIVE_GRANULARITY;
    if (owed == 0 && m->pending != 0 && m->phase == 0 && a.arrived != 0 && !by_warps) {
        if (a.idle_waiters == m->pending) {
            supply.from_waiters = a.idle_waiters;
        } else if (a.idle_exited == m->pending) {
            supply.from_exited = a.idle_exited;
        } else if (a.idle_live == m->pending || a.idle_live + a.idle_exited == m->pending) {
            supply.from_live = a.idle_live;
            supply.from_exited = a.idle_exited;
        }
    }
    struct barlint_stuck stuck = barlint_mbarrier_check_stuck(m, m->phase, supply);
    return stuck.violations;
}

// Collects the lanes of the block that wait at a barrier. Returns how many; the first one's place
// in the source goes to cause->site.
BARLINT_HD static inline uint32_t barlint_rt_waiters(const struct barlint_rt_block *b,
                                                     struct barlint_rt_cause *cause)
{
    uint32_t count = 0;
    BARLINT_ROLLED
    for (uint32_t warp = 0; warp < BARLINT_RT_WARPS; warp++) {
        cause->lanes[warp] = 0;
        BARLINT_ROLLED
        for (uint32_t lane = 0; lane < BARLINT_WARP_SIZE; lane++) {
            if (barlint_rt_waits_at(b, warp, lane, cause->subject, cause->number)) {
                cause->lanes[warp] |= 1u << lane;
                if (count++ == 0) {
                    cause->site =
                        barlint_rt_site_of(&b->warp[warp], lane,
                                           barlint_rt_thread_of(b, warp, lane)->site);
                }
            }
        }
    }
    return count;
}

// The parities that the waiters of an mbarrier wait for. A thread that waits though its phase is over
// here is held by bytes that came in another order than they were seen in.
BARLINT_HD static inline void barlint_rt_judge_waiters(const struct barlint_rt_block *b,
                                                       struct barlint_rt_cause *cause)
{
    const struct barlint_mbarrier *m = &b->object[cause->number].m;
    BARLINT_ROLLED
    for (uint32_t warp = 0; warp < BARLINT_RT_WARPS; warp++) {
        BARLINT_ROLLED
        for (uint32_t lane = 0; lane < BARLINT_WARP_SIZE; lane++) {
            if ((cause->lanes[warp] >> lane & 1u) &&
                ((barlint_rt_thread_of(b, warp, lane)->phase ^ m->phase) & 1u)) {
                if (m->orphaned != 0) {
                    barlint_violations_add(&cause->violations, BARLINT_TX_NO_EXPECT);
                }
            } else if (cause->lanes[warp] >> lane & 1u) {
                barlint_violations_merge(
                    &cause->violations,
                    barlint_rt_judge_parity(m, barlint_rt_user_of(b, warp, lane,
                                                                  cause->number)));
            }
        }
    }
}

BARLINT_HD static inline void barlint_rt_cause_clear(struct barlint_rt_cause *cause,
                                                     uint32_t subject, uint32_t number)
{
    cause->violations = barlint_violations_none();
    cause->subject = subject;
    cause->number = number;
    cause->site = 0;
}

// What holds mbarrier `object`; returns false when nobody waits there.
BARLINT_HD static inline bool barlint_rt_cause_mbarrier(const struct barlint_rt_block *b,
                                                        uint32_t object,
                                                        struct barlint_rt_cause *cause)
{
    barlint_rt_cause_clear(cause, BARLINT_RT_MBARRIER, object);
    if (barlint_rt_waiters(b, cause) == 0) {
        return false;
    }
    if (b->object[object].m.state == BARLINT_RAW) {
        barlint_violations_add(&cause->violations, BARLINT_INIT_MISSING);
        return true;
    }
    barlint_rt_judge_waiters(b, cause);
    if (barlint_violations_empty(cause->violations)) {
        cause->violations = barlint_rt_judge_mbarrier(b, object);
    }
    return true;
}

// Are there as many warps that have ended as the slots of a circle lack together? Then those that wait
// elsewhere are not what it takes. A barrier of the whole block lacks none that has ended.
BARLINT_HD static inline bool barlint_rt_ends_explain(const struct barlint_rt_block *b, uint32_t circle)
{
    uint32_t wanted = 0, gone = barlint_block_warps(&b->block) -
                                barlint_popcount(barlint_block_live_warps(&b->block));
    BARLINT_ROLLED
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        if (!(circle >> s & 1u)) {
            continue;
        }
        if (b->slot[s].count == 0) {
            return false;
        }
        wanted += barlint_named_check_stuck(&b->slot[s], &b->block).wanted;
    }
    return gone >= wanted;
}

// What holds named barrier `s`.
BARLINT_HD static inline bool barlint_rt_cause_named(const struct barlint_rt_block *b,
                                                     uint32_t s,
                                                     struct barlint_rt_cause *cause)
{
    barlint_rt_cause_clear(cause, BARLINT_RT_NAMED, s);
    if (barlint_rt_waiters(b, cause) == 0) {
        return false;
    }
    BARLINT_ROLLED
    for (uint32_t w = 0; w < BARLINT_RT_WARPS; w++) {
        if (b->warp[w].slot == s && b->warp[w].named.lanes != 0) {
            uint32_t missing;
            barlint_violations_merge(
                &cause->violations,
                barlint_named_check_lanes(&b->warp[w].named, &b->block, w, &missing));
        }
    }
    bool any_due = false;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        any_due = any_due || barlint_rt_is_overdue(b, w);
        if (barlint_rt_is_due(b, w, s)) { // others were counted in its place, or the rest is missing
            bool counted = (b->warp[w].count & BARLINT_RT_GATE_COUNT) != 0;
            bool whole = (cause->lanes[w] & b->block.live[w]) == b->block.live[w];
            barlint_violations_add(&cause->violations, !counted ? BARLINT_SYNC_DIVERGENT
                                                       : whole ? BARLINT_NAMED_PARTICIPANTS
                                                               : BARLINT_NAMED_DIVERGENT);
        }
    }
    if (barlint_violations_empty(cause->violations)) {
        uint32_t count = b->slot[s].count, before = b->gate[s].ended_with;
        cause->violations = barlint_named_check_stuck(&b->slot[s], &b->block).violations;
        if (count != 0 && before != 0 && count != before) { // warps that belong together, apart
            barlint_violations_add(&cause->violations, BARLINT_NAMED_COUNT_MISMATCH);
        }
        uint32_t circle = any_due ? 0 : barlint_named_order_cycle(b->slot, &b->block);
        if (circle >> s & 1u) {
            cause->violations = barlint_violations_none();
            barlint_violations_add(&cause->violations, barlint_rt_ends_explain(b, circle)
                                                           ? BARLINT_NAMED_EXIT
                                                           : BARLINT_NAMED_ORDER_CYCLE);
        }
    }
    return true;
}

// What holds the lanes of `warp` that wait for each other.
BARLINT_HD static inline bool barlint_rt_cause_warp(const struct barlint_rt_block *b,
                                                    uint32_t warp,
                                                    struct barlint_rt_cause *cause)
{
    barlint_rt_cause_clear(cause, BARLINT_RT_WARP_MASK, warp);
    if (barlint_rt_waiters(b, cause) == 0) {
        return false;
    }
    cause->violations =
        barlint_warp_check_stuck(&b->warp[warp].records->meeting).violations;
    return true;
}

// Who of the block waits at the cluster's barrier, or at an aligned operation of it for the rest of the
// warp; the machine is the cluster's.
BARLINT_HD static inline bool barlint_rt_cause_cluster(const struct barlint_rt_block *b,
                                                       struct barlint_rt_cause *cause)
{
    barlint_rt_cause_clear(cause, BARLINT_RT_CLUSTER_BARRIER, 0);
    if (barlint_rt_waiters(b, cause) != 0) {
        barlint_violations_add(&cause->violations, BARLINT_CLUSTER_DIVERGENT);
    }
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        uint32_t apart = b->block.live[w] & b->warp[w].gathered;
        BARLINT_ROLLED
        for (uint32_t lane = 0; lane < BARLINT_WARP_SIZE && apart != 0 && cause->site == 0; lane++) {
            if (apart >> lane & 1u) {
                cause->site = barlint_rt_site_of(&b->warp[w], lane,
                                                 barlint_rt_thread_of(b, w, lane)->site);
            }
        }
        cause->lanes[w] |= apart;
        if (apart != 0) {
            barlint_violations_add(&cause->violations, BARLINT_CLUSTER_UNALIGNED);
        }
    }
    return !barlint_violations_empty(cause->violations);
}

// Where everybody is: groups of lanes of a warp with the same place, those that wait first.
// Returns how many entries of `place` were filled, BARLINT_RT_PLACES at most.
BARLINT_HD static inline uint32_t barlint_rt_places(const struct barlint_rt_block *b,
                                                    struct barlint_rt_place *place)
{
    uint32_t used = 0;
    BARLINT_ROLLED
    for (uint32_t warp = 0; warp < BARLINT_RT_WARPS; warp++) {
        uint32_t launched = barlint_block_lanes(b->block.threads, warp), first = used;
        BARLINT_ROLLED
        for (uint32_t lane = 0; lane < BARLINT_WARP_SIZE; lane++) {
            const struct barlint_rt_thread *t = barlint_rt_thread_of(b, warp, lane);
            if (!(launched >> lane & 1u)) {
                continue;
            }
            bool live = b->block.live[warp] >> lane & 1u;
            bool waits = live && (b->warp[warp].blocked >> lane & 1u);
            uint32_t activity = !live   ? BARLINT_RT_EXITED
                                : waits ? BARLINT_RT_WAITS
                                        : BARLINT_RT_AT;
            uint64_t site = t ? barlint_rt_site_of(&b->warp[warp], lane, t->site) : 0;
            uint32_t subject = waits && t ? t->waits_at : (uint32_t)BARLINT_RT_NO_SUBJECT;
            uint32_t number = !waits || !t                       ? 0
                              : subject == BARLINT_RT_MBARRIER ? b->object[t->object].address
                                                               : t->object;
            uint32_t phase = waits && t ? t->phase : 0;
            uint32_t i = first;
            while (i < used && (place[i].site != site || place[i].activity != activity ||
                                place[i].number != number || place[i].phase != phase)) {
                i++;
            }
            if (i == BARLINT_RT_PLACES) {
                return used;
            }
            if (i == used) {
                place[i].site = site;
                place[i].warp = warp;
                place[i].lanes = 0;
                place[i].activity = activity;
                place[i].subject = subject;
                place[i].number = number;
                place[i].phase = phase;
                used++;
            }
            place[i].lanes |= 1u << lane;
        }
    }
    return used;
}

#endif
