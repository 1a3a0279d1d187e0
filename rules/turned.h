#ifndef BARLINT_RULES_TURNED_H
#define BARLINT_RULES_TURNED_H

#include "engine/engine.h"

// Whether a loop that does nothing but ask for a phase, until it is over, turns the parity that it
// asks with in each round: the next answer is then that of the phase before, or of the one after.
// `event` is of the kind MODEL_MBARRIER_TEST; `out` gets the place of the turn. Says no wherever
// something cannot be followed.
bool turned_on_failure(const struct engine_result *result, const struct engine_event *event,
                       struct ir_loc *out);

#endif
