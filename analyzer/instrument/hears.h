// Whether threads of a kernel can learn of each other by memory: a flag that somebody goes round a
// loop for, a counter. Where nothing can, who goes on as if a phase or a generation were over, and
// has passed nothing that says so, goes well by chance alone.
#ifndef BARLINT_INSTRUMENT_HEARS_H
#define BARLINT_INSTRUMENT_HEARS_H

#include <stdbool.h>
#include <stddef.h>

// Of the kernel in text[begin, length); `begin` is at its header (.entry). Weak loads tell nobody
// of anything (PTX ISA 9.1, 8.3), but those that pass the first cache by, and those of a kernel
// with fences, serve as flags all the same.
bool hears_kernel(const char *text, size_t length, size_t begin);

#endif
