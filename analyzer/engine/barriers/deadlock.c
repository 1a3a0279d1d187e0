// Nobody can go on: who waits for whom, which of them waits for a reason of its own, and what that
// reason is.
#include <string.h>

#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/story/record.h"
#include "engine/story/trace.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

enum { MOST_WAITING = 64 }; // groups compared with each other; more are all reported

enum { AFTERLIFE_STEPS = 20000 };

// A group that cannot go on. The copies say how things stood before the afterlife.
struct waiting {
    struct group *group;
    const struct mask *lacks;  // threads that would let it go on
    const struct mask *absent; // of a named barrier: those that it has yet to see
    uint64_t reach;            // the others that hold it up, directly or through others
    const struct mask *owed;   // who would arrive in the phase, or come, if no wait held them
    struct group group_then;
    struct mbarrier mbarrier_then;
    struct holder holder_then; // of its first thread
    uint32_t passed_then;      // waits of its first thread that passed
    bool by_parity;
    bool too_late; // whenever it comes, the latest phase that has ended is over
    uint32_t slot; // of a named barrier, and the state of its block
    const struct block_state *block_then;
    enum barlint_violation violation;
};

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
            all = mask_or(run->masks, all, mask_from_words(run->masks, event->threads.mask));
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
        return mask_minus(run->masks, block, mbarrier->arrived);
    if (mbarrier->ever_arrived->count >= expected)
        return mask_minus(run->masks, mbarrier->ever_arrived, mbarrier->arrived);
    const struct mask *arrivers = arrivers_of(run, mbarrier);
    if (arrivers->count >= expected)
        return mask_minus(run->masks, arrivers, mbarrier->arrived);
    return run->masks->none;
}

