// Hooks of mbarrier operations that change it. Part of device.cuh.

// Does nothing tell the thread that the phase before the current one, which somebody has seen the end of, is
// over? It and its warp have passed no barrier and no phase since; where warps count rounds, only the one
// that made the object known. Had it been faster, its arrival would have been one too many for that phase.
static __device__ __noinline__ bool barlint_rt_is_unaware(const struct barlint_rt_here *here,
                                                          uint32_t at)
{
    const struct barlint_rt_block *b = here->block;
    const struct barlint_rt_object *o = &b->object[at];
    uint32_t seen_at = barlint_rt_load(&b->seen_at[at]), phase = barlint_rt_phase_now(o);
    uint32_t of_warp = barlint_rt_load(&b->warp[here->warp].synced_at);
    uint32_t own = barlint_rt_load(&here->thread->synced_at), passed = own > of_warp ? own : of_warp;
    const struct barlint_rt_records *r = here->records;
    uint64_t last = barlint_rt_stamp(o->tag, phase - 1u);
    uint32_t rounds = b->by_rounds != 0 ? 1u : 0u;
    bool unaware = phase != 0 && *(const volatile bool *)&o->m.seen && !o->foreign &&
                   passed < seen_at + rounds && r->all_waited[at] != last &&
                   (!rounds ||
                    barlint_rt_round_number(b, here->warp) == o->made_in + BARLINT_RT_ROUND);
    BARLINT_ROLLED
    for (uint32_t lane = 0; lane < BARLINT_WARP_SIZE && unaware; lane++) {
        own = barlint_rt_load(&r->thread[lane].synced_at);
        passed = own > passed ? own : passed;
        // Where warps count rounds, knowing of the object counts as one step more.
        unaware = passed < seen_at + (passed == o->known + 1u ? rounds : 0u) &&
                  *(const volatile uint64_t *)&r->waited[at][lane] != last;
    }
    return unaware;
}

// The operation under the lock. Returns the token.
static __device__ __noinline__ uint64_t
barlint_rt_mbarrier_slow(const struct barlint_rt_here *here, struct barlint_rt_target target,
                         uint32_t group, uint32_t op, uint64_t operand, uint32_t flags)
{
    struct barlint_rt_block *b = target.block;
    bool own = target.place == BARLINT_PLACE_OWN, first = here->lane == barlint_rt_first(group);
    uint32_t at = BARLINT_RT_NONE;
    struct barlint_effect effect = barlint_effect_none();
    if (first) {
        barlint_rt_lock(b);
        at = barlint_rt_find(b, target.address);
        if (at == BARLINT_RT_NONE) {
            atomicAdd((unsigned long long *)&here->state->objects_lost, 1ull);
            barlint_rt_unlock(b);
        } else {
            barlint_rt_open_object(&b->object[at]);
            effect = own ? barlint_rt_catch_up(b, at) : effect;
        }
    }
    at = __shfl_sync(group, at, (int)barlint_rt_first(group));
    if (at == BARLINT_RT_NONE) {
        return 0;
    }
    struct barlint_rt_object *o = &b->object[at];
    struct barlint_violations mine = barlint_violations_none();
    struct barlint_violations suspected = barlint_violations_none();
    if (own) {
        uint32_t tag = o->tag;
        bool failing = b->warp[here->warp].failing >> here->lane & 1u;
        struct barlint_user user = barlint_rt_user(here->records, at, here->lane, tag, failing);
        mine = barlint_rt_check_lane(&user, &o->m, op, operand, flags);
        if (op == BARLINT_RT_ARRIVE && o->m.state == BARLINT_LIVE && barlint_rt_is_unaware(here, at)) {
            barlint_violations_add(&suspected, BARLINT_PHASE_UNOBSERVED);
        }
        barlint_rt_user_keep(here->records, at, here->lane, tag, &user);
        if (failing) {
            atomicAnd(&b->warp[here->warp].failing, ~(1u << here->lane));
        }
        if (op != BARLINT_RT_INIT && o->m.state != BARLINT_RAW) {
            barlint_rt_check_known(here, o, &mine);
        }
    }
    uint64_t token = op == BARLINT_RT_ARRIVE && own ? barlint_rt_token(at, &o->m) : 0;
    token |= token != 0 && (flags & BARLINT_RT_NO_COMPLETE) ? BARLINT_RT_TOKEN_QUIET : 0;
    __syncwarp(group);
    struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_MBARRIER, 0);
    about.object = o;
    if (first) {
        if (!own) {
            o->m.seen = true; // a peer may know from elsewhere that the phase before is over
        }
        if (own && op == BARLINT_RT_INVAL && barlint_rt_unheard(b, at, here->warp) != 0) {
            barlint_violations_add(b->hears_nothing ? &mine : &suspected, BARLINT_INIT_USE_AFTER_INVAL);
        }
        struct barlint_effect done = barlint_rt_perform(here, b, at, group, op, operand, flags);
        barlint_violations_merge(&mine, effect.violations);
        barlint_violations_merge(&mine, done.violations);
        effect.hardware = done.hardware;
        barlint_rt_close_object(o);
        barlint_rt_unlock(b);
    }
    __syncwarp(group);
    barlint_rt_report_group(here, group, mine, about);
    barlint_rt_note_group(here, group, suspected, about);
    if (first && op == BARLINT_RT_INIT && (group & (group - 1u)) != 0) { // the hardware does it once
        about.kind = BARLINT_RT_NOTE;
        about.warp_lanes = group;
        barlint_rt_report(here, BARLINT_INIT_BY_MANY, &about);
    }
    if (__any_sync(group, effect.hardware == BARLINT_TRAPS)) {
        barlint_rt_fault(here, group);
    }
    return token;
}

