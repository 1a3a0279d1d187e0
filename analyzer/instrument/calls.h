// What a call can do to barriers.
#ifndef BARLINT_INSTRUMENT_CALLS_H
#define BARLINT_INSTRUMENT_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "instrument/instruction.h"

// Does the call, in the module text[0, length), come back without having met a barrier? So do the
// system's functions, and those of the module that have none and call no others. False is no more
// than "not shown": a function of another module, or one that a register names.
bool calls_harmless(const char *text, size_t length, const struct instruction *call);

// The function that the call names; NULL for one that a register does.
const char *calls_function(const struct instruction *call);

#endif
