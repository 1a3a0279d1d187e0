// Which mbarrier an operation means, what it is asked first, and how its phases end. Part of device.cuh.

// The object an operation works on: whose shared memory, and where in it.
struct barlint_rt_target {
    struct barlint_rt_block *block; // NULL: not shared memory
    uint32_t address;               // in that CTA's window
    uint32_t place;                 // enum barlint_place
    uint32_t rank;                  // of a BARLINT_PLACE_PEER
};

// May the address be another CTA's than the one whose shadow `own` is?
BARLINT_RT_INLINE bool barlint_rt_may_be_far(uint32_t address, const struct barlint_rt_block *own)
{
    return ((address ^ barlint_rt_home(own)) & BARLINT_RT_WINDOW) != 0;
}

BARLINT_RT_INLINE struct barlint_rt_target
barlint_rt_target(struct barlint_rt_block *b, uint64_t address, uint32_t space)
{
    struct barlint_rt_target target;
    target.block = b;
    target.address = (uint32_t)address;
    target.place = BARLINT_PLACE_OWN;
    target.rank = b->cta;
    bool far = space == BARLINT_RT_SHARED_CTA && barlint_rt_may_be_far((uint32_t)address, b);
    space = far ? (uint32_t)BARLINT_RT_SHARED_CLUSTER : space;
    if (space != BARLINT_RT_GENERIC && (barlint_rt_beyond_shared((uint32_t)address) ||
                                        (far && barlint_rt_cluster_size() == 1u))) {
        target.block = 0;
        target.place = BARLINT_PLACE_OTHER;
        return target;
    }
    if (space == BARLINT_RT_SHARED_CTA) {
        return target;
    }
    const void *generic = (const void *)address;
    if (space == BARLINT_RT_GENERIC) {
        if (__isShared(generic)) {
            target.address = (uint32_t)__cvta_generic_to_shared(generic);
            return target;
        }
#if __CUDA_ARCH__ >= 900
        if (__isClusterShared(generic)) {
            asm("{\n.reg .u64 a;\ncvta.to.shared::cluster.u64 a, %1;\ncvt.u32.u64 %0, a;\n}"
                : "=r"(target.address)
                : "l"(address));
            space = BARLINT_RT_SHARED_CLUSTER;
        }
#endif
    }
#if __CUDA_ARCH__ >= 900
    if (space == BARLINT_RT_SHARED_CLUSTER) {
        // An address in .shared is one of the cluster's window already, or is not; what the peer
        // calls its own looks the same.
        uint32_t rank, mapped, at_home, own = barlint_rt_home(b);
        asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(target.address));
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(own), "r"(rank));
        asm("mapa.shared::cluster.u32 %0, %1, %2;"
            : "=r"(at_home)
            : "r"(own), "r"(b->cta));
        target.address -= at_home == own ? 0 : mapped - own;
        if (rank != b->cta) {
            target.block = barlint_rt_shadow_of(b, rank);
            target.place = BARLINT_PLACE_PEER;
            target.rank = rank;
        }
        return target;
    }
#endif
    target.block = 0;
    target.place = BARLINT_PLACE_OTHER;
    return target;
}

// An addition to a word of the target's block. Returns what was there.
BARLINT_RT_INLINE uint32_t barlint_rt_add_at(struct barlint_rt_target target, uint32_t *word,
                                             uint32_t amount)
{
    return target.place == BARLINT_PLACE_OWN ? barlint_rt_shared_add(word, amount)
                                             : atomicAdd(word, amount);
}

