#ifndef BARLINT_RULES_OUTCOME_H
#define BARLINT_RULES_OUTCOME_H

#include "engine/engine.h"

// What a kernel makes of the outcome of a test of a phase: the boolean is followed through values,
// variables, conditions and what functions return, up to the function where it is decided what to
// do.
enum outcome {
    OUTCOME_HEEDED,    // where the phase is not over, a test or a wait comes, or nothing is read
    OUTCOME_DROPPED,   // nobody asks for it, and the kernel goes on with memory of others
    OUTCOME_BOTH_WAYS, // it is asked for, and shared memory is read whichever way it comes out
    OUTCOME_UP,        // not known in the function alone: never an answer of outcome_of()
};

// The answer for an event of the kind MODEL_MBARRIER_TEST. Whatever cannot be followed, an outcome
// in memory or an operation that may wait in code that is not known, is OUTCOME_HEEDED.
enum outcome outcome_of(const struct engine_result *result, const struct engine_event *event);

#endif
