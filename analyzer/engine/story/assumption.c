// What a run assumes, and what of it an incident really takes.
#include <string.h>

#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/story/assumption.h"

// Decisions of a run are many; the last ones weigh most.
enum { MOST_SAID = 3 };

// Whether the text, one or several joined, says that already: several words of an array read alike.
static bool says(const char *text, const char *one)
{
    size_t length = strlen(one);
    for (const char *at = text; (at = strstr(at, one)); ++at) {
        if ((at == text || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    }
    return false;
}

// Whether the text says something of what is called the same: of another word of an array, or of
// what an atomic operation gave in another round, which would read as if the two spoke against each
// other.
static bool is_namesake(struct engine *engine, const char *text, const char *one)
{
    const char *end = strrchr(one, '\'');
    if (one[0] != '\'' || end == one)
        return says(text, one);
    return says(text, arena_printf(engine->arena, "%.*s", (int)(end + 1 - one), one));
}

static const char *joined(struct engine *engine, const char *one, const char *text)
{
    if (!text)
        return arena_strdup(engine->arena, one);
    return says(text, one) || is_namesake(engine, text, one)
               ? text
               : arena_printf(engine->arena, "%s and %s", one, text);
}

static const char *ended(struct engine *engine, const char *text)
{
    return text ? arena_printf(engine->arena, "if %s", text) : NULL;
}

// Whether a later decision says more about the same.
static bool said_later(const struct run *run, ptrdiff_t at)
{
    for (ptrdiff_t i = at + 1; i < arrlen(run->decision); ++i) {
        if (run->decision[i].says && run->decision[i].form == run->decision[at].form)
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
        const struct decision *one = &run->decision[i];
        if (!one->says || said_later(run, i))
            continue;
        text = joined(engine, decision_text(run, one), text);
        ++said;
    }
    return ended(engine, text);
}

// --- Weak decisions that do not matter ---------------------------------------------------------

enum {
    MOST_WAYS = 96, // kept of an incident
    WITNESSES = 8,  // the first of them, whose assumptions may be told
};

// Whether something is decided of which one outcome may be ruled out by another decision, or of
// which threads are made to part: no other way makes up for that.
static bool is_in_doubt(const struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        if (run->decision[i].weak && !run->decision[i].free)
            return true;
    }
    return false;
}

void way_note(struct run *run, struct engine_incident *incident)
{
    // Who passes an operation by is settled there; whether somebody waits for ever, or who comes
    // first, depends on how many rounds others make in loops that the run knows nothing about.
    if (incident->kind != ENGINE_SKIPPED || incident->ways == MOST_WAYS || run->weak ||
        is_in_doubt(run) || !run_is_feasible(run))
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
    way->weak = arena_array(arena, bool, count + 1);
    uint32_t left = run->weak_decisions;
    for (size_t i = 0; i < count; ++i) {
        bool weak = run->decision[i].weak && left > 0;
        left -= weak;
        // Where a loop is left after enough rounds the walk itself has decided.
        way->weak[i] = weak && run->decision[i].alternatives > 1;
    }
    if (incident->ways++ >= WITNESSES)
        return;
    way->text = arena_array(arena, const char *, count + 1);
    for (size_t i = 0; i < count; ++i) {
        const struct decision *one = &run->decision[i];
        if (one->says && !one->weak && !said_later(run, (ptrdiff_t)i))
            way->text[i] = arena_strdup(arena, decision_text(run, one));
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

// Whether at each weak decision of the way another one parts from it.
static bool parts_everywhere(const struct engine_incident *incident, const struct engine_way *way)
{
    for (uint32_t at = 0; at < way->count; ++at) {
        if (way->weak[at] && !parts_at(incident, way, at))
            return false;
    }
    return true;
}

// Whether, once the first `at` decisions are taken as on the way, the incident shows for some of
// those that are well founded and whichever way the weak ones go.
static bool is_covered(const struct engine_incident *incident, const struct engine_way *via,
                       uint32_t at)
{
    enum { OUTCOMES = 8 };
    const struct engine_way *next[OUTCOMES] = {0};
    bool weak = false;
    for (uint32_t i = 0; i < incident->ways; ++i) {
        const struct engine_way *way = &incident->way[i];
        if (way->count < at || memcmp(way->outcome, via->outcome, at) != 0)
            continue;
        if (way->count == at)
            return true;
        weak |= way->weak[at];
        if (way->outcome[at] < OUTCOMES)
            next[way->outcome[at]] = way;
    }
    bool some = false, all = next[0] && next[1];
    for (uint32_t k = 0; k < OUTCOMES; ++k) {
        bool covered = next[k] && (!weak || all) && is_covered(incident, next[k], at + 1);
        some |= covered;
        all &= covered || k >= OUTCOME_PARTED;
    }
    return weak ? all : some;
}

const struct engine_way *way_witness(const struct engine_incident *incident, bool everywhere)
{
    for (uint32_t i = 0; i < incident->ways && i < WITNESSES; ++i) {
        const struct engine_way *witness = &incident->way[i];
        uint32_t at = everywhere && parts_everywhere(incident, witness) ? witness->count : 0;
        while (at < witness->count && is_covered(incident, witness, at))
            ++at;
        if (at == witness->count)
            return witness;
    }
    return NULL;
}
