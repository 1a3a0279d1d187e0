// How a race is told that races.c has found: where, of whom, and what else is known about it, from
// which the rule chooses its words and whether it is told at all.
#include <string.h>

#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/memory/races_internal.h"
#include "engine/story/record.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"
#include "engine/walk/walk.h"

// Where the member of a record lies that the access goes to; 0 where it is none.
static int64_t member_of(const struct run *run, const struct access *access)
{
    const struct ir_unit *unit = run->engine->unit;
    ir_type_id type = object_type_at(unit, &run->object[access->object], access->low);
    bool known = !access->form && !access->choice.step && access->low >= 0;
    return known && type != IR_NONE && unit->type[type].kind == IR_TYPE_RECORD ? access->low : 0;
}

// Whether nobody knows the early one's place beside the late one's.
static bool is_placed(const struct access *early, const struct access *late)
{
    return early->form && early->form != late->form && (!late->form || early->kind == RACE_READ);
}

// Whether a size, not data, says where one of the threads goes.
static bool decided_by_size(struct run *run, const struct access *early, const struct access *late)
{
    const struct node *form = is_placed(early, late) ? early->form : late->form;
    return early->choice.divided || late->choice.divided ||
           (early->form != late->form && !parting_is_by_data(run, form));
}

// Whether the lanes of a warp go together on the device that the kernel is built for.
static bool go_together(const struct engine *engine)
{
    enum { VOLTA = 700 };
    return engine->options.arch > 0 && engine->options.arch < VOLTA;
}

// Whether whoever finds something in the data adds to one word, as in if (x[i] == k) bits |= i: as
// a rule there is one that finds it, and the text cannot tell.
static bool is_finding(struct run *run, const struct access *early, const struct access *late)
{
    bool one_place = early->high - early->low == early->size && late->low == early->low &&
                     late->high == early->high;
    return early->arms && late->arms && one_place && early->object == late->object &&
           races_one_step(run, early, late) && parting_is_by_data(run, arms_condition(early->arms));
}

// Where a reader should look for an end of the race.
static struct ir_loc end_place(const struct run *run, const struct engine_incident *incident,
                               const struct access *end)
{
    bool inside = incident->within == end->site.chain;
    return inside ? end->site.loc : record_place(run, end->site.chain, end->site.loc);
}

// Whether it is a store that another thread reads, which lanes of a warp have to wait for as well.
static bool is_read_back(const struct run *run, const struct access *early,
                         const struct access *late)
{
    return early->kind == RACE_WRITE && late->kind == RACE_READ && !early->is_volatile &&
           !late->is_volatile && !go_together(run->engine);
}

// Whether the two touch the same bytes for a number that no launch passes: one array ends where
// another begins, and how long it is says an argument that the run has made small.
static bool meets_by_another_number(struct run *run, const struct access *early,
                                    const struct access *late)
{
    return run->engine->passed && launched_otherwise(run, node_binary(run->nodes, IR_SUB, 64, true,
                                                                      early->asked, late->asked));
}

// The operation at which the race is told, and what is particular about that.
struct place {
    const struct named_site *site;
    const struct mask *who;
    const struct named_site *spoken; // an arrival for the early thread by `speaker`, or NULL
    uint32_t speaker;
    bool for_warp;                   // the speaker is a lane of the early thread's warp
    const struct named_site *copies; // an arrival that says of copies alone that they came, or NULL
};

static struct place place_of(struct run *run, const struct access *early, const struct access *late,
                             const struct pair *pair)
{
    struct place place = {.site = &late->site, .who = late->mask};
    if (orders_before(run, pair->early, early->time, pair->late))
        place.copies = races_with_copies(run, early, late, pair->early, pair->late);
    else if (pair->early / 32 != pair->late / 32)
        place.spoken =
            spoken_for(run, early, pair->early, pair->late, &place.speaker, &place.for_warp);
    if (place.spoken) {
        place.site = place.spoken;
        place.who = mask_range(run->masks, place.speaker, place.speaker + 1);
    } else if (place.copies) {
        place.site = place.copies;
        place.who = early->mask;
    }
    return place;
}

// Whether the lanes of one warp do it that a fence told each other before sm_70, or by volatile
// accesses where the code is built for it. So is what is read for nothing beside a reduction: each
// thread reads a place of its own there and stores there again, where the result is one that all of
// them read.
static bool is_of_lanes_together(const struct run *run, const struct access *early,
                                 const struct access *late, const struct pair *pair)
{
    bool one_warp = pair->early / 32 == pair->late / 32;
    bool is_volatile = early->is_volatile || late->is_volatile;
    bool of_all = early->high - early->low == early->size && early->mask->count > 32;
    bool for_nothing =
        !of_all && (one_warp || !early->is_volatile || races_stored_again(run, early));
    if (early->kind == RACE_READ && for_nothing && is_volatile)
        return true;
    bool as_before_volta = (is_volatile || early->kind == RACE_READ) && go_together(run->engine);
    return one_warp && (orders_fenced(run, pair->early, early->time) || as_before_volta);
}