// Whether one lane of each of its warps arrived.
static bool one_of_each_warp(struct run *run, const struct mask *arrived)
{
    uint32_t size = run->engine->block_threads, last = UINT32_MAX;
    mask_each (run->masks, arrived, t) {
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
static enum barlint_violation blame_absent(struct run *run, const struct waiting *waiting,
                                           const struct mask *missing,
                                           const struct parting_found *found)
{
    const struct mbarrier *mbarrier = &waiting->mbarrier_then;
    const struct parting *parting = found->parting;
    // Who waits there like the others has returned from a helper, and left nothing for good.
    if (found->returns && !mask_subset(run->masks, missing, waiting->group_then.mask))
        return BARLINT_EXIT_MISSING_DROP;
    if (parting && parting->is_loop)
        return BARLINT_ARRIVE_LOOP_MISMATCH;
    // They have arrived before and nobody does any more.
    if (mbarrier->state.phase > 0 && mbarrier->state.pending == mbarrier->state.expected &&
        mask_subset(run->masks, missing, mbarrier->ever_arrived))
        return BARLINT_ARRIVE_LOOP_MISMATCH;
    // Threads that never take part, by their number: the count is wrong rather than the way.
    if (mbarrier->state.phase == 0 && parting && parting->by_number &&
        !mask_overlaps(run->masks, missing, mbarrier->ever_arrived))
        return BARLINT_INIT_COUNT_MISMATCH;
    return BARLINT_ARRIVE_DIVERGENT;
}

// What the group does first with shared memory once its wait is over.
static enum touch touch_of(const struct run *run, const struct waiting *waiting)
{
    return (enum touch)run->machines->touch[waiting->group_then.mask->first];
}

// Whether threads that arrived at the object had run ahead of others: their first wait somewhere
// else was over at once.
static bool freed_too_early(const struct run *run, const struct mbarrier *mbarrier)
{
    for (ptrdiff_t i = 0; i < arrlen(run->machines->mbarrier); ++i) {
        const struct mbarrier *other = &run->machines->mbarrier[i];
        if (other->object == mbarrier->object && other->offset == mbarrier->offset)
            continue;
        mask_each (run->masks, mbarrier->ever_arrived, t) {
            if (other->holder[t].began_over && run->machines->touch[t] != TOUCH_STORE)
                return true;
        }
    }
    return false;
}

// A wait by parity that contradicts the thread's earlier waits on the object; or whose first one
// named the phase that counts as over on a fresh object, though the thread goes on to read what
// others store (PTX ISA 9.1, 9.7.13.15.9, .16). BARLINT_VIOLATION_COUNT_ where the parity is as it
// should be.
static enum barlint_violation blame_parity(const struct run *run, const struct waiting *waiting)
{
    uint32_t parity = waiting->group_then.wait_parity, phase = waiting->mbarrier_then.state.phase;
    const struct holder *holder = &waiting->holder_then;
    enum touch touch = touch_of(run, waiting);
    if (!waiting->by_parity)
        return BARLINT_VIOLATION_COUNT_;
    // Who goes on to fill the buffer did well to begin with parity 1, and came too late, where it
    // could have come in time.
    if (holder->last == 0 && parity == 1 && phase % 2 == 1)
        return touch == TOUCH_STORE && !(phase == 1 && waiting->too_late)
                   ? BARLINT_PHASE_PARITY_LAG
                   : BARLINT_PHASE_PARITY_INITIAL;
    if (holder->last == 1 + parity || (holder->begun_unlike && holder->last == 0))
        return BARLINT_PHASE_PARITY_FLIP;
    if (holder->began_over && touch == TOUCH_LOAD)
        return BARLINT_PHASE_PARITY_INITIAL;
    // A first wait for the phase before the first is none of those that have passed.
    if (phase >= 1 && waiting->passed_then + 1 < phase + holder->began_over)
        return BARLINT_PHASE_PARITY_LAG;
    return BARLINT_VIOLATION_COUNT_;
}

// Why the phase that the group waits for cannot end.
static enum barlint_violation blame(struct run *run, const struct waiting *waiting,
                                    const struct mask *missing, const struct parting_found *found)
{
    const struct mbarrier *mbarrier = &waiting->mbarrier_then;
    const struct barlint_mbarrier *state = &mbarrier->state;
    enum barlint_violation bytes = transactions_blame(mbarrier);
    if (bytes != BARLINT_VIOLATION_COUNT_)
        return bytes;
    if (waiting->by_parity && waiting->holder_then.last == 0 &&
        waiting->group_then.wait_parity == 1 && state->phase % 2 == 1 &&
        touch_of(run, waiting) == TOUCH_STORE && freed_too_early(run, mbarrier))
        return BARLINT_VIOLATION_COUNT_; // told of those who did so, where they wait themselves
    enum barlint_violation parity = blame_parity(run, waiting);
    if (parity != BARLINT_VIOLATION_COUNT_)
        return parity;
    // Threads that belong together went different ways for the sake of their data.
    if (mbarrier->arrived->count && found->parting && !found->parting->by_number &&
        !found->parting->is_loop)
        return blame_absent(run, waiting, missing, found);
    // Who waits would arrive, if only it did not wait.
    if (mask_overlaps(run->masks, waiting->owed, waiting->group_then.mask))
        return BARLINT_PHASE_SELF_DEADLOCK;
    // Others would, who wait for the group in turn: a buffer that nobody has used yet is waited for
    // as if somebody had, or two roles meet in different orders. Who goes on to read what is there
    // waits for no buffer to be free.
    if (waiting->owed->count)
        return state->phase == 0 && waiting->by_parity && waiting->holder_then.last == 0 &&
                       touch_of(run, waiting) != TOUCH_LOAD
                   ? BARLINT_PHASE_PARITY_INITIAL
                   : BARLINT_PHASE_SELF_DEADLOCK;
    enum barlint_violation unit =
        barlint_count_compare(state->expected, state->expected - state->pending);
    // One lane of each warp is what is left where the data of the others have sent them away.
    bool sent_away = found->returns && found->parting && !found->parting->by_number;
    if (unit == BARLINT_ARRIVE_GRANULARITY && !sent_away &&
        one_of_each_warp(run, mbarrier->arrived))
        return unit;
    if (missing->count)
        return blame_absent(run, waiting, missing, found);
    // Nobody arrives any more: the waiter goes through more rounds than the arrivers.
    if (mbarrier->arrivals == 0 && state->phase > 0)
        return BARLINT_ARRIVE_LOOP_MISMATCH;
    return BARLINT_INIT_COUNT_MISMATCH;
}

// Where a reader should look: at the arrive that not all come to, at the return that comes before.
static void place_incident(struct engine_incident *incident, const struct mbarrier *mbarrier,
                           const struct parting_found *found)
{
    const struct named_site *site =
        transactions_site((enum barlint_violation)incident->violation, &mbarrier->traffic);
    if (site && site->loc.file) {
        incident->loc = site->loc;
        incident->loc_chain = site->chain;
        incident->number[0] = mbarrier->state.announced;
        incident->number[1] = (int64_t)mbarrier->state.announced - mbarrier->state.tx;
        return;
    }
    switch (incident->violation) {
    case BARLINT_EXIT_MISSING_DROP:
        incident->loc = found->return_loc;
        incident->loc_chain = found->return_chain;
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

// Whether a wait with a token that is none, or on another block's object, was told already: it
// hangs for that.
static bool told_already(const struct run *run, const struct waiting *waiting)
{
    const struct engine_result *result = run->engine->result;
    const struct group *group = &waiting->group_then;
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        const struct engine_incident *old = &result->incident[i];
        if (old->kind != ENGINE_VIOLATION || old->op != group->wait_op ||
            old->function != group->wait_function || old->chain != group->wait_chain)
            continue;
        switch (old->violation) {
        case BARLINT_PHASE_STALE_TOKEN:
        case BARLINT_PHASE_FOREIGN_TOKEN:
        case BARLINT_PHASE_TOKEN_NEVER_ISSUED:
        case BARLINT_PHASE_WAIT_REMOTE:
        case BARLINT_PHASE_REMOTE_TOKEN:
            return true;
        default:
            break;
        }
    }
    return false;
}

// The threads that do not come: those that owe an arrival, else those that the count seems to want,
// the waiting threads left out when they take no part in the arrivals.
static const struct mask *missing_of(struct run *run, const struct waiting *waiting)
{
    if (waiting->owed->count)
        return waiting->owed;
    return mask_minus(
        run->masks, waiting->lacks,
        mask_minus(run->masks, waiting->group_then.mask, waiting->mbarrier_then.ever_arrived));
}

static void find_parting(struct run *run, const struct waiting *waiting, const struct mask *missing,
                         struct parting_found *out)
{
    // Those who did arrive tell more than those who wait for any reason.
    const struct mask *present = mask_minus(run->masks, waiting->mbarrier_then.arrived, missing);
    if (present->count == 0)
        present = mask_minus(run->masks, waiting->group_then.mask, missing);
    memset(out, 0, sizeof *out);
    if (missing->count && present->count)
        parting_between(run, missing, present, out);
}

// Whether other threads have passed the group's wait, for this phase or a later one.
static bool others_passed(const struct run *run, const struct waiting *waiting)
{
    const struct engine_result *result = run->engine->result;
    const struct group *group = &waiting->group_then;
    const struct mbarrier *mbarrier = &waiting->mbarrier_then;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->function != group->wait_function || event->op != group->wait_op ||
            event->chain != group->wait_chain || event->object != mbarrier->result_object)
            continue;
        for (uint32_t t = 0; t < run->masks->threads; ++t) {
            if ((event->threads.mask[t / 64] >> (t % 64) & 1) && !mask_has(group->mask, t) &&
                mbarrier->user[t].waits > waiting->passed_then)
                return true;
        }
    }
    return false;
}

// Whether barriers have told the group's thread of all arrivals at the object: it cannot have come
// before the latest phase was over.
static bool comes_after_phase(const struct run *run, const struct waiting *waiting)
{
    const struct mbarrier *mbarrier = &waiting->mbarrier_then;
    mask_each (run->masks, mbarrier->ever_arrived, t) {
        if (!orders_knows(run, t, mbarrier->over_at, waiting->group_then.mask->first))
            return false;
    }
    return true;
}

// Whether the group hangs for no other reason than that it was slow: its first wait was for what
// counts as over on a fresh object, as is right for a free buffer that it has not used yet, and
// came a phase later; or others that wait as it does were in time.
static bool came_late(const struct run *run, const struct waiting *waiting)
{
    enum touch touch = touch_of(run, waiting);
    if (!waiting->by_parity || touch == TOUCH_LOAD)
        return false;
    bool first = waiting->holder_then.last == 0 && waiting->holder_then.phase == 0 &&
                 waiting->group_then.wait_parity == 1;
    bool lag = waiting->violation == BARLINT_PHASE_PARITY_LAG;
    return (first && waiting->mbarrier_then.state.phase == 1 && !waiting->too_late) ||
           (run->policy != POLICY_TOGETHER && (first || lag) && others_passed(run, waiting));
}

static void mbarrier_stuck(struct run *run, const struct waiting *waiting)
{
    const struct group *group = &waiting->group_then;
    const struct mbarrier *mbarrier = &waiting->mbarrier_then;
    const struct mask *missing = missing_of(run, waiting);
    struct parting_found found;
    find_parting(run, waiting, missing, &found);
    bool weak = run->weak;
    // What holds the arrivals back may stand in the loop that has no round, or be a word that
    // threads go round a loop for.
    run->weak |=
        came_late(run, waiting) || (waiting->violation == BARLINT_PHASE_PARITY_LAG &&
                                    (run->empty_loop || orders_unseen(run, mbarrier->init_time)));
    struct engine_incident *incident =
        record_incident(run, ENGINE_DEADLOCK, waiting->violation, group->wait_function,
                        group->wait_op, group->wait_chain, mbarrier->result_object, group->mask);
    run->weak = weak;
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
    if (found.parting)
        record_parting(run, incident, found.parting, missing);
    record_step(run, incident, group->wait_loc, "phase %u never completes: %s %s",
                mbarrier->state.phase, mask_words(run, missing),
                mask_subset(run->masks, missing, run->exited) ? "{has|have} exited"
                                                              : "{does|do} not arrive");
}

// --- Who waits for whom --------------------------------------------------------------------------

static void remember(struct run *run, struct waiting *waiting)
{
    const struct group *group = waiting->group;
    const struct mbarrier *mbarrier = &run->machines->mbarrier[group->wait_barrier];
    const struct model_op *op = facts_model(run->engine, group->wait_function, group->wait_op);
    waiting->lacks = mbarrier_lacks(run, mbarrier);
    waiting->mbarrier_then = *mbarrier;
    waiting->holder_then = mbarrier->holder[group->mask->first];
    waiting->passed_then = mbarrier->user[group->mask->first].waits;
    waiting->by_parity = op->token == IR_NONE && op->kind != MODEL_MBARRIER_ARRIVE_WAIT;
    waiting->too_late = comes_after_phase(run, waiting);
}

static void remember_named(struct run *run, struct waiting *waiting)
{
    struct group *group = waiting->group;
    struct block_state *then = arena_new(&run->arena, struct block_state);
    *then = run->machines->block[group->mask->first / run->engine->block_threads];
    waiting->slot = named_slot(run, group);
    waiting->block_then = then;
    waiting->lacks = waiting->absent = named_lacks(run, group, waiting->slot, then);
}

static uint32_t collect(struct run *run, struct waiting *out)
{
    uint32_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        struct group *group = run->group[i];
        bool mbarrier = group->wait == WAIT_MBARRIER || group->wait == WAIT_TEST;
        if (group->state != GROUP_BLOCKED || (!mbarrier && group->wait != WAIT_NAMED))
            continue;
        if (count < MOST_WAITING) {
            out[count] = (struct waiting){.group = group,
                                          .lacks = run->masks->none,
                                          .owed = run->masks->none,
                                          .group_then = *group,
                                          .violation = BARLINT_VIOLATION_COUNT_};
            if (mbarrier)
                remember(run, &out[count]);
            else
                remember_named(run, &out[count]);
        }
        ++count;
    }
    return count;
}

