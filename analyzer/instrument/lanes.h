// Which lanes go a way: what the number of a thread and the votes of warps say of branches.
#ifndef BARLINT_INSTRUMENT_LANES_H
#define BARLINT_INSTRUMENT_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "instrument/flow.h"

// In a block of one dimension: is what the step writes the same for all lanes of a warp, because it
// is made of the number of the warp?
bool lanes_by_warp(struct flow *flow, const struct flow_step *step);

// The lanes that go each way at the end of the node, if all threads, or all of some warps, are in
// the node.
void lanes_part(struct flow *flow, ptrdiff_t node, bool in_line, struct flow_lanes out[2]);

#endif
