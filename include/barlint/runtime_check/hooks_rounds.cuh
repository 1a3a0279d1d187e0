// Hooks of the barrier of all threads in kernels that have no other of their block (rounds.h). Part of
// device.cuh.

BARLINT_RT_HOOK uint32_t barlint_rt_enter_rounds(uint64_t site)
{
    return barlint_rt_enter_by(1, site);
}

BARLINT_RT_HOOK uint64_t barlint_rt_rounds(void)
{
    uint32_t threads = blockDim.x * blockDim.y * blockDim.z, number = barlint_rt_warp_number();
    bool last = (number + 1u) * BARLINT_WARP_SIZE >= threads;
    uint32_t next = last ? 0u - number * 4u : 4u;
    return (uint64_t)next << 32 | barlint_rt_place_of(&barlint_rt_own_shadow()->round[0][number]);
}

BARLINT_RT_INLINE uint64_t barlint_rt_round_state(const struct barlint_rt_block *b, uint32_t warp)
{
    uint32_t number = barlint_rt_round_number(b, warp);
    return (uint64_t)number << 32 |
           barlint_rt_place_of(&b->round[number / BARLINT_RT_ROUND % 2u][warp]);
}

BARLINT_RT_INLINE void barlint_rt_round_come(uint64_t state, uint32_t mark)
{
    barlint_rt_store(barlint_rt_word_at((uint32_t)state), (uint32_t)(state >> 32) | mark);
}

// Fewer than 32 lanes come. Once all have come that live, the warp has.
static __device__ __noinline__ uint64_t barlint_rt_round_apart(uint32_t kind, uint32_t flags,
                                                               uint64_t state, uint32_t lanes,
                                                               uint64_t site)
{
    uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    if (lanes == barlint_block_lanes(threads, barlint_rt_warp_number())) { // a last warp in part
        barlint_rt_round_come(state, barlint_rt_round_mark(kind, flags, site));
        return state;
    }
    struct barlint_rt_here here;
    lanes = barlint_rt_together(site);
    if (!barlint_rt_begin(&here, site, lanes, false)) {
        return state;
    }
    struct barlint_rt_block *b = here.block;
    struct barlint_rt_warp *warp = &b->warp[here.warp];
    struct barlint_named_op op = barlint_rt_round_op(barlint_rt_round_mark(kind, flags, site));
    struct barlint_effect effect = barlint_effect_none();
    struct barlint_rt_about about = barlint_rt_about(&here, BARLINT_RT_NAMED, 0);
    about.slot = &b->slot[0];
    uint32_t leader = barlint_rt_first(lanes);
    bool counts = false, ended = false;
    __syncwarp(lanes); // none of them counts as blocked any more
    if (here.lane == leader) {
        barlint_rt_lock(b);
        ended = barlint_rt_load(&b->ended) != 0;
        warp->slot = 0;
        if (warp->named.lanes == 0) {
            warp->named.op = op;
            warp->named.split = false;
        } else {
            barlint_named_check_warp(&warp->named, &op, &effect);
        }
        warp->named.lanes |= lanes;
        counts = !ended && barlint_rt_round_gather(b, here.warp, &effect.violations);
        barlint_rt_tell_exits(b, effect.violations);
        if (counts) {
            warp->woken &= ~lanes;
        } else if (!ended) { // before the lock is free: nobody sees a state in which they are not
            barlint_rt_block_lanes(&here, lanes, BARLINT_RT_NAMED, 0, 0);
        }
        barlint_rt_unlock(b);
    }
    if (__any_sync(lanes, ended)) {
        barlint_rt_end_thread();
    }
    barlint_rt_report_group(&here, lanes, effect.violations, about);
    if (!__shfl_sync(lanes, (int)counts, (int)leader)) {
        barlint_rt_await(&here, &op, &about);
    }
    return barlint_rt_round_state(b, here.warp);
}

BARLINT_RT_HOOK uint64_t barlint_rt_round(uint32_t kind, uint32_t flags, uint64_t state,
                                          uint32_t lanes, uint64_t site)
{
    uint32_t at = (uint32_t)state ^ BARLINT_RT_ROUND_TURN;
    uint32_t number = (uint32_t)(state >> 32) + BARLINT_RT_ROUND;
    state = (uint64_t)number << 32 | at;
    if (lanes != 0xffffffffu) {
        return barlint_rt_round_apart(kind, flags, state, lanes, site);
    }
    barlint_rt_round_come(state, barlint_rt_round_mark(kind, flags, site));
    return state;
}

// The barrier is over, and the word of the next warp is not the same as this one's, `word`.
static __device__ __noinline__ void barlint_rt_round_differs(uint32_t word, uint64_t site)
{
    struct barlint_rt_here here;
    uint32_t lanes = barlint_rt_together(site);
    if (!barlint_rt_begin(&here, site, lanes, false)) {
        return;
    }
    struct barlint_rt_block *b = here.block;
    uint32_t next = (here.warp + 1u) % b->warps;
    uint32_t other = barlint_rt_load(&b->round[word / BARLINT_RT_ROUND % 2u][next]);
    struct barlint_effect effect = barlint_effect_none();
    if (((other ^ word) & BARLINT_RT_ROUND_NUMBER) == 0) { // it came, and may have ended since
        struct barlint_named_op own = barlint_rt_round_op(word);
        struct barlint_named_op first = barlint_rt_round_op(other);
        struct barlint_named_slot slot;
        barlint_named_slot_clear(&slot);
        slot.open = true;
        slot.site = first.site;
        slot.aligned = first.aligned;
        slot.red = first.kind == BARLINT_NAMED_RED;
        barlint_named_check_open(&slot, here.warp, &own, &effect);
    } else if (b->block.live[next] == 0 && !barlint_rt_load(&b->exits_told)) {
        barlint_violations_add(&effect.violations, BARLINT_EXIT_BEFORE_SYNC);
    }
    __syncwarp(lanes);
    if (here.lane == barlint_rt_first(lanes)) {
        barlint_rt_tell_exits(b, effect.violations);
    }
    struct barlint_rt_about about = barlint_rt_about(&here, BARLINT_RT_NAMED, 0);
    about.slot = &b->slot[0];
    barlint_rt_report_group(&here, lanes, effect.violations, about);
}

BARLINT_RT_HOOK void barlint_rt_round_over(uint32_t kind, uint32_t flags, uint64_t state,
                                           uint32_t next, uint64_t site)
{
    uint32_t word = (uint32_t)(state >> 32) | barlint_rt_round_mark(kind, flags, site);
    if (barlint_rt_load(barlint_rt_word_at((uint32_t)state + next)) != word) {
        barlint_rt_round_differs(word, site);
    }
}
