// Instruments a PTX module: every barrier instruction is surrounded by calls of the hooks that
// <barlint/runtime_check/hooks.h> declares, and the hooks are joined to the module. Text in, text
// out: what is not understood stays as it is. Layer: above base; calls no compiler and no file.
#ifndef BARLINT_INSTRUMENT_INSTRUMENT_H
#define BARLINT_INSTRUMENT_INSTRUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "instrument/places.h"

struct instrument_options {
    uint32_t module;     // number of the module: the upper half of every site
    uint32_t first_site; // number of its first place
    bool is_relocatable; // it is linked with others, which may share its functions
};

// Barrier instructions of one form that were left alone.
struct instrument_form {
    char *key;      // the mnemonic
    uint32_t value; // how many
};

// A module with its instructions rewritten. Text and tables are owned by `arena`.
struct instrumented {
    struct arena arena;
    char *text;
    size_t length;
    size_t head;         // offset behind the module's .address_size: before any function
    const char *target;  // "sm_90a"; "" when the module names none
    const char *state;   // the variable for `barlint_rt_state`; NULL: the module has none
    uint32_t count;      // instructions that were rewritten
    bool has_other_code; // kernels here call functions of other modules
    bool is_linked;      // with other modules, whose functions may take the place of its own
    bool has_mbarriers;  // code here works on some
    uint32_t counted;    // hardware barriers that are used with a count, as a bitmap
    struct instrument_site *site;
    uint32_t site_count;
    struct instrument_form *left; // stb_ds
    uint32_t left_count;          // instructions
};

// Rewrites the module text[0, length), which is ended by a NUL. Never fails: text that is no PTX
// comes back as it was.
void instrument_ptx(struct instrumented *out, const char *text, size_t length,
                    const struct instrument_options *options);
void instrumented_release(struct instrumented *module);

// Whether the module is to be joined with the hooks and used; otherwise the original is: it has no
// barriers, or was compiled without <barlint/runtime_check/module.cuh>.
bool instrumented_is_needed(const struct instrumented *module);

// Writes the module joined with the hooks: `library` is the PTX of the hooks as nvcc makes it from
// relocatable device code. Functions and variables that others see become weak, so that several
// modules of a program may carry them; `barlint_rt_state` becomes the module's own variable, and
// barlint_rt_arrive_at() is made here, of the barriers that the module uses: the more a kernel may
// use, the fewer of its blocks run at a time. So it is with the shared memory of the block's
// shadow, which has no room for mbarriers where a module has none. Where a module stands alone,
// short hooks are written into the code that calls them.
void instrument_join(FILE *out, const struct instrumented *module, const char *library,
                     size_t length);

// Writes the C++ that registers the table of a unit, to stand at the end of what the host compiler
// reads of it.
void instrument_registration(FILE *out, uint32_t module, const struct instrument_site *site,
                             size_t count);

// The same for a module that the driver's API loads, to stand at the end of its PTX: the table as
// text in a variable of the module, and in another one where its state is.
void instrument_places(FILE *out, const struct instrumented *module,
                       const struct instrument_options *options);

#endif
