// The barrier of a cooperative grid, as one word that its blocks add to: [generation 8 | launch 24
// | blocks that have ended 16 | blocks that have arrived in this generation 16]. A block that has
// ended counts if it has not arrived: it never will, and the generation never ends (Guide 5.6.3).
// Nothing here is a matter of time.
#ifndef BARLINT_RUNTIME_CHECK_GRID_H
#define BARLINT_RUNTIME_CHECK_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "../semantics/effect.h" // BARLINT_HD

#define BARLINT_RT_GRID_MOST 0xffffu // blocks; more do not run at a time
#define BARLINT_RT_GRID_ARRIVAL 1ull
#define BARLINT_RT_GRID_END (1ull << 16)
#define BARLINT_RT_GRID_GENERATION (1ull << 56)

BARLINT_HD static inline uint64_t barlint_rt_grid_word(uint64_t launch)
{
    return (launch & 0xffffffu) << 32;
}

BARLINT_HD static inline bool barlint_rt_grid_is_of(uint64_t word, uint64_t launch)
{
    return ((word >> 32 ^ launch) & 0xffffffu) == 0;
}

BARLINT_HD static inline uint32_t barlint_rt_grid_arrived(uint64_t word)
{
    return (uint32_t)word & 0xffffu;
}

BARLINT_HD static inline uint32_t barlint_rt_grid_ended(uint64_t word)
{
    return (uint32_t)word >> 16;
}

// What a block keeps of the generation that it has arrived in: never 0.
BARLINT_HD static inline uint32_t barlint_rt_grid_in(uint64_t word)
{
    return (uint32_t)(word >> 56) + 1u;
}

// What the arrival that finds `word` is to add once it has arrived: the next generation begins with
// the last of `blocks`. Until the hardware has that arrival, too, nobody else arrives.
BARLINT_HD static inline uint64_t barlint_rt_grid_completes(uint64_t word, uint32_t blocks)
{
    return barlint_rt_grid_arrived(word) + 1u == blocks ? BARLINT_RT_GRID_GENERATION - blocks : 0;
}

// Does a block that has arrived in generation `in` wait for ever, as all that have not arrived in
// it have ended?
BARLINT_HD static inline bool barlint_rt_grid_is_stuck(uint64_t word, uint32_t in, uint32_t blocks)
{
    uint32_t arrived = barlint_rt_grid_arrived(word);
    return barlint_rt_grid_in(word) == in && arrived < blocks &&
           arrived + barlint_rt_grid_ended(word) >= blocks;
}

// Have all blocks ended, and none waits? The word is free then: should another launch have the same
// number, as one of the same graph may, it begins anew.
BARLINT_HD static inline bool barlint_rt_grid_is_over(uint64_t word, uint32_t blocks)
{
    return barlint_rt_grid_arrived(word) == 0 && barlint_rt_grid_ended(word) == blocks;
}

#endif
