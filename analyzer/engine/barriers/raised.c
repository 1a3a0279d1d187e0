// Arrivals by copies that raise the pending count first (cp.async.mbarrier.arrive without .noinc).
// They belong to the phase that is open when they are asked for, and keep it open from then on; so
// some arrival of that phase has to come after the asking. Where none does, by what happens before
// what (orders.h), the phase may as well be over before: nobody waits for those copies then (PTX
// ISA 9.1, 9.7.13.15.15).
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"

void raised_add(struct run *run, struct mbarrier *mbarrier, const struct mask *mask, uint32_t time,
                const struct named_site *site)
{
    if (run->afterlife)
        return;
    if (!mbarrier->raised)
        mbarrier->raised = arena_array(&run->arena, uint32_t, run->masks->threads);
    for (uint32_t t = 0; t < run->masks->threads && !mbarrier->raises; ++t)
        mbarrier->raised[t] = 0; // of an earlier life of the barrier
    mask_each (run->masks, mask, t)
        mbarrier->raised[t] = time + 1;
    mbarrier->raised_site = *site;
    mbarrier->raises = true;
}

// Whether thread `t` has raised it before thread `by` comes to what it does now: also where it has
// executed something together with its warp since, of which the other one is.
static bool is_before(const struct run *run, uint32_t t, uint32_t time, uint32_t by)
{
    return orders_before(run, t, time, by) ||
           (warp_of(run, t) == warp_of(run, by) && orders_gathered(run, t, time));
}

void raised_arrive(struct run *run, struct mbarrier *mbarrier, const struct mask *mask)
{
    for (uint32_t t = 0; mbarrier->raises && t < run->masks->threads; ++t) {
        bool known = mask_has(mask, t);
        if (!mbarrier->raised[t])
            continue;
        mask_each (run->masks, mask, by)
            known = known || is_before(run, t, mbarrier->raised[t] - 1, by);
        if (known)
            mbarrier->raised[t] = 0;
    }
}

void raised_over(struct run *run, struct mbarrier *mbarrier)
{
    struct mask_builder late;
    if (!mbarrier->raises)
        return;
    mask_builder_clear(run->masks, &late);
    for (uint32_t t = 0; t < run->masks->threads; ++t) {
        if (mbarrier->raised[t])
            mask_builder_add(&late, t);
        mbarrier->raised[t] = 0;
    }
    mbarrier->raises = false;
    const struct mask *mask = mask_builder_end(run->masks, &late);
    // In a kernel that polls, threads may wait for each other in a way that no run shows.
    if (mask->count == 0 || run->afterlife || orders_unseen(run, mbarrier->init_time) ||
        mbarrier->shared_unknown || !mbarrier->count_known || mbarrier->stands_in)
        return;
    const struct named_site *site = &mbarrier->raised_site;
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, BARLINT_TX_NOINC, site->function, site->op,
                        site->chain, mbarrier->result_object, mask);
    if (!incident)
        return;
    const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
    incident->number[2] = 1;
    record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
}
