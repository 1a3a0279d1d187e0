// Loads from shared memory that give all threads of a block the same, as of a flag that one thread
// sets before a barrier.
#ifndef BARLINT_INSTRUMENT_FLAGS_H
#define BARLINT_INSTRUMENT_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

#include "instrument/flow.h"

struct flags {
    struct flow *flow;
    const char **stored; // stb_ds, by step: the variable that it may store to; "" any, NULL none
    bool *copies;        // stb_ds, by step: it is one that may be under way at any time, or may be
    ptrdiff_t **last;    // stb_ds, by node: the nodes that lead there
    bool *is_seen;       // stb_ds, by node
    ptrdiff_t *stack;    // stb_ds
    bool is_stored;
};

void flags_init(struct flags *flags, struct flow *flow);

void flags_release(struct flags *flags);

// The kernel's own variable in shared memory that the step loads from; NULL for none, or where that
// is not known. (Owned by the flow.)
const char *flags_loaded(struct flow *flow, ptrdiff_t step);

// If all threads execute the step of the node, does each of them load the same? It does where
// nobody stores to that variable between the block's barrier before it and the one behind it,
// whichever way the threads come and go. Stores to other variables are taken to stay within those.
bool flags_load(struct flags *flags, ptrdiff_t node, ptrdiff_t step);

#endif
