// What a run assumes, and what of it an incident really takes: a decision about something that
// nobody can follow says nothing against an incident that shows whichever way it goes.
#ifndef BARLINT_ENGINE_ASSUMPTION_H
#define BARLINT_ENGINE_ASSUMPTION_H

#include "engine/run.h"

// The assumptions of the run, for people: "if 'n' >= 2 and 'k' is 0", in the engine's arena; NULL
// where it makes none.
const char *assumption_of(struct run *run);

// The run shows the incident: keeps its way through the decisions.
void way_note(struct run *run, struct engine_incident *incident);

// A way on which the incident shows although nobody can follow some of what was decided: another
// one parts from it at each of these decisions and shows it all the same. NULL where there is none.
const struct engine_way *way_witness(const struct engine_incident *incident);

// What the witness assumes beside, for people, as assumption_of() says it. Of an incident that
// shows wherever its operation is executed it is only what all ways to it have in common.
const char *way_assumption(struct engine *engine, const struct engine_incident *incident,
                           const struct engine_way *witness, bool everywhere);

#endif
