// Bulk copies into shared memory that complete on an mbarrier: who reads their bytes before any
// thread has seen the phase end that they complete. (PTX ISA 9.1, 9.7.9.25.4: the writes of a bulk
// copy are made visible to those who observe its completion on the mbarrier.) A copy whose place or
// size is not known is not followed.
#include "base/vec.h"
#include "engine/barriers/machines.h"

enum { MOST_LOADS = 64 }; // under way at once; the oldest is forgotten

struct load {
    uint32_t object, mbarrier, phase;
    int64_t low, high; // bytes
    const struct mask *mask;
    struct named_site site;
};

struct loads {
    struct load *load; // stb_ds array
};

void loads_init(struct run *run)
{
    run->machines->loads = arena_new(&run->arena, struct loads);
}

void loads_release(struct run *run)
{
    arrfree(run->machines->loads->load);
}

void loads_start(struct run *run, const struct group *group, const struct mask *mask,
                 const struct node *address, int64_t bytes, uint32_t mbarrier)
{
    struct load **list = &run->machines->loads->load;
    uint32_t block = run->machines->mbarrier[mbarrier].block;
    mask = mask_and(run->masks, mask, run->block_mask[block]);
    int64_t low;
    if (address->kind != NODE_ADDRESS || address->address.rank || group->arms || run->afterlife ||
        run->object[address->address.object].kind != OBJECT_SHARED || bytes <= 0)
        return;
    mask_each (run->masks, mask, t) {
        if (!node_lane(address->address.offset, t, &low))
            continue;
        struct load fresh = {.object = address->address.object,
                             .mbarrier = mbarrier,
                             .phase = run->machines->mbarrier[mbarrier].state.phase,
                             .low = low,
                             .high = low + bytes,
                             .mask = mask_one(run->masks, t),
                             .site = named_site_here(run, group)};
        for (ptrdiff_t i = arrlen(*list); i-- > 0;) {
            const struct load *old = &(*list)[i];
            if (old->object == fresh.object && old->low < fresh.high && fresh.low < old->high &&
                run->machines->mbarrier[old->mbarrier].block == block)
                arrdel(*list, i);
        }
        if (arrlen(*list) >= MOST_LOADS)
            arrdel(*list, 0);
        arrput(*list, fresh);
    }
}

void loads_waited(struct run *run, uint32_t mbarrier)
{
    struct load **list = &run->machines->loads->load;
    for (ptrdiff_t i = arrlen(*list); i-- > 0;) {
        const struct load *load = &(*list)[i];
        if (load->mbarrier == mbarrier &&
            run->machines->mbarrier[mbarrier].state.phase > load->phase)
            arrdel(*list, i);
    }
}

static void tell(struct run *run, const struct group *group, const struct load *load,
                 const struct mask *readers)
{
    const struct mbarrier *mbarrier = &run->machines->mbarrier[load->mbarrier];
    struct named_site at = named_site_here(run, group);
    if (mbarrier->shared_unknown || !mbarrier->count_known)
        return;
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, BARLINT_ASYNC_READ_EARLY, at.function, at.op,
                        at.chain, record_object(run, load->object, 0, true), readers);
    if (!incident)
        return;
    const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
    incident->number[0] = 2;
    incident->number[1] = load->site.op;
    incident->number[2] = load->site.function;
    record_step(run, incident, record_place(run, load->site.chain, load->site.loc),
                "%s {starts|start} the copy here, which completes phase %u of '%s'",
                mask_words(run, load->mask), load->phase, object->name);
    record_step(run, incident, record_place(run, at.chain, at.loc),
                "%s {reads|read} the data here, and nobody has waited for that phase",
                mask_words(run, readers));
}

void loads_touched(struct run *run, const struct group *group, const struct node *address,
                   uint32_t size)
{
    struct load **list = &run->machines->loads->load;
    if (arrlen(*list) == 0 || address->kind != NODE_ADDRESS || address->address.rank ||
        group->arms || run->afterlife)
        return;
    for (ptrdiff_t i = arrlen(*list); i-- > 0;) {
        const struct load *load = &(*list)[i];
        struct mask_builder readers;
        mask_builder_clear(run->masks, &readers);
        if (load->object != address->address.object)
            continue;
        const struct mask *here =
            mask_and(run->masks, group->mask,
                     run->block_mask[run->machines->mbarrier[load->mbarrier].block]);
        mask_each (run->masks, here, t) {
            int64_t at;
            if (node_lane(address->address.offset, t, &at) && at < load->high &&
                load->low < at + (int64_t)size)
                mask_builder_add(&readers, t);
        }
        const struct mask *mask = mask_builder_end(run->masks, &readers);
        if (mask->count == 0)
            continue;
        tell(run, group, load, mask);
        arrdel(*list, i);
    }
}
