// The name of a function as people write it, from the linker's.
#ifndef BARLINT_INSTRUMENT_SHOWN_NAME_H
#define BARLINT_INSTRUMENT_SHOWN_NAME_H

#include "base/arena.h"

// "_ZN4cuda7barrierILi2EE4waitEOm" becomes "cuda::barrier::wait": without template arguments,
// parameters, what it returns, and the namespaces that nvcc invents for a unit. What is no mangled
// name stays as it is. The result belongs to the arena.
const char *shown_name(struct arena *arena, const char *name);

#endif
