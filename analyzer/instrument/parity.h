// The parities that threads wait by, beside the phases of an mbarrier.
#ifndef BARLINT_INSTRUMENT_PARITY_H
#define BARLINT_INSTRUMENT_PARITY_H

#include <stdbool.h>
#include <stddef.h>

#include "instrument/flow.h"

// Is each of the tests, steps in an stb_ds array, given the parity of the phase that its thread is
// in? `ends`, by node and way, says where a thread learns that a phase is over; none is when the
// kernel begins. (PTX ISA 9.1, 9.7.13.15.16: the parity of an mbarrier's first phase is 0.)
// False is no more than "not shown".
bool parity_fits(struct flow *flow, const bool *ends, const ptrdiff_t *test);

#endif
