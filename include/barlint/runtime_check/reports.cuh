// Reports, and the end of a block for a fault. Part of device.cuh.

// The entry for a cause; BARLINT_RT_REPORTS when there is no room. `*out_new`: nobody had it. A mistake
// is none that a note of the same place has taken.
BARLINT_RT_INLINE uint32_t barlint_rt_report_entry(struct barlint_rt_state *state,
                                                   uint32_t violation, uint32_t kind, uint64_t site,
                                                   bool *out_new)
{
    uint64_t note = kind == BARLINT_RT_NOTE   ? 1ull << 62
                    : kind == BARLINT_RT_HINT ? 1ull << 61
                                              : 0;
    uint64_t key = ((site << 8 ^ site >> 56) * 2654435761ull ^ (violation + 1u) | 1ull << 63) ^ note;
    uint32_t at = (uint32_t)(key ^ key >> 32) % BARLINT_RT_REPORTS;
    *out_new = false;
    BARLINT_ROLLED
    for (uint32_t i = 0; i < BARLINT_RT_REPORTS; i++) {
        unsigned long long *word = (unsigned long long *)&state->report_key[at];
        unsigned long long old = *(volatile unsigned long long *)word;
        if (old == 0) {
            old = atomicCAS(word, 0ull, (unsigned long long)key);
            *out_new = old == 0;
        }
        if (old == 0 || old == key) {
            return at;
        }
        at = (at + 1u) % BARLINT_RT_REPORTS;
    }
    return BARLINT_RT_REPORTS;
}

#include "names.cuh"

// What a report says of the barrier.
struct barlint_rt_about {
    uint32_t kind, subject, number;
    uint32_t expected, pending; // of a BARLINT_RT_GRID_BARRIER: blocks, and those that have not come
    uint64_t site;
    uint64_t begun_at; // of a BARLINT_RT_NAMED: where its generation was begun; 0: not known
    const struct barlint_rt_object *object; // of a BARLINT_RT_MBARRIER, or NULL
    const struct barlint_named_slot *slot;  // of a BARLINT_RT_NAMED
    const uint32_t *lanes;                  // a mask for each warp, or NULL: the lanes below
    uint32_t warp, warp_lanes;
};

BARLINT_RT_INLINE struct barlint_rt_about barlint_rt_about(const struct barlint_rt_here *here,
                                                           uint32_t subject, uint32_t number)
{
    struct barlint_rt_about about;
    about.kind = BARLINT_RT_EVENT;
    about.subject = subject;
    about.number = number;
    about.expected = 0;
    about.pending = 0;
    about.site = here->site;
    about.begun_at = 0;
    about.object = 0;
    about.slot = 0;
    about.lanes = 0;
    about.warp = here->warp;
    about.warp_lanes = 1u << here->lane;
    return about;
}

BARLINT_RT_INLINE bool barlint_rt_is_pedantic(void)
{
    const struct barlint_rt_state *state = barlint_rt_state_now();
    return state && (state->options & BARLINT_RT_PEDANTIC) != 0;
}

// What harms nobody where it happens, and the analyzer tells with --pedantic only. Who uses the barrier
// afterwards is told of by what that breaks: a barrier that expects nobody (PTX 9.7.13.15.14), and one whose
// life has ended, by arrivals and waits, one with arrivals in it by the operation that meets them.
BARLINT_RT_INLINE bool barlint_rt_is_harmless(uint32_t violation,
                                              const struct barlint_rt_about *about)
{
    return violation == BARLINT_EXIT_DROP_TO_ZERO || violation == BARLINT_NAMED_LEFT_OVER ||
           (violation == BARLINT_INIT_INVAL_MID_PHASE && about->object && about->object->m.tx == 0);
}

// As what it is told. Whole warps that meet at different block barriers count in hardware as if it were one
// barrier; lanes of a warp hang.
BARLINT_RT_INLINE uint32_t barlint_rt_told_as(const struct barlint_rt_here *here, uint32_t violation,
                                              const struct barlint_rt_about *about)
{
    if (about->kind != BARLINT_RT_EVENT) {
        return about->kind;
    }
    if (barlint_rt_is_harmless(violation, about)) {
        return BARLINT_RT_NOTE;
    }
    return violation == BARLINT_SYNC_TWO_SITES && !here->block->warp[about->warp].named.split
               ? BARLINT_RT_HINT
               : BARLINT_RT_EVENT;
}

