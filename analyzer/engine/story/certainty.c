// What all runs of a kernel together say of its incidents: which of them tell the same hang, and
// how sure each is.
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/story/assumption.h"
#include "engine/story/record.h"

void certainty_came_to(struct engine *engine, ir_function_id function, ir_value op, uint32_t chain)
{
    struct access_key key = {function, op, chain};
    struct access_ways ways = hmget(engine->access_ways, key);
    if (ways.count && ways.last == engine->path)
        return;
    ways.last = engine->path;
    ++ways.count;
    hmput(engine->access_ways, key, ways);
}

uint32_t certainty_reached(struct engine *engine, const struct engine_incident *incident)
{
    const struct engine_result *result = engine->result;
    struct access_key key = {incident->function, incident->op, incident->chain};
    uint32_t runs = hmget(engine->access_ways, key).count;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->function == incident->function && event->op == incident->op &&
            event->chain == incident->chain && event->runs > runs)
            runs = event->runs;
    }
    return runs > incident->runs ? runs : incident->runs;
}

static bool same_wait(const struct engine_incident *a, const struct engine_incident *b)
{
    return a->kind == b->kind && a->function == b->function && a->op == b->op &&
           a->chain == b->chain && a->object == b->object;
}

static const struct engine_event *arrive_at(const struct engine_result *result, uint32_t object)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object == object && (event->model.kind == MODEL_MBARRIER_ARRIVE ||
                                        event->model.kind == MODEL_MBARRIER_ARRIVE_WAIT))
            return event;
    }
    return NULL;
}

// Whether the object is initialised with a count that only the launch's numbers give: other ways
// through the kernel have counted on another.
static bool count_is_launched(const struct engine_result *result, uint32_t object)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object == object && event->model.kind == MODEL_MBARRIER_INIT &&
            event->count.at_launch && !event->count.known)
            return true;
    }
    return false;
}

// A count that some way through the kernel fulfils is not wrong: what hangs on another way hangs
// because threads do not arrive there.
static void reconsider_count(const struct engine_result *result, struct engine_incident *incident)
{
    if (incident->kind != ENGINE_DEADLOCK || incident->violation != BARLINT_INIT_COUNT_MISMATCH ||
        incident->object >= arrlenu(result->object) || count_is_launched(result, incident->object))
        return;
    const struct engine_event *arrive = arrive_at(result, incident->object);
    bool nobody = incident->number[0] == incident->number[1];
    if (!result->object[incident->object].completes && !(nobody && arrive))
        return;
    bool loop = arrive && arrive->in_loop && incident->number[0] == incident->number[1];
    enum barlint_violation violation =
        loop ? BARLINT_ARRIVE_LOOP_MISMATCH : BARLINT_ARRIVE_DIVERGENT;
    incident->violation = violation;
    incident->rule = barlint_violation_rule(violation);
    if (arrive && !loop) {
        incident->loc = arrive->loc;
        incident->loc_chain = arrive->chain;
    }
}

// Reasons that, where they hold, make others at the same wait appear on other ways.
static bool explains(int violation, int other)
{
    if (other == BARLINT_ARRIVE_DIVERGENT || other == BARLINT_EXIT_MISSING_DROP)
        return false;
    if (violation == BARLINT_ARRIVE_DIVERGENT || violation == BARLINT_EXIT_MISSING_DROP)
        return other == BARLINT_INIT_COUNT_MISMATCH || other == BARLINT_PHASE_SELF_DEADLOCK ||
               other == BARLINT_PHASE_PARITY_INITIAL || other == BARLINT_PHASE_PARITY_FLIP ||
               other == BARLINT_ARRIVE_LOOP_MISMATCH;
    return violation == BARLINT_ARRIVE_LOOP_MISMATCH && other == BARLINT_INIT_COUNT_MISMATCH;
}

