// Growing arrays and hash maps: stb_ds, included in one place so that its implementation is
// compiled once (vec.c) and every user reads the same spelling.
#ifndef BARLINT_BASE_VEC_H
#define BARLINT_BASE_VEC_H

#include <stddef.h>

#include <stb/stb_ds.h>

#endif
