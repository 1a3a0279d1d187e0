// Hashes of a few words, within one process: nothing that is kept on disk rests on them (digest.h).
#ifndef BARLINT_BASE_MIX_H
#define BARLINT_BASE_MIX_H

#include <stdint.h>

// Returns the hash of what the first is a hash of, followed by the word. Begin with 0 or any
// number.
static inline uint64_t mix(uint64_t hash, uint64_t word)
{
    hash ^= word + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2);
    hash *= UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 29;
}

#endif
