// What stands in the place of an ordinary load, store or atomic that does barrier work, or goes to
// another CTA.
#ifndef BARLINT_INSTRUMENT_MEMORY_H
#define BARLINT_INSTRUMENT_MEMORY_H

#include "instrument/rewrite.h"

// As rewrite_instruction(), for ld, st, atom and red.
enum rewrite_result memory_rewrite(const struct rewrite *rewrite,
                                   const struct instruction *instruction);

// Before an instruction that another CTA may learn by that this one has read what it wanted there.
void memory_tell_peers(const struct rewrite *rewrite);

#endif