// Has the initialisation of another CTA's object been made known to the thread?
BARLINT_RT_INLINE bool barlint_rt_peer_knows(const struct barlint_rt_object *o,
                                             uint32_t cluster_waits)
{
    return *(const volatile bool *)&o->m.fenced && cluster_waits > o->m.init_by.cluster_epoch;
}

// A lane has arrived by way of the word, `word` before: by itself, or with others. Returns its token.
BARLINT_RT_INLINE uint64_t barlint_rt_note_arrival(struct barlint_rt_records *records,
                                                   const struct barlint_rt_object *o,
                                                   uint32_t index, uint32_t lane, uint32_t word,
                                                   bool alone)
{
    uint32_t phase = barlint_rt_word_phase(word, barlint_rt_load(&o->m.phase));
    uint32_t pending = word >> BARLINT_RT_PENDING_SHIFT;
    records->arrived[index][lane] = barlint_rt_stamp(o->tag, phase);
    if (alone && barlint_rt_is_plain(word)) { // bytes may still be to come
        records->marks[index][lane] = barlint_rt_stamp(o->tag, BARLINT_RT_DRY);
    }
    return (uint64_t)(o->name << 12 | pending >> 8) << 32 |
           (pending << 24 | (phase & BARLINT_RT_TOKEN_PHASE));
}

// Arrivals of lanes with the same operands, and copies of which only the hardware knows the bytes.
// Returns false where there is more to it; the token, for arrivals, goes to `*out_token`.
BARLINT_RT_INLINE bool barlint_rt_mbarrier_quick(const struct barlint_rt_short *at, uint32_t group,
                                                 struct barlint_rt_target target, uint32_t op,
                                                 uint64_t operand, uint32_t flags,
                                                 uint64_t site, uint64_t *out_token)
{
    uint32_t index = barlint_rt_hash(target.address), count = (uint32_t)operand;
    struct barlint_rt_object *o = &target.block->object[index];
    bool own = target.place == BARLINT_PLACE_OWN, arrives = op == BARLINT_RT_ARRIVE;
    bool copies = op == BARLINT_RT_COPY &&
                  (operand == BARLINT_RT_UNKNOWN_BYTES || (flags & BARLINT_RT_MULTICAST));
    // Announcements of several threads are looked at one by one.
    bool joins = op == BARLINT_RT_ASYNC_ARRIVE && o->by_copies;
    count = joins ? 1u : count;
    bool fits = arrives ? !(flags & (BARLINT_RT_DROPS | BARLINT_RT_NO_COMPLETE)) && count != 0 &&
                              count <= BARLINT_COUNT_MAX_V0 / BARLINT_WARP_SIZE &&
                              (!(flags & BARLINT_RT_EXPECTS) || (group & (group - 1u)) == 0)
                        : (copies || joins) && barlint_rt_is_counted(barlint_rt_load(&o->word));
    bool quick = fits && barlint_rt_load(&o->address) == target.address &&
                 at->warp->records != 0 &&
                 (barlint_rt_load(&at->warp->failed_lanes) & group) == 0 &&
                 (own ? *(const volatile bool *)&o->m.seen &&
                            barlint_rt_load(&at->warp->synced_at) > o->m.init_by.block_epoch
                      : (!arrives || (flags & BARLINT_RT_NO_TOKEN)) &&
                            barlint_rt_peer_knows(
                                o, barlint_rt_cluster_waits(
                                       at->warp, &at->warp->records->thread[at->lane], at->lane)));
    if (!__all_sync(group, quick)) {
        return false;
    }
    struct barlint_rt_short some = *at;
    some.lanes = group;
    some.whole = at->whole && group == at->lanes;
    barlint_rt_be_at(&some, site);
    *out_token = 0;
    if (!arrives && !(joins && operand)) { // an arrival of its own making changes nothing
        return true;
    }
    uint32_t word = 0, leader = barlint_rt_first(group);
    if (at->lane == leader) {
        word = barlint_rt_arrive_ordinary(target, o, __popc(group) * count,
                                          arrives ? (uint32_t)(operand >> 32) : 0);
    }
    word = __shfl_sync(group, word, (int)leader);
    if (word != 0 && own && arrives) {
        bool alone = (group & (group - 1u)) == 0;
        *out_token = barlint_rt_note_arrival(at->warp->records, o, index, at->lane, word, alone);
    }
    return word != 0;
}

