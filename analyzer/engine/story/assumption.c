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

// --- What the runs share ----------------------------------------------------------------------

// How often the run has decided at that site before: each round of a loop decides anew.
static uint32_t round_of(const struct run *run, size_t at)
{
    uint32_t round = 0;
    for (size_t i = 0; i < at; ++i)
        round += run->decision[i].site == run->decision[at].site;
    return round;
}

static bool has_decided(const struct run *run, const struct engine_premise *premise)
{
    uint32_t round = 0;
    for (size_t i = 0; i < arrlenu(run->decision); ++i) {
        if (run->decision[i].site == premise->site && round++ == premise->round)
            return run->decision[i].chosen == premise->outcome;
    }
    return false;
}

static void take_all(struct run *run, struct engine_incident *incident)
{
    uint32_t weak_left = run->weak_decisions;
    size_t count = arrlenu(run->decision);
    incident->premise = arena_array(run->engine->arena, struct engine_premise, count + 1);
    for (size_t i = 0; i < count; ++i) {
        const struct decision *decision = &run->decision[i];
        bool weak = decision->weak && weak_left > 0;
        weak_left -= weak;
        const char *text = said_later(run, (ptrdiff_t)i) ? NULL : decision->text;
        if (text)
            text = arena_strdup(run->engine->arena, text);
        incident->premise[incident->premises++] =
            (struct engine_premise){decision->site, round_of(run, i), decision->chosen, text, weak};
    }
}

void premises_share(struct run *run, struct engine_incident *incident)
{
    if (run->weak || !run_is_feasible(run))
        return; // what it rests on beside decisions is in doubt
    if (incident->shown++ == 0) {
        take_all(run, incident);
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < incident->premises; ++i) {
        if (has_decided(run, &incident->premise[i]))
            incident->premise[kept++] = incident->premise[i];
    }
    incident->premises = kept;
}

bool premises_hold(const struct engine_incident *incident)
{
    if (incident->shown < 2)
        return false;
    for (uint32_t i = 0; i < incident->premises; ++i) {
        if (incident->premise[i].weak)
            return false;
    }
    return true;
}

const char *premises_assumption(struct engine *engine, const struct engine_incident *incident)
{
    const char *text = NULL;
    uint32_t said = 0;
    for (uint32_t i = incident->premises; i-- > 0 && said < MOST_SAID;) {
        if (!incident->premise[i].text)
            continue;
        text = joined(engine, incident->premise[i].text, text);
        ++said;
    }
    return ended(engine, text);
}
