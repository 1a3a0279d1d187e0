// Hooks of tests of an mbarrier's phase, and what such a test says. Part of device.cuh.

// Is it a token of the object's present life, of the phase `behind` the current one?
BARLINT_RT_INLINE bool barlint_rt_own_token(const struct barlint_rt_object *o, uint32_t word,
                                            uint64_t token, uint32_t behind)
{
    return (uint32_t)(token >> 44) == o->name &&
           ((word - (uint32_t)token) & BARLINT_RT_PHASE_MASK) == behind;
}

BARLINT_RT_INLINE bool barlint_rt_by_token(uint32_t form)
{
    return form == BARLINT_RT_TEST_TOKEN || form == BARLINT_RT_TRY_TOKEN;
}

// Everything is checked afterwards, when a wait passes or fails for the first time: a thread may ask
// a great many times.
BARLINT_RT_HOOK uint32_t barlint_rt_wait(uint32_t form, uint64_t address, uint32_t space,
                                         uint64_t operand, uint64_t site)
{
    (void)address;
    (void)space;
    (void)site;
    // A number that is no token of ours: the hardware's own has the phase in its upper bit.
    return barlint_rt_by_token(form) && operand >> 56 != BARLINT_RT_TOKEN_MARK
               ? (uint32_t)(operand >> 63)
               : (uint32_t)operand & 1u;
}

// What a wait's operands break. `m` is the object as it is.
BARLINT_RT_INLINE struct barlint_violations
barlint_rt_check_wait(const struct barlint_rt_here *here, const struct barlint_rt_object *o,
                      uint32_t form, uint64_t operand)
{
    struct barlint_mbarrier m = barlint_rt_view(here->block, o);
    barlint_rt_learn(here->block, here->warp, o);
    struct barlint_actor actor =
        barlint_rt_actor(here->block, here->thread, here->block->cta, here->number);
    struct barlint_effect effect;
    if (barlint_rt_by_token(form)) {
        struct barlint_token token = barlint_rt_token_read(operand, &m);
        effect = barlint_mbarrier_test_token(&m, &actor, &token);
    } else {
        effect = barlint_mbarrier_test_parity(&m, &actor, (uint32_t)operand);
    }
    return effect.violations;
}

// The hardware says that the current phase is over, and copies may have ended it: brings the object
// up to date. By one lane.
static __device__ __noinline__ void barlint_rt_settle_now(const struct barlint_rt_here *here,
                                                          uint32_t at)
{
    struct barlint_rt_object *o = &here->block->object[at];
    barlint_rt_lock(here->block);
    barlint_rt_open_object(o);
    struct barlint_effect effect = barlint_rt_catch_up(here->block, at);
    barlint_rt_close_object(o);
    barlint_rt_unlock(here->block);
    struct barlint_rt_about about = barlint_rt_about(here, BARLINT_RT_MBARRIER, 0);
    about.object = o;
    BARLINT_ROLLED
    for (uint32_t v = barlint_violations_next(effect.violations, 0); v < BARLINT_VIOLATION_COUNT_;
         v = barlint_violations_next(effect.violations, v + 1u)) {
        barlint_rt_report(here, v, &about);
    }
}

// A wait for the phase before the current one passed, which nobody had seen by a moment ago: it has been
// seen, when the block's sequence was that. Of several who are first any may say when. Asking once more
// here, on the short ways, takes arrive_and_wait from 12 to 29 times.
BARLINT_RT_INLINE void barlint_rt_mark_first(struct barlint_rt_block *b, uint32_t index,
                                             uint32_t sequence)
{
    barlint_rt_store(&b->seen_at[index], sequence);
    *(volatile bool *)&b->object[index].m.seen = true;
}

// The same where others may have seen it long ago.
BARLINT_RT_INLINE void barlint_rt_mark_seen(struct barlint_rt_block *b, uint32_t index,
                                            uint32_t sequence)
{
    if (!*(volatile bool *)&b->object[index].m.seen) {
        barlint_rt_mark_first(b, index, sequence);
    }
}

// This lane's test has failed for long enough: it counts as blocked, and asks whether anything can
// still happen.
static __device__ __noinline__ void barlint_rt_not_yet(const struct barlint_rt_here *here,
                                                       uint32_t at, uint32_t phase)
{
    uint32_t bit = 1u << here->lane;
    if (!(barlint_rt_load(&here->block->warp[here->warp].blocked) & bit)) {
        barlint_rt_block_lanes(here, bit, BARLINT_RT_MBARRIER, at, phase);
    } else if (barlint_rt_consider(here)) {
        barlint_rt_end_thread();
    }
}

