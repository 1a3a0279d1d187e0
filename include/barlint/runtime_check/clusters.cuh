// The clusters that run: who takes part, and who has ended or stands still. Part of device.cuh.

BARLINT_RT_INLINE struct barlint_rt_cluster *barlint_rt_own_cluster(const struct barlint_rt_here *here)
{
    struct barlint_rt_block *b = here->block;
    uint32_t size = barlint_rt_cluster_size();
    if (b->cluster || size == 1u) {
        return b->cluster;
    }
    uint64_t key = barlint_rt_cluster_key();
    struct barlint_rt_state *state = here->state;
    // A bucket of eight entries, searched under the lock of its first.
    uint32_t bucket = (uint32_t)((key * 0x9e3779b97f4a7c15ull >> 40) % (state->cluster_count / 8u));
    struct barlint_rt_cluster *entry = &state->clusters[bucket * 8u];
    struct barlint_rt_cluster *found = 0;
    barlint_rt_acquire(&entry->lock);
    for (uint32_t i = 0; i < 8u && !found; i++) {
        found = *(volatile uint64_t *)&entry[i].key == key ? &entry[i] : 0;
    }
    for (uint32_t i = 0; i < 8u && !found; i++) {
        if (*(volatile uint64_t *)&entry[i].key == 0) {
            found = &entry[i];
            found->gone = 0;
            found->broken = 0;
            found->lacked = 0;
            found->counting = 0;
            barlint_cluster_start(&found->machine, size, b->block.threads);
            BARLINT_ROLLED
            for (uint32_t r = 0; r < BARLINT_MAX_CLUSTER; r++) {
                found->quiet[r] = 0;
                found->shadow[r] = 0;
                found->read[r] = 0;
            }
            __threadfence();
            *(volatile uint64_t *)&found->key = key;
        }
    }
    barlint_rt_release(&entry->lock);
#if BARLINT_RT_GLOBAL_SHADOW
    if (found) {
        barlint_rt_store(&found->shadow[b->cta], (uint32_t)(b - state->shadows) + 1u);
    }
#endif
    b->cluster = found;
    return b->cluster;
}

// So many threads of the block arrive at the cluster's barrier. They are counted in the block, and by the
// cluster when all have come, or come without those that have ended. By one lane.
BARLINT_RT_INLINE void barlint_rt_come_to_cluster(struct barlint_rt_block *b, uint32_t threads)
{
    struct barlint_rt_cluster *cluster = b->cluster;
    uint32_t came = atomicAdd(&b->cluster_came, threads) + threads;
    barlint_rt_in_order();
    if (came != barlint_rt_load(&b->live_lanes) && !barlint_rt_load(&b->has_left_cluster)) {
        return;
    }
    came = atomicExch(&b->cluster_came, 0u);
    if (came != 0) {
        struct barlint_effect effect = barlint_effect_none();
        barlint_rt_acquire(&cluster->counting);
        barlint_cluster_count(&cluster->machine, b->cta, came, &effect);
        barlint_rt_release(&cluster->counting);
    }
}

// Lanes of this warp do something at the cluster's barrier that not all of it do: what they have done
// there stands in their own records from now on. By all of them.
BARLINT_RT_INLINE void barlint_rt_part_in_cluster(const struct barlint_rt_here *here)
{
    struct barlint_rt_warp *warp = &here->block->warp[here->warp];
    uint32_t leader = barlint_rt_first(here->lanes), was = 0, at = barlint_rt_load(&warp->cluster_at);
    if (here->lane == leader) {
        was = atomicAnd(&warp->in_step, ~here->lanes);
    }
    was = __shfl_sync(here->lanes, was, (int)leader);
    if (was >> here->lane & 1u) {
        here->thread->cluster.in = (at & 1u) != 0;
        here->thread->cluster.phase = at / 2u;
        here->thread->cluster_waits = at / 2u;
    }
}

// Lanes that are here have done something there. Are they a whole warp that is in step again: has each
// waited for all phases so far, and has arrived in the one that is open, or none has?
BARLINT_RT_INLINE void barlint_rt_join_in_cluster(const struct barlint_rt_here *here)
{
    struct barlint_rt_warp *warp = &here->block->warp[here->warp];
    const struct barlint_cluster_thread *thread = &here->thread->cluster;
    uint32_t waits = here->thread->cluster_waits, at = waits * 2u | (thread->in ? 1u : 0u);
    // Who has not arrived holds the phase open.
    uint32_t phase =
        thread->in ? thread->phase : barlint_rt_load(&here->block->cluster->machine.phase);
    if (here->lanes == 0xffffffffu && __all_sync(0xffffffffu, phase == waits) &&
        barlint_rt_same(0xffffffffu, at, phase) && here->lane == 0) {
        barlint_rt_store(&warp->cluster_at, at);
        barlint_rt_in_order();
        barlint_rt_store(&warp->in_step, 0xffffffffu);
    }
}

// A block of a cluster ends, or is being ended: the others do not ask any more whether it stands still.
BARLINT_RT_INLINE void barlint_rt_end_in_cluster(struct barlint_rt_state *state,
                                                 struct barlint_rt_cluster *cluster, uint32_t cta)
{
    uint32_t *lock = &state->clusters[(cluster - state->clusters) / 8u * 8u].lock;
    barlint_rt_acquire(lock);
    cluster->gone |= 1u << cta;
    if (__popc(cluster->gone) == (int)cluster->machine.ctas) {
        *(volatile uint64_t *)&cluster->key = 0;
    }
    barlint_rt_release(lock);
}