BARLINT_RT_INLINE struct barlint_rt_glance barlint_rt_glance_of(struct barlint_rt_four names,
                                                                struct barlint_rt_four state)
{
    struct barlint_rt_glance glance;
    glance.address = names.first;
    glance.known = names.second;
    glance.tag = names.third;
    glance.name = names.fourth;
    glance.word = state.first;
    glance.phase = state.second;
    glance.expected = state.third;
    glance.seen = (state.fourth & BARLINT_RT_SEEN_BITS) != 0;
    return glance;
}

// What the short ways need to know of the warp, beside that it is ordinary.
struct barlint_rt_past {
    uint32_t synced_at, failed_lanes;
    struct barlint_rt_records *records;
};

BARLINT_RT_INLINE struct barlint_rt_past barlint_rt_past_of(struct barlint_rt_four four)
{
    struct barlint_rt_past past;
    past.synced_at = four.first;
    past.failed_lanes = four.second;
    past.records = (struct barlint_rt_records *)((uint64_t)four.fourth << 32 | four.third);
    return past;
}

// What a whole warp asks before it goes a short way with one mbarrier of its own CTA: gathered by
// arithmetic, since a comparison that waits for another takes as long as three other instructions.
struct barlint_rt_asked {
    struct barlint_rt_records *records;
    uint32_t word, phase, expected;
    uint32_t odd;   // 0 unless something is up with the warp or it is another mbarrier for some lane
    uint32_t signs; // the upper bit is set where the warp cannot know of the mbarrier
    uint32_t failed_lanes, flags;
};

// By all lanes of the warp together; each may find something else, as four words are not read by all of
// them at once.
BARLINT_RT_INLINE struct barlint_rt_asked barlint_rt_ask_whole(const struct barlint_rt_warp *warp,
                                                               const struct barlint_rt_object *o,
                                                               uint32_t address)
{
    struct barlint_rt_asked asked;
    uint32_t first = __shfl_sync(0xffffffffu, address, 0);
    struct barlint_rt_lanes of = barlint_rt_lanes_of(barlint_rt_warp_load_four(&warp->blocked));
    struct barlint_rt_past past =
        barlint_rt_past_of(barlint_rt_warp_load_four(&warp->synced_at));
    struct uint2 names = barlint_rt_warp_load_two(&o->address);
    struct barlint_rt_four state = barlint_rt_warp_load_four(&o->word);
    asked.word = state.first;
    asked.phase = state.second;
    asked.expected = state.third;
    asked.flags = state.fourth;
    asked.records = past.records;
    asked.odd = of.blocked | of.failing | of.attention;
    asked.odd |= ~of.live | (address ^ first);
    asked.odd |= address ^ names.x;
    asked.signs = ~(names.y - past.synced_at); // both are small
    asked.failed_lanes = past.failed_lanes;
    return asked;
}

// Is nothing the matter, with `odd` and `signs` besides? (No records end in 4 GB of zero bits; of one that
// did, everything would be asked the long way.)
BARLINT_RT_INLINE bool barlint_rt_is_fit(const struct barlint_rt_asked *asked, uint32_t odd,
                                         uint32_t signs)
{
    uint32_t all = asked->odd | odd | ((asked->signs | signs) & 0x80000000u);
    return (uint32_t)(uintptr_t)asked->records != 0 && barlint_rt_is_usable(asked->word) &&
           all == 0;
}