static __device__ __noinline__ void barlint_rt_wait_on_nothing(const struct barlint_rt_here *here,
                                                               struct barlint_rt_target target,
                                                               uint64_t address)
{
    if (!barlint_rt_bad_address(here, target, address, BARLINT_ADDRESS_WAIT) &&
        target.place == BARLINT_PLACE_OWN) {
        struct barlint_violations missing = barlint_violations_none();
        barlint_violations_add(&missing, BARLINT_INIT_MISSING);
        uint32_t lanes = barlint_rt_together(here->site);
        barlint_rt_report_group(here, lanes, missing,
                                barlint_rt_about(here, BARLINT_RT_MBARRIER, target.address));
        barlint_rt_fault(here, lanes);
    }
}

// The group's tests have passed, with phase `phase` of the object, which `user` has waited for.
// `current`: nobody knows of a later phase.
BARLINT_RT_INLINE void barlint_rt_note_passed(const struct barlint_rt_here *here, uint32_t at,
                                              uint32_t group, uint32_t tag, uint32_t phase,
                                              bool current, const struct barlint_user *user)
{
    struct barlint_rt_warp *warp = &here->block->warp[here->warp];
    here->records->waited[at][here->lane] = barlint_rt_stamp(tag, phase);
    barlint_rt_user_keep(here->records, at, here->lane, tag, user);
    here->thread->synced_at = barlint_rt_load(&here->block->sequence);
    if (here->lane == barlint_rt_first(group)) {
        if (!current) {
            barlint_rt_mark_seen(here->block, at, here->thread->synced_at);
        }
        atomicAnd(&warp->failing, ~group);
        if (barlint_rt_load(&warp->blocked) & group) {
            barlint_rt_unblock_lanes(here, group);
        }
    }
    __syncwarp(group);
}

// They have failed, for the first time since they passed or asked something else.
BARLINT_RT_INLINE void barlint_rt_note_failed(const struct barlint_rt_here *here, uint32_t at,
                                              uint32_t group, uint32_t phase)
{
    struct barlint_rt_warp *warp = &here->block->warp[here->warp];
    if (here->lane == barlint_rt_first(group) && (barlint_rt_load(&warp->blocked) & group)) {
        barlint_rt_unblock_lanes(here, group); // they wait for something else now
    }
    here->thread->since = barlint_rt_cycles();
    here->thread->failed_at = at;
    here->thread->failed_phase = phase;
    here->thread->failed_site = here->site;
    atomicOr(&warp->failing, 1u << here->lane);
}

// A test of one lane or several has been answered. Everything but the ordinary case.
static __device__ __noinline__ void barlint_rt_waited_any(uint32_t form, uint64_t address,
                                                          uint32_t space, uint64_t operand,
                                                          uint32_t passed, uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), true)) {
        return;
    }
    struct barlint_rt_target target = barlint_rt_target(here.block, address, space);
    uint32_t at = target.place == BARLINT_PLACE_OWN && target.address % 8u == 0
                      ? barlint_rt_lookup(here.block, target.address)
                      : BARLINT_RT_NONE;
    struct barlint_rt_object *o = &here.block->object[at % BARLINT_RT_OBJECTS];
    if (at == BARLINT_RT_NONE || o->m.state == BARLINT_RAW) {
        barlint_rt_wait_on_nothing(&here, target, address);
        return;
    }
    struct barlint_rt_thread *thread = here.thread;
    uint32_t *failing = &here.block->warp[here.warp].failing;
    uint32_t bit = 1u << here.lane;
    // What the record needs of it. Others may bring the object to its next phase meanwhile, which counts
    // as unseen until they say otherwise: the word is of before the phase, and that of no change.
    uint32_t word = barlint_rt_load(&o->word);
    struct barlint_mbarrier m;
    m.phase = barlint_rt_view(here.block, o).phase;
    // A token of ours and a parity both have the phase's lowest bit as theirs.
    bool current = ((uint32_t)operand & 1u) == (m.phase & 1u);
    bool again = (barlint_rt_load(failing) & bit) && thread->failed_at == at;
    if (!passed && again) {
        if (barlint_rt_cycles() - thread->since > BARLINT_RT_PATIENCE) {
            barlint_rt_not_yet(&here, at, current ? m.phase : m.phase - 1u);
        }
        return;
    }
    here.lanes = barlint_rt_together(site);
    bool lagging = passed && current && !barlint_rt_is_plain(word);
    uint32_t group = barlint_rt_alike(here.lanes, (uint64_t)at << 32 | lagging << 2 | passed << 1 |
                                                      current);
    bool first = here.lane == barlint_rt_first(group);
    if (lagging) {
        if (first) {
            barlint_rt_settle_now(&here, at);
        }
        __syncwarp(group);
        m.phase = barlint_rt_view(here.block, o).phase;
        current = false;
    }
    uint32_t tag = o->tag;
    struct barlint_user user = barlint_rt_user(here.records, at, here.lane, tag, again);
    struct barlint_effect tested = barlint_effect_none();
    tested.passed = passed != 0;
    struct barlint_violations mine =
        barlint_user_tested(&user, &m, barlint_rt_by_token(form), &tested);
    barlint_violations_merge(&mine, barlint_rt_check_wait(&here, o, form, operand));
    // It has arrived in the first phase, and what it waits for was over before that.
    if (passed && !current && m.phase == 0 && user.arrived && !barlint_rt_by_token(form)) {
        barlint_violations_add(&mine, BARLINT_PHASE_PARITY_INITIAL);
    }
    if (passed) {
        barlint_rt_note_passed(&here, at, group, tag, current ? m.phase : m.phase - 1u, current, &user);
    } else { // the last arrival may have come since the hardware answered
        barlint_rt_note_failed(&here, at, group,
                               !current && barlint_rt_is_plain(word) ? m.phase - 1u : m.phase);
    }
    struct barlint_rt_about about = barlint_rt_about(&here, BARLINT_RT_MBARRIER, 0);
    about.object = o;
    barlint_rt_report_group(&here, group, mine, about);
}

