// The shadow state of one block, and what each operation does to it. Plain functions that run on
// the device under the block's lock and, in tests, on the CPU; the rules are those of the semantics
// core, which the analyzer runs too.
#ifndef BARLINT_RUNTIME_CHECK_SHADOW_H
#define BARLINT_RUNTIME_CHECK_SHADOW_H

#include "heard.h"

// Which of two stamps is of that tag, and later?
BARLINT_HD static inline uint64_t barlint_rt_later(uint32_t tag, uint64_t one, uint64_t other)
{
    bool first = (uint32_t)(other >> 32) != tag ||
                 ((uint32_t)(one >> 32) == tag && (int32_t)(uint32_t)(one - other) > 0);
    return first ? one : other;
}

// A thread's history with the mbarrier of that tag, as the core wants it. What it tested without
// success is in its thread record.
BARLINT_HD static inline struct barlint_user
barlint_rt_user(const struct barlint_rt_records *r, uint32_t object, uint32_t lane, uint32_t tag,
                bool failing)
{
    struct barlint_user user;
    uint64_t arrived =
        barlint_rt_later(tag, r->arrived[object][lane], r->all_arrived[object]);
    uint64_t waited = barlint_rt_later(tag, r->waited[object][lane], r->all_waited[object]);
    uint64_t marks = r->marks[object][lane];
    marks = (uint32_t)(marks >> 32) == tag ? marks : 0;
    barlint_user_clear(&user);
    user.arrived = (uint32_t)(arrived >> 32) == tag;
    user.arrive_phase = (uint32_t)arrived;
    user.waits = (uint32_t)(waited >> 32) == tag ? (uint32_t)waited + 1u : 0;
    user.dropped = (marks & BARLINT_RT_DROPPED) != 0;
    // Whole warps that wait leave the marks as they are.
    bool waited_since = user.waits != 0 && (int32_t)(user.waits - user.arrive_phase) > 0;
    user.arrived_dry = (marks & BARLINT_RT_DRY) != 0 && !waited_since;
    user.failed = failing && r->thread[lane].failed_at == object;
    user.failed_phase = r->thread[lane].failed_phase;
    return user;
}

BARLINT_HD static inline void barlint_rt_user_keep(struct barlint_rt_records *r, uint32_t object,
                                                   uint32_t lane, uint32_t tag,
                                                   const struct barlint_user *user)
{
    if (user->arrived) {
        r->arrived[object][lane] = barlint_rt_stamp(tag, user->arrive_phase);
    }
    r->marks[object][lane] = barlint_rt_stamp(tag, (user->dropped ? BARLINT_RT_DROPPED : 0u) |
                                                       (user->arrived_dry ? BARLINT_RT_DRY : 0u));
}

// Does the warp wait in slot `s`? Once the generation has ended it does not, though it may not know.
BARLINT_HD static inline bool barlint_rt_stands_at(const struct barlint_rt_block *b, uint32_t warp,
                                                   uint32_t s)
{
    if (b->by_rounds) {
        return s == 0 && b->block.live[warp] != 0 && barlint_rt_is_ahead(b, warp);
    }
    uint32_t stands = barlint_rt_load(&b->stands[warp]);
    return (stands & BARLINT_RT_SURE) != 0 &&
           barlint_rt_stands_in(stands, s, barlint_rt_load(&b->gate[s].word));
}

// The same in any slot.
BARLINT_HD static inline bool barlint_rt_is_asleep(const struct barlint_rt_block *b, uint32_t warp)
{
    return barlint_rt_stands_at(b, warp,
                                barlint_rt_load(&b->stands[warp]) % BARLINT_NAMED_SLOTS);
}

// Has the generation ended to which the warp, or a part of it, went into slot `s`, and it is not back? It
// comes at once, as a rule. But a part waits in the hardware for the rest of its warp; and where more
// warps meet at a slot than belong together, the hardware may count others than were seen to come first.
BARLINT_HD static inline bool barlint_rt_is_due(const struct barlint_rt_block *b, uint32_t warp,
                                                uint32_t s)
{
    uint32_t stands = barlint_rt_load(&b->stands[warp]);
    return !b->by_rounds && b->block.live[warp] != 0 && (stands & BARLINT_RT_STANDS) != 0 &&
           (stands & BARLINT_RT_SURE) != 0 && stands % BARLINT_NAMED_SLOTS == s &&
           !barlint_rt_stands_in(stands, s, barlint_rt_load(&b->gate[s].word));
}

