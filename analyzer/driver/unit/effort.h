// How much is spent on the kernels of a unit. Counted in operations, so that the same unit is
// always walked the same way.
#ifndef BARLINT_DRIVER_EFFORT_H
#define BARLINT_DRIVER_EFFORT_H

#include "engine/engine.h"

struct effort {
    struct {
        char *key; // lookup name of a kernel: its instances have one
        uint32_t value;
    } * instances;    // stb_ds map
    uint64_t full;    // operations for all kernels of the unit
    uint64_t least;   // of them for any kernel under one launch shape
    uint64_t steps;   // operations made so far; the caller adds to it
    uint32_t left[2]; // kernels still to be walked: further instances, first ones
};

// Whether the function is a kernel that can be run.
bool effort_is_kernel(const struct ir_function *function);

void effort_init(struct effort *effort, const struct ir_unit *unit);
void effort_release(struct effort *effort);
// Sets what may be spent on the kernel under each of so many launch shapes, once for each kernel in
// order. Returns false for nothing at all.
bool effort_for(struct effort *effort, const struct ir_function *kernel, size_t shapes,
                struct engine_options *options);

#endif
