// Hooks of the barrier of a cooperative grid, which is made of ordinary instructions on a workspace
// that the driver gives: one thread of each block adds to a word there and asks for its upper bit to
// turn. Part of device.cuh.

// The word of the running launch (grid.h). One that had it before is over.
BARLINT_RT_INLINE unsigned long long *barlint_rt_grid_of(struct barlint_rt_state *state,
                                                         uint64_t launch)
{
    unsigned long long *word =
        (unsigned long long *)&state->grids[launch % BARLINT_RT_LAUNCHES];
    unsigned long long old = barlint_rt_load64((const uint64_t *)word), seen = old;
    while (!barlint_rt_grid_is_of(old, launch)) {
        seen = atomicCAS(word, old, (unsigned long long)barlint_rt_grid_word(launch));
        old = seen == old ? barlint_rt_grid_word(launch) : seen;
    }
    return word;
}

BARLINT_RT_HOOK void barlint_rt_grid(uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_cooperative() &&
        barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        struct barlint_violations violations = barlint_violations_none();
        barlint_violations_add(&violations, BARLINT_LAUNCH_COOPERATIVE);
        barlint_rt_report_lanes(&here, here.lanes, violations,
                                barlint_rt_about(&here, BARLINT_RT_NO_SUBJECT, 0));
        barlint_rt_fault(&here, here.lanes);
    }
}

BARLINT_RT_HOOK void barlint_rt_grid_arrives(uint64_t site)
{
    struct barlint_rt_here here;
    uint64_t blocks = barlint_rt_grid_blocks();
    if (blocks > BARLINT_RT_GRID_MOST ||
        !barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    unsigned long long *word = barlint_rt_grid_of(here.state, barlint_rt_launch());
    uint64_t old = atomicAdd(word, BARLINT_RT_GRID_ARRIVAL);
    barlint_rt_store(&here.block->grid_in, barlint_rt_grid_in(old));
    *(volatile uint64_t *)&here.block->grid_since = 0;
    *(volatile uint64_t *)&here.block->grid_begun = barlint_rt_cycles();
    uint64_t rest = barlint_rt_grid_completes(old, (uint32_t)blocks);
    if (rest != 0) {
        atomicAdd(word, (unsigned long long)rest);
    }
}

// A thread asks for the end of a generation that cannot end, or of a launch that has come to its end.
// `over`: the latter. Words that two launches share may be wrong for a moment, and the hardware's may
// have turned since it was read: what is said has been so for a while.
static __device__ __noinline__ void barlint_rt_grid_stuck(uint64_t word, bool over, uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    volatile uint64_t *since = &here.block->grid_since;
    uint64_t now = barlint_rt_now();
    if (!over && *since == 0) {
        *since = now;
    }
    if (!over && now < *since + BARLINT_RT_QUIET) {
        return;
    }
    if (!over && here.lane == barlint_rt_first(here.lanes)) {
        struct barlint_rt_about about =
            barlint_rt_about(&here, BARLINT_RT_GRID_BARRIER, (uint32_t)(word >> 56));
        about.kind = BARLINT_RT_HANG;
        about.expected = (uint32_t)barlint_rt_grid_blocks();
        about.pending = about.expected - barlint_rt_grid_arrived(word);
        barlint_rt_report(&here, BARLINT_GRID_SKIP, &about);
    }
    barlint_rt_stop(&here, here.lanes);
}

// A thread of a cluster has asked for long: its block may stand still, and its cluster then hang.
static __device__ __noinline__ void barlint_rt_grid_still(uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), true) || !here.block->cluster) {
        return;
    }
    uint32_t bit = 1u << here.lane, in = barlint_rt_load(&here.block->grid_in);
    if (!(barlint_rt_load(&here.block->warp[here.warp].blocked) & bit)) {
        barlint_rt_block_lanes(&here, bit, BARLINT_RT_GRID_BARRIER, 0, in);
    } else if (barlint_rt_consider(&here)) {
        barlint_rt_end_thread();
    }
}

BARLINT_RT_HOOK void barlint_rt_grid_waits(uint64_t site)
{
    struct barlint_rt_state *state = barlint_rt_state_now();
    uint64_t launch = barlint_rt_launch(), blocks = barlint_rt_grid_blocks();
    if (!state || blocks > BARLINT_RT_GRID_MOST) {
        return;
    }
    struct barlint_rt_block *b = barlint_rt_own_shadow();
    uint64_t word = barlint_rt_load64(&state->grids[launch % BARLINT_RT_LAUNCHES]);
    bool over = barlint_rt_load64(&state->ended_in[launch % BARLINT_RT_LAUNCHES]) == launch + 1u;
    if (over || (barlint_rt_grid_is_of(word, launch) &&
                 barlint_rt_grid_is_stuck(word, barlint_rt_load(&b->grid_in), (uint32_t)blocks))) {
        barlint_rt_grid_stuck(word, over, site);
    } else if (barlint_rt_cluster_size() > 1u &&
               barlint_rt_cycles() - barlint_rt_load64(&b->grid_begun) > BARLINT_RT_PATIENCE) {
        barlint_rt_grid_still(site);
    }
}

// The block has ended. By one lane; several may have found out that nobody is left.
BARLINT_RT_INLINE void barlint_rt_leave_grid(struct barlint_rt_block *b)
{
    struct barlint_rt_state *state = barlint_rt_state_now();
    if (!state || !barlint_rt_cooperative() || barlint_rt_grid_blocks() > BARLINT_RT_GRID_MOST) {
        return;
    }
    uint32_t in = atomicExch(&b->grid_in, BARLINT_RT_NONE);
    unsigned long long *word = barlint_rt_grid_of(state, barlint_rt_launch());
    if (in != BARLINT_RT_NONE && in != barlint_rt_grid_in(barlint_rt_load64((uint64_t *)word))) {
        uint64_t now = atomicAdd(word, BARLINT_RT_GRID_END) + BARLINT_RT_GRID_END;
        if (barlint_rt_grid_is_over(now, (uint32_t)barlint_rt_grid_blocks())) {
            (void)atomicCAS(word, (unsigned long long)now, 0ull);
        }
    }
}