// The same in any slot.
BARLINT_HD static inline bool barlint_rt_is_overdue(const struct barlint_rt_block *b, uint32_t warp)
{
    return barlint_rt_is_due(b, warp, barlint_rt_load(&b->stands[warp]) % BARLINT_NAMED_SLOTS);
}

// Where a lane of a warp is, or was last. `own`: what its record says.
BARLINT_HD static inline uint64_t barlint_rt_site_of(const struct barlint_rt_warp *warp,
                                                     uint32_t lane, uint64_t own)
{
    return warp->site == 0 || (warp->apart >> lane & 1u) ? own : warp->site;
}

// Sets up every `step`th entry from `first` on, and with entry 0 what there is once.
BARLINT_HD static inline void barlint_rt_block_start(struct barlint_rt_block *b, uint32_t threads,
                                                     uint32_t cta, uint32_t room, uint32_t first,
                                                     uint32_t step)
{
    uint32_t warps = (threads + BARLINT_WARP_SIZE - 1u) / BARLINT_WARP_SIZE;
    BARLINT_ROLLED
    for (uint32_t i = first; i < room; i += step) {
        b->object[i].address = BARLINT_RT_NONE;
        b->object[i].word = 0;
    }
    BARLINT_ROLLED
    for (uint32_t w = first; w < BARLINT_RT_WARPS; w += step) {
        struct barlint_rt_warp *warp = &b->warp[w];
        b->block.live[w] = barlint_block_lanes(threads, w);
        barlint_named_warp_clear(&warp->named);
        warp->slot = 0;
        warp->woken = 0;
        warp->blocked = 0;
        warp->live = b->block.live[w];
        warp->attention = 0;
        warp->records = 0;
        warp->started = BARLINT_RT_NOT_STARTED;
        warp->epoch = 0;
        b->stands[w] = w < warps ? 0 : BARLINT_RT_ABSENT;
        warp->count = 0;
        warp->site = 0;
        warp->failing = 0;
        warp->apart = 0;
        warp->failed_at = 0;
        warp->failed_lanes = 0;
        warp->failed_phase = 0;
        warp->failed_since = 0;
        warp->failed_site = 0;
        warp->synced_at = 0;
        warp->blocked_in = 0;
        warp->gathered = 0;
        warp->in_step = 0xffffffffu;
        warp->cluster_at = 0;
        b->round[0][w] = 0;
        b->round[1][w] = 0;
    }
    BARLINT_ROLLED
    for (uint32_t s = first; s < BARLINT_NAMED_SLOTS; s += step) {
        barlint_named_slot_clear(&b->slot[s]);
        b->slot_site[s] = 0;
        b->gate[s].word = 0;
        b->gate[s].members = 0;
        b->gate[s].ended_at = 0;
        b->gate[s].ended_with = 0;
        b->gave[s] = 0;
        b->gave_until[s] = 0;
    }
    BARLINT_ROLLED
    for (uint32_t i = first; i < BARLINT_NAMED_SLOTS * BARLINT_RT_GIVERS_MOST; i += step) {
        b->given[i / BARLINT_RT_GIVERS_MOST][i % BARLINT_RT_GIVERS_MOST] = 0;
    }
    if (first != 0) {
        return;
    }
    b->lock = 0;
    b->ended = 0;
    b->warps = warps;
    b->progress = 0;
    b->sequence = 1;
    b->cta = cta;
    b->quiet = 0;
    b->cluster = 0;
    b->cluster_came = 0;
    b->has_left_cluster = 0;
    b->cluster_knows = 0;
    b->block.threads = threads;
    b->live_lanes = threads;
    b->users = threads;
    b->ended_site = 0;
    b->objects = 0;
    b->has_givers = 0;
    b->exits_told = 0;
    b->went_on = 0;
    b->lost = 0;
    b->freed = 0;
    b->by_rounds = 0;
    b->hears_nothing = 0;
    b->made_in = 0;
    b->untold = 0;
    b->room = room;
    b->repeats = 0;
    b->grid_in = 0;
    b->grid_since = 0;
    b->grid_begun = 0;
    b->reported = 0;
    b->twice.open = 0;
    b->twice.warps = 0;
}