// The answer to a test by whoever is here, but for what has a shorter way.
static __device__ __noinline__ void barlint_rt_waited_group(uint32_t form, uint64_t address,
                                                            uint32_t space, uint64_t operand,
                                                            uint32_t passed, uint64_t who,
                                                            uint64_t site)
{
    struct barlint_rt_block *b = barlint_rt_block_of_self((uint32_t)(who >> 32));
    struct barlint_rt_short at = barlint_rt_look(b, who, site);
    uint32_t index = barlint_rt_hash((uint32_t)address);
    struct barlint_rt_object *o = &b->object[index];
    uint32_t word = barlint_rt_load(&o->word);
    bool known = space == BARLINT_RT_SHARED_CTA && at.ordinary && at.warp->records != 0 && o->address == (uint32_t)address &&
                 barlint_rt_load(&at.warp->synced_at) > o->m.init_by.block_epoch;
    bool by_parity = !barlint_rt_by_token(form);
    bool current = by_parity ? operand <= 1u && !(((uint32_t)operand ^ word) & 1u)
                             : barlint_rt_own_token(o, word, operand, 0);
    if (__all_sync(at.lanes, known && passed && current && barlint_rt_is_counted(word) &&
                                 word >> BARLINT_RT_PENDING_SHIFT == 0)) {
        if (at.lane == barlint_rt_first(at.lanes)) {
            barlint_rt_settle_counted(b, o, word);
        }
        __syncwarp(at.lanes);
        word = barlint_rt_load(&o->word);
    }
    // The lanes have seen the phase before the current one end.
    bool seen = passed && barlint_rt_is_usable(word) &&
                (by_parity ? operand <= 1u && (((uint32_t)operand ^ word) & 1u)
                           : barlint_rt_own_token(o, word, operand, 1));
    uint32_t phase = barlint_rt_word_phase(word, barlint_rt_load(&o->m.phase)) - 1u;
    if (__all_sync(at.lanes, known && seen && phase != BARLINT_RT_NONE)) {
        struct barlint_rt_records *r = at.warp->records;
        uint32_t sequence = barlint_rt_load(&b->sequence);
        barlint_rt_be_at(&at, site);
        barlint_rt_mark_seen(b, index, sequence);
        if (at.whole) {
            r->all_waited[index] = barlint_rt_stamp(o->tag, phase);
            barlint_rt_store(&at.warp->synced_at, sequence);
            barlint_rt_warp_store(&at.warp->failed_lanes, 0);
            return;
        }
        r->waited[index][at.lane] = barlint_rt_stamp(o->tag, phase);
        r->thread[at.lane].synced_at = sequence;
        if ((barlint_rt_load(&at.warp->failed_lanes) & at.lanes) != 0 &&
            at.lane == barlint_rt_first(at.lanes)) {
            atomicAnd(&at.warp->failed_lanes, ~at.lanes); // what the others failed to see, they did
        }
        return;
    }
    // They have not: no reason to do more until it has taken long.
    bool sound = form >= BARLINT_RT_TEST_PARITY
                     ? operand <= 1u
                     : (uint32_t)(operand >> 44) == o->name &&
                           ((word - (uint32_t)operand) & BARLINT_RT_PHASE_MASK) <= 1u;
    if (at.whole && __all_sync(at.lanes, known && sound && !passed)) {
        uint32_t now = (uint32_t)(barlint_rt_cycles() >> 10);
        bool fresh = barlint_rt_load(&at.warp->failed_lanes) != 0xffffffffu ||
                     *(volatile uint16_t *)&at.warp->failed_at != index;
        if (fresh ||
            now - barlint_rt_load(&at.warp->failed_since) < BARLINT_RT_PATIENCE >> 10) {
            if (fresh) {
                barlint_rt_be_at(&at, site);
            }
            __syncwarp();
            if (at.lane == 0 && fresh) {
                // The last arrival may have come since the hardware answered.
                at.warp->failed_phase =
                    !current && barlint_rt_is_plain(word) ? phase : barlint_rt_phase_now(o);
                at.warp->failed_site = site;
                at.warp->failed_since = now;
                *(volatile uint16_t *)&at.warp->failed_at = (uint16_t)index;
                barlint_rt_store(&at.warp->failed_lanes, 0xffffffffu);
            }
            return;
        }
    }
    barlint_rt_waited_any(form, address, space, operand, passed, site);
}

