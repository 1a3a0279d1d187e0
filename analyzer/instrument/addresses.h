// Which registers of a function hold addresses that ordinary loads, stores and atomics do barrier
// work through: in the workspace of the grid's barrier, which the driver puts into %envreg1 and
// %envreg2, and in the shared memory of other CTAs, as mapa makes them.
#ifndef BARLINT_INSTRUMENT_ADDRESSES_H
#define BARLINT_INSTRUMENT_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "instrument/instruction.h"

enum {
    ADDRESS_OF_GRID = 1,
    ADDRESS_OF_PEER = 2,
};

struct addresses {
    struct address_register { // stb_ds: what a register may hold, a set of the above
        char *key;
        uint32_t value;
    } * of;
    bool reads_peers; // something is loaded from another CTA
};

// Reads the function whose body begins behind the brace at text[begin - 1]; what is known of a
// former one is released. What a function is given as a parameter, or finds in memory, is not
// known.
void addresses_read(struct addresses *addresses, const char *text, size_t length, size_t begin);

void addresses_release(struct addresses *addresses);

// The kinds of addresses that the registers of an operand may hold.
uint32_t addresses_in(const struct addresses *addresses, const char *operand);

// Does the function work on the barrier of the grid?
bool addresses_has_grid(const struct addresses *addresses);

// Whether the instruction that begins at `text` may go through such an address, as
// instruction_may_concern().
bool addresses_may_concern(const struct addresses *addresses, const char *text);

#endif
