// Kernels whose barriers do the same again: in every block of a launch, or in every launch that is
// given the same. The same operations in the same order, with the same operands: what was right
// once is right again, as far as it does not depend on who is faster.
#ifndef BARLINT_INSTRUMENT_REPEAT_H
#define BARLINT_INSTRUMENT_REPEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

// A part of a kernel's parameters that its barriers depend on.
struct repeat_parameter {
    const char *address; // as in `[name+offset]`
    uint32_t bits;       // 8 to 64
};

struct repeat {
    bool blocks;   // all blocks of a launch do the same. Blocks of a cluster, which share barriers,
                   // are not asked about
    bool launches; // so does a block in all launches of the same extents and `parameter`s
    bool polls;    // all that can hold a thread of a block are mbarriers, which it asks again and
    bool in_line;  // again; the block is to be of one dimension and whole warps for that
    struct repeat_parameter *parameter; // stb_ds
};

// What is known of the kernel in text[begin, length), if checks of its barriers are worth sparing?
// `begin` is at its header (.entry). False is no more than "not shown": a branch before a barrier,
// or an operand of one, by what memory says, or by the block's place in the grid. Texts are owned
// by `arena`, the list by the caller.
struct repeat repeat_kernel(struct arena *arena, const char *text, size_t length, size_t begin);

#endif
