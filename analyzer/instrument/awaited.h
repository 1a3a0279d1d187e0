// Copies (cp.async) and bulk stores that nothing waits for, whichever way a thread goes on from
// them. One that is still under way when a thread ends may be of use to nobody (a tile that is
// fetched in front of the last round); where the code has no wait for it, that was forgotten. (PTX
// ISA 9.1, 9.7.9.25.)
#ifndef BARLINT_INSTRUMENT_AWAITED_H
#define BARLINT_INSTRUMENT_AWAITED_H

#include <stddef.h>

// Returns those of the kernel in text[begin, length), in the order of the text, as an stb_ds array
// of where they begin; the caller frees it. NULL where there are none, or the kernel is not
// followed (flow.h). `begin` is at its header (.entry).
size_t *awaited_never(const char *text, size_t length, size_t begin);

#endif
