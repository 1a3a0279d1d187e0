// Hooks of operations that lanes of a warp meet at: those with a mask. Part of device.cuh.

BARLINT_RT_INLINE uint32_t barlint_rt_kind_of(uint32_t op)
{
    return op == BARLINT_RT_WARP_ELECT  ? BARLINT_WARP_ELECT_SYNC
           : op == BARLINT_RT_WARP_SYNC ? BARLINT_WARP_SYNC
                                        : BARLINT_WARP_SHUFFLE;
}

static __device__ __noinline__ void barlint_rt_warp_any(uint32_t op, uint32_t bypass, uint32_t mask,
                                                        uint64_t site)
{
    struct barlint_rt_here here;
    if (!barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    struct barlint_rt_block *b = here.block;
    struct barlint_rt_about about = barlint_rt_about(&here, BARLINT_RT_WARP_MASK, mask);
    struct barlint_violations mine = barlint_violations_none();
    uint32_t group = barlint_rt_alike(here.lanes, mask);
    if (!(mask >> here.lane & 1u)) {
        barlint_violations_add(&mine, BARLINT_WARP_MASK_SELF);
    }
    barlint_rt_tell_gone_past(&here, group, bypass, mask,
                              barlint_warp_blame(barlint_rt_kind_of(op)), about);
    uint32_t live = barlint_rt_load(&b->block.live[here.warp]);
    if (!__any_sync(group, (mask & live & ~group) != 0)) { // others may end between their looks
        // Everybody is here: the common case. Lanes outside their own mask abort a kernel.
        barlint_rt_report_group(&here, group, mine, about);
        if (op == BARLINT_RT_WARP_SYNC && mask == 0xffffffffu &&
            here.lane == barlint_rt_first(group)) {
            atomicAdd(&b->warp[here.warp].epoch, 1u);
        }
        __syncwarp(group);
        return;
    }
    uint32_t leader = barlint_rt_first(group);
    struct barlint_warp *meeting = &here.records->meeting;
    barlint_rt_mark_bypassed(&here, group, bypass);
    if (here.lane == leader) {
        barlint_rt_lock(b);
        meeting->live = b->block.live[here.warp];
        struct barlint_effect effect =
            barlint_warp_join(meeting, barlint_rt_kind_of(op), mask, group & mask, (uint32_t)site);
        barlint_violations_merge(&mine, effect.violations);
        barlint_rt_block_lanes(&here, group & mask, BARLINT_RT_WARP_MASK, here.warp, 0);
        if (effect.released != 0) {
            barlint_rt_completed(b);
            if (op == BARLINT_RT_WARP_SYNC && mask == 0xffffffffu) {
                atomicAdd(&b->warp[here.warp].epoch, 1u);
            }
            atomicOr(&b->warp[here.warp].woken, effect.released);
        }
        barlint_rt_unlock(b);
    }
    __syncwarp(group);
    barlint_rt_report_group(&here, group, mine, about);
    if (mask >> here.lane & 1u) {
        barlint_rt_sleep(&here, &b->warp[here.warp].woken);
        barlint_rt_unblock_lanes(&here, 1u << here.lane);
    }
}

// The lane that a lane of a shuffle reads. (PTX ISA 9.1, 9.7.9.6.)
BARLINT_RT_INLINE uint32_t barlint_rt_source_lane(uint32_t shuffle, uint32_t lane)
{
    uint32_t by = shuffle >> 11 & 31u, clamp = shuffle >> 16 & 31u, segment = shuffle >> 24 & 31u;
    uint32_t most = (lane & segment) | (clamp & ~segment), mode = shuffle & BARLINT_RT_SHUFFLE_MODES;
    int32_t from = mode == BARLINT_RT_SHUFFLE_UP     ? (int32_t)(lane - by)
                   : mode == BARLINT_RT_SHUFFLE_DOWN ? (int32_t)(lane + by)
                   : mode == BARLINT_RT_SHUFFLE_XOR  ? (int32_t)(lane ^ by)
                                                     : (int32_t)((lane & segment) | (by & ~segment));
    bool within = mode == BARLINT_RT_SHUFFLE_UP ? from >= (int32_t)most : from <= (int32_t)most;
    return within ? (uint32_t)from : lane;
}

// All lanes that are here read from lanes of the mask that are not, as they have ended or never were: what
// they get nobody knows. They may have no use for it.
static __device__ __noinline__ void barlint_rt_check_sources(uint32_t shuffle, uint32_t mask,
                                                             uint32_t lanes, uint64_t site)
{
    uint32_t from = barlint_rt_source_lane(shuffle, barlint_rt_lane_number());
    struct barlint_rt_here here;
    if (!__all_sync(lanes, (mask & ~lanes) >> from & 1u) ||
        !barlint_rt_begin(&here, site, lanes, false)) {
        return;
    }
    struct barlint_violations mine = barlint_violations_none();
    struct barlint_rt_about about = barlint_rt_about(&here, BARLINT_RT_WARP_MASK, mask);
    about.kind = BARLINT_RT_NOTE;
    barlint_violations_add(&mine, BARLINT_WARP_MASK_AGREE);
    barlint_rt_report_lanes(&here, lanes, mine, about);
}

BARLINT_RT_HOOK void barlint_rt_warp(uint32_t op, uint32_t mask, uint64_t who, uint64_t site)
{
    uint32_t bypass = op >> BARLINT_RT_WARP_BYPASS_SHIFT &
                      (BARLINT_RT_BYPASSED | BARLINT_RT_PERHAPS_BYPASSED);
    uint32_t shuffle = op ^ bypass << BARLINT_RT_WARP_BYPASS_SHIFT;
    op &= BARLINT_RT_WARP_OPERATION;
    uint32_t self = (uint32_t)(who >> 32);
    struct barlint_rt_block *b = barlint_rt_block_of_self(self);
    uint32_t number = barlint_rt_thread_of_self(self) / BARLINT_WARP_SIZE;
    struct barlint_rt_warp *warp = &b->warp[number];
    uint32_t lanes = (uint32_t)who;
    struct barlint_rt_lanes of = barlint_rt_lanes_of(barlint_rt_load_four(&warp->blocked));
    bool lacks = bypass != 0 && (mask & ~of.live) != 0 && barlint_rt_ended_lanes(b, number, mask) != 0;
    bool ordinary = ((of.blocked | of.failing) & lanes) == 0 && of.attention == 0 && !lacks;
    // Nothing can be wrong where the lanes that are here and live are those of the mask.
    if ((mask & of.live) == lanes && ordinary) {
        if (op == BARLINT_RT_WARP_SYNC && lanes == 0xffffffffu) {
            barlint_rt_warp_store(&warp->epoch, barlint_rt_warp_load(&warp->epoch) + 1u);
        }
        if (shuffle != op && (mask & ~lanes) != 0 && barlint_rt_is_pedantic()) {
            barlint_rt_check_sources(shuffle, mask, lanes, site);
        }
        return;
    }
    // Nor where they come as groups, each with its own lanes as the mask.
    if (lanes == barlint_rt_together(site)) {
        bool alike = __match_any_sync(lanes, mask) == (mask & of.live); // by all, whatever each has seen
        if (__all_sync(lanes, ordinary && alike)) {
            return;
        }
    }
    barlint_rt_warp_any(op, bypass, mask, site);
}