BARLINT_HD static inline void barlint_rt_give_records(struct barlint_rt_warp *warp,
                                                      const struct barlint_rt_state *state)
{
    *(struct barlint_rt_records *volatile *)&warp->records =
        &state->records[warp->place % state->record_count];
}

BARLINT_HD static inline void barlint_rt_thread_start(struct barlint_rt_thread *t)
{
    t->site = 0;
    t->since = 0;
    t->synced_at = 0;
    t->cluster_waits = 0;
    t->waits_at = BARLINT_RT_NO_SUBJECT;
    t->object = 0;
    t->phase = 0;
    t->failed_at = BARLINT_RT_NONE;
    t->failed_phase = 0;
    t->failed_site = 0;
    t->held = 0;
    t->called_at = 0;
    barlint_cluster_thread_clear(&t->cluster);
}

// Where the search for an address begins: mbarriers lie eight bytes apart.
BARLINT_HD static inline uint32_t barlint_rt_hash(uint32_t address)
{
    return (address >> 3) % BARLINT_RT_OBJECTS;
}

// The mbarrier at `address`, without making one; BARLINT_RT_NONE when there is none.
BARLINT_HD static inline uint32_t barlint_rt_lookup(const struct barlint_rt_block *b,
                                                    uint32_t address)
{
    uint32_t at = barlint_rt_hash(address);
    BARLINT_ROLLED
    for (uint32_t i = 0; i < BARLINT_RT_OBJECTS; i++) {
        if (b->object[at].address == address) {
            return at;
        }
        if (b->object[at].address == BARLINT_RT_NONE) {
            return BARLINT_RT_NONE;
        }
        at = (at + 1u) % BARLINT_RT_OBJECTS;
    }
    return BARLINT_RT_NONE;
}

// The mbarrier at `address`, made raw if it is new; BARLINT_RT_NONE when there is no room.
BARLINT_HD static inline uint32_t barlint_rt_find(struct barlint_rt_block *b, uint32_t address)
{
    uint32_t at = barlint_rt_hash(address);
    BARLINT_ROLLED
    for (uint32_t i = 0; i < BARLINT_RT_OBJECTS; i++) {
        struct barlint_rt_object *o = &b->object[at];
        if (o->address == address) {
            return at;
        }
        if (o->address == BARLINT_RT_NONE) {
            barlint_mbarrier_clear(&o->m, at, b->cta);
            o->unknown_bytes = false;
            o->by_copies = false;
            o->dropped = false;
            o->foreign = false;
            o->made_in = 0;
            o->landed = 0;
            o->made_at = 0;
            o->word = 0;
            o->tag = 0;
            o->name = 0;
            o->address = address;
            b->objects++;
            return at;
        }
        at = (at + 1u) % BARLINT_RT_OBJECTS;
    }
    return BARLINT_RT_NONE;
}

// How many phases of the cluster's barrier has the thread, a lane of the warp, waited for?
BARLINT_HD static inline uint32_t barlint_rt_cluster_waits(const struct barlint_rt_warp *warp,
                                                           const struct barlint_rt_thread *t,
                                                           uint32_t lane)
{
    return barlint_rt_load(&warp->in_step) >> lane & 1u ? barlint_rt_load(&warp->cluster_at) / 2u
                                                        : barlint_rt_load(&t->cluster_waits);
}

