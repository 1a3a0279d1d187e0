// The C library, where the machine has none: formats of wide integers.
#ifndef BARLINT_STD_INTTYPES_H
#define BARLINT_STD_INTTYPES_H

#include <stdint.h>

#define PRId32 "d"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRId64 "ld"
#define PRIu64 "lu"
#define PRIx64 "lx"

#endif