// A whole warp arrives once at one mbarrier of its own CTA by way of its word; nothing is announced.
// Returns false where there is more to it.
BARLINT_RT_INLINE bool barlint_rt_arrive_whole(uint32_t self, uint32_t address, uint32_t count,
                                               uint32_t flags, uint64_t site, uint64_t *out_token)
{
    struct barlint_rt_block *b = barlint_rt_block_of_self(self);
    uint32_t thread = barlint_rt_thread_of_self(self), lane = thread % BARLINT_WARP_SIZE;
    struct barlint_rt_warp *warp = barlint_rt_fixed(&b->warp[thread / BARLINT_WARP_SIZE]);
    uint32_t index = barlint_rt_hash(address);
    struct barlint_rt_object *o = barlint_rt_fixed(&b->object[index]);
    struct barlint_rt_asked asked = barlint_rt_ask_whole(warp, o, address);
    uint32_t unseen = ~asked.flags & BARLINT_RT_SEEN_BIT;
    bool quick = barlint_rt_is_fit(
        &asked, asked.failed_lanes | unseen | (count ^ 1u),
        barlint_rt_word_exceeds(asked.word, BARLINT_WARP_SIZE, asked.expected));
    if (!__all_sync(0xffffffffu, quick)) {
        return false;
    }
    barlint_rt_warp_store_four(&warp->site, site, 0);
    uint32_t added = BARLINT_WARP_SIZE << BARLINT_RT_PENDING_SHIFT;
    uint32_t word = lane == 0 ? barlint_rt_shared_add(&o->word, 0u - added) : 0;
    word = __shfl_sync(0xffffffffu, word, 0);
    struct uint2 name = barlint_rt_warp_load_two(&o->tag); // and the name
    uint32_t exceeds = barlint_rt_word_exceeds(word, BARLINT_WARP_SIZE, asked.expected);
    if (!barlint_rt_is_usable(word) || (int32_t)exceeds < 0) {
        if (lane == 0 && barlint_rt_is_usable(word)) {
            (void)barlint_rt_shared_add(&o->word, added); // others were faster, and too many
        }
        return false;
    }
    // Nobody else has ended the phase that `word` is of; what was asked may be of the one before.
    uint32_t pending = word >> BARLINT_RT_PENDING_SHIFT;
    uint32_t phase = barlint_rt_word_phase(word, asked.phase);
    if (pending == BARLINT_WARP_SIZE && barlint_rt_is_plain(word) && lane == 0) {
        barlint_rt_end_phase(b, o, word, phase, asked.expected);
    }
    asked.records->all_arrived[index] = barlint_rt_stamp(name.x, phase);
    *out_token = flags & BARLINT_RT_NO_TOKEN
                     ? 1u
                     : (uint64_t)(name.y << 12 | pending >> 8) << 32 |
                           (pending << 24 | (phase & BARLINT_RT_TOKEN_PHASE));
    return true;
}

// A lane that is alone makes an mbarrier where none has been, with a count that it may have. Returns
// false where there is more to it. Blocks begin with it, one mbarrier after the other, while all other
// threads wait.
BARLINT_RT_INLINE bool barlint_rt_init_new(const struct barlint_rt_here *here,
                                           struct barlint_rt_target target, uint32_t op,
                                           uint64_t operand, uint32_t flags)
{
    struct barlint_rt_block *b = here->block;
    uint32_t bit = 1u << here->lane, at = barlint_rt_hash(target.address);
    uint32_t most =
        flags & BARLINT_RT_PRIMITIVE ? BARLINT_COUNT_MAX_PRIMITIVES : BARLINT_COUNT_MAX_V0;
    if (op != BARLINT_RT_INIT || here->lanes != bit || target.place != BARLINT_PLACE_OWN ||
        target.address % 8u != 0 || operand - 1u >= most ||
        (barlint_rt_load(&b->warp[here->warp].failing) & bit) != 0) {
        return false;
    }
    barlint_rt_lock(b);
    bool fresh = b->object[at].address == BARLINT_RT_NONE;
    if (fresh) {
        (void)barlint_rt_find(b, target.address);
        (void)barlint_rt_perform(here, b, at, bit, BARLINT_RT_INIT, operand, flags);
        barlint_rt_close_object(&b->object[at]);
    }
    barlint_rt_unlock(b);
    return fresh;
}

// The same, for a lane of which nothing special is known.
static __device__ __noinline__ bool barlint_rt_init_alone(uint32_t address, uint64_t operand,
                                                          uint32_t flags, uint64_t who,
                                                          uint64_t site)
{
    struct barlint_rt_here here;
    uint32_t bit = (uint32_t)who;
    here.block = barlint_rt_block_of_self((uint32_t)(who >> 32));
    here.number = barlint_rt_thread_of_self((uint32_t)(who >> 32));
    here.warp = here.number / BARLINT_WARP_SIZE;
    here.lane = here.number % BARLINT_WARP_SIZE;
    here.lanes = bit;
    here.site = site;
    struct barlint_rt_warp *warp = &here.block->warp[here.warp];
    struct barlint_rt_lanes of = barlint_rt_lanes_of(barlint_rt_load_four(&warp->blocked));
    if (((of.blocked | barlint_rt_load(&warp->failed_lanes)) & bit) != 0 || of.attention != 0 ||
        barlint_rt_load(&warp->started) != BARLINT_RT_STARTED ||
        barlint_rt_may_be_far(address, here.block) || barlint_rt_beyond_shared(address)) {
        return false;
    }
    here.records = warp->records;
    here.thread = &here.records->thread[here.lane];
    barlint_rt_lanes_at(warp, here.lane, bit, site);
    struct barlint_rt_target target = {here.block, address, BARLINT_PLACE_OWN, here.block->cta};
    return barlint_rt_init_new(&here, target, BARLINT_RT_INIT, operand, flags);
}

