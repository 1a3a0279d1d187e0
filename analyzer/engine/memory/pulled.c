// What threads store to the shared memory of their own block for another block of the cluster,
// which waits for an arrival of theirs at an mbarrier of its own and reads it from there then. Both
// the arrival and the wait must be of cluster scope (PTX ISA 9.1, 8.8, 9.7.13.15.16): their events
// are told that they have come to serve for that. Only followed in clusters.
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"

enum { MOST_STORES = 64 };

// Bytes that a block has stored, and nothing has released for the cluster but the arrival.
struct pulled_store {
    uint32_t block, object;
    int64_t low, high;
    uint32_t mbarrier; // the latest arrival that may tell another block of them; UINT32_MAX: none
    uint32_t event;
    bool to_cluster;            // that arrival is of cluster scope
    const struct mask *waiters; // who has waited there since
};

struct pulled {
    struct pulled_store store[MOST_STORES];
    uint32_t stores;
    bool *acquires; // by thread: its latest wait is of cluster scope
};

void pulled_init(struct run *run)
{
    if (run->engine->blocks < 2)
        return;
    run->machines->pulled = arena_new(&run->arena, struct pulled);
    run->machines->pulled->acquires = arena_array(&run->arena, bool, run->engine->threads);
}

static void drop(struct pulled *pulled, uint32_t *at)
{
    pulled->store[(*at)--] = pulled->store[--pulled->stores];
}

void pulled_stored(struct run *run, const struct group *group, const struct node *address,
                   uint32_t size)
{
    struct pulled *pulled = run->machines->pulled;
    for (uint32_t b = 0; pulled && !group->arms && b < run->engine->blocks; ++b) {
        const struct mask *mask = mask_and(run->masks, group->mask, run->block_mask[b]);
        struct reach reach;
        if (mask->count == 0 || !node_reach(run->nodes, address->address.offset, mask, &reach))
            continue;
        uint32_t i = 0;
        while (i < pulled->stores &&
               (pulled->store[i].block != b || pulled->store[i].object != address->address.object ||
                pulled->store[i].low != reach.low))
            ++i;
        if (i == MOST_STORES)
            continue;
        pulled->stores += i == pulled->stores;
        pulled->store[i] = (struct pulled_store){.block = b,
                                                 .object = address->address.object,
                                                 .low = reach.low,
                                                 .high = reach.high + size,
                                                 .mbarrier = UINT32_MAX,
                                                 .waiters = run->masks->none};
    }
}

void pulled_arrived(struct run *run, const struct mask *mask, uint32_t mbarrier, bool to_cluster,
                    uint32_t event)
{
    struct pulled *pulled = run->machines->pulled;
    for (uint32_t i = 0; pulled && i < pulled->stores; ++i) {
        struct pulled_store *store = &pulled->store[i];
        if ((store->to_cluster && !to_cluster) ||
            store->block == run->machines->mbarrier[mbarrier].block ||
            !mask_overlaps(run->masks, mask, run->block_mask[store->block]))
            continue;
        store->mbarrier = mbarrier;
        store->event = event;
        store->to_cluster = to_cluster;
        store->waiters = run->masks->none;
    }
}

// Whether the block is one that has waited for what was stored, or may.
static bool is_for(const struct run *run, const struct pulled_store *store, const struct mask *mask)
{
    return store->mbarrier != UINT32_MAX &&
           mask_overlaps(run->masks, mask,
                         run->block_mask[run->machines->mbarrier[store->mbarrier].block]);
}

void pulled_released(struct run *run, const struct mask *mask)
{
    struct pulled *pulled = run->machines->pulled;
    for (uint32_t i = 0; pulled && i < pulled->stores; ++i) {
        const struct pulled_store *store = &pulled->store[i];
        bool own = mask_overlaps(run->masks, mask, run->block_mask[store->block]);
        bool acquired = store->to_cluster && is_for(run, store, mask);
        if ((own && !store->to_cluster) || acquired)
            drop(pulled, &i);
    }
}

void pulled_met(struct run *run, const struct mask *mask)
{
    struct pulled *pulled = run->machines->pulled;
    for (uint32_t i = 0; pulled && i < pulled->stores; ++i) {
        if (is_for(run, &pulled->store[i], mask))
            drop(pulled, &i);
    }
}

void pulled_waits(struct run *run, const struct mask *mask, bool of_cluster)
{
    struct pulled *pulled = run->machines->pulled;
    mask_each (run->masks, mask, t) {
        if (pulled)
            pulled->acquires[t] = of_cluster;
    }
}

void pulled_waited(struct run *run, uint32_t mbarrier, const struct mask *mask)
{
    struct pulled *pulled = run->machines->pulled;
    bool acquires = false;
    if (!pulled || mask->count == 0)
        return;
    mask_each (run->masks, mask, t)
        acquires |= pulled->acquires[t];
    for (uint32_t i = 0; i < pulled->stores; ++i) {
        struct pulled_store *store = &pulled->store[i];
        if (!is_for(run, store, mask))
            continue;
        if (acquires && store->to_cluster)
            drop(pulled, &i);
        else if (store->mbarrier == mbarrier)
            store->waiters = mask_or(run->masks, store->waiters, mask);
    }
}

void pulled_read(struct run *run, const struct group *group, const struct node *address,
                 uint32_t size, uint32_t owner, const struct mask *readers)
{
    const struct pulled *pulled = run->machines->pulled;
    struct reach reach;
    if (!pulled || group->arms || address->kind != NODE_ADDRESS ||
        !node_reach(run->nodes, address->address.offset, readers, &reach))
        return;
    for (uint32_t i = 0; i < pulled->stores; ++i) {
        const struct pulled_store *store = &pulled->store[i];
        const struct mask *waiters = mask_and(run->masks, store->waiters, readers);
        if (store->block == owner && store->object == address->address.object &&
            reach.low < store->high && store->low < reach.high + size && waiters->count)
            run->engine->result->event[store->event].pulled = true;
    }
}