static __device__ __noinline__ void barlint_rt_report(const struct barlint_rt_here *here,
                                                      uint32_t violation,
                                                      const struct barlint_rt_about *about)
{
    struct barlint_rt_state *state = here->state;
    bool fresh;
    uint32_t kind = barlint_rt_told_as(here, violation, about);
    if (kind == BARLINT_RT_NOTE && !(state->options & BARLINT_RT_PEDANTIC)) {
        return;
    }
    barlint_rt_store(&here->block->reported, 1);
    barlint_rt_store(&state->reported, 1);
    uint32_t at = barlint_rt_report_entry(state, violation, kind, about->site, &fresh);
    if (at == BARLINT_RT_REPORTS) {
        atomicAdd((unsigned long long *)&state->reports_lost, 1ull);
        return;
    }
    struct barlint_rt_report *r = &state->reports[at];
    unsigned long long count =
        atomicAdd((unsigned long long *)&state->report_count[at], 1ull) + 1ull;
    if ((count & (count - 1ull)) == 0) {
        *(volatile uint64_t *)&r->count = count;
    }
    if (!fresh) { // what follows may abort the kernel: not before it has been said
        uint64_t begun = barlint_rt_cycles();
        while (!barlint_rt_load(&state->report_ready[at]) &&
               barlint_rt_cycles() - begun < BARLINT_RT_PATIENCE) {
            __nanosleep(100);
        }
        return;
    }
    r->violation = violation;
    r->kind = kind;
    r->subject = about->subject;
    r->site = about->site;
    r->block[0] = blockIdx.x;
    r->block[1] = blockIdx.y;
    r->block[2] = blockIdx.z;
    r->block_dim[0] = blockDim.x;
    r->block_dim[1] = blockDim.y;
    r->block_dim[2] = blockDim.z;
    r->cluster_rank = here->block->cta;
    BARLINT_ROLLED
    for (uint32_t w = 0; w < BARLINT_RT_WARPS; w++) {
        r->lanes[w] = about->lanes ? about->lanes[w] : w == about->warp ? about->warp_lanes : 0;
    }
    r->number = about->object ? about->object->address : about->number;
    r->made_at = about->object ? about->object->made_at : about->begun_at;
    r->phase = about->object ? about->object->m.phase : about->slot ? about->slot->generation : 0;
    r->expected = about->object ? about->object->m.expected
                  : about->slot ? about->slot->count
                                : about->expected;
    r->pending = about->object ? about->object->m.pending
                 : about->slot ? about->slot->arrivals * BARLINT_WARP_SIZE
                               : about->pending;
    r->tx = about->object ? about->object->m.tx : 0;
    r->places = about->kind == BARLINT_RT_HANG
                    ? barlint_rt_places(here->block, r->place)
                    : 0;
    barlint_rt_keep_names(state, r);
    __threadfence_system();
    barlint_rt_store(&r->ready, 1);
    __threadfence();
    barlint_rt_store(&state->report_ready[at], 1);
}

// Reports what the lanes of `group` broke, each in its own `mine`: one report for each violation.
static __device__ __noinline__ void barlint_rt_report_lanes(const struct barlint_rt_here *here,
                                                            uint32_t group,
                                                            struct barlint_violations mine,
                                                            struct barlint_rt_about about)
{
#pragma unroll 1
    for (uint32_t v = 0; v < BARLINT_VIOLATION_COUNT_; v++) {
        uint32_t lanes =
            __ballot_sync(group, barlint_violations_has(mine, (enum barlint_violation)v));
        if (lanes != 0 && here->lane == barlint_rt_first(lanes)) {
            about.warp_lanes = lanes;
            barlint_rt_report(here, v, &about);
        }
    }
    __syncwarp(group);
}

BARLINT_RT_INLINE void barlint_rt_report_group(const struct barlint_rt_here *here, uint32_t group,
                                               struct barlint_violations mine,
                                               const struct barlint_rt_about &about)
{
    if (__any_sync(group, !barlint_violations_empty(mine))) {
        barlint_rt_report_lanes(here, group, mine, about);
    }
}

// The same as notes: what may be wrong, where threads have not told each other by memory (heard.h).
BARLINT_RT_INLINE void barlint_rt_note_group(const struct barlint_rt_here *here, uint32_t group,
                                             struct barlint_violations suspected,
                                             const struct barlint_rt_about &about)
{
    if (__any_sync(group, !barlint_violations_empty(suspected))) {
        struct barlint_rt_about note = about;
        note.kind = BARLINT_RT_NOTE;
        barlint_rt_report_lanes(here, group, suspected, note);
    }
}

// A block of the launch is ended: those that are not checked ask for it (spared.cuh).
BARLINT_RT_INLINE void barlint_rt_note_end(struct barlint_rt_state *state)
{
    uint64_t launch = barlint_rt_launch();
    *(volatile uint64_t *)&state->ended_in[launch % BARLINT_RT_LAUNCHES] = launch + 1u;
}

// All threads are to end, at the latest with their next hook. The lock is held.
BARLINT_RT_INLINE void barlint_rt_end_all(const struct barlint_rt_here *here)
{
    struct barlint_rt_block *b = here->block;
    barlint_rt_store(&b->ended, 1);
    BARLINT_ROLLED
    for (uint32_t w = 0; w < BARLINT_RT_WARPS; w++) {
        barlint_rt_store(&b->warp[w].attention, BARLINT_RT_ENDED);
        barlint_rt_store(&b->round[0][w], BARLINT_RT_NONE); // nobody finds what it looks for
        barlint_rt_store(&b->round[1][w], BARLINT_RT_NONE);
    }
    if (b->cluster) {
        barlint_rt_store(&b->cluster->broken, 1);
        barlint_rt_end_in_cluster(here->state, b->cluster, b->cta);
    }
}

// The block's threads are ended. By `lanes` of them, together.
BARLINT_RT_INLINE void barlint_rt_stop(const struct barlint_rt_here *here, uint32_t lanes)
{
    if (here->lane == barlint_rt_first(lanes)) {
        barlint_rt_lock(here->block);
        if (!barlint_rt_load(&here->block->ended)) {
            barlint_rt_note_end(here->state);
            (void)barlint_rt_shut_gates(here->block);
            barlint_rt_end_all(here);
        }
        barlint_rt_unlock(here->block);
    }
    __syncwarp(lanes);
    barlint_rt_end_thread();
}

// An operation that the hardware would abort the kernel for: the block's threads are ended instead.
BARLINT_RT_INLINE void barlint_rt_fault(const struct barlint_rt_here *here, uint32_t lanes)
{
    if (!(here->state->options & BARLINT_RT_CONTINUE)) {
        barlint_rt_stop(here, lanes);
    }
}