// A whole warp has tested one mbarrier of its own CTA, and all of it has seen the phase before the
// current one end, or none of it the current one. `passed`: 1 or 0. Returns false where there is more to it.
BARLINT_RT_INLINE bool barlint_rt_tested_whole(uint32_t self, uint32_t form, uint32_t address,
                                               uint64_t operand, uint32_t passed, uint64_t site)
{
    struct barlint_rt_block *b = barlint_rt_block_of_self(self);
    uint32_t thread = barlint_rt_thread_of_self(self);
    struct barlint_rt_warp *warp = barlint_rt_fixed(&b->warp[thread / BARLINT_WARP_SIZE]);
    uint32_t index = barlint_rt_hash(address);
    struct barlint_rt_object *o = barlint_rt_fixed(&b->object[index]);
    uint32_t sequence = barlint_rt_warp_load(&b->sequence); // of before anybody is seen to have seen it
    struct barlint_rt_asked asked = barlint_rt_ask_whole(warp, o, address);
    struct uint2 name = barlint_rt_warp_load_two(&o->tag); // and the name
    bool by_token = barlint_rt_by_token(form);
    uint32_t other = by_token ? (uint32_t)(operand >> 44) ^ name.y
                              : ((uint32_t)operand & ~1u) | (uint32_t)(operand >> 32);
    uint32_t behind =
        (asked.word - (uint32_t)operand) & (by_token ? BARLINT_RT_PHASE_MASK : 1u);
    // 0: copies have ended the phase, and nobody has said so yet. All warps that waited come at once.
    uint32_t landing = (asked.word ^ BARLINT_RT_COUNTED) &
                       (~0u << BARLINT_RT_PENDING_SHIFT | BARLINT_RT_COUNTED);
    uint32_t later = (behind | landing) != 0 ? 1u : 0;
    // The phase before the first one is none: its number is a large one.
    uint32_t phase = barlint_rt_word_phase(asked.word, asked.phase) - later;
    uint32_t strange = other | (behind ^ later) | (passed ^ 1u);
    if (!__all_sync(0xffffffffu, barlint_rt_is_fit(&asked, strange, phase))) {
        if (!__all_sync(0xffffffffu, barlint_rt_is_fit(&asked, other | behind | asked.failed_lanes |
                                                                   passed, 0))) {
            return false;
        }
        barlint_rt_warp_store_four(&warp->site, site, 0);
        warp->failed_site = site; // all lanes write the same
        warp->failed_phase = barlint_rt_word_phase(asked.word, asked.phase);
        warp->failed_since = (uint32_t)(barlint_rt_cycles() >> 10);
        *(volatile uint16_t *)&warp->failed_at = (uint16_t)index;
        barlint_rt_warp_store(&warp->failed_lanes, 0xffffffffu);
        return true;
    }
    asked.records->all_waited[index] = barlint_rt_stamp(name.x, phase);
    if (later == 0 && thread % BARLINT_WARP_SIZE == 0) {
        barlint_rt_settle_counted(b, o, asked.word);
    }
    if (((asked.flags | (later - 1u)) & BARLINT_RT_SEEN_BIT) == 0) {
        barlint_rt_mark_first(b, index, sequence);
    }
    barlint_rt_warp_store_four(&warp->site, site, 0);
    // And nobody fails. The end of the phase counts, whoever of those who see it says so.
    barlint_rt_warp_store_two(&warp->synced_at, sequence + 1u - later, 0);
    return true;
}

