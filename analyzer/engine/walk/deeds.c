// What runs do, as a set of numbers that all runs of a kernel fill: each stands for one thing that
// some threads do to a barrier or to shared memory after another. Rounds of a loop are new as long
// as they use other stages, parities or addresses than the rounds before, and no longer.
#include "base/vec.h"
#include "engine/run.h"

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash ^= word + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2);
    hash *= UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 29;
}

// The same in every run for what is known; what is not known is told apart by how it differs
// between threads only.
static uint64_t value_mark(const struct node *value)
{
    return node_known(value) ? value->hash : value->shape;
}

static void note(struct run *run, uint64_t deed)
{
    struct engine *engine = run->engine;
    if (run->afterlife || hmgeti(engine->deed, deed) >= 0)
        return;
    hmputs(engine->deed, (typeof(*engine->deed)){deed});
    run->deeds_new = true;
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