// The object as it is now, for looking at without the lock. (Of a block that is being ended, it may
// be anything.)
BARLINT_RT_INLINE struct barlint_mbarrier barlint_rt_view(const struct barlint_rt_block *b,
                                                          const struct barlint_rt_object *o)
{
    for (;;) {
        uint32_t before = barlint_rt_load(&o->word);
        bool changing = (before & BARLINT_RT_OPEN) ||
                        (barlint_rt_is_plain(before) && before >> BARLINT_RT_PENDING_SHIFT == 0);
        if (changing && !barlint_rt_load(&b->ended)) {
            __nanosleep(20);
            continue;
        }
        __threadfence_block();
        struct barlint_mbarrier m = o->m;
        __threadfence_block();
        if (barlint_rt_load(&o->word) == before) {
            if (barlint_rt_is_counted(before)) {
                m.phase = barlint_rt_word_phase(before, m.phase);
            }
            if (barlint_rt_is_usable(before)) {
                m.pending = before >> BARLINT_RT_PENDING_SHIFT;
            }
            return m;
        }
    }
}

// Has the initialisation been made known to this thread?
BARLINT_RT_INLINE void barlint_rt_check_known(const struct barlint_rt_here *here,
                                              const struct barlint_rt_object *o,
                                              struct barlint_violations *violations)
{
    barlint_rt_learn(here->block, here->warp, o);
    struct barlint_actor actor =
        barlint_rt_actor(here->block, here->thread, here->block->cta, here->number);
    struct barlint_effect effect = barlint_effect_none();
    barlint_mbarrier_check_published(&o->m, &actor, &effect);
    barlint_violations_merge(violations, effect.violations);
}

// What a lane's own record says of the operation it is about to execute on its own CTA's object.
BARLINT_RT_INLINE struct barlint_violations
barlint_rt_check_lane(struct barlint_user *user, const struct barlint_mbarrier *m, uint32_t op,
                      uint64_t operand, uint32_t flags)
{
    struct barlint_violations violations = barlint_violations_none();
    if (m->state == BARLINT_RAW) {
        return violations;
    }
    if (op == BARLINT_RT_ARRIVE) {
        struct barlint_arrive arrive = barlint_arrive_plain((uint32_t)operand);
        arrive.expects = (flags & BARLINT_RT_EXPECTS) != 0;
        arrive.drops = (flags & BARLINT_RT_DROPS) != 0;
        violations = barlint_user_arrives(user, m, arrive);
    } else if (op == BARLINT_RT_EXPECT_TX) {
        violations = barlint_user_expects(user, m);
    }
    return violations;
}

// The block is about to arrive at a peer. Who waits for that there knows of the mbarriers that it has
// made.
BARLINT_RT_INLINE void barlint_rt_tell_peer(struct barlint_rt_block *b,
                                            struct barlint_rt_target target)
{
    uint32_t bit = 1u << target.rank;
    if ((barlint_rt_load(&b->untold) & bit) == 0) {
        return;
    }
    atomicAnd(&b->untold, ~bit);
    BARLINT_ROLLED
    for (uint32_t i = 0; i < BARLINT_RT_OBJECTS; i++) {
        uint32_t before = barlint_rt_load(&b->object[i].told) & bit;
        atomicOr(&b->object[i].told, bit | before << BARLINT_MAX_CLUSTER);
    }
    uint32_t at = barlint_rt_lookup(target.block, target.address) % BARLINT_RT_OBJECTS;
    uint32_t phase = barlint_rt_phase_now(&target.block->object[at]) & BARLINT_RT_TOKEN_PHASE;
    barlint_rt_store(&target.block->heard[b->cta], at << 24 | phase);
    __threadfence();
}

// Has somebody here seen the phase end in which the owner of the object arrived here? The lane may know
// of the object then. Whether it does is not asked: no false alarm, at the price of a bug missed. The
// same of an object that was told of before the last time, which is all that is kept of each CTA.
BARLINT_RT_INLINE bool barlint_rt_has_heard(const struct barlint_rt_block *own,
                                            const struct barlint_rt_block *owner,
                                            const struct barlint_rt_object *o)
{
    uint32_t heard = barlint_rt_load(&own->heard[owner->cta]);
    const struct barlint_rt_object *by = &own->object[(heard >> 24) % BARLINT_RT_OBJECTS];
    uint32_t since = (barlint_rt_phase_now(by) - heard) & BARLINT_RT_TOKEN_PHASE;
    uint32_t told = barlint_rt_load(&o->told) >> own->cta;
    return (told >> BARLINT_MAX_CLUSTER & 1u) != 0 ||
           ((told & 1u) != 0 &&
            (since > 1u || (since == 1u && *(const volatile bool *)&by->m.seen)));
}

