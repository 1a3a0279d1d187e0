// Where a function works on the barrier of the grid. That is made of ordinary instructions on a
// workspace whose address the driver puts into %envreg1 and %envreg2: one thread of each block adds
// to a word there, and reads it until its upper bit turns.
#ifndef BARLINT_INSTRUMENT_GRID_H
#define BARLINT_INSTRUMENT_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "instrument/instruction.h"

struct grid {
    struct grid_register { // stb_ds: the registers that hold an address in the workspace
        char *key;
        char value;
    } * workspace;
};

// Reads the function whose body begins behind the brace at text[begin - 1]. A former one's
// registers are released. Of a function that has not asked for the workspace there are none: what
// it is given as a parameter is not known.
void grid_read(struct grid *grid, const char *text, size_t length, size_t begin);

void grid_release(struct grid *grid);

// Has the function asked for it?
bool grid_is_used(const struct grid *grid);

// Does the instruction add to a word there?
bool grid_is_arrival(const struct grid *grid, const struct instruction *instruction);

// Does it read one that others write?
bool grid_is_wait(const struct grid *grid, const struct instruction *instruction);

// Whether the instruction that begins at `text` may be one of these: as instruction_may_concern().
bool grid_may_concern(const struct grid *grid, const char *text);

#endif
