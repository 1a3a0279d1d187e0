// Relaxed arrivals behind stores: whether those who wait for them come to what was stored. An
// arrival that only says that it is somebody's turn has nothing to publish.
#include "base/vec.h"
#include "engine/memory/ordered.h"

enum { WARP = 32, MOST_OPEN = 256 };

// What a warp has stored since it last released.
struct stored_place {
    uint32_t object;
    int64_t low, high;
    bool many; // or nobody knows where
};

// A relaxed arrival that somebody has waited for, who has not come to what was stored yet.
struct unread {
    uint32_t event;
    struct stored_place place;
    const struct mask *readers;     // who come behind the wait
    const struct mask *not_arrived; // who may learn of it from them
};

struct unreads {
    struct stored_place *of_warp;
    struct stored_place *kept; // stb_ds array: of arrivals
    struct unread *open;       // stb_ds array
};

void unread_init(struct run *run)
{
    struct unreads *all = arena_new(&run->arena, struct unreads);
    all->of_warp = arena_array(&run->arena, struct stored_place, run->engine->threads / WARP + 1);
    run->machines->unreads = all;
}

void unread_release(struct run *run)
{
    arrfree(run->machines->unreads->kept);
    arrfree(run->machines->unreads->open);
}

void unread_stored(struct run *run, const struct mask *mask, const struct mask *before,
                   uint32_t object, int64_t low, int64_t high)
{
    uint32_t last = UINT32_MAX;
    mask_each (run->masks, mask, t) {
        if (t / WARP == last)
            continue;
        last = t / WARP;
        struct stored_place *place = &run->machines->unreads->of_warp[last];
        uint32_t end = (last + 1) * WARP;
        bool goes_on = mask_next(run->masks, before, last * WARP) < end;
        if (!goes_on) {
            *place = (struct stored_place){object, low, high, false};
            continue;
        }
        place->many |= place->object != object;
        place->low = low < place->low ? low : place->low;
        place->high = high > place->high ? high : place->high;
    }
}

uint32_t unread_arrived(struct run *run, uint32_t thread)
{
    struct unreads *all = run->machines->unreads;
    arrput(all->kept, all->of_warp[thread / WARP]);
    return (uint32_t)arrlen(all->kept);
}

void unread_waited(struct run *run, const struct mbarrier *mbarrier, uint32_t event, uint32_t place,
                   const struct mask *waiters)
{
    struct unreads *all = run->machines->unreads;
    const struct stored_place *stored = &all->kept[place - 1];
    struct engine_event *told = &run->engine->result->event[event];
    if (told->wrote)
        return;
    if (stored->many || arrlen(all->open) >= MOST_OPEN) {
        told->wrote = true;
        return;
    }
    for (ptrdiff_t i = 0; i < arrlen(all->open); ++i) {
        struct unread *open = &all->open[i];
        if (open->event == event && open->readers == waiters && open->place.low == stored->low &&
            open->place.high == stored->high && open->place.object == stored->object)
            return;
    }
    const struct mask *block = run->block_mask[waiters->first / run->engine->block_threads];
    arrput(all->open, ((struct unread){event, *stored, waiters,
                                       mask_minus(run->masks, block, mbarrier->ever_arrived)}));
}

bool unread_any(const struct run *run)
{
    return arrlen(run->machines->unreads->open) > 0;
}

void unread_touched(struct run *run, const struct mask *mask, uint32_t object, int64_t low,
                    int64_t high)
{
    struct unreads *all = run->machines->unreads;
    for (ptrdiff_t i = arrlen(all->open); i-- > 0;) {
        const struct unread *open = &all->open[i];
        bool there = object == UINT32_MAX || (object == open->place.object &&
                                              low < open->place.high && open->place.low < high);
        if (!there || !mask_overlaps(run->masks, mask, open->readers))
            continue;
        run->engine->result->event[open->event].wrote = true;
        arrdelswap(all->open, i);
    }
}

void unread_told(struct run *run, const struct mask *mask)
{
    struct unreads *all = run->machines->unreads;
    for (ptrdiff_t i = 0; i < arrlen(all->open); ++i) {
        struct unread *open = &all->open[i];
        if (mask_overlaps(run->masks, open->readers, mask))
            open->readers = mask_or(run->masks, open->readers, open->not_arrived);
    }
}

void unread_met(struct run *run, uint32_t block)
{
    struct unreads *all = run->machines->unreads;
    for (ptrdiff_t i = arrlen(all->open); i-- > 0;) {
        if (mask_overlaps(run->masks, all->open[i].readers, run->block_mask[block]))
            arrdelswap(all->open, i);
    }
}
