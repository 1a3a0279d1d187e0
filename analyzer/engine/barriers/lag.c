// Threads that wait by parity and may be lapped: a phase ends although none of its arrivals comes
// after their leaving of the wait for the phase before. What a run shows is in time by luck; by
// what happens before what (orders.h) it might as well have been late, and a parity names every
// second phase (PTX ISA 9.1, 9.7.13.15.16).
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/story/record.h"

// A wait in the sources, for one mbarrier. Of a ring's each is for itself: who is held back at one
// of them may be lapped at the next, as where the stage after the one that was read is released.
struct lag_place {
    struct named_site site;
    uint32_t mbarrier;
    const struct mask *lapped; // threads that may be lapped there
    const struct mask *apart;  // those of them that wait for the next phase elsewhere
    const struct mask *held;   // phases have waited for them
    bool fed;                  // it and the next phase bring bytes
};

// Threads whose latest wait at one mbarrier is that one.
struct lag_wait {
    const struct mask *mask;
    const struct mask *open; // those of them for whom the next phase, which has ended, need not
                             // have waited
    uint32_t time;           // orders_time() when they passed
    uint32_t phase;          // that it was for
    uint32_t place;
    bool fed; // the phase brought bytes
};

struct lag {
    struct lag_place *place;    // stb_ds array
    struct lag_wait **wait;     // stb_ds array by mbarrier, of stb_ds arrays
    bool *fed;                  // stb_ds array by mbarrier: its last phase brought bytes
    uint32_t *first;            // by thread: when it first passed such a wait; 0: never
    uint32_t *sent;             // by thread: when it last sent what it may be heard of by; 0: never
    bool *silent;               // by thread: it has ended and told nobody anything since
    bool *heard;                // by thread: executes instructions together with its warpgroup
    const struct mask *readers; // who has read shared memory behind such a wait
};

void lag_init(struct run *run)
{
    run->machines->lag = arena_new(&run->arena, struct lag);
    run->machines->lag->first = arena_array(&run->arena, uint32_t, run->engine->threads);
    run->machines->lag->sent = arena_array(&run->arena, uint32_t, run->engine->threads);
    run->machines->lag->silent = arena_array(&run->arena, bool, run->engine->threads);
    run->machines->lag->heard = arena_array(&run->arena, bool, run->engine->threads);
    run->machines->lag->readers = run->masks->none;
}

void lag_release(struct run *run)
{
    struct lag *lag = run->machines->lag;
    arrfree(lag->place);
    for (ptrdiff_t i = 0; i < arrlen(lag->wait); ++i)
        arrfree(lag->wait[i]);
    arrfree(lag->wait);
    arrfree(lag->fed);
}

// In a kernel that polls, threads may wait for each other in a way that no run shows.
static bool is_followed(const struct run *run, const struct mbarrier *mbarrier)
{
    return !run->afterlife && !orders_unseen(run, mbarrier->init_time) &&
           !mbarrier->shared_unknown && mbarrier->count_known && !mbarrier->stands_in &&
           mbarrier->state.state == BARLINT_LIVE;
}

static uint32_t place_of(struct run *run, uint32_t mbarrier, const struct named_site *site)
{
    struct lag *lag = run->machines->lag;
    for (ptrdiff_t i = 0; i < arrlen(lag->place); ++i) {
        const struct named_site *old = &lag->place[i].site;
        if (old->function == site->function && old->op == site->op && old->chain == site->chain &&
            lag->place[i].mbarrier == mbarrier)
            return (uint32_t)i;
    }
    arrput(lag->place, ((struct lag_place){*site, mbarrier, run->masks->none, run->masks->none,
                                           run->masks->none, false}));
    return (uint32_t)arrlen(lag->place) - 1;
}

// Whether it is one wait in the sources, that of a helper too which is called in several places.
static bool is_same_wait(const struct named_site *a, const struct named_site *b)
{
    return a->function == b->function && a->op == b->op;
}

void lag_passed(struct run *run, const struct mbarrier *mbarrier, const struct mask *mask,
                const struct named_site *site)
{
    struct lag *lag = run->machines->lag;
    uint32_t index = (uint32_t)(mbarrier - run->machines->mbarrier);
    if (!is_followed(run, mbarrier) || mask->count == 0)
        return;
    while (arrlenu(lag->wait) <= index)
        arrput(lag->wait, NULL);
    uint32_t time = orders_time(run), place = place_of(run, index, site);
    for (ptrdiff_t i = 0; i < arrlen(lag->wait[index]);) {
        struct lag_wait *wait = &lag->wait[index][i];
        // They go on waiting there: that they were in time is not owed to anybody.
        struct lag_place *before = &lag->place[wait->place];
        const struct mask *lapped = mask_and(run->masks, wait->open, mask);
        if (is_same_wait(&before->site, site) && wait->phase + 2 == mbarrier->state.phase) {
            before->lapped = mask_or(run->masks, before->lapped, lapped);
            if (wait->place != place)
                before->apart = mask_or(run->masks, before->apart, lapped);
        }
        wait->mask = mask_minus(run->masks, wait->mask, mask);
        wait->open = mask_minus(run->masks, wait->open, mask);
        if (wait->mask->count)
            ++i;
        else
            arrdelswap(lag->wait[index], i);
    }
    arrput(lag->wait[index],
           ((struct lag_wait){mask, run->masks->none, time, mbarrier->state.phase - 1, place,
                              index < arrlenu(lag->fed) && lag->fed[index]}));
    mask_each (run->masks, mask, t)
        lag->first[t] = lag->first[t] ? lag->first[t] : time;
}