// The thread as the core sees it. A thread that has passed any barrier or phase of the block since
// the object was made is taken to know of it: no false alarm, at the price of a bug missed when that
// barrier was among others.
BARLINT_HD static inline struct barlint_actor barlint_rt_actor(const struct barlint_rt_block *b,
                                                               const struct barlint_rt_thread *t,
                                                               uint32_t cta, uint32_t thread)
{
    struct barlint_actor actor = barlint_actor_of(thread, cta);
    const struct barlint_rt_warp *warp = &b->warp[thread / BARLINT_WARP_SIZE];
    actor.warp_epoch = warp->epoch;
    actor.block_epoch = warp->synced_at > t->synced_at ? warp->synced_at : t->synced_at;
    actor.cluster_epoch = barlint_rt_cluster_waits(warp, t, thread % BARLINT_WARP_SIZE);
    return actor;
}

// Something happened that others may wait for.
BARLINT_HD static inline void barlint_rt_moved(struct barlint_rt_block *b)
{
    barlint_rt_add(&b->progress, 1u);
}

BARLINT_HD static inline void barlint_rt_completed(struct barlint_rt_block *b)
{
    barlint_rt_add(&b->sequence, 1u);
}

// Changes with everything that may let a waiter go on.
BARLINT_HD static inline uint32_t barlint_rt_moves(const struct barlint_rt_block *b)
{
    uint32_t moves = barlint_rt_load(&b->progress) + barlint_rt_load(&b->sequence);
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps && b->by_rounds; w++) {
        moves += barlint_rt_round_of(b, w) / BARLINT_RT_ROUND;
    }
    return moves;
}

// Can the phase end without any thread: are copies or asynchronous arrivals all it waits for?
BARLINT_HD static inline bool barlint_rt_may_land(const struct barlint_mbarrier *m)
{
    return m->state == BARLINT_LIVE && m->pending <= m->async_arrivals &&
           (m->tx != 0 || m->async_arrivals != 0);
}

// The hardware says that the current phase has ended: brings the machine up to that. Asynchronous
// operations have done what they were to do; when that is not enough, threads did something unseen.
BARLINT_HD static inline struct barlint_effect barlint_rt_settle(struct barlint_rt_block *b,
                                                                 struct barlint_rt_object *o)
{
    struct barlint_mbarrier *m = &o->m;
    struct barlint_effect effect = barlint_effect_none();
    if (m->pending > m->async_arrivals) {
        o->foreign = true;
    }
    int32_t announced = m->tx - (o->by_copies ? 1 : 0);
    uint32_t landed = announced > 0 ? (uint32_t)announced : 0;
    if (o->unknown_bytes || o->foreign) {
        m->bytes_in_flight = 0;
    } else {
        m->bytes_in_flight -= landed < m->bytes_in_flight ? landed : m->bytes_in_flight;
    }
    m->async_arrivals -= m->pending < m->async_arrivals ? m->pending : m->async_arrivals;
    m->pending = 0;
    m->tx = 0;
    barlint_mbarrier_try_complete(m, &effect);
    o->landed = landed != 0 || o->unknown_bytes ? m->phase : o->landed;
    m->tx = o->by_copies ? 1 : 0;
    if (o->foreign) {
        effect.violations = barlint_violations_none();
    }
    barlint_rt_completed(b);
    return effect;
}

// A token that knows its object, life and phase. The hardware's own never has these upper bits.
BARLINT_HD static inline uint64_t barlint_rt_token(uint32_t object, const struct barlint_mbarrier *m)
{
    return BARLINT_RT_TOKEN_MARK << 56 | (uint64_t)(object & 63u) << 50 |
           (uint64_t)(m->life & 63u) << 44 | (uint64_t)(m->pending & BARLINT_COUNT_MAX_V0) << 24 |
           (m->phase & BARLINT_RT_TOKEN_PHASE);
}

// What tells an mbarrier's life from others: in histories and in tokens. To be called when one begins.
BARLINT_HD static inline void barlint_rt_name(struct barlint_rt_block *b, uint32_t index)
{
    struct barlint_rt_object *o = &b->object[index];
    uint32_t tag = ((uint32_t)b->key ^ (uint32_t)(b->key >> 32) * 0x85ebca6bu) ^
                   (o->address + o->m.life * 0x10000u) * 0x9e3779b1u;
    o->tag = tag | 1u;
    o->known = o->m.init_by.block_epoch;
    o->name = (uint32_t)BARLINT_RT_TOKEN_MARK << 12 | (index & 63u) << 6 | (o->m.life & 63u);
}

