// What a kernel loads once, before anybody can have told it anything: how many rounds there are,
// where a row begins. Other code may write to that memory at any time, so that threads need not
// load the same; but if all threads of a block do, what they do by it is the same for all. They
// load it as the kernel begins, and ask each other.
#ifndef BARLINT_INSTRUMENT_AGREE_H
#define BARLINT_INSTRUMENT_AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"
#include "instrument/flow.h"

struct agree_load {
    ptrdiff_t step, number;
    size_t begin;     // of its text
    const char *text; // the instructions that put what it loads into `%bl_agreed<number>`
    const char *move; // what stands for it where all threads agree
};

// Takes the loads for such that give all threads the same, and returns them, an stb_ds array whose
// texts are owned by `arena`; NULL where there are none.
struct agree_load *agree_take(struct arena *arena, struct flow *flow);

// Takes the load for what it is.
void agree_leave(struct flow *flow, const struct agree_load *load);

// Declares, for a kernel's beginning, where the values are kept.
void agree_declare(FILE *out, const struct agree_load *loads);

// Writes the question whether all threads of the block have the same values, once the loads have
// been done: the answer goes to the predicate %bl_agree.
void agree_ask(FILE *out, const struct agree_load *loads);

#endif