static void connect(struct run *run, struct waiting *waiting, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < count; ++k) {
            if (i != k && mask_overlaps(run->masks, waiting[i].lacks, waiting[k].group_then.mask))
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
    if (mask_overlaps(run->masks, one->lacks, run->exited) ||
        mask_overlaps(run->masks, one->lacks, one->group_then.mask))
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (one->reach >> i & 1 && !(waiting[i].reach >> at & 1))
            return true;
    }
    return false;
}

// The named barriers, a bit each, that are part of the circle it waits in.
static uint32_t named_circle(const struct waiting *waiting, uint32_t count, uint32_t at)
{
    uint32_t slots = 0;
    for (uint32_t i = 0; i < count && waiting[at].reach >> at & 1; ++i) {
        if (waiting[at].reach >> i & 1 && waiting[i].reach >> at & 1 &&
            waiting[i].group_then.wait == WAIT_NAMED)
            slots |= UINT32_C(1) << waiting[i].slot;
    }
    return slots;
}

// The threads of the circle it waits in, none where there is none.
static const struct mask *circle_of(struct run *run, const struct waiting *waiting, uint32_t count,
                                    uint32_t at)
{
    const struct mask *threads = run->masks->none;
    for (uint32_t i = 0; i < count; ++i) {
        if (waiting[at].reach >> i & 1 && waiting[i].reach >> at & 1)
            threads = mask_or(run->masks, threads, waiting[i].group_then.mask);
    }
    return threads;
}

