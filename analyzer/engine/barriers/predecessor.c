// A kernel that may start early waits for the one before it in its stream (griddepcontrol.wait);
// which threads know that this one's memory is there, as they have waited or come after one that
// has.
#include "base/vec.h"
#include "engine/barriers/machines.h"

void predecessor_waited(struct run *run, const struct mask *mask)
{
    struct machines *machines = run->machines;
    uint32_t now = orders_time(run);
    if (!machines->predecessor)
        machines->predecessor = arena_array(&run->arena, uint32_t, run->engine->threads);
    mask_each (run->masks, mask, t) {
        if (machines->predecessor[t] == 0)
            machines->predecessor[t] = now;
    }
}

static bool knows(const struct run *run, uint32_t thread)
{
    const uint32_t *waited = run->machines->predecessor;
    if (waited[thread])
        return true;
    for (uint32_t t = 0; t < run->engine->threads; ++t) {
        if (waited[t] && orders_before(run, t, waited[t], thread))
            return true;
    }
    return false;
}

bool predecessor_known(const struct run *run, const struct mask *mask)
{
    if (!run->machines->predecessor)
        return false;
    mask_each (run->masks, mask, t) {
        if (!knows(run, t))
            return false;
    }
    return true;
}

void predecessor_end(struct run *run)
{
    struct engine_event *event = run->engine->result->event;
    for (ptrdiff_t i = 0; i < arrlen(event); ++i) {
        event[i].unaware |= event[i].unaware_now && run->machines->predecessor;
        event[i].unaware_now = false;
    }
}

void predecessor_passed(struct run *run, const struct mask *mask, const struct named_site *site)
{
    struct engine_event *event = run->engine->result->event;
    if (!run->engine->shape.dependent || mask->count == 0 || predecessor_known(run, mask))
        return;
    for (ptrdiff_t i = 0; i < arrlen(event); ++i) {
        event[i].unaware_now |= event[i].function == site->function && event[i].op == site->op &&
                                event[i].chain == site->chain;
    }
}
