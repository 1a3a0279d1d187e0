// Kernels whose only barrier of their block is that of all threads, by number 0, and that leave it
// to no function: their warps count rounds (barlint/runtime_check/rounds.h).
#ifndef BARLINT_INSTRUMENT_ROUNDS_H
#define BARLINT_INSTRUMENT_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Is the kernel in text[begin, length) such a one, and has no more than `places` places with
// barriers? `begin` is at its header (.entry).
bool rounds_kernel(const char *text, size_t length, size_t begin, uint32_t places);

#endif