// --- What if -------------------------------------------------------------------------------------

// Lets all waits at named barriers be over, and looks on who then comes to which of them.
static void find_coming(struct run *run, struct waiting *waiting, uint32_t count,
                        const struct mask *exited)
{
    bool cut = false;
    run->named_over = true;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        struct group *group = run->group[i];
        if (group->state != GROUP_BLOCKED || group->wait != WAIT_NAMED)
            continue;
        run->cut = run->over = false;
        run->step_limit = run->steps + AFTERLIFE_STEPS;
        named_force(run, group);
        schedule_run(run);
        cut |= run->cut;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t block = waiting[i].group_then.mask->first / run->engine->block_threads;
        if (waiting[i].group_then.wait != WAIT_NAMED)
            continue;
        waiting[i].owed =
            cut ? run->masks->all : run->coming[block * BARLINT_NAMED_SLOTS + waiting[i].slot];
        // Who would not come holds it up no longer, if it has not ended.
        waiting[i].lacks =
            mask_and(run->masks, waiting[i].lacks, mask_or(run->masks, waiting[i].owed, exited));
    }
    run->named_over = false;
    run->coming = NULL;
}

// Lets the waits at mbarriers be over, one after the other, and looks on: who then arrives where,
// and who fills or reads shared memory. Nothing is recorded but what it takes; the run is at its
// end anyway.
static void afterlife(struct run *run, struct waiting *waiting, uint32_t count)
{
    ptrdiff_t decisions = arrlen(run->decision), asked = arrlen(run->asked);
    uint32_t weak_decisions = run->weak_decisions;
    bool weak = run->weak, empty_loop = run->empty_loop, empty_size = run->empty_size;
    ptrdiff_t partings = arrlen(run->parting);
    uint64_t limit = run->step_limit;
    const struct mask *exited = run->exited;
    uint32_t slots = run->engine->blocks * BARLINT_NAMED_SLOTS;
    run->coming = arena_array(&run->arena, const struct mask *, slots);
    for (uint32_t i = 0; i < slots; ++i)
        run->coming[i] = run->masks->none;
    // What is decided there says nothing of whether the run can be.
    bool feasible = run_is_feasible(run);
    uint32_t feasible_at = run->feasible_at;
    run->afterlife = true;
    for (uint32_t i = 0; i < count; ++i) {
        struct group *group = waiting[i].group;
        bool still = group->state == GROUP_BLOCKED && group->wait == waiting[i].group_then.wait &&
                     group->wait_op == waiting[i].group_then.wait_op;
        if ((group->wait != WAIT_MBARRIER && group->wait != WAIT_TEST) || !still)
            continue;
        run->cut = run->over = false;
        run->step_limit = run->steps + AFTERLIFE_STEPS;
        mbarrier_force(run, group);
        schedule_run(run);
    }
    for (uint32_t i = 0; i < count; ++i) {
        enum wait_kind wait = waiting[i].group_then.wait;
        if (wait == WAIT_MBARRIER || wait == WAIT_TEST)
            waiting[i].owed = mask_minus(
                run->masks, run->machines->mbarrier[waiting[i].group_then.wait_barrier].after,
                waiting[i].mbarrier_then.arrived);
    }
    find_coming(run, waiting, count, exited);
    run->afterlife = run->cut = run->over = false;
    run->step_limit = limit;
    run->exited = exited;
    arrsetlen(run->decision, decisions);
    if (arrlen(run->asked) > asked)
        arrsetlen(run->asked, asked);
    // What came before is as sure as it was.
    run->feasible = feasible;
    run->feasible_at = feasible_at;
    run->weak_decisions = weak_decisions;
    run->weak = weak;
    run->empty_loop = empty_loop;
    run->empty_size = empty_size;
    if (arrlen(run->parting) > partings)
        arrsetlen(run->parting, partings);
}

