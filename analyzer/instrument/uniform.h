// Kernels whose barriers cannot be misused: every thread of a block executes the same barriers in
// the same order, because every branch that decides about one is taken by all threads or by none.
// Where no barrier has a count, that holds whatever they are launched with, and such a kernel is
// left as it is.
#ifndef BARLINT_INSTRUMENT_UNIFORM_H
#define BARLINT_INSTRUMENT_UNIFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "instrument/agree.h"

// What it takes of a launch, where barriers have counts or masks: that the number of threads of a
// block is
struct uniform_condition {
    bool is_needed;
    bool in_line;      // in one dimension,
    uint32_t threads;  // this; 0: any,
    uint32_t multiple; // a multiple of this, a power of two; 0: any,
    uint32_t most;     // no larger than this; 0: any
    const char *leave; // and none of its threads is one for whom these instructions set %bl_leave
                       // (leave.h); NULL: any
    struct agree_load *agreed; // and all of its threads load the same here (agree.h): an stb_ds
};                             // array

// Is the kernel in text[begin, length) such a one, and on what condition? `begin` is at its header
// (.entry). False is no more than "not shown": barriers of other kinds, calls, branches by what
// memory or a thread's number says. Texts that the condition points to are owned by `arena`, its
// array by the caller.
bool uniform_kernel(struct arena *arena, const char *text, size_t length, size_t begin,
                    struct uniform_condition *condition);

#endif
