// What a kernel that does the same again asks as it begins, and says of itself
// (include/barlint/runtime_check/spared.cuh).
#ifndef BARLINT_INSTRUMENT_SPARED_H
#define BARLINT_INSTRUMENT_SPARED_H

#include <stdint.h>
#include <stdio.h>

#include "instrument/repeat.h"

// Writes, for a function's beginning, the question whether it can do without hooks, and the way to
// the label `$L__barlint_<label>` where it can.
void spared_ask(FILE *out, const struct repeat *repeat, uint32_t label, uint64_t site);

// Writes, behind the call at the beginning of a kernel, that it counts as checked once it has
// ended.
void spared_note(FILE *out, const struct repeat *repeat, uint64_t site);

#endif