// Lanes arrive for the first time since a round that told them of the mbarrier: from now on the warp
// knows, and they may go the short way, which others need not wait for. Returns false where there is
// more to it.
BARLINT_RT_INLINE bool barlint_rt_arrive_first(const struct barlint_rt_here *here,
                                               struct barlint_rt_target target, uint32_t group,
                                               uint32_t op, uint64_t operand, uint32_t flags,
                                               uint64_t *out_token)
{
    struct barlint_rt_block *b = here->block;
    struct barlint_rt_short at;
    at.warp = &b->warp[here->warp];
    at.number = here->warp;
    at.lane = here->lane;
    at.lanes = group;
    at.ordinary = ((barlint_rt_load(&at.warp->blocked) | barlint_rt_load(&at.warp->failing)) &
                   group) == 0 &&
                  barlint_rt_load(&at.warp->attention) == 0;
    at.whole = group == 0xffffffffu;
    const struct barlint_rt_object *o = &b->object[barlint_rt_hash(target.address)];
    uint32_t synced_at = barlint_rt_load(&at.warp->synced_at);
    if (!__all_sync(group, op == BARLINT_RT_ARRIVE && target.place == BARLINT_PLACE_OWN &&
                               at.ordinary && barlint_rt_load(&o->address) == target.address &&
                               synced_at <= barlint_rt_load(&o->known))) {
        return false;
    }
    if (__any_sync(group, barlint_rt_is_unaware(here, barlint_rt_hash(target.address)))) {
        return false;
    }
    barlint_rt_learn(b, here->warp, o);
    __syncwarp(group);
    return __all_sync(group, barlint_rt_load(&at.warp->synced_at) != synced_at) &&
           barlint_rt_mbarrier_quick(&at, group, target, op, operand, flags, here->site, out_token);
}

// Every operation but the ordinary arrive of a whole warp.
static __device__ __noinline__ uint64_t barlint_rt_mbarrier_any(uint32_t op, uint64_t address,
                                                                uint32_t space, uint64_t operand,
                                                                uint32_t flags, uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return 0;
    }
    struct barlint_rt_target target = barlint_rt_target(here.block, address, space);
    if (target.place != BARLINT_PLACE_OWN || target.address % 8u != 0) {
        if (barlint_rt_bad_address(&here, target, address, barlint_rt_use(op, flags))) {
            return 0;
        }
    }
    if (barlint_rt_init_new(&here, target, op, operand, flags)) {
        return 0;
    }
    if (op == BARLINT_RT_COPY && (flags & BARLINT_RT_MULTICAST)) {
        struct barlint_violations violations = barlint_violations_none();
        if (barlint_rt_is_too_early(&here)) {
            barlint_violations_add(&violations, BARLINT_CLUSTER_DSMEM_START);
        }
        barlint_rt_report_group(&here, here.lanes, violations,
                                barlint_rt_about(&here, BARLINT_RT_NO_SUBJECT, 0));
    }
    uint64_t key = ((uint64_t)target.block ^ (uint64_t)target.address << 32) * 31u ^
                   operand * 0x9e3779b1ull;
    uint32_t group = barlint_rt_alike(here.lanes, key);
    if (target.place == BARLINT_PLACE_PEER && barlint_rt_has_left(here.block, target.rank)) {
        struct barlint_violations violations = barlint_violations_none();
        barlint_violations_add(&violations, BARLINT_CLUSTER_EXIT);
        barlint_rt_report_group(&here, group, violations,
                                barlint_rt_about(&here, BARLINT_RT_MBARRIER, target.address));
        return 0; // the hardware drops it (measured)
    }
    if (target.place == BARLINT_PLACE_PEER && op == BARLINT_RT_ARRIVE) {
        barlint_rt_tell_peer(here.block, target);
    }
    uint64_t token;
    if (barlint_rt_arrive_first(&here, target, group, op, operand, flags, &token)) {
        return token;
    }
    return barlint_rt_mbarrier_slow(&here, target, group, op, operand, flags);
}

