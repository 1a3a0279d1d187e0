// Bytes that a thread announces to an mbarrier while others make the arrivals of the phase: where
// nothing tells any of those that the bytes are announced, the phase may be over before they are,
// whatever a run shows (PTX ISA 9.1, 9.7.13.15.6, 9.7.13.15.8).
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/story/record.h"

// Phases that may have ended too soon, told at the end of the run.
struct announced_place {
    struct expectation expectation;
    uint32_t mbarrier;
};

struct announced {
    struct announced_place *place; // stb_ds array
};

void announced_init(struct run *run)
{
    run->machines->announced = arena_new(&run->arena, struct announced);
}

void announced_release(struct run *run)
{
    arrfree(run->machines->announced->place);
}

void announced_add(struct run *run, struct group *group, ir_value op, const struct mask *mask,
                   struct mbarrier *mbarrier, const struct node *bytes)
{
    int64_t number;
    if (mbarrier->expectations < MOST_EXPECTATIONS && mask->count == 1 && bytes &&
        node_lane(bytes, mask->first, &number) && number > 0) // none cannot come too late
        mbarrier->expectation[mbarrier->expectations++] =
            (struct expectation){.site = named_site_of(run, group, op),
                                 .thread = mask->first,
                                 .time = orders_time(run),
                                 .bytes = number};
}

// Whether one of the threads comes after it.
static bool knows(const struct run *run, const struct expectation *expectation,
                  const struct mask *mask)
{
    mask_each (run->masks, mask, t) {
        if (warp_of(run, expectation->thread) == warp_of(run, t) ||
            orders_before(run, expectation->thread, expectation->time, t))
            return true;
    }
    return false;
}

void announced_arrive(struct run *run, struct mbarrier *mbarrier, const struct mask *mask)
{
    for (uint32_t i = 0; i < mbarrier->expectations; ++i) {
        struct expectation *expectation = &mbarrier->expectation[i];
        expectation->held = expectation->held || knows(run, expectation, mask);
    }
}

void announced_copy(struct run *run, struct mbarrier *mbarrier, const struct mask *mask,
                    int64_t bytes)
{
    for (uint32_t i = 0; i < mbarrier->expectations; ++i) {
        if (knows(run, &mbarrier->expectation[i], mask))
            mbarrier->expectation[i].behind += bytes;
    }
}

// Whether the bytes that others announce may all have come before these are announced.
static bool may_be_even(const struct mbarrier *mbarrier, const struct expectation *expectation)
{
    const struct traffic *traffic = &mbarrier->traffic;
    int64_t others = traffic->announced - expectation->bytes;
    return others == 0 ||
           (!mbarrier->bytes_unknown && others <= traffic->copied - expectation->behind);
}

void announced_over(struct run *run, struct mbarrier *mbarrier)
{
    bool followed = !run->afterlife && !orders_unseen(run, mbarrier->init_time) &&
                    !mbarrier->shared_unknown && mbarrier->count_known && !mbarrier->stands_in &&
                    !mbarrier->dropped && !mbarrier->traffic.unsaid &&
                    mbarrier->state.state == BARLINT_LIVE;
    for (uint32_t i = 0; i < mbarrier->expectations && followed; ++i) {
        const struct expectation *expectation = &mbarrier->expectation[i];
        struct announced_place place = {*expectation,
                                        (uint32_t)(mbarrier - run->machines->mbarrier)};
        if (!expectation->held && may_be_even(mbarrier, expectation))
            arrput(run->machines->announced->place, place);
    }
    mbarrier->expectations = 0;
}

void announced_end(struct run *run)
{
    struct announced *announced = run->machines->announced;
    if (run->over || run->exited != run->masks->all || premature_doubtful(run))
        return;
    for (ptrdiff_t i = 0; i < arrlen(announced->place); ++i) {
        const struct expectation *told = &announced->place[i].expectation;
        const struct mbarrier *mbarrier = &run->machines->mbarrier[announced->place[i].mbarrier];
        struct engine_incident *incident = record_incident(
            run, ENGINE_VIOLATION, BARLINT_TX_LATE_EXPECT, told->site.function, told->site.op,
            told->site.chain, mbarrier->result_object, mask_one(run->masks, told->thread));
        if (!incident)
            continue;
        const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
        incident->number[2] = ENGINE_ANNOUNCED_APART;
        if (object->loc.file)
            record_step(run, incident, object->loc, "'%s' is declared here", object->name);
        record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
    }
}