// Reads a token back for the object it is used on. A number that no arrive gave is BARLINT_TOKEN_NONE.
BARLINT_HD static inline struct barlint_token
barlint_rt_token_read(uint64_t token, const struct barlint_mbarrier *m)
{
    struct barlint_token t = barlint_token_none();
    if (token >> 56 != BARLINT_RT_TOKEN_MARK) {
        t.phase = m->phase; // as good as any
        return t;
    }
    // Nearest to the object's own in the bits that were kept.
    int32_t behind = (int32_t)((m->phase - (uint32_t)token) << 9) >> 9;
    t.state = BARLINT_TOKEN_ISSUED;
    t.object = (uint32_t)(token >> 50) & 63u;
    t.life = m->life - ((m->life - (uint32_t)(token >> 44)) & 63u);
    t.phase = m->phase - (uint32_t)behind;
    t.pending = (uint32_t)(token >> 24) & BARLINT_COUNT_MAX_V0;
    t.no_complete = true; // not kept: every count is answered
    return t;
}

// The threads of other warps that have done nothing since a test of the object failed: they wait. Where
// warps count rounds, nobody knows what they have done.
BARLINT_HD static inline uint32_t barlint_rt_testers(const struct barlint_rt_block *b,
                                                     uint32_t index, uint32_t own_warp)
{
    uint32_t count = 0;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        const struct barlint_rt_warp *warp = &b->warp[w];
        uint32_t together = barlint_rt_load(&warp->failed_lanes) & b->block.live[w];
        uint32_t apart = barlint_rt_load(&warp->failing) & b->block.live[w];
        if (w == own_warp || b->by_rounds) {
            continue;
        }
        count += warp->failed_at == index && warp->site == warp->failed_site && warp->apart == 0
                     ? barlint_popcount(together)
                     : 0;
        for (; apart != 0; apart &= apart - 1u) {
            uint32_t lane = barlint_popcount((apart & (0u - apart)) - 1u);
            const struct barlint_rt_thread *t = &warp->records->thread[lane];
            count += t->failed_at == index &&
                     barlint_rt_site_of(warp, lane, t->site) == t->failed_site;
        }
    }
    return count;
}

// An mbarrier is initialised: another life begins.
BARLINT_HD static inline struct barlint_effect
barlint_rt_begin_life(struct barlint_rt_block *b, uint32_t index, const struct barlint_actor *maker,
                      uint32_t count, uint32_t flags)
{
    struct barlint_rt_object *o = &b->object[index];
    uint32_t most = flags & BARLINT_RT_PRIMITIVE ? BARLINT_COUNT_MAX_PRIMITIVES : 0;
    struct barlint_effect effect =
        barlint_mbarrier_init(&o->m, maker, BARLINT_LAYOUT_V0, count, most);
    barlint_rt_name(b, index);
    o->dropped = false;
    o->unknown_bytes = false;
    o->foreign = false;
    o->landed = 0;
    return effect;
}

// So many lanes arrive.
BARLINT_HD static inline struct barlint_effect
barlint_rt_apply_arrival(struct barlint_rt_object *o, const struct barlint_actor *actor,
                         uint32_t lanes, uint64_t operand, uint32_t flags)
{
    struct barlint_arrive arrive = barlint_arrive_plain((uint32_t)operand);
    arrive.drops = (flags & BARLINT_RT_DROPS) != 0;
    arrive.expects = (flags & BARLINT_RT_EXPECTS) != 0;
    arrive.no_complete = (flags & BARLINT_RT_NO_COMPLETE) != 0;
    arrive.bytes = (uint32_t)(operand >> 32);
    arrive.count *= lanes;
    o->dropped = o->dropped || arrive.drops;
    return barlint_mbarrier_arrive_with(&o->m, actor, arrive, 0);
}

