// What runs do, as a set of numbers that all runs of a kernel fill: each stands for one thing that
// some threads do to a barrier or to shared memory after another. Rounds of a loop are new as long
// as they use other stages, parities or addresses than the rounds before, and no longer.
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "base/vec.h"
#include "engine/run.h"
#include "engine/walk/walk.h"

// The same in every run for what is known; what is not known is told apart by how it differs
// between threads only.
static uint64_t value_mark(const struct node *value)
{
    return node_known(value) ? value->hash : value->shape;
}

static void grow(struct deeds *deeds)
{
    struct deeds grown = {.slots = deeds->slots ? deeds->slots * 2 : 1024};
    grown.slot = arena_vec_realloc(NULL, grown.slots * sizeof *grown.slot);
    memset(grown.slot, 0, grown.slots * sizeof *grown.slot);
    for (uint32_t i = 0; i < deeds->slots; ++i) {
        if (deeds->slot[i])
            deeds_add(&grown, deeds->slot[i]);
    }
    free(deeds->slot);
    *deeds = grown;
}

bool deeds_add(struct deeds *deeds, uint64_t deed)
{
    deed += deed == 0; // a slot without a deed
    if (deeds->used >= deeds->slots / 2)
        grow(deeds);
    uint32_t at = (uint32_t)deed & (deeds->slots - 1);
    while (deeds->slot[at] && deeds->slot[at] != deed)
        at = (at + 1) & (deeds->slots - 1);
    if (deeds->slot[at])
        return false;
    deeds->slot[at] = deed;
    ++deeds->used;
    return true;
}

static void note(struct run *run, uint64_t deed)
{
    if (!run->afterlife)
        run->deeds_new |= deeds_add(&run->engine->deeds, deed);
}

void deeds_event(struct run *run, struct group *group, const struct mask *mask, uint64_t event)
{
    uint64_t deed = mix(mask->hash, event);
    note(run, mix(group->deed, deed));
    group->deed = deed;
    run->doing = group;
}

void deeds_value(struct run *run, const struct node *value)
{
    if (!run->doing)
        return;
    run->doing->deed = mix(run->doing->deed, value_mark(value));
    note(run, run->doing->deed);
}

void deeds_access(struct run *run, const struct group *group, ir_value where,
                  const struct node *offset, bool writes)
{
    uint64_t deed = mix(group->deed, (uint64_t)group->frame->chain << 32 | where);
    note(run, mix(mix(deed, group->mask->hash + writes), value_mark(offset)));
}

void deeds_exit(struct run *run, const struct group *group)
{
    note(run, mix(group->deed, group->mask->hash));
}

void deeds_incident(struct run *run, uint64_t incident)
{
    note(run, mix(run->weak, incident));
}
