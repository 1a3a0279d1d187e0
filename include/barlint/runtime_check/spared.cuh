// Blocks that are not checked because others are, or have been. In some kernels every block does the
// same with its barriers (analyzer/instrument/repeat.c): then the first ones of a launch are checked.
// Where mbarriers are all that can hold a thread, the others need not wait for that: when one of the
// first is ended, their waits ask for it. Elsewhere they would hang in the hardware, so that blocks
// are checked until enough of them have ended and were right. In some every launch of the same
// extents, with the same in the parameters that matter, does the same: once all blocks of one have
// been right, the next ones are spared. One launch, or block, of many is checked all the same, and
// all are once anything has been told. Part of device.cuh.

#define BARLINT_RT_ENOUGH 16u // blocks of a launch in which all do the same
#define BARLINT_RT_ONE_OF 64u // blocks of such a launch, or launches, is checked all the same

// What a launch does again: the kernel and what it is given, in the upper half of a word that counts in
// the lower one.
BARLINT_RT_INLINE uint64_t barlint_rt_what(uint32_t again, uint64_t key, uint64_t site)
{
    uint64_t what = key ^ site * 0x9e3779b97f4a7c15ull;
    what ^= again & BARLINT_RT_LAUNCHES_ALIKE ? 0 : barlint_rt_launch() * 0xd6e8feb86659fd93ull;
    uint64_t extents[] = {gridDim.x, (uint64_t)gridDim.y << 32 | gridDim.z,
                          blockDim.x | (uint64_t)blockDim.y << 32 | (uint64_t)blockDim.z << 48,
                          barlint_rt_cluster_size() | (uint64_t)barlint_rt_dynamic_bytes() << 32};
#pragma unroll
    for (uint32_t i = 0; i < sizeof extents / sizeof extents[0]; i++) {
        what = (what ^ extents[i]) * 0x9e3779b97f4a7c15ull;
        what ^= what >> 29;
    }
    return what << 32 | 1ull << 63;
}

BARLINT_RT_INLINE unsigned long long *barlint_rt_checked(struct barlint_rt_state *state,
                                                         uint64_t what)
{
    return (unsigned long long *)&state->checked[(what >> 32) % BARLINT_RT_KERNELS];
}

BARLINT_RT_INLINE uint64_t barlint_rt_grid_blocks(void)
{
    return (uint64_t)gridDim.x * gridDim.y * gridDim.z;
}

// Have enough blocks been right? Two that share a word begin anew each time that the other counts; no
// more is spared by that.
BARLINT_RT_INLINE bool barlint_rt_enough_are_right(struct barlint_rt_state *state, uint32_t again,
                                                   uint64_t what)
{
    uint64_t counted = barlint_rt_load64((const uint64_t *)barlint_rt_checked(state, what));
    uint64_t needed = again & BARLINT_RT_BLOCKS_ALIKE ? BARLINT_RT_ENOUGH : barlint_rt_grid_blocks();
    return counted >> 32 == what >> 32 && (uint32_t)counted >= needed;
}

// Blocks that are to be alike, or to have been: can this one do without hooks?
BARLINT_RT_INLINE bool barlint_rt_can_spare(struct barlint_rt_state *state, uint32_t again,
                                            uint64_t key, uint64_t site)
{
    // Blocks of a cluster share barriers.
    again &= barlint_rt_cluster_size() == 1u ? ~0u : ~(uint32_t)BARLINT_RT_BLOCKS_ALIKE;
    uint64_t block = barlint_rt_block_number(), launch = barlint_rt_launch();
    bool fits = !(again & BARLINT_RT_IN_LINE) ||
                (blockDim.y * blockDim.z == 1u && blockDim.x % BARLINT_WARP_SIZE == 0);
    if ((again & BARLINT_RT_BLOCKS_ALIKE) && (again & BARLINT_RT_POLLS) && fits &&
        block >= BARLINT_RT_ENOUGH) {
        return true;
    }
    bool is_due = again & BARLINT_RT_LAUNCHES_ALIKE
                      ? launch % BARLINT_RT_ONE_OF == 0
                      : block % BARLINT_RT_ONE_OF == 0 && block < barlint_rt_grid_blocks() / 4u;
    return !is_due && (again & (BARLINT_RT_BLOCKS_ALIKE | BARLINT_RT_LAUNCHES_ALIKE)) &&
           barlint_rt_enough_are_right(state, again, barlint_rt_what(again, key, site));
}

// The first block of a launch with clusters decides for all of them.
BARLINT_RT_INLINE bool barlint_rt_decide(struct barlint_rt_state *state, bool spared)
{
    uint64_t launch = barlint_rt_launch();
    unsigned long long *word =
        (unsigned long long *)&state->decided[launch % BARLINT_RT_DECISIONS];
    unsigned long long mine = launch << 2 | 2u | (spared ? 1u : 0), old = *word, seen;
    do {
        seen = old;
        if (seen >> 2 == launch && (seen & 2u)) {
            return seen & 1u;
        }
        old = atomicCAS(word, seen, mine);
    } while (old != seen);
    return spared;
}

BARLINT_RT_HOOK uint32_t barlint_rt_is_spared(uint32_t again, uint64_t key, uint64_t site)
{
    struct barlint_rt_state *state = barlint_rt_state_now();
    bool spared = state == 0;
    if (state && !(state->options & (BARLINT_RT_EVERY_BLOCK | BARLINT_RT_CONTINUE))) {
        spared = !barlint_rt_load(&state->reported) &&
                 barlint_rt_can_spare(state, again, key, site);
        spared = barlint_rt_cluster_size() == 1u ? spared : barlint_rt_decide(state, spared);
    }
    return barlint_rt_block_agrees(spared);
}

BARLINT_RT_HOOK void barlint_rt_spared_waits(void)
{
    struct barlint_rt_state *state = barlint_rt_state_now();
    uint64_t launch = barlint_rt_launch();
    if (state && barlint_rt_load64(&state->ended_in[launch % BARLINT_RT_LAUNCHES]) == launch + 1u) {
        barlint_rt_exit_now();
    }
}

BARLINT_RT_HOOK void barlint_rt_repeats(uint32_t self, uint32_t again, uint64_t key, uint64_t site)
{
    if (barlint_rt_thread_of_self(self) == 0) {
        *(volatile uint64_t *)&barlint_rt_block_of_self(self)->repeats =
            barlint_rt_what(again, key, site);
    }
}

// The block has ended. By one lane; several may have found out that nobody is left.
BARLINT_RT_INLINE void barlint_rt_count_checked(struct barlint_rt_block *b)
{
    struct barlint_rt_state *state = barlint_rt_state_now();
    bool is_right = b->repeats != 0 && !barlint_rt_load(&b->reported) && !barlint_rt_load(&b->ended);
    uint64_t what =
        is_right && state ? atomicExch((unsigned long long *)&b->repeats, 0ull) : 0;
    if (what == 0) {
        return;
    }
    unsigned long long *word = barlint_rt_checked(state, what), old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, (seen >> 32 == what >> 32 ? seen : what) + 1u);
    } while (old != seen);
}

#ifndef BARLINT_RT_SIMULATED
BARLINT_RT_HOOK uint32_t barlint_rt_agree(uint64_t value)
{
    volatile uint64_t *board = barlint_rt_board();
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        *board = value;
    }
    barlint_rt_await_block();
    return barlint_rt_block_agrees(*board == value);
}
#endif