// Executes the operation for a group of lanes with equal operands; the lock is held by the first.
BARLINT_RT_INLINE struct barlint_effect
barlint_rt_perform(const struct barlint_rt_here *here, struct barlint_rt_block *b, uint32_t at,
                   uint32_t group, uint32_t op, uint64_t operand, uint32_t flags)
{
    struct barlint_effect effect = barlint_effect_none();
    uint32_t lanes = group, round = barlint_rt_round_number(b, here->warp);
    bool once = barlint_rt_merges(op, flags);
    if (op == BARLINT_RT_INIT && b->made_in != round) { // apart from what was there in rounds before
        b->made_in = round;
        barlint_rt_completed(b);
    }
    while (lanes != 0) {
        uint32_t lane = barlint_rt_first(lanes);
        struct barlint_actor actor = barlint_rt_actor(b, &here->records->thread[lane],
                                                      here->block->cta,
                                                      here->warp * BARLINT_WARP_SIZE + lane);
        actor.ordered = b == here->block ? op != BARLINT_RT_INIT // each lane has been asked
                                         : barlint_rt_has_heard(here->block, b, &b->object[at]);
        struct barlint_effect one = barlint_rt_apply(b, at, &actor, once ? __popc(group) : 1u, op,
                                                     operand, flags);
        barlint_violations_merge(&effect.violations, one.violations);
        effect.hardware = one.hardware > effect.hardware ? one.hardware : effect.hardware;
        effect.completed = effect.completed || one.completed;
        lanes = once ? 0 : lanes & (lanes - 1u);
    }
    if (op == BARLINT_RT_INIT) {
        b->object[at].made_at = here->site;
        b->object[at].made_in = round;
        barlint_rt_store(&b->seen_at[at], 0);
        barlint_rt_store(&b->object[at].told, 0);
        barlint_rt_store(&b->untold, BARLINT_RT_UNTOLD * ((1u << BARLINT_MAX_CLUSTER) - 1u));
    }
    return effect;
}

BARLINT_RT_INLINE enum barlint_address_use barlint_rt_use(uint32_t op, uint32_t flags)
{
    return op == BARLINT_RT_INIT || op == BARLINT_RT_INVAL ? BARLINT_ADDRESS_OWNER
           : op == BARLINT_RT_ARRIVE && !(flags & BARLINT_RT_NO_TOKEN) ? BARLINT_ADDRESS_TOKEN
                                                                     : BARLINT_ADDRESS_SHARED;
}

// The address is none an operation may have. Returns true where the operation must not go on.
BARLINT_RT_INLINE bool barlint_rt_bad_address(const struct barlint_rt_here *here,
                                              struct barlint_rt_target target, uint64_t address,
                                              enum barlint_address_use use)
{
    struct barlint_effect effect = barlint_mbarrier_check_address(
        target.block ? target.address : address, (enum barlint_place)target.place, use);
    struct barlint_rt_about about =
        barlint_rt_about(here, BARLINT_RT_MBARRIER, (uint32_t)address);
    uint32_t lanes = barlint_rt_together(here->site);
    barlint_rt_report_group(here, lanes, effect.violations, about);
    if (__any_sync(lanes, effect.hardware == BARLINT_TRAPS)) {
        barlint_rt_fault(here, lanes);
    }
    return !target.block;
}

// The lanes that are here are at `site`.
BARLINT_RT_INLINE void barlint_rt_be_at(const struct barlint_rt_short *at, uint64_t site)
{
    if (at->whole) {
        barlint_rt_warp_store_four(&at->warp->site, site, 0);
    } else {
        barlint_rt_lanes_at(at->warp, at->lane, at->lanes, site);
    }
}