// What the rule is told of the race, ENGINE_RACE_*.
static int race_bits(struct run *run, const struct access *early, const struct access *late,
                     const struct pair *pair, const struct place *place, bool by_data)
{
    const uint32_t a = pair->early, b = pair->late, size = run->engine->block_threads;
    const bool one_warp = a / 32 == b / 32, bound = early->arms || late->arms;
    const bool odd = (bound && !pair->ordinary) || (one_warp && races_one_step(run, early, late)) ||
                     is_finding(run, early, late);
    const struct {
        bool is;
        int bit;
    } said[] = {
        {by_data, ENGINE_RACE_BY_DATA},
        {early->choice.step || is_placed(early, late), ENGINE_RACE_EARLY_BY_DATA},
        {odd, ENGINE_RACE_ODD},
        {is_of_lanes_together(run, early, late, pair), ENGINE_RACE_TOGETHER},
        {decided_by_size(run, early, late), ENGINE_RACE_BY_SIZE},
        {carved_are_one(races_all(run), early, late, pair), ENGINE_RACE_ONE_ARRAY},
        {a / size != b / size, ENGINE_RACE_PEERS},
        {one_warp && (early->is_volatile || late->is_volatile), ENGINE_RACE_VOLATILE},
        {orders_released(run, a, early->time), ENGINE_RACE_UNHEARD},
        {!races_share_loop(run, early, late), ENGINE_RACE_ONCE},
        {place->spoken, ENGINE_RACE_SPOKEN},
        {place->for_warp, ENGINE_RACE_FOR_WARP},
        {place->copies, ENGINE_RACE_WITH_COPIES},
        {pair->lanes && is_read_back(run, early, late), ENGINE_RACE_OF_LANES},
    };
    int bits = (int)early->kind | (int)late->kind << ENGINE_RACE_LATE_SHIFT;
    for (size_t i = 0; i < sizeof said / sizeof *said; ++i)
        bits |= said[i].is ? said[i].bit : 0;
    return bits;
}

// What must be so for the two to meet.
static const char *race_needs(struct run *run, const struct access *early,
                              const struct access *late, const struct pair *pair)
{
    const char *needs = NULL;
    bool ordinary;
    if (early->arms || late->arms)
        within_both(run, early->arms, pair->early, late->arms, pair->late, &ordinary, &needs);
    bool found =
        (early->found && early->kind == RACE_WRITE) || (late->found && late->kind == RACE_WRITE);
    if (!found || (needs && strstr(needs, ENGINE_DATA_ALLOW)))
        return needs;
    return needs ? arena_printf(run->engine->arena, "%s and %s", needs, ENGINE_DATA_ALLOW)
                 : ENGINE_DATA_ALLOW;
}

static void tell_steps(struct run *run, struct engine_incident *incident,
                       const struct access *early, const struct access *late,
                       const struct pair *pair, const struct place *place)
{
    static const char *const verb[] = {"reads", "writes", "atomically changes", "copies to"};
    const uint32_t size = run->engine->block_threads;
    const uint32_t a = pair->early % size, b = pair->late % size;
    record_step(run, incident, end_place(run, incident, early), "thread %u %s it here", a,
                verb[early->kind]);
    if (place->spoken)
        record_step(run, incident, record_place(run, place->spoken->chain, place->spoken->loc),
                    "thread %u arrives here, without waiting for thread %u", place->speaker % size,
                    a);
    record_step(run, incident, end_place(run, incident, late),
                "thread %u %s it here, perhaps first", b, verb[late->kind]);
}

// Whether all that is in doubt is the outcome of one branch, and lanes alone do something with each
// other between its arms: what stands there is there to be executed.
static bool is_weak_by_one_branch(struct run *run)
{
    uint64_t site = 0;
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        const struct decision *one = &run->decision[i];
        if (!one->weak)
            continue;
        ir_function_id function = (ir_function_id)(one->site >> 32);
        if (!one->free || one->asked == ASKED_FOR_ROUND || (site && site != one->site) ||
            function >= arrlenu(run->engine->unit->function) ||
            (ir_block_id)one->site >= arrlenu(run->engine->unit->function[function].block) ||
            !facts_region_of_lanes(run->engine, function, (ir_block_id)one->site))
            return false;
        site = one->site;
    }
    return true;
}

void races_tell(struct run *run, const struct access *early, const struct access *late,
                const struct pair *pair, bool by_data)
{
    const uint32_t size = run->engine->block_threads;
    if (run_lacks_rows(run))
        return;
    if (orders_before(run, pair->early, early->time, pair->late) &&
        races_relaxed(run, early, late, pair->early, pair->late)) {
        peers_tell(run, &run->machines->relaxed[pair->early / size].site, early->mask, late->mask,
                   record_place(run, late->site.chain, late->site.loc));
        return;
    }
    // Programs seldom launch what then has nothing to do.
    bool weak = run->weak;
    uint32_t weak_decisions = run->weak_decisions;
    run->weak |= run->empty_size || meets_by_another_number(run, early, late);
    if (is_weak_by_one_branch(run))
        run->weak_decisions = 0;
    struct place place = place_of(run, early, late, pair);
    struct engine_incident *incident = record_incident(
        run, ENGINE_VIOLATION, BARLINT_SYNC_MISSING, place.site->function, place.site->op,
        place.site->chain, record_object(run, late->object, member_of(run, late), true), place.who);
    if (!incident && pair->early / 32 != pair->late / 32 && pair->ordinary)
        incident = record_of_lanes(run, ENGINE_VIOLATION, place.site);
    run->weak = weak;
    run->weak_decisions = weak_decisions;
    if (!incident)
        return;
    incident->number[0] = race_bits(run, early, late, pair, &place, by_data);
    incident->number[1] = pair->early % size;
    incident->number[2] = pair->late % size;
    incident->number[3] = (int64_t)early->site.chain << 32 | late->site.chain;
    incident->needs = race_needs(run, early, late, pair);
    if (place.site == &late->site && early->site.op != late->site.op)
        incident->within = races_around(run, early, late);
    tell_steps(run, incident, early, late, pair, &place);
}
