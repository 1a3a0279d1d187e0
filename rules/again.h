// Barriers of the grid that blocks make by hand out of a count, and that they come to again with
// the same goal: it has been reached since the first time, and nobody waits any more.
#ifndef BARLINT_RULES_AGAIN_H
#define BARLINT_RULES_AGAIN_H

#include "rules/parts.h"

// Where the kernel waits, another time, for a word of global memory to reach a number made of that
// of the blocks, which it has reached before as it is only ever counted up.
bool again_waits(struct reading *reading, struct ir_loc *out);

#endif