// One hang is told once: by the reason seen on the way that shows it best.
static void reconsider_hangs(struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i)
        reconsider_count(result, &result->incident[i]);
    for (ptrdiff_t i = arrlen(result->incident); i-- > 0;) {
        struct engine_incident *incident = &result->incident[i];
        for (ptrdiff_t k = 0; k < arrlen(result->incident); ++k) {
            struct engine_incident *other = &result->incident[k];
            // Best is a way on which some have arrived and others have not.
            bool some = incident->number[0] != incident->number[1];
            bool others = other->number[0] != other->number[1];
            bool same = other->violation == incident->violation && others >= some &&
                        (others > some || k < i);
            if (k == i || incident->kind != ENGINE_DEADLOCK || !same_wait(other, incident) ||
                !(same || (other->supported >= incident->supported &&
                           explains(other->violation, incident->violation))))
                continue;
            other->runs += incident->runs;
            other->supported |= incident->supported;
            arrfree(incident->step);
            arrdel(result->incident, i);
            break;
        }
    }
}

// Whether warps wait for each other at barriers of their roles, as many in each.
static bool is_by_roles(const struct engine_incident *incident)
{
    return incident->violation == BARLINT_SYNC_TWO_SITES && incident->number[1] == 0;
}

// Whether threads that do so may race because of it. What leaves the order of the threads alone is
// no reason: a fence of the proxies that is missing, a thread that has nothing more to do, roles
// that wait for each other, or who may come early and has not.
static bool explains_races(const struct engine_incident *incident)
{
    bool early = incident->violation == BARLINT_PHASE_UNOBSERVED &&
                 incident->number[1] == ENGINE_ARRIVALS_EARLY;
    return !early && incident->violation != BARLINT_SYNC_MISSING &&
           incident->violation != BARLINT_EXIT_BEFORE_SYNC &&
           incident->violation != BARLINT_ASYNC_NOT_FENCED && !is_by_roles(incident);
}

void certainty_alone(struct engine *engine)
{
    struct engine_result *result = engine->result;
    bool races = false;
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        const struct engine_incident *incident = &result->incident[i];
        if (incident->last_run == engine->path && explains_races(incident))
            return;
        races |= incident->firm_run == engine->path;
    }
    uint32_t *here = NULL; // stb_ds array
    for (ptrdiff_t i = 0; races && i < arrlen(result->event); ++i) {
        if (result->event[i].last_run == engine->path)
            arrput(here, (uint32_t)i);
    }
    for (ptrdiff_t i = 0; races && i < arrlen(result->incident); ++i) {
        struct engine_incident *race = &result->incident[i];
        if (race->firm_run != engine->path || arrlen(race->clean) >= arrlen(here))
            continue;
        arrsetlen(race->clean, 0);
        memcpy(arraddnptr(race->clean, arrlenu(here)), here, arrlenu(here) * sizeof *here);
    }
    arrfree(here);
}

// Whether the clean way of the race comes to the operation that is wrong on another: where it does
// not, nobody has come to the barrier that may be what keeps the threads apart.
static bool comes_to(const struct engine_result *result, const struct engine_incident *race,
                     const struct engine_incident *other)
{
    for (ptrdiff_t i = 0; i < arrlen(race->clean); ++i) {
        const struct engine_event *event = &result->event[race->clean[i]];
        if (event->function == other->function && event->op == other->op &&
            event->chain == other->chain)
            return true;
    }
    return false;
}

static bool is_alone(const struct engine_result *result, const struct engine_incident *race)
{
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        const struct engine_incident *other = &result->incident[i];
        if (other->supported && explains_races(other) && !comes_to(result, race, other))
            return false;
        // How far roles are in their loops is sure where nothing is assumed of these.
        if (is_by_roles(other) && race->assumption)
            return false;
    }
    return race->clean;
}

void certainty_settle(struct engine *engine)
{
    struct engine_result *result = engine->result;
    reconsider_hangs(result);
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        struct engine_incident *incident = &result->incident[i];
        uint32_t flags = result->unit->function[incident->function].flags;
        incident->reached = certainty_reached(engine, incident);
        bool everywhere = incident->runs == incident->reached;
        const struct engine_way *witness =
            incident->supported ? NULL : way_witness(incident, everywhere);
        if (witness) {
            incident->supported = true;
            incident->assumption = way_assumption(engine, incident, witness, everywhere);
        }
        incident->supported &= !engine->too_large;
        incident->alone = is_alone(result, incident);
        bool always = everywhere && !(result->statistics.cut_short && incident->assumption);
        incident->certain = always && incident->supported && result->shape.block_known &&
                            !(flags & (IR_FN_PARTIAL | IR_FN_PATTERN));
        if (always)
            incident->assumption = NULL;
    }
}
