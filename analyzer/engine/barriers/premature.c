// Threads that arrive at an mbarrier, and nothing has told them that the phase before is over: what
// a run shows is in time by luck. By what happens before what (orders.h) they might have come
// sooner, and then they have made up that phase in place of others, who were meant to (PTX ISA 9.1,
// 9.7.13.15.4).
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/story/record.h"

// Arrivals at one place in the sources.
struct premature_place {
    struct named_site site;
    uint32_t mbarrier;
    const struct mask *early;  // threads that may come too soon
    const struct mask *lacked; // whose arrivals they do not know of
};

struct premature {
    struct premature_place *place; // stb_ds array
    bool in_doubt;                 // bytes have told somebody what the order of stores leaves out
};

void premature_init(struct run *run)
{
    run->machines->premature = arena_new(&run->arena, struct premature);
}

void premature_release(struct run *run)
{
    arrfree(run->machines->premature->place);
}

void premature_doubt(struct run *run)
{
    run->machines->premature->in_doubt = true;
}

bool premature_doubtful(const struct run *run)
{
    return run->machines->premature->in_doubt;
}

// In a kernel that polls, threads may wait for each other in a way that no run shows; and nobody
// has arrived by himself where copies do it for him.
static bool is_followed(const struct run *run, const struct mbarrier *mbarrier)
{
    return !run->afterlife && !orders_unseen(run, mbarrier->init_time) &&
           !mbarrier->shared_unknown && mbarrier->count_known && !mbarrier->stands_in &&
           !mbarrier->dropped && mbarrier->state.state == BARLINT_LIVE &&
           mbarrier->state.phase > 0 && !mbarrier->by_copies;
}

// When the thread went on to arrive in the latest phase that is over: since its latest wait nothing
// has held it back. 0 if it did not, or has never waited.
static uint32_t came_at(const struct mbarrier *mbarrier, uint32_t thread)
{
    const struct holder *holder = &mbarrier->holder[thread];
    uint32_t phase = mbarrier->state.phase; // 1 + that one
    if (holder->phase == phase)
        return holder->came_at;
    return holder->phase == phase + 1 && holder->before_phase == phase ? holder->before_at : 0;
}

// Those who arrived in that phase and the thread does not know to have gone on to. Lanes of its own
// warp come with it.
static const struct mask *lacked_by(struct run *run, const struct mbarrier *mbarrier,
                                    uint32_t thread)
{
    struct mask_builder lacked;
    mask_builder_clear(run->masks, &lacked);
    mask_each (run->masks, mbarrier->ever_arrived, other) {
        uint32_t at = came_at(mbarrier, other);
        if (at && warp_of(run, other) != warp_of(run, thread) &&
            !orders_before(run, other, at, thread))
            mask_builder_add(&lacked, other);
    }
    return mask_builder_end(run->masks, &lacked);
}

static struct premature_place *place_of(struct run *run, uint32_t mbarrier,
                                        const struct named_site *site)
{
    struct premature *premature = run->machines->premature;
    for (ptrdiff_t i = 0; i < arrlen(premature->place); ++i) {
        struct premature_place *place = &premature->place[i];
        if (place->mbarrier == mbarrier && place->site.function == site->function &&
            place->site.op == site->op && place->site.chain == site->chain)
            return place;
    }
    arrput(premature->place,
           ((struct premature_place){*site, mbarrier, run->masks->none, run->masks->none}));
    return &arrlast(premature->place);
}

void premature_arrive(struct run *run, const struct mbarrier *mbarrier, const struct mask *mask,
                      const struct named_site *site)
{
    uint32_t index = (uint32_t)(mbarrier - run->machines->mbarrier), warp = UINT32_MAX;
    struct mask_builder early;
    const struct mask *lacked = run->masks->none;
    if (!is_followed(run, mbarrier))
        return;
    mask_builder_clear(run->masks, &early);
    bool knows = false;
    const struct mask *unknown = NULL;
    mask_each (run->masks, mask, t) {
        if (warp_of(run, t) != warp) {
            warp = warp_of(run, t);
            knows = false;
            uint32_t end = t - t % run->engine->block_threads + run->engine->block_threads;
            for (uint32_t l = warp; l < warp + 32 && l < end && !knows; ++l)
                knows = orders_completed(run, index, mbarrier->over_at, l);
            unknown = knows ? run->masks->none : lacked_by(run, mbarrier, t);
        }
        if (unknown->count == 0)
            continue;
        mask_builder_add(&early, t);
        lacked = mask_or(run->masks, lacked, unknown);
    }
    const struct mask *threads = mask_builder_end(run->masks, &early);
    if (threads->count == 0)
        return;
    struct premature_place *place = place_of(run, index, site);
    place->early = mask_or(run->masks, place->early, threads);
    place->lacked = mask_or(run->masks, place->lacked, lacked);
}

void premature_end(struct run *run)
{
    struct premature *premature = run->machines->premature;
    if (run->over || premature->in_doubt || run->exited != run->masks->all)
        return;
    for (ptrdiff_t i = 0; i < arrlen(premature->place); ++i) {
        const struct premature_place *place = &premature->place[i];
        const struct mbarrier *mbarrier = &run->machines->mbarrier[place->mbarrier];
        if (mbarrier->waiting_ever->count == 0)
            continue;
        struct engine_incident *incident = record_incident(
            run, ENGINE_VIOLATION, BARLINT_PHASE_UNOBSERVED, place->site.function, place->site.op,
            place->site.chain, mbarrier->result_object, place->early);
        if (!incident)
            continue;
        const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
        incident->number[0] = mbarrier->state.expected;
        incident->number[1] = ENGINE_ARRIVALS_EARLY;
        if (object->loc.file)
            record_step(run, incident, object->loc, "'%s' is declared here", object->name);
        record_step(run, incident, record_place(run, place->site.chain, place->site.loc),
                    "nothing here waits until %s {has|have} arrived in the phase before",
                    mask_words(run, place->lacked));
        record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
    }
}
