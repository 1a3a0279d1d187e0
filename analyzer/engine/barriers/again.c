// Warps that only arrive at a named barrier and come to it again: nothing keeps them from being
// early unless they know by then, by what happens before what (orders.h), that the others have come
// to the generation they arrived in. What a run shows is in time by luck (PTX ISA 9.1, 9.7.13.1: no
// second operation on the barrier before the first one has completed).
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/walk/facts.h"

// Of a warp any lane stands for all: the instruction counts for the whole of it.
static bool warp_knows(const struct run *run, uint32_t base, uint32_t other, uint32_t time,
                       uint32_t warp)
{
    uint32_t size = run->engine->block_threads;
    for (uint32_t a = other * 32; a < other * 32 + 32 && a < size; ++a) {
        for (uint32_t b = warp * 32; b < warp * 32 + 32 && b < size; ++b) {
            if (orders_before(run, base + a, time, base + b))
                return true;
        }
    }
    return false;
}

bool again_is_over(const struct run *run, uint32_t block, uint32_t slot, uint32_t warp)
{
    const struct named_turn *over = &run->machines->block[block].turn[slot].over;
    uint32_t base = block * run->engine->block_threads;
    for (uint32_t other = 0; other < BARLINT_MAX_WARPS; ++other) {
        if (other != warp && over->warps >> other & 1 &&
            !warp_knows(run, base, other, over->time[other], warp))
            return false;
    }
    return over->warps != 0;
}

static void report(struct run *run, const struct named_site *site, uint32_t slot,
                   const struct mask *early, const struct mask *late)
{
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, BARLINT_NAMED_DOUBLE_ARRIVE, site->function,
                        site->op, site->chain, UINT32_MAX, early);
    if (!incident)
        return;
    incident->number[0] = slot;
    record_step(run, incident, record_place(run, site->chain, site->loc),
                "nothing here waits until %s {has|have} come to it", mask_words(run, late));
}

void again_joins(struct run *run, uint32_t block, uint32_t slot, const struct named_site *site,
                 uint32_t warps)
{
    const struct block_state *state = &run->machines->block[block];
    const struct named_turn *over = &state->turn[slot].over;
    uint32_t size = run->engine->block_threads, base = block * size;
    uint32_t again = warps & over->only & ~state->turn[slot].open.warps, early = 0, late = 0;
    // In a kernel that polls, threads may wait for each other in a way that no run shows.
    if (run->afterlife || orders_unseen(run, 0) || state->spoiled[slot])
        return;
    for (uint32_t w = 0; w < BARLINT_MAX_WARPS; ++w) {
        for (uint32_t other = 0; again >> w & 1 && other < BARLINT_MAX_WARPS; ++other) {
            if (other == w || !(over->warps >> other & 1) ||
                warp_knows(run, base, other, over->time[other], w))
                continue;
            early |= UINT32_C(1) << w;
            late |= UINT32_C(1) << other;
        }
    }
    if (!early)
        return;
    struct mask_builder early_mask, late_mask;
    mask_builder_clear(run->masks, &early_mask);
    mask_builder_clear(run->masks, &late_mask);
    for (uint32_t t = 0; t < size; ++t) {
        if (early >> t / 32 & 1)
            mask_builder_add(&early_mask, base + t);
        if (late >> t / 32 & 1)
            mask_builder_add(&late_mask, base + t);
    }
    report(run, site, slot, mask_builder_end(run->masks, &early_mask),
           mask_builder_end(run->masks, &late_mask));
}

void again_joined(struct run *run, uint32_t block, uint32_t slot, uint32_t warp, bool only,
                  uint32_t time, bool completed)
{
    struct block_state *state = &run->machines->block[block];
    struct named_turn *open = &state->turn[slot].open;
    uint32_t bit = UINT32_C(1) << warp;
    open->only = only && !(open->warps & bit) ? open->only | bit : open->only & ~bit;
    open->warps |= bit;
    open->time[warp] = time;
    if (!completed)
        return;
    state->turn[slot].over = *open;
    open->warps = open->only = 0;
}
