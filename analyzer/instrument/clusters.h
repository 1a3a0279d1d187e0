// Barriers of the cluster that every thread of every block of it comes to each time.
#ifndef BARLINT_INSTRUMENT_CLUSTERS_H
#define BARLINT_INSTRUMENT_CLUSTERS_H

#include <stdbool.h>

#include "instrument/flow.h"

// Does every thread arrive at the cluster's barrier and wait there in turn, and do all blocks come
// to the same arrivals? (PTX ISA 9.1, 9.7.13.3.) All that the kernel does there is known to be done
// by all threads of a block or by none. What it does to the memory of other blocks by addresses
// that it works out without `mapa` is not looked at, as no hook looks at it either.
bool clusters_fit(struct flow *flow);

#endif
