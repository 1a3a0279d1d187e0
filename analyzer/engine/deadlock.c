// Nobody can go on: who waits for whom, which of them waits for a reason of its own, and what that
// reason is.
#include <string.h>

#include "base/vec.h"
#include "engine/machines.h"

enum { MOST_WAITING = 64 }; // groups compared with each other; more are all reported

// --- Who is missed at an mbarrier ----------------------------------------------------------------

// The threads that were seen to arrive there in this run or in another.
static const struct mask *arrivers_of(struct run *run, const struct mbarrier *mbarrier)
{
    const struct engine_result *result = run->engine->result;
    const struct mask *all = mbarrier->ever_arrived;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        bool arrives = event->model.kind == MODEL_MBARRIER_ARRIVE ||
                       event->model.kind == MODEL_MBARRIER_ARRIVE_WAIT;
        if (arrives && event->object == mbarrier->result_object && event->threads.mask)
            all = mask_or(&run->masks, all, mask_from_words(&run->masks, event->threads.mask));
    }
    return all;
}

// The threads that do not arrive although the count wants them: of as many threads as the count
// has, those that have not come. Nobody where it cannot be told.
static const struct mask *mbarrier_lacks(struct run *run, const struct mbarrier *mbarrier)
{
    const struct mask *block = run->block_mask[mbarrier->block];
    uint32_t expected = mbarrier->state.expected;
    if (expected == run->engine->block_threads)
        return mask_minus(&run->masks, block, mbarrier->arrived);
    if (mbarrier->ever_arrived->count >= expected)
        return mask_minus(&run->masks, mbarrier->ever_arrived, mbarrier->arrived);
    const struct mask *arrivers = arrivers_of(run, mbarrier);
    if (arrivers->count >= expected)
        return mask_minus(&run->masks, arrivers, mbarrier->arrived);
    return run->masks.none;
}

// Whether one lane of each of its warps arrived.
static bool one_of_each_warp(struct run *run, const struct mask *arrived)
{
    uint32_t size = run->engine->block_threads, last = UINT32_MAX;
    mask_each (&run->masks, arrived, t) {
        uint32_t warp = t / size * 64 + t % size / 32;
        if (warp == last)
            return false;
        last = warp;
    }
    return arrived->count > 0;
}

// --- Why -----------------------------------------------------------------------------------------

// Threads were kept from arriving: by the condition that sent them another way than those who
// wait.
static enum barlint_violation blame_absent(struct run *run, const struct mbarrier *mbarrier,
                                           const struct mask *missing,
                                           const struct parting_found *found)
{
    const struct parting *parting = found->parting;
    if (found->returns)
        return BARLINT_EXIT_MISSING_DROP;
    if (parting && parting->is_loop)
        return BARLINT_ARRIVE_LOOP_MISMATCH;
    // Threads that never take part, by their number: the count is wrong rather than the way.
    if (mbarrier->state.phase == 0 && parting && parting->by_number &&
        !mask_overlaps(&run->masks, missing, mbarrier->ever_arrived))
        return BARLINT_INIT_COUNT_MISMATCH;
    return BARLINT_ARRIVE_DIVERGENT;
}

static enum barlint_violation blame(struct run *run, struct group *group,
                                    const struct mbarrier *mbarrier, const struct mask *missing,
                                    const struct parting_found *found)
{
    const struct barlint_mbarrier *state = &mbarrier->state;
    if (state->pending == 0 && state->tx != 0) {
        if (state->tx > 0)
            return BARLINT_TX_BYTES_MANY;
        return state->announced == 0 ? BARLINT_TX_NO_EXPECT : BARLINT_TX_BYTES_FEW;
    }
    if (state->phase >= 1 && mbarrier->user[group->mask->first].waits + 1 < state->phase)
        return BARLINT_PHASE_PARITY_LAG;
    if (mbarrier->ever_arrived->count == 0 && state->phase == 0 &&
        state->pending == state->expected)
        return BARLINT_PHASE_PARITY_INITIAL;
    enum barlint_violation unit =
        barlint_count_compare(state->expected, state->expected - state->pending);
    if (unit == BARLINT_ARRIVE_GRANULARITY && one_of_each_warp(run, mbarrier->arrived))
        return unit;
    if (missing->count && mask_subset(&run->masks, missing, group->mask))
        return state->phase > 0 ? BARLINT_PHASE_PARITY_FLIP : BARLINT_PHASE_SELF_DEADLOCK;
    if (missing->count)
        return blame_absent(run, mbarrier, missing, found);
    if (mbarrier->arrivals == 0 && state->phase > 0)
        return BARLINT_PHASE_PARITY_FLIP;
    return BARLINT_INIT_COUNT_MISMATCH;
}

