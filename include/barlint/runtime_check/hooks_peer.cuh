// Accesses to the shared memory of other CTAs of the cluster, which is there from the cluster's first
// barrier until its CTA ends. A load leaves a mark in the cluster's record. Another barrier of the
// cluster, once the owner has waited for it, takes it back, and so does whatever the reader may have told
// the owner by since then, be it meant so or not: an arrival, a copy, a store. An owner that ends while a
// mark stands did not know whether its memory had been read. Part of device.cuh.

// Have CTAs `readers` left a mark in the phase?
BARLINT_RT_INLINE bool barlint_rt_is_read(uint64_t word, uint32_t phase, uint32_t readers)
{
    return (uint32_t)(word >> 32) == phase + 1u && ((uint32_t)word & readers) != 0;
}

BARLINT_RT_INLINE void barlint_rt_mark_read(struct barlint_rt_cluster *cluster, uint32_t owner,
                                            uint32_t phase, uint32_t reader, uint64_t site)
{
    unsigned long long *word = (unsigned long long *)&cluster->read[owner];
    unsigned long long old = barlint_rt_load64(&cluster->read[owner]), seen;
    while (!barlint_rt_is_read(old, phase, 1u << reader)) {
        uint32_t others = (uint32_t)(old >> 32) == phase + 1u ? (uint32_t)old : 0;
        *(volatile uint64_t *)&cluster->read_at[owner] = site;
        __threadfence();
        seen = atomicCAS(word, old, (phase + 1ull) << 32 | others | 1u << reader);
        old = seen == old ? (phase + 1ull) << 32 | 1u << reader : seen;
    }
}

// This CTA may tell `owner` that it has read: all of them, for whom that is not known.
BARLINT_RT_INLINE void barlint_rt_take_marks_back(struct barlint_rt_cluster *cluster, uint32_t owner,
                                                  uint32_t reader)
{
    for (uint32_t r = 0; r < cluster->machine.ctas; r++) {
        if ((owner == r || owner == BARLINT_RT_ALL_PEERS) &&
            ((uint32_t)barlint_rt_load64(&cluster->read[r]) >> reader & 1u)) {
            atomicAnd((unsigned long long *)&cluster->read[r], ~(1ull << reader));
        }
    }
}

BARLINT_RT_HOOK void barlint_rt_peer(uint32_t rank, uint32_t tells, uint64_t site)
{
    struct barlint_rt_here here;
    if (barlint_rt_cluster_size() == 1u ||
        !barlint_rt_begin(&here, site, barlint_rt_together(site), false)) {
        return;
    }
    struct barlint_rt_cluster *cluster = here.block->cluster;
    struct barlint_violations mine = barlint_violations_none();
    bool other = cluster && rank < cluster->machine.ctas && rank != here.block->cta;
    uint32_t phase = cluster ? barlint_rt_load(&cluster->machine.phase) : 0;
    // Who only loads leaves a mark.
    (void)barlint_rt_hold_back(here.block, here.lanes, site, other && tells, rank);
    if (other && barlint_rt_is_too_early(&here)) {
        barlint_violations_add(&mine, BARLINT_CLUSTER_DSMEM_START);
    } else if (other && barlint_rt_has_left(here.block, rank)) {
        barlint_violations_add(&mine, BARLINT_CLUSTER_EXIT);
    } else if (other && !tells) {
        barlint_rt_mark_read(cluster, rank, phase, here.block->cta, site);
    }
    if (cluster && tells) {
        barlint_rt_take_marks_back(cluster, rank, here.block->cta);
    }
    __syncwarp(here.lanes);
    barlint_rt_report_group(&here, here.lanes, mine,
                            barlint_rt_about(&here, BARLINT_RT_CLUSTER_BARRIER, 0));
}

// The block has ended, one of a cluster: may others still read its memory? By all lanes that are here.
static __device__ __noinline__ void barlint_rt_check_read(struct barlint_rt_block *b, uint64_t site,
                                                          uint32_t lanes)
{
    const struct barlint_rt_cluster *cluster = b->cluster;
    struct barlint_rt_here here;
    uint64_t word = barlint_rt_load64(&cluster->read[b->cta]);
    bool read = (uint32_t)(word >> 32) > barlint_rt_load(&b->cluster_knows) && (uint32_t)word != 0 &&
                !barlint_rt_load(&cluster->broken);
    if (!__any_sync(lanes, read) || !barlint_rt_begin(&here, site, lanes, false) ||
        here.lane != barlint_rt_first(lanes)) {
        return;
    }
    struct barlint_rt_about about = barlint_rt_about(&here, BARLINT_RT_CLUSTER_BARRIER, 0);
    about.site = barlint_rt_load64(&cluster->read_at[b->cta]);
    barlint_rt_report(&here, BARLINT_CLUSTER_EXIT, &about);
}
