// The numerical libraries are host code whose calls mean nothing to barriers: handles, status codes
// and functions that take anything.
#ifndef BARLINT_LIBRARY_H
#define BARLINT_LIBRARY_H

#include "barlint_core.h"
#include "cuComplex.h"

#define BARLINT_CALL(status, name)                                                                 \
    template <typename... A> status name(A &&...) { return status(0); }

// Those of float and double, of the two complex types, of all four.
#define BARLINT_SD(status, before, after)                                                          \
    BARLINT_CALL(status, before##S##after)                                                         \
    BARLINT_CALL(status, before##D##after)
#define BARLINT_CZ(status, before, after)                                                          \
    BARLINT_CALL(status, before##C##after)                                                         \
    BARLINT_CALL(status, before##Z##after)
#define BARLINT_SDCZ(status, before, after)                                                        \
    BARLINT_SD(status, before, after)                                                              \
    BARLINT_CZ(status, before, after)

#endif
