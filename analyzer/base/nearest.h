// "Did you mean": the known word nearest to one that is not known.
#ifndef BARLINT_BASE_NEAREST_H
#define BARLINT_BASE_NEAREST_H

#include <stddef.h>

struct nearest {
    const char *word; // what was typed
    const char *best; // NULL while no candidate was near enough
    size_t distance;
};

// Starts a search for the word nearest to `word`.
void nearest_init(struct nearest *nearest, const char *word);

// Offers a candidate, which must outlive `nearest`. Kept when it is nearer than those before and
// differs in less than about a third of its letters.
void nearest_offer(struct nearest *nearest, const char *candidate);

#endif
