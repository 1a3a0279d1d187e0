// Units that have no part in a run: what the store has of those that say something about its units.
#ifndef BARLINT_DRIVER_OTHERS_H
#define BARLINT_DRIVER_OTHERS_H

#include "driver/reuse/kept.h"
#include "driver/run/program.h"

// Adds to the program the units of the project that are not among `units`, that name something
// which one of the lists of links in `open` is open about (or which one so found is), and whose
// results still hold.
void others_add(struct program *program, struct kept *kept, struct units *units,
                const struct options *options, const json_t *open);

#endif
