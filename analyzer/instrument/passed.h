// Which places a program has passed: a bit for each, behind the module's state
// (barlint/runtime_check/sites.h).
#ifndef BARLINT_INSTRUMENT_PASSED_H
#define BARLINT_INSTRUMENT_PASSED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct passed {
    const char *state; // the variable; NULL: the module has none, and nothing is told
    uint32_t first;    // the place that the lowest bit of %bl_told is of
    bool has_told;     // the function has that register
};

// Writes, for a kernel's beginning, what is known of its first places: those that were passed
// before it began have their bits in %bl_told, which are loaded at one go.
void passed_begin(FILE *out, const struct passed *passed);

// Writes that so many places have been passed, of which `last` is the last.
void passed_tell(FILE *out, const struct passed *passed, uint32_t last, uint32_t count);

#endif
