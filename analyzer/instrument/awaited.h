// Whether a kernel waits for its copies (cp.async) and bulk stores at all. One that is still under
// way when a thread ends may be of use to nobody (a tile that is fetched in front of the last
// round); in a kernel that has no wait for any, that was forgotten. (PTX ISA 9.1, 9.7.9.25.)
#ifndef BARLINT_INSTRUMENT_AWAITED_H
#define BARLINT_INSTRUMENT_AWAITED_H

#include <stdbool.h>
#include <stddef.h>

struct awaited {
    bool copies, stores; // there is a wait for some
};

// Of the kernel in text[begin, length); `begin` is at its header (.entry).
struct awaited awaited_find(const char *text, size_t length, size_t begin);

#endif