// Has a peer ended by itself, all of its threads? Its shared memory is nobody's then. (It may end right
// after this was asked, and who looks at its shadow then ends the kernel, as the operation might have.
// It cannot stay until its peers have ended: the hardware's barrier would wait for it.)
BARLINT_RT_INLINE bool barlint_rt_has_left(const struct barlint_rt_block *b, uint32_t rank)
{
    const struct barlint_rt_cluster *cluster = b->cluster;
    return cluster && (barlint_rt_load(&cluster->gone) >> rank & 1u) &&
           !barlint_rt_load(&cluster->broken);
}

// An access to the memory of a CTA that does not wait for it goes well as long as that one is slower. The
// first times at each place, it is held back until the owner has ended or has had the time to: who has
// waited for it, waits. By all of `lanes`, those that are `far` each for its `owner`. Returns whether the
// next one may be held back, too.
static __device__ __noinline__ bool barlint_rt_hold_back(const struct barlint_rt_block *b,
                                                         uint32_t lanes, uint64_t site, bool far,
                                                         uint32_t owner)
{
    struct barlint_rt_state *state = barlint_rt_state_now();
    uint32_t cluster_of = b->cluster ? b->cluster->machine.ctas : 0, leader = barlint_rt_first(lanes);
    bool here = state && cluster_of > 1u && !BARLINT_RT_ENDS_UNSEEN; // else nobody knows who ends
    if (!__any_sync(lanes, here && far)) {
        return false;
    }
    uint32_t mark = ((uint32_t)(site ^ site >> 32) * 0x9e3779b9u >> 16) % BARLINT_RT_HOLDS;
    uint32_t number = (uint32_t)barlint_rt_block_number() + 1u, bank = number <= cluster_of, other = 0;
    uint32_t *times = &state->held[bank][mark], *holder = &state->holder[bank][mark];
    bool first = barlint_rt_lane_number() == leader;
    uint32_t before = first ? barlint_rt_load(times) : 0;
    if (first && before < BARLINT_RT_HELD) {
        // Blocks that wait for each other's ends would learn nothing.
        other = atomicCAS(holder, 0u, number);
        other = other == number ? 0 : other;
        before = other == 0 ? atomicAdd(times, 1u) : before;
    }
    before = __shfl_sync(lanes, before, (int)leader);
    if (before >= BARLINT_RT_HELD || __shfl_sync(lanes, other, (int)leader) != 0) {
        return before < BARLINT_RT_HELD;
    }
    struct barlint_rt_stopwatch watch = barlint_rt_stopwatch();
    bool asked = (state->options & BARLINT_RT_PEDANTIC) != 0;
    uint64_t most = asked ? BARLINT_RT_HOLD : BARLINT_RT_HOLD >> (2u * before + 1u);
    most = most > BARLINT_RT_HOLD_LEAST ? most : BARLINT_RT_HOLD_LEAST;
    while (!__any_sync(lanes, (far && barlint_rt_has_left(b, owner)) || barlint_rt_load(&b->ended) ||
                                  barlint_rt_ran_for(&watch) > most)) {
        __nanosleep(500);
    }
    if (first) {
        (void)atomicCAS(holder, number, 0u);
    }
    return true;
}

// Has no barrier of the cluster shown yet that the other CTAs have begun?
BARLINT_RT_INLINE bool barlint_rt_is_too_early(const struct barlint_rt_here *here)
{
    const struct barlint_rt_cluster *cluster = here->block->cluster;
    return cluster && barlint_rt_load(&cluster->machine.phase) == 0 &&
           barlint_rt_cluster_waits(&here->block->warp[here->warp], here->thread, here->lane) == 0;
}

// The generation that the running launch is in at the grid's barrier, as barlint_rt_grid_in() has it; 0:
// not known.
BARLINT_RT_INLINE uint32_t barlint_rt_grid_generation(struct barlint_rt_state *state)
{
    uint64_t launch = barlint_rt_launch();
    uint64_t word = barlint_rt_load64(&state->grids[launch % BARLINT_RT_LAUNCHES]);
    return barlint_rt_grid_is_of(word, launch) ? barlint_rt_grid_in(word) : 0;
}

// Do the other CTAs of the cluster stand still, too? Says the same of this one, and whether it has a
// thread that waits `at_grid`. One that has may go on when other blocks come, but not without this one
// where that has not been there either.
BARLINT_RT_INLINE bool barlint_rt_cluster_quiet(const struct barlint_rt_here *here, uint64_t now,
                                                bool at_grid)
{
    struct barlint_rt_cluster *cluster = here->block->cluster;
    if (!cluster) {
        return true;
    }
    *(volatile uint64_t *)&cluster->quiet[here->block->cta] = now << 1 | (at_grid ? 1u : 0u);
    uint32_t gone = barlint_rt_load(&cluster->gone);
    bool waits = false;
    for (uint32_t r = 0; r < cluster->machine.ctas; r++) {
        uint64_t word = *(volatile uint64_t *)&cluster->quiet[r], said = word >> 1;
        if (!(gone >> r & 1u) && (said == 0 || now - said > BARLINT_RT_FRESH) && now > said) {
            return false;
        }
        waits = waits || (!(gone >> r & 1u) && (word & 1u));
    }
    uint32_t generation = waits ? barlint_rt_grid_generation(here->state) : 0;
    return !waits || (generation != 0 && generation != barlint_rt_load(&here->block->grid_in));
}