// Where a reader should look: at the arrive that not all come to, at the return that comes before.
static void place_incident(struct engine_incident *incident, const struct mbarrier *mbarrier,
                           const struct parting_found *found)
{
    switch (incident->violation) {
    case BARLINT_EXIT_MISSING_DROP:
        incident->loc = found->return_loc;
        incident->loc_chain = found->parting->chain;
        break;
    case BARLINT_ARRIVE_DIVERGENT:
    case BARLINT_ARRIVE_GRANULARITY:
        if (mbarrier->arrive_site.loc.file == 0)
            break;
        incident->loc = mbarrier->arrive_site.loc;
        incident->loc_chain = mbarrier->arrive_site.chain;
        break;
    default:
        break;
    }
}

static void mbarrier_stuck(struct run *run, struct group *group, const struct mask *missing)
{
    const struct mbarrier *mbarrier = &run->machines->mbarrier[group->wait_barrier];
    if (mbarrier->shared_unknown || !mbarrier->count_known)
        return;
    struct parting_found found = {0};
    const struct mask *present = mask_or(&run->masks, mbarrier->arrived, group->mask);
    if (missing->count)
        parting_between(run, missing, mask_minus(&run->masks, present, missing), &found);
    enum barlint_violation violation = blame(run, group, mbarrier, missing, &found);
    struct engine_incident *incident =
        record_incident(run, ENGINE_DEADLOCK, violation, group->wait_function, group->wait_op,
                        group->wait_chain, mbarrier->result_object, group->mask);
    if (!incident)
        return;
    const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
    incident->number[0] = mbarrier->state.expected;
    incident->number[1] = mbarrier->state.pending;
    incident->number[2] = mbarrier->state.phase;
    record_threads(run, &incident->missing, missing);
    place_incident(incident, mbarrier, &found);
    if (object->loc.file)
        record_step(run, incident, object->loc, "'%s' is declared here", object->name);
    record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
    if (!missing->count)
        return;
    if (found.parting) {
        incident->branch = found.parting->branch;
        record_step(run, incident, found.parting->branch, "%s take another way here",
                    mask_words(run, missing));
    }
    record_step(run, incident, group->wait_loc, "phase %u never completes: %s %s",
                mbarrier->state.phase, mask_words(run, missing),
                mask_subset(&run->masks, missing, run->exited) ? "have exited" : "do not arrive");
}

// --- Who waits for whom
// ----------------------------------------------------------------------------

struct waiting {
    struct group *group;
    const struct mask *lacks; // threads that would let it go on
    uint64_t reach;           // the others that hold it up, directly or through others
};

static uint32_t collect(struct run *run, struct waiting *out)
{
    uint32_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        struct group *group = run->group[i];
        bool mbarrier = group->wait == WAIT_MBARRIER || group->wait == WAIT_TEST;
        if (group->state != GROUP_BLOCKED || (!mbarrier && group->wait != WAIT_NAMED))
            continue;
        if (count < MOST_WAITING) {
            const struct mask *lacks =
                mbarrier ? mbarrier_lacks(run, &run->machines->mbarrier[group->wait_barrier])
                         : named_lacks(run, group);
            out[count] = (struct waiting){group, lacks, 0};
        }
        ++count;
    }
    return count;
}

static void connect(struct run *run, struct waiting *waiting, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < count; ++k) {
            if (i != k && mask_overlaps(&run->masks, waiting[i].lacks, waiting[k].group->mask))
                waiting[i].reach |= UINT64_C(1) << k;
        }
    }
    for (uint32_t via = 0; via < count; ++via) {
        for (uint32_t i = 0; i < count; ++i) {
            if (waiting[i].reach >> via & 1)
                waiting[i].reach |= waiting[via].reach;
        }
    }
}

// Whether the group would go on if others, who do not wait for it, went on.
static bool is_consequence(struct run *run, const struct waiting *waiting, uint32_t count,
                           uint32_t at)
{
    const struct waiting *one = &waiting[at];
    if (mask_overlaps(&run->masks, one->lacks, run->exited) ||
        mask_overlaps(&run->masks, one->lacks, one->group->mask))
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (one->reach >> i & 1 && !(waiting[i].reach >> at & 1))
            return true;
    }
    return false;
}

// Whether it waits in a circle that a named barrier is part of.
static bool in_named_cycle(const struct waiting *waiting, uint32_t count, uint32_t at)
{
    if (!(waiting[at].reach >> at & 1))
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (waiting[at].reach >> i & 1 && waiting[i].reach >> at & 1 &&
            waiting[i].group->wait == WAIT_NAMED)
            return true;
    }
    return false;
}

void deadlock_report(struct run *run)
{
    struct waiting waiting[MOST_WAITING];
    uint32_t count = collect(run, waiting);
    bool many = count > MOST_WAITING;
    count = many ? MOST_WAITING : count;
    if (!many)
        connect(run, waiting, count);
    for (uint32_t i = 0; i < count; ++i) {
        struct group *group = waiting[i].group;
        if (is_consequence(run, waiting, count, i))
            continue;
        bool cycle = in_named_cycle(waiting, count, i);
        if (group->wait == WAIT_NAMED)
            named_stuck(run, group, cycle);
        else if (!cycle)
            mbarrier_stuck(run, group, waiting[i].lacks);
    }
}
