// Barriers with a count that every thread of a block, or of an equal part of it, comes to each
// time: they cannot be misused where the count is what the launch makes of it.
#ifndef BARLINT_INSTRUMENT_WHOLE_H
#define BARLINT_INSTRUMENT_WHOLE_H

#include <stdbool.h>

#include "instrument/flow.h"
#include "instrument/uniform.h"

// Does every thread arrive once at each phase of each of the kernel's mbarriers, and learn of its
// end before it arrives again, after one thread has initialised it and all have met since? (PTX
// ISA 9.1, 9.7.13.15.) `*condition` gets what it takes of the launch. All that the kernel does at
// barriers but that is known to be done by all threads or by none.
bool whole_mbarriers(struct flow *flow, struct uniform_condition *condition);

// Are the block's barriers with a count, or with a number from a register, all for the whole block
// or for parts of it of so many consecutive threads, each with a number of its own? (PTX ISA 9.1,
// 9.7.13.1.) `*condition` as above.
bool whole_named(struct flow *flow, struct uniform_condition *condition);

#endif
