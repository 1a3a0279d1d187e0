// Threads that leave a kernel before they have done anything but compute, as those do that have
// nothing to work on: `if (i >= n) return;`. In a block that none of them leaves, the branch by
// which they would divides nobody.
#ifndef BARLINT_INSTRUMENT_LEAVE_H
#define BARLINT_INSTRUMENT_LEAVE_H

#include "base/arena.h"
#include "instrument/flow.h"

// Takes the branches by which threads leave like that out of the flow, from the kernel's beginning
// on. Returns the instructions that set `%bl_leave` in a thread that would take one, over the
// kernel's own registers, owned by `arena`; NULL where there is none.
const char *leave_take(struct arena *arena, struct flow *flow);

#endif
