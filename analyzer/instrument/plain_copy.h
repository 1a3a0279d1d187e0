// Kernels that have two copies: with hooks, and as it is, for launches or blocks that need none.
#ifndef BARLINT_INSTRUMENT_PLAIN_COPY_H
#define BARLINT_INSTRUMENT_PLAIN_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "instrument/items.h"
#include "instrument/pass.h"

// Is it a variable of the kernel's, which both copies have?
bool plain_copy_shares(const char *text, const struct item *item);

// At the kernel's beginning: declares what both copies have, and goes to the one without hooks
// where that will do. The kernel's body begins at `begin`, its place is `site`.
void plain_copy_begin(struct pass *pass, size_t begin, uint64_t site);

// At its end: writes the copy without hooks of what stands between the braces, which tells of
// places that are passed.
void plain_copy_end(struct pass *pass, size_t end);

#endif
