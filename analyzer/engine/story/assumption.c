// What a run assumes, and what of it an incident really takes.
#include <string.h>

#include "base/vec.h"
#include "engine/story/assumption.h"

// Decisions of a run are many; the last ones weigh most.
enum { MOST_SAID = 3 };

static const char *joined(struct engine *engine, const char *one, const char *text)
{
    return text ? arena_printf(engine->arena, "%s and %s", one, text)
                : arena_strdup(engine->arena, one);
}

static const char *ended(struct engine *engine, const char *text)
{
    return text ? arena_printf(engine->arena, "if %s", text) : NULL;
}

// Whether a later decision says more about the same.
static bool said_later(const struct run *run, ptrdiff_t at)
{
    for (ptrdiff_t i = at + 1; i < arrlen(run->decision); ++i) {
        if (run->decision[i].text && run->decision[i].form == run->decision[at].form)
            return true;
    }
    return false;
}

const char *assumption_of(struct run *run)
{
    const char *text = NULL;
    uint32_t said = 0;
    struct engine *engine = run->engine;
    const struct ir_function *kernel = &engine->unit->function[engine->kernel];
    for (ptrdiff_t i = 0; i < ENGINE_ARGUMENTS && i < arrlen(kernel->param); ++i) {
        if (engine->shape.arguments_known >> i & 1)
            text = arena_printf(engine->arena, "%s%s'%s' is %lld", text ? text : "",
                                text ? " and " : "", kernel->param[i].name,
                                (long long)engine->shape.argument[i]);
    }
    bool asked = run->special[IR_CTAID_X] || run->special[IR_CTAID_Y] || run->special[IR_CTAID_Z];
    if (asked && engine->block != BLOCK_ANY)
        text = arena_printf(engine->arena, "%s%sthis is the %s block", text ? text : "",
                            text ? " and " : "", engine->block == BLOCK_FIRST ? "first" : "last");
    for (ptrdiff_t i = arrlen(run->decision); i-- > 0 && said < MOST_SAID;) {
        const char *one = run->decision[i].text;
        if (!one || said_later(run, i))
            continue;
        text = joined(engine, one, text);
        ++said;
    }
    return ended(engine, text);
}

// --- Weak decisions that do not matter ---------------------------------------------------------

enum {
    MOST_WAYS = 96, // kept of an incident
    WITNESSES = 8,  // the first of them, which others are compared with
};

// Whether threads part where nobody knows that they do: no other way makes up for that.
static bool parts_in_doubt(const struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        if (run->decision[i].weak && run->decision[i].chosen >= OUTCOME_PARTED)
            return true;
    }
    return false;
}

void way_note(struct run *run, struct engine_incident *incident)
{
    if (incident->ways == MOST_WAYS || run->weak || parts_in_doubt(run) || !run_is_feasible(run))
        return;
    struct arena *arena = run->engine->arena;
    if (!incident->way)
        incident->way = arena_array(arena, struct engine_way, MOST_WAYS);
    struct engine_way *way = &incident->way[incident->ways];
    size_t count = arrlenu(run->decision);
    *way = (struct engine_way){.count = (uint32_t)count,
                               .outcome = arena_array(arena, uint8_t, count + 1)};
    for (size_t i = 0; i < count; ++i)
        way->outcome[i] = (uint8_t)run->decision[i].chosen;
    if (incident->ways++ >= WITNESSES)
        return;
    way->weak = arena_array(arena, bool, count + 1);
    way->text = arena_array(arena, const char *, count + 1);
    uint32_t left = run->weak_decisions;
    for (size_t i = 0; i < count; ++i) {
        const char *text = run->decision[i].text;
        way->weak[i] = run->decision[i].weak && left > 0;
        left -= way->weak[i];
        if (text && !run->decision[i].weak && !said_later(run, (ptrdiff_t)i))
            way->text[i] = arena_strdup(arena, text);
    }
}

// Whether some way goes along with the witness up to a decision and takes it otherwise.
static bool parts_at(const struct engine_incident *incident, const struct engine_way *witness,
                     uint32_t at)
{
    for (uint32_t i = 0; i < incident->ways; ++i) {
        const struct engine_way *other = &incident->way[i];
        if (other->count > at && other->outcome[at] != witness->outcome[at] &&
            memcmp(other->outcome, witness->outcome, at) == 0)
            return true;
    }
    return false;
}

const char *way_assumption(struct engine *engine, const struct engine_incident *incident,
                           const struct engine_way *witness, bool everywhere)
{
    uint32_t end = witness->count, said = 0;
    for (uint32_t at = 0; at < end && everywhere; ++at)
        end = parts_at(incident, witness, at) ? at : end;
    const char *text = NULL;
    while (end-- > 0 && said < MOST_SAID) {
        if (!witness->text[end])
            continue;
        text = joined(engine, witness->text[end], text);
        ++said;
    }
    return ended(engine, text);
}

const struct engine_way *way_witness(const struct engine_incident *incident)
{
    for (uint32_t i = 0; i < incident->ways && i < WITNESSES; ++i) {
        const struct engine_way *witness = &incident->way[i];
        bool holds = true;
        for (uint32_t at = 0; at < witness->count && holds; ++at)
            holds = !witness->weak[at] || parts_at(incident, witness, at);
        if (holds)
            return witness;
    }
    return NULL;
}
