// Arrivals at mbarriers by one thread that others have relied on: lane 0 arrives for its warp, or
// thread 0 for its warpgroup, when all have done their part. Where nothing makes it wait for them,
// the arrival is the place to look at, not what races with them far away.
#include "engine/memory/races_internal.h"
#include "engine/walk/walk.h"

enum { MOST_ARRIVALS = 32 }; // that are remembered: the latest

struct spoken {
    struct {
        const struct mask *mask;
        uint32_t time; // just before they released
        struct named_site site;
    } arrival[MOST_ARRIVALS];
    uint32_t count; // of all so far
};

void spoken_init(struct run *run)
{
    run->machines->spoken = arena_new(&run->arena, struct spoken);
}

// Whether at most one lane of each warp is among them.
static bool is_sparse(const struct run *run, const struct mask *mask)
{
    uint32_t last = UINT32_MAX;
    if (mask->count > (run->masks->threads + 31) / 32)
        return false;
    mask_each (run->masks, mask, t) {
        if (t / 32 == last)
            return false;
        last = t / 32;
    }
    return true;
}

void spoken_arrive(struct run *run, const struct mask *mask, const struct named_site *site)
{
    struct spoken *spoken = run->machines->spoken;
    if (!is_sparse(run, mask))
        return;
    uint32_t at = spoken->count++ % MOST_ARRIVALS;
    spoken->arrival[at].mask = mask;
    spoken->arrival[at].time = orders_time(run);
    spoken->arrival[at].site = *site;
}

// The thread of those that speaks for `a`: a lane of its warp, or one thread alone, which has made
// the same access.
static bool speaker_of(const struct run *run, const struct mask *mask, const struct access *early,
                       uint32_t a, uint32_t *speaker)
{
    mask_each (run->masks, mask, t) {
        if (t != a && (t / 32 == a / 32 || mask->count == 1) && mask_has(early->mask, t)) {
            *speaker = t;
            return true;
        }
    }
    return false;
}

// Whether each speaks for its own warp alone.
static bool is_for_warp(struct run *run, const struct mask *mask, const struct access *early,
                        uint32_t a, uint32_t speaker)
{
    uint32_t first = speaker - speaker % run->engine->block_threads % 32;
    const struct mask *warp = mask_range(run->masks, first, first + 32);
    return a / 32 == speaker / 32 &&
           (mask->count > 1 || mask_minus(run->masks, early->mask, warp)->count == 0);
}

const struct named_site *spoken_for(struct run *run, const struct access *early, uint32_t a,
                                    uint32_t b, uint32_t *speaker, bool *for_warp)
{
    const struct spoken *spoken = run->machines->spoken;
    uint32_t first = spoken->count > MOST_ARRIVALS ? spoken->count - MOST_ARRIVALS : 0;
    if (orders_released(run, a, early->time))
        return NULL; // it has said itself that it is through
    for (uint32_t i = first; i < spoken->count; ++i) {
        uint32_t at = i % MOST_ARRIVALS;
        if (spoken->arrival[at].time > early->time &&
            speaker_of(run, spoken->arrival[at].mask, early, a, speaker) &&
            *speaker / 32 != b / 32 &&
            orders_before(run, *speaker, spoken->arrival[at].time, b)) {
            *for_warp = is_for_warp(run, spoken->arrival[at].mask, early, a, *speaker);
            return &spoken->arrival[at].site;
        }
    }
    return NULL;
}
