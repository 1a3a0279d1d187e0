// What a run assumes, and what of it an incident really takes: a condition that nobody can follow
// says nothing against an incident that is there whichever way it goes.
#ifndef BARLINT_ENGINE_ASSUMPTION_H
#define BARLINT_ENGINE_ASSUMPTION_H

#include "engine/run.h"

// The assumptions of the run, for people: "if 'n' >= 2 and 'k' is 0", in the engine's arena; NULL
// where it makes none.
const char *assumption_of(struct run *run);

// The run shows the incident, for the first time: what the runs before have decided otherwise is no
// premise of it.
void premises_share(struct run *run, struct engine_incident *incident);

// Whether several runs show it and they share no decision that rests on a value that could not be
// followed.
bool premises_hold(const struct engine_incident *incident);

// What they share, for people, as assumption_of() says it.
const char *premises_assumption(struct engine *engine, const struct engine_incident *incident);

#endif
