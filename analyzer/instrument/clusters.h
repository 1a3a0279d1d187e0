// Barriers of the cluster that every thread of every block of it comes to each time.
#ifndef BARLINT_INSTRUMENT_CLUSTERS_H
#define BARLINT_INSTRUMENT_CLUSTERS_H

#include <stdbool.h>

#include "instrument/flow.h"

// (What they do to the memory of other blocks without `mapa`, by addresses that they work out, no
// hook sees either.)
//
// Does every thread arrive at the cluster's barrier and wait there in turn, and do all blocks come
// to the same arrivals? (PTX ISA 9.1, 9.7.13.4.) All that the kernel does there is known to be done
// by all threads of a block or by none.
bool clusters_fit(struct flow *flow);

#endif