void lag_sent(struct run *run, const struct mask *mask)
{
    uint32_t time = orders_time(run);
    mask_each (run->masks, mask, t)
        run->machines->lag->sent[t] = time;
}

// The threads for whom what has been released there need not have waited, as far as they did their
// waiting then: all lanes of a warp, or none. Whoever has exited will not wait there any more.
static const struct mask *not_released_to(struct run *run, const struct lag_wait *wait,
                                          const struct released *at)
{
    struct mask_builder open;
    mask_builder_clear(run->masks, &open);
    uint32_t warp = UINT32_MAX;
    bool is_open = false;
    mask_each (run->masks, wait->mask, t) {
        if (warp_of(run, t) != warp) {
            warp = warp_of(run, t);
            is_open = !mask_has(run->exited, t) && !orders_released_to(run, t, wait->time, at);
            for (uint32_t l = warp; l < run->engine->threads && l < warp + 32; ++l)
                is_open &= run->machines->lag->sent[l] <= wait->time;
        }
        if (is_open)
            mask_builder_add(&open, t);
    }
    return mask_builder_end(run->masks, &open);
}

void lag_completes(struct run *run, const struct mbarrier *mbarrier, uint32_t phase)
{
    struct lag *lag = run->machines->lag;
    uint32_t index = (uint32_t)(mbarrier - run->machines->mbarrier);
    bool fed = mbarrier->traffic.announced > 0;
    while (arrlenu(lag->fed) <= index)
        arrput(lag->fed, false);
    lag->fed[index] = fed;
    if (index >= arrlenu(lag->wait) || !is_followed(run, mbarrier))
        return;
    for (ptrdiff_t i = 0; i < arrlen(lag->wait[index]); ++i) {
        struct lag_wait *wait = &lag->wait[index][i];
        if (wait->phase + 1 != phase)
            continue;
        wait->open = not_released_to(run, wait, &mbarrier->released);
        struct lag_place *place = &lag->place[wait->place];
        place->fed |= wait->fed && fed;
        place->held =
            mask_or(run->masks, place->held, mask_minus(run->masks, wait->mask, wait->open));
    }
}

void lag_together(struct run *run, const struct mask *mask)
{
    mask_each (run->masks, mask, t)
        run->machines->lag->heard[t] = true;
}

void lag_reads(struct run *run, const struct mask *mask)
{
    struct lag *lag = run->machines->lag;
    if (arrlen(lag->place))
        lag->readers = mask_or(run->masks, lag->readers, mask);
}

void lag_exit(struct run *run, const struct mask *mask)
{
    struct lag *lag = run->machines->lag;
    mask_each (run->masks, mask, t)
        lag->silent[t] = lag->first[t] && !lag->heard[t] && !orders_released(run, t, lag->first[t]);
}

// The threads that are whole warps, none of which has told anybody anything since its first wait.
static const struct mask *silent_warps(struct run *run, const struct mask *mask)
{
    uint32_t size = run->engine->block_threads;
    struct mask_builder silent;
    mask_builder_clear(run->masks, &silent);
    mask_each (run->masks, mask, t) {
        uint32_t first = warp_of(run, t), end = t - t % size + size;
        bool all = true;
        for (uint32_t l = first; l < first + 32 && l < end; ++l)
            all &= mask_has(mask, l) && run->machines->lag->silent[l];
        if (all)
            mask_builder_add(&silent, t);
    }
    return mask_builder_end(run->masks, &silent);
}

// Those that read what they have waited for, and that nothing else keeps together with their
// warpgroup.
static const struct mask *readers_alone(struct run *run, const struct mask *mask)
{
    struct mask_builder left;
    mask_builder_clear(run->masks, &left);
    mask_each (run->masks, mask_and(run->masks, mask, run->machines->lag->readers), t) {
        if (!run->machines->lag->heard[t])
            mask_builder_add(&left, t);
    }
    return mask_builder_end(run->masks, &left);
}

void lag_end(struct run *run)
{
    struct lag *lag = run->machines->lag;
    if (run->over || run->exited != run->masks->all)
        return;
    for (ptrdiff_t i = 0; i < arrlen(lag->place); ++i) {
        const struct lag_place *place = &lag->place[i];
        // Where others that wait there are waited for, those beside them mostly meet them soon. Of
        // warps that nobody ever hears of it is possible, but rarely comes to pass. Who reads what
        // a copy brings does more than to look on: where the next copy is for the same place its
        // data are in danger too, which is told of them; for another one, this is all.
        const struct mask *lapped = mask_minus(run->masks, place->lapped, place->held);
        const struct mask *apart =
            readers_alone(run, mask_minus(run->masks, place->apart, place->held));
        bool is_apart = place->fed && apart->count > 0;
        if (is_apart)
            lapped = apart;
        else if (place->held->count)
            lapped = silent_warps(run, lapped);
        if (lapped->count == 0)
            continue;
        const struct mbarrier *mbarrier = &run->machines->mbarrier[place->mbarrier];
        bool weak = run->weak;
        run->weak |= place->held->count > 0 && !is_apart;
        struct engine_incident *incident =
            record_incident(run, ENGINE_VIOLATION, BARLINT_PHASE_PARITY_LAG, place->site.function,
                            place->site.op, place->site.chain, mbarrier->result_object, lapped);
        run->weak = weak;
        if (!incident)
            continue;
        const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
        if (object->loc.file)
            record_step(run, incident, object->loc, "'%s' is declared here", object->name);
        record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
    }
}
