// Barriers and operations of a warp that whoever has ended has gone past. The hardware waits for no
// thread that has ended, so that an operation whose mask names lanes that have left by a return is
// right; one whose lanes went another way and on to what all threads do afterwards is a mistake,
// though it goes on as well once they have ended. (PTX ISA 9.1, 9.7.13.2 and 9.7.13.4; Guide
// 5.4.6.6.) Which of the two it was can be seen where every thread that ends has come through a
// place behind the operation at which something stands that compilers do not make of two ways one;
// where plain stores alone follow, a way with a return may have ended in the same store.
#ifndef BARLINT_INSTRUMENT_BYPASS_H
#define BARLINT_INSTRUMENT_BYPASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How sure that is.
enum bypass {
    BYPASS_NOT_KNOWN, // threads may have left before
    BYPASS_PERHAPS,   // or may have ended in the same store
    BYPASS_SURE,
};

// How hooks and places are told: BARLINT_RT_BYPASSED, BARLINT_RT_PERHAPS_BYPASSED (hooks.h), or 0.
uint32_t bypass_flags(enum bypass how);

struct bypassed {
    size_t at; // where the operation begins, its guard included
    enum bypass how;
    bool reached; // has whoever has ended been there? Of a barrier of the block, that is as wrong
};

// Returns those of the kernel in text[begin, length), in the order of the text, as an stb_ds array;
// the caller frees it. NULL where there are none, or the kernel is not followed (flow.h). `begin`
// is at its header (.entry).
struct bypassed *bypass_find(const char *text, size_t length, size_t begin);

#endif