// A few lanes arrive, each at an mbarrier of its own CTA or of another, as consumers do that free a stage
// in all CTAs of the cluster. What is asked is read at one go: an access to another CTA takes long, and
// those who wait for the stage wait for it. By lanes for which nothing special is up. Returns false where
// there is more to it, for this lane.
BARLINT_RT_INLINE bool barlint_rt_arrive_around(const struct barlint_rt_short *at,
                                                struct barlint_rt_block *b,
                                                struct barlint_rt_target target, uint32_t count,
                                                uint64_t site)
{
    uint32_t index = barlint_rt_hash(target.address), added = count << BARLINT_RT_PENDING_SHIFT;
    bool own = target.place == BARLINT_PLACE_OWN, there = target.block && target.address % 8u == 0;
    struct barlint_rt_object *o = &(there ? target.block : b)->object[index];
    const struct barlint_rt_cluster *cluster = b->cluster;
    struct barlint_rt_past past = barlint_rt_past_of(barlint_rt_load_four(&at->warp->synced_at));
    uint32_t gone = cluster ? barlint_rt_load(&cluster->gone) : 0;
    uint32_t untold = barlint_rt_load(&b->untold);
    struct barlint_rt_four names = barlint_rt_far_load_four(&o->address);
    struct barlint_rt_four state = barlint_rt_far_load_four(&o->word);
    uint32_t since = barlint_rt_load(&o->m.init_by.cluster_epoch);
    uint32_t waits = past.records ? barlint_rt_cluster_waits(at->warp, &past.records->thread[at->lane],
                                                             at->lane)
                                  : 0;
    struct barlint_rt_glance glance = barlint_rt_glance_of(names, state);
    bool fenced = (state.fourth & BARLINT_RT_FENCED_BITS) != 0;
    uint32_t special = BARLINT_RT_UNTOLD << target.rank;
    bool knows = own ? glance.seen && past.synced_at > glance.known
                     : fenced && waits > since && ((gone | untold) & special) == 0;
    if (!__all_sync(at->lanes, there && knows && past.records != 0 &&
                                   (past.failed_lanes & at->lanes) == 0 && count != 0 &&
                                   count <= BARLINT_COUNT_MAX_V0 / BARLINT_WARP_SIZE &&
                                   glance.address == target.address &&
                                   barlint_rt_word_takes(glance.word, count, glance.expected))) {
        return false;
    }
    barlint_rt_be_at(at, site);
    uint32_t word = barlint_rt_add_at(target, &o->word, 0u - added);
    if (!barlint_rt_word_takes(word, count, glance.expected)) {
        if (barlint_rt_is_usable(word)) {
            (void)barlint_rt_add_at(target, &o->word, added); // others were faster, and too many
        }
        return false;
    }
    uint32_t phase = barlint_rt_word_phase(word, glance.phase);
    if (barlint_rt_is_plain(word) && word >> BARLINT_RT_PENDING_SHIFT == count) {
        barlint_rt_end_phase_at(target, o, word, phase, glance.expected);
    }
    if (own && barlint_rt_is_plain(word)) { // bytes may still be to come
        past.records->marks[index][at->lane] = barlint_rt_stamp(glance.tag, BARLINT_RT_DRY);
    }
    if (own) {
        past.records->arrived[index][at->lane] = barlint_rt_stamp(glance.tag, phase);
    }
    return true;
}

// The same, in a function of its own: within a larger one there are too few registers to read at one go.
static __device__ __noinline__ bool barlint_rt_arrive_few(uint64_t address, uint32_t count,
                                                          uint64_t who, uint64_t site)
{
    struct barlint_rt_block *b = barlint_rt_block_of_self((uint32_t)(who >> 32));
    struct barlint_rt_short at = barlint_rt_look(b, who, site);
    if (!at.ordinary || (uint32_t)__popc(at.lanes) > BARLINT_MAX_CLUSTER) {
        return false;
    }
    bool done = barlint_rt_arrive_around(
        &at, b, barlint_rt_target(b, address, BARLINT_RT_SHARED_CLUSTER), count, site);
    __syncwarp(at.lanes); // no arrival comes before all of them are known: see below
    return done;
}

// An arrival at another CTA's mbarrier is held back, as long as there may be more to find by that.
BARLINT_RT_INLINE void barlint_rt_hold_arrival(struct barlint_rt_block *b,
                                               struct barlint_rt_target target, uint32_t op,
                                               uint32_t lanes, uint64_t site)
{
    uint32_t bit = 1u << BARLINT_MAX_CLUSTER << target.rank;
    bool far = target.place == BARLINT_PLACE_PEER && op == BARLINT_RT_ARRIVE &&
               (barlint_rt_load(&b->untold) & bit) != 0;
    if (__any_sync(lanes, far) && !barlint_rt_hold_back(b, lanes, site, far, target.rank) && far) {
        atomicAnd(&b->untold, ~bit);
    }
}