// How good a reason the group is for the circle it waits in: none, any, a first wait that
// nothing tells the purpose of, a producer that has to pass first, its own mistake.
enum { REASON_NONE, REASON_ANY, REASON_FIRST, REASON_PRODUCER, REASON_OWN };

static int weight_of(const struct run *run, const struct waiting *waiting)
{
    switch (waiting->violation) {
    case BARLINT_VIOLATION_COUNT_:
        return REASON_NONE;
    case BARLINT_PHASE_PARITY_INITIAL:
        if (blame_parity(run, waiting) == BARLINT_PHASE_PARITY_INITIAL)
            return REASON_OWN;
        return touch_of(run, waiting) == TOUCH_STORE ? REASON_PRODUCER : REASON_FIRST;
    case BARLINT_PHASE_SELF_DEADLOCK:
        return mask_overlaps(run->masks, waiting->owed, waiting->group_then.mask) ? REASON_OWN
                                                                                  : REASON_ANY;
    default:
        return REASON_OWN;
    }
}

// Whether another group of its circle is the one to tell about.
static bool is_outweighed(const struct run *run, const struct waiting *waiting, uint32_t count,
                          uint32_t at)
{
    int own = weight_of(run, &waiting[at]);
    for (uint32_t i = 0; i < count; ++i) {
        bool circle = waiting[at].reach >> i & 1 && waiting[i].reach >> at & 1;
        if (i == at || !circle)
            continue;
        int other = weight_of(run, &waiting[i]);
        if (other > own || (other == own && own <= REASON_FIRST && i < at))
            return true;
    }
    return false;
}

