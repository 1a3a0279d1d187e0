// Loads from shared memory that give all threads of a block the same, as of a flag that one thread
// sets before a barrier.
#ifndef BARLINT_INSTRUMENT_FLAGS_H
#define BARLINT_INSTRUMENT_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

#include "instrument/flow.h"

// If all threads execute the step, does each of them load the same? It does where nobody stores to
// that variable between the block's barrier before it and the one behind it, whichever way the
// threads come and go. Stores to other variables are taken to stay within those.
bool flags_load(struct flow *flow, ptrdiff_t node, ptrdiff_t step);

#endif