// The operation by whoever is here, but for what has a shorter way.
static __device__ __noinline__ uint64_t barlint_rt_mbarrier_group(uint32_t op, uint64_t address,
                                                                  uint32_t space, uint64_t operand,
                                                                  uint32_t flags, uint64_t who,
                                                                  uint64_t site)
{
    struct barlint_rt_block *b = barlint_rt_block_of_self((uint32_t)(who >> 32));
    struct barlint_rt_short at = barlint_rt_look(b, who, site);
    uint64_t token = 0;
    bool done = false;
    if (at.ordinary &&
        (op == BARLINT_RT_ARRIVE || op == BARLINT_RT_COPY || op == BARLINT_RT_ASYNC_ARRIVE)) {
        struct barlint_rt_target target = barlint_rt_target(b, address, space);
        uint64_t key = ((uint64_t)target.block ^ (uint64_t)target.address << 32) * 31u ^
                       operand * 0x9e3779b1ull;
        uint32_t group = barlint_rt_alike(at.lanes, key);
        barlint_rt_hold_arrival(b, target, op, at.lanes, site);
        bool there = target.block && target.address % 8u == 0 &&
                     (target.place != BARLINT_PLACE_PEER || !barlint_rt_has_left(b, target.rank));
        if (there && target.place == BARLINT_PLACE_PEER && op == BARLINT_RT_ARRIVE) {
            barlint_rt_tell_peer(b, target);
        }
        done = __all_sync(at.lanes, there) &&
               barlint_rt_mbarrier_quick(&at, group, target, op, operand, flags, site, &token);
    }
    if (!done) {
        token = barlint_rt_mbarrier_any(op, address, space, operand, flags, site);
    }
    // Where lanes arrive at several CTAs, no arrival comes before all of them are known: who waits for
    // one may rely on the others.
    __syncwarp(at.lanes);
    return token;
}

// ---- by a lane that is alone, as producers are that a warp elects ----

// What is asked first of a lane and an mbarrier of its own CTA: all of it at once, since what such a
// lane waits for is what each access takes, and others wait for the lane.
struct barlint_rt_alone {
    struct barlint_rt_block *block;
    struct barlint_rt_warp *warp;
    struct barlint_rt_records *records;
    struct barlint_rt_object *object;
    struct barlint_rt_glance glance;
    uint32_t lane, index;
    bool failing; // its last test of a phase has failed
    bool apart;   // where it is, its own record says
};

BARLINT_RT_INLINE bool barlint_rt_is_alone(uint64_t who)
{
    uint32_t lanes = (uint32_t)who;
    return (lanes & (lanes - 1u)) == 0;
}

// Returns false where something special is up with either.
BARLINT_RT_INLINE bool barlint_rt_look_alone(struct barlint_rt_alone *at, uint64_t who,
                                             uint32_t space, uint32_t address)
{
    uint32_t thread = barlint_rt_thread_of_self((uint32_t)(who >> 32)), bit = (uint32_t)who;
    at->block = barlint_rt_block_of_self((uint32_t)(who >> 32));
    at->warp = &at->block->warp[thread / BARLINT_WARP_SIZE];
    at->lane = thread % BARLINT_WARP_SIZE;
    at->index = barlint_rt_hash(address);
    at->object = &at->block->object[at->index];
    struct barlint_rt_four blocked = barlint_rt_load_four(&at->warp->blocked);
    struct barlint_rt_four places = barlint_rt_load_four((const uint32_t *)&at->warp->site);
    struct barlint_rt_four passed = barlint_rt_load_four(&at->warp->synced_at);
    struct barlint_rt_four names = barlint_rt_load_four(&at->object->address);
    struct barlint_rt_four state = barlint_rt_load_four(&at->object->word);
    struct barlint_rt_lanes lanes = barlint_rt_lanes_of(blocked);
    struct barlint_rt_past past = barlint_rt_past_of(passed);
    at->glance = barlint_rt_glance_of(names, state);
    at->records = past.records;
    at->failing = (lanes.failing & bit) != 0;
    at->apart = (places.fourth & bit) != 0;
    return space != BARLINT_RT_GENERIC && ((lanes.blocked | past.failed_lanes) & bit) == 0 &&
           lanes.attention == 0 && at->records != 0 && at->glance.address == address &&
           past.synced_at > at->glance.known && !barlint_rt_may_be_far(address, at->block);
}

BARLINT_RT_INLINE void barlint_rt_alone_at(const struct barlint_rt_alone *at, uint64_t site)
{
    at->records->thread[at->lane].site = site;
    if (!at->apart) {
        atomicOr(&at->warp->apart, 1u << at->lane);
    }
}