// --- Report --------------------------------------------------------------------------------------

static bool waits_at_mbarrier(const struct waiting *waiting)
{
    return waiting->group_then.wait == WAIT_MBARRIER || waiting->group_then.wait == WAIT_TEST;
}

// Who holds up whom, as what would come of their going on says.
static void connect_anew(struct run *run, struct waiting *waiting, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        waiting[i].reach = 0;
        if (waits_at_mbarrier(&waiting[i]) && waiting[i].owed->count)
            waiting[i].lacks = waiting[i].owed;
    }
    connect(run, waiting, count);
}

static void report_mbarriers(struct run *run, struct waiting *waiting, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const struct mbarrier *mbarrier = &waiting[i].mbarrier_then;
        if (!waits_at_mbarrier(&waiting[i]) || mbarrier->shared_unknown || !mbarrier->count_known ||
            told_already(run, &waiting[i]))
            continue;
        const struct mask *missing = missing_of(run, &waiting[i]);
        struct parting_found found;
        find_parting(run, &waiting[i], missing, &found);
        waiting[i].violation = blame(run, &waiting[i], missing, &found);
    }
    for (uint32_t i = 0; i < count; ++i) {
        bool told = waiting[i].violation != BARLINT_VIOLATION_COUNT_;
        if (told && !is_consequence(run, waiting, count, i) && !named_circle(waiting, count, i) &&
            !is_outweighed(run, waiting, count, i))
            mbarrier_stuck(run, &waiting[i]);
    }
}

void deadlock_report(struct run *run)
{
    trace_hang_cluster(run);
    uint32_t blocked = 0;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i)
        blocked += run->group[i]->state == GROUP_BLOCKED;
    if (blocked == 0)
        return;
    struct waiting *waiting = arena_array(&run->arena, struct waiting, MOST_WAITING);
    uint32_t count = collect(run, waiting);
    bool many = count > MOST_WAITING;
    count = many ? MOST_WAITING : count;
    if (!many)
        connect(run, waiting, count);
    bool mbarriers = false;
    for (uint32_t i = 0; i < count; ++i)
        mbarriers |= waits_at_mbarrier(&waiting[i]);
    bool cycle = false;
    for (uint32_t i = 0; i < count; ++i)
        cycle |= named_circle(waiting, count, i) != 0;
    if (mbarriers || cycle) {
        afterlife(run, waiting, count);
        connect_anew(run, waiting, count);
    }
    if (mbarriers)
        report_mbarriers(run, waiting, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (!waits_at_mbarrier(&waiting[i]) && !is_consequence(run, waiting, count, i))
            named_stuck(run, &waiting[i].group_then, waiting[i].slot, waiting[i].block_then,
                        named_circle(waiting, count, i), circle_of(run, waiting, count, i));
    }
    for (uint32_t i = 0; i < count; ++i) {
        bool mbarrier = waits_at_mbarrier(&waiting[i]);
        trace_hang(run, &waiting[i].group_then, mbarrier ? &waiting[i].mbarrier_then : NULL,
                   waiting[i].slot, waiting[i].block_then,
                   mbarrier ? missing_of(run, &waiting[i]) : waiting[i].absent);
    }
}
