// What of a kernel is not the same for all threads of a block: values that vary, nodes that only
// some threads are in.
#ifndef BARLINT_INSTRUMENT_SPREAD_H
#define BARLINT_INSTRUMENT_SPREAD_H

#include <stdbool.h>

#include "instrument/flow.h"

// Finds the spread of every value and node of the flow, for any block or, `in_line`, for blocks of
// one dimension: there the number of a thread says in which warp it is.
void spread_find(struct flow *flow, bool in_line);

// Is the step executed by all threads of a block or by none?
bool spread_is_common(const struct flow *flow, const struct flow_node *node,
                      const struct flow_step *step);

// Is an operation of lanes of a warp executed by those that its mask names, all together? (PTX
// ISA 9.1, 9.7.13.2: the mask's lanes that have not exited are waited for.)
bool spread_fits_mask(struct flow *flow, const struct flow_node *node,
                      const struct flow_step *step);

#endif