// Arrives by way of the word. Returns false where it has not: there is more to it.
BARLINT_RT_INLINE bool barlint_rt_arrive_alone(const struct barlint_rt_alone *at, uint32_t count,
                                               uint32_t bytes, uint64_t *out_token)
{
    struct barlint_rt_object *o = at->object;
    uint32_t expected = at->glance.expected, added = count << BARLINT_RT_PENDING_SHIFT;
    if (!barlint_rt_word_takes(at->glance.word, count, expected) ||
        (bytes != 0 && !barlint_rt_is_counted(at->glance.word))) {
        return false;
    }
    if (bytes != 0) {
        atomicAdd(&o->m.tx, (int32_t)bytes);
    }
    uint32_t word = barlint_rt_shared_add(&o->word, 0u - added);
    if (!barlint_rt_word_takes(word, count, expected)) {
        if (barlint_rt_is_usable(word)) {
            (void)barlint_rt_shared_add(&o->word, added); // others were faster, and too many
        }
        if (bytes != 0) {
            atomicSub(&o->m.tx, (int32_t)bytes);
        }
        return false;
    }
    // Nobody else has ended the phase that `word` is of; the glance may be of the one before.
    uint32_t pending = word >> BARLINT_RT_PENDING_SHIFT;
    uint32_t phase = barlint_rt_word_phase(word, at->glance.phase);
    if (barlint_rt_is_plain(word)) {
        if (pending == count) {
            barlint_rt_end_phase(at->block, o, word, phase, expected);
        }
        // Bytes may still be to come.
        at->records->marks[at->index][at->lane] =
            barlint_rt_stamp(at->glance.tag, BARLINT_RT_DRY);
    }
    at->records->arrived[at->index][at->lane] = barlint_rt_stamp(at->glance.tag, phase);
    *out_token = (uint64_t)(at->glance.name << 12 | pending >> 8) << 32 |
                 (pending << 24 | (phase & BARLINT_RT_TOKEN_PHASE));
    return true;
}

// An arrival, or a copy of which only the hardware knows the bytes. Returns false where there is more
// to it.
BARLINT_RT_INLINE bool barlint_rt_mbarrier_alone(uint32_t op, uint32_t address, uint32_t space,
                                                 uint64_t operand, uint32_t flags, uint64_t who,
                                                 uint64_t site, uint64_t *out_token)
{
    struct barlint_rt_alone at;
    uint32_t count = (uint32_t)operand;
    bool arrives = op == BARLINT_RT_ARRIVE &&
                   !(flags & (BARLINT_RT_DROPS | BARLINT_RT_NO_COMPLETE)) && count != 0 &&
                   count <= BARLINT_COUNT_MAX_V0 / BARLINT_WARP_SIZE;
    bool copies = op == BARLINT_RT_COPY &&
                  (operand == BARLINT_RT_UNKNOWN_BYTES || (flags & BARLINT_RT_MULTICAST));
    if (!(arrives || copies) || !barlint_rt_look_alone(&at, who, space, address) || at.failing ||
        !at.glance.seen || (copies && !barlint_rt_is_counted(at.glance.word))) {
        return false;
    }
    barlint_rt_alone_at(&at, site);
    *out_token = 0;
    return copies || barlint_rt_arrive_alone(&at, count, (uint32_t)(operand >> 32), out_token);
}

BARLINT_RT_HOOK uint64_t barlint_rt_mbarrier(uint32_t op, uint64_t address, uint32_t space,
                                             uint64_t operand, uint32_t flags, uint64_t who,
                                             uint64_t site)
{
    uint32_t special = BARLINT_RT_DROPS | BARLINT_RT_EXPECTS | BARLINT_RT_NO_COMPLETE;
    uint32_t count = (uint32_t)operand;
    uint64_t token;
    if (op == BARLINT_RT_ARRIVE && space == BARLINT_RT_SHARED_CTA && (flags & special) == 0 &&
        count != 0 && count <= BARLINT_COUNT_MAX_V0 / BARLINT_WARP_SIZE && (uint32_t)who == 0xffffffffu &&
        barlint_rt_arrive_whole((uint32_t)(who >> 32), (uint32_t)address, count, flags, site,
                                &token)) {
        return token;
    }
    if (op == BARLINT_RT_INIT && space == BARLINT_RT_SHARED_CTA && barlint_rt_is_alone(who) &&
        barlint_rt_init_alone((uint32_t)address, operand, flags, who, site)) {
        return 0;
    }
    if (op == BARLINT_RT_ARRIVE && space == BARLINT_RT_SHARED_CLUSTER &&
        flags == BARLINT_RT_NO_TOKEN && (uint32_t)who != 0xffffffffu &&
        barlint_rt_arrive_few(address, count, who, site)) {
        return 0;
    }
    if (barlint_rt_is_alone(who) && barlint_rt_mbarrier_alone(op, (uint32_t)address, space, operand,
                                                              flags, who, site, &token)) {
        return token;
    }
    return barlint_rt_mbarrier_group(op, address, space, operand, flags, who, site);
}