// A lane that is alone has tested an mbarrier of its own CTA: it has seen the phase before the current
// one end, or not the current one. Returns false where there is more to it.
BARLINT_RT_INLINE bool barlint_rt_tested_alone(uint32_t form, uint32_t address, uint32_t space,
                                               uint64_t operand, bool passed, uint64_t who,
                                               uint64_t site)
{
    struct barlint_rt_alone at;
    uint32_t bit = (uint32_t)who;
    if (!barlint_rt_look_alone(&at, who, space, address)) {
        return false;
    }
    struct barlint_rt_object *o = at.object;
    struct barlint_rt_thread *thread = &at.records->thread[at.lane];
    uint32_t word = at.glance.word, sequence = barlint_rt_load(&at.block->sequence);
    bool by_token = barlint_rt_by_token(form);
    bool sound = barlint_rt_is_usable(word) &&
                 (by_token ? (uint32_t)(operand >> 44) == at.glance.name : operand <= 1u) &&
                 (!at.failing || thread->failed_at == at.index);
    uint32_t differ = by_token ? BARLINT_RT_PHASE_MASK : 1u;
    uint32_t behind = (word - (uint32_t)operand) & differ;
    if (!sound || behind > 1u) {
        return false;
    }
    uint32_t phase = barlint_rt_word_phase(word, at.glance.phase);
    if (!passed) {
        if (behind != 0 ||
            (at.failing && barlint_rt_cycles() - thread->since > BARLINT_RT_PATIENCE)) {
            return false;
        }
        if (!at.failing) {
            barlint_rt_alone_at(&at, site);
            thread->since = barlint_rt_cycles();
            thread->failed_at = at.index;
            thread->failed_phase = phase;
            thread->failed_site = site;
            atomicOr(&at.warp->failing, bit);
        }
        return true;
    }
    bool landed = behind == 0 && barlint_rt_is_counted(word) &&
                  word >> BARLINT_RT_PENDING_SHIFT == 0; // as in barlint_rt_tested_whole()
    phase -= landed ? 0 : 1u;
    if ((behind != 1u && !landed) || phase == BARLINT_RT_NONE) {
        return false;
    }
    if (landed) {
        barlint_rt_settle_counted(at.block, o, word);
    }
    at.records->waited[at.index][at.lane] = barlint_rt_stamp(at.glance.tag, phase);
    barlint_rt_alone_at(&at, site);
    if (!at.glance.seen && !landed) {
        barlint_rt_mark_first(at.block, at.index, sequence);
    }
    thread->synced_at = sequence + (landed ? 1u : 0u);
    if (at.failing) {
        atomicAnd(&at.warp->failing, ~bit);
    }
    return true;
}

BARLINT_RT_HOOK void barlint_rt_waited(uint32_t form, uint64_t address, uint32_t space,
                                       uint64_t operand, uint32_t passed, uint64_t who,
                                       uint64_t site)
{
    if ((uint32_t)who == 0xffffffffu && space == BARLINT_RT_SHARED_CTA &&
        barlint_rt_tested_whole((uint32_t)(who >> 32), form, (uint32_t)address, operand, passed,
                                site)) {
        return;
    }
    if (barlint_rt_is_alone(who) &&
        barlint_rt_tested_alone(form, (uint32_t)address, space, operand, passed != 0, who, site)) {
        return;
    }
    barlint_rt_waited_group(form, address, space, operand, passed, who, site);
}

BARLINT_RT_HOOK void barlint_rt_far(uint64_t address, uint32_t space, uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), true)) {
        return;
    }
    struct barlint_rt_target target = barlint_rt_target(here.block, address, space);
    if (target.place != BARLINT_PLACE_OWN) {
        (void)barlint_rt_bad_address(&here, target, address, BARLINT_ADDRESS_WAIT);
    }
}

BARLINT_RT_HOOK uint32_t barlint_rt_pending_count(uint64_t token, uint64_t site)
{
    struct barlint_rt_here here;
    if (token >> 56 == BARLINT_RT_TOKEN_MARK && !(token & BARLINT_RT_TOKEN_QUIET) && site != 0 &&
        barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        struct barlint_violations violations = barlint_violations_none();
        barlint_violations_add(&violations, BARLINT_ARRIVE_PENDING_COUNT);
        barlint_rt_report_lanes(&here, here.lanes, violations,
                                barlint_rt_about(&here, BARLINT_RT_NO_SUBJECT, 0));
    }
    return (uint32_t)(token >> 24) & BARLINT_COUNT_MAX_V0;
}