// They are to arrive when their copies are over, the form without .noinc for an arrival that it has
// added itself.
BARLINT_HD static inline struct barlint_effect
barlint_rt_apply_async_arrival(struct barlint_rt_object *o, const struct barlint_actor *actor,
                               uint32_t lanes, bool noinc)
{
    struct barlint_effect effect = barlint_effect_none();
    if (!o->by_copies) {
        o->by_copies = true;
        o->m.tx++;
    }
    if (barlint_mbarrier_begin(&o->m, actor, BARLINT_UNKNOWN, &effect) && noinc) {
        barlint_mbarrier_arrive_on(&o->m, lanes, BARLINT_TX_NOINC, &effect);
    }
    return effect;
}

// `lanes` threads with the same operands execute an mbarrier operation; `actor` is the first.
// Plain arrivals of a warp are one, as the hardware merges them.
BARLINT_HD static inline struct barlint_effect
barlint_rt_apply(struct barlint_rt_block *b, uint32_t index, const struct barlint_actor *actor,
                 uint32_t lanes, uint32_t op, uint64_t operand, uint32_t flags)
{
    struct barlint_rt_object *o = &b->object[index];
    struct barlint_mbarrier *m = &o->m;
    struct barlint_effect effect = barlint_effect_none();
    struct barlint_actor maker = *actor; // at the block's time, which later actors have seen or not
    maker.block_epoch = b->sequence;
    if (m->state == BARLINT_RAW) {
        actor = &maker;
    }
    if (op == BARLINT_RT_INIT || op == BARLINT_RT_INVAL) { // its life ends with what it really is
        m->tx -= o->by_copies ? 1 : 0;
        o->by_copies = false;
    }
    switch (op) {
    case BARLINT_RT_INIT:
        effect = barlint_rt_begin_life(b, index, &maker, (uint32_t)operand, flags);
        break;
    case BARLINT_RT_INVAL:
        effect = barlint_mbarrier_inval(
            m, actor, barlint_rt_testers(b, index, actor->thread / BARLINT_WARP_SIZE));
        break;
    case BARLINT_RT_EXPECT_TX:
        effect = barlint_mbarrier_expect_tx(m, actor, (uint32_t)operand);
        break;
    case BARLINT_RT_COMPLETE_TX:
        effect = barlint_mbarrier_complete_tx(m, actor, (uint32_t)operand);
        break;
    case BARLINT_RT_ARRIVE:
        effect = barlint_rt_apply_arrival(o, actor, lanes, operand, flags);
        break;
    case BARLINT_RT_ASYNC_ARRIVE:
        effect = barlint_rt_apply_async_arrival(o, actor, lanes, operand != 0);
        break;
    case BARLINT_RT_COMMIT:
        effect = barlint_mbarrier_async_issue(m, actor, BARLINT_ASYNC_COMMIT);
        break;
    case BARLINT_RT_COPY:
        if (operand == BARLINT_RT_UNKNOWN_BYTES || (flags & BARLINT_RT_MULTICAST)) {
            o->unknown_bytes = true;
            operand = 0;
        }
        effect = barlint_mbarrier_issue_copy(m, actor, (uint32_t)operand);
        break;
    }
    if (o->unknown_bytes) {
        m->bytes_in_flight = 0;
    }
    if (effect.completed) {
        barlint_rt_completed(b);
    } else {
        barlint_rt_moved(b);
    }
    if (o->foreign) {
        effect = barlint_effect_none();
    }
    return effect;
}

// Have copies ended a phase that nobody has seen the end of? Then nothing says that they were over
// before the block is: they may have been by luck.
BARLINT_HD static inline bool barlint_rt_landed_unseen(const struct barlint_rt_object *o)
{
    return o->m.state == BARLINT_LIVE && o->landed != 0 && o->landed == o->m.phase && !o->m.seen;
}

// Can operations of several lanes be taken as one? Plain and asynchronous arrivals are added up. Lanes of a warp that
// initialise an mbarrier together, and alike, do it once.
BARLINT_HD static inline bool barlint_rt_merges(uint32_t op, uint32_t flags)
{
    return op == BARLINT_RT_INIT || op == BARLINT_RT_ASYNC_ARRIVE ||
           (op == BARLINT_RT_ARRIVE &&
            (flags & (BARLINT_RT_EXPECTS | BARLINT_RT_NO_COMPLETE)) == 0);
}

#endif