// The last arrival of the phase `phase` begins the next one, by one lane. `word` is what it found.
BARLINT_RT_INLINE void barlint_rt_end_phase(struct barlint_rt_block *b,
                                            struct barlint_rt_object *o, uint32_t word,
                                            uint32_t phase, uint32_t expected)
{
    barlint_rt_store(&o->m.phase, phase + 1u);
    *(volatile bool *)&o->m.seen = false;
    barlint_rt_store(&o->m.announced, 0);
    barlint_rt_store(&o->m.announcer, 0);
    barlint_rt_shared_count(&b->sequence);
    barlint_rt_in_order();
    (void)barlint_rt_shared_add(&o->word, barlint_rt_word_next(word, expected));
}

// The same of an object that may be another CTA's.
BARLINT_RT_INLINE void barlint_rt_end_phase_at(struct barlint_rt_target target,
                                               struct barlint_rt_object *o, uint32_t word,
                                               uint32_t phase, uint32_t expected)
{
    if (target.place == BARLINT_PLACE_OWN) {
        barlint_rt_end_phase(target.block, o, word, phase, expected);
        return;
    }
    barlint_rt_store(&o->m.phase, phase + 1u);
    *(volatile bool *)&o->m.seen = false;
    barlint_rt_store(&o->m.announced, 0);
    barlint_rt_store(&o->m.announcer, 0);
    atomicAdd(&target.block->sequence, 1u);
    barlint_rt_in_order();
    barlint_rt_far_release(&o->word, barlint_rt_word_next(word, expected));
}

// Arrivals on an object without the lock, `bytes` announced with them. By one lane for all of them.
// Returns the word before them; 0 where they have not been made.
BARLINT_RT_INLINE uint32_t barlint_rt_arrive_ordinary(struct barlint_rt_target target,
                                                      struct barlint_rt_object *o,
                                                      uint32_t arrivals, uint32_t bytes)
{
    uint32_t word = barlint_rt_load(&o->word), expected = barlint_rt_load(&o->m.expected);
    if (!barlint_rt_word_takes(word, arrivals, expected) ||
        (bytes != 0 && !barlint_rt_is_counted(word))) {
        return 0;
    }
    uint32_t counted = arrivals << BARLINT_RT_PENDING_SHIFT;
    if (bytes != 0) {
        atomicAdd(&o->m.tx, (int32_t)bytes);
    }
    word = barlint_rt_add_at(target, &o->word, 0u - counted);
    if (!barlint_rt_word_takes(word, arrivals, expected)) {
        if (barlint_rt_is_usable(word)) {
            barlint_rt_add_at(target, &o->word, counted); // others were faster, and too many
        }
        if (bytes != 0) {
            atomicSub(&o->m.tx, (int32_t)bytes);
        }
        return 0;
    }
    if (barlint_rt_is_plain(word) && word >> BARLINT_RT_PENDING_SHIFT == arrivals) { // it ends
        barlint_rt_end_phase_at(target, o, word, barlint_rt_load(&o->m.phase), expected);
    }
    return word;
}

// The hardware says that the phase of a counted word is over, and no arrival is missing: the next one
// begins, for whoever is first to say so. The phase has been seen.
BARLINT_RT_INLINE void barlint_rt_settle_counted(struct barlint_rt_block *b,
                                                 struct barlint_rt_object *o, uint32_t word)
{
    uint32_t phase = barlint_rt_word_phase(word, barlint_rt_load(&o->m.phase));
    int32_t bytes = *(volatile int32_t *)&o->m.tx - (o->by_copies ? 1 : 0);
    if (atomicCAS(&o->word, word, word + barlint_rt_word_next(word, o->m.expected)) == word) {
        barlint_rt_store(&o->m.phase, phase + 1u);
        *(volatile bool *)&o->m.seen = true;
        barlint_rt_store(&o->m.announced, 0);
        barlint_rt_store(&o->m.announcer, 0);
        atomicSub(&o->m.tx, bytes);
        uint32_t sequence = barlint_rt_shared_add(&b->sequence, 1u) + 1u;
        barlint_rt_store(&b->seen_at[o - b->object], sequence);
    }
}
