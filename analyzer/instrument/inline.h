// Short hooks are written into the code that calls them, so that the ordinary way through them
// costs no call. What they call themselves stays a call. (PTX ISA 9.1, 4.3 and 7.1: names that are
// declared in braces are local to them.)
#ifndef BARLINT_INSTRUMENT_INLINE_H
#define BARLINT_INSTRUMENT_INLINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

// Stands before a call that is to stay one, because it is rarely come to.
#define INLINING_RARE "\t// rare\n"

// The body of a hook with its parameters as the registers %bl_i0, %bl_i1, ... and its result as
// %bl_ir.
struct inline_hook {
    char *key; // its name
    const char *text;
    uint32_t instructions;
};

struct inlining {
    struct arena arena;
    struct inline_hook *hook; // stb_ds
};

// Reads the functions of `library`, PTX that is ended by a NUL at `length`.
void inlining_init(struct inlining *inlining, const char *library, size_t length);
void inlining_release(struct inlining *inlining);

// Writes text[0, length), which rewrite_instruction() and rewrite_enter() have made, with bodies in
// place of the calls of short hooks. A hook that is called so often that the code would grow beyond
// measure stays a call.
void inlining_write(FILE *out, const struct inlining *inlining, const char *text, size_t length);

#endif
