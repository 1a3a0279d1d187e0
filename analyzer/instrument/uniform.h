// Kernels whose barriers cannot be misused, whatever they are launched with: every thread of a
// block executes the same barriers in the same order, because every branch that decides about one
// is taken by all threads or by none. Such a kernel is left as it is.
#ifndef BARLINT_INSTRUMENT_UNIFORM_H
#define BARLINT_INSTRUMENT_UNIFORM_H

#include <stdbool.h>
#include <stddef.h>

// Is the kernel in text[begin, length) such a one? `begin` is at its header (.entry). False is no
// more than "not shown": other barriers than those of the whole block and of whole warps, calls,
// branches by what memory or a thread's number says.
bool uniform_kernel(const char *text, size_t length, size_t begin);

#endif
