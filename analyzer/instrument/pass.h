// One pass over a module's text, as instrument.c goes on with it, and what writes the parts of it
// (plain_copy.c, passed.c).
#ifndef BARLINT_INSTRUMENT_PASS_H
#define BARLINT_INSTRUMENT_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "instrument/addresses.h"
#include "instrument/awaited.h"
#include "instrument/bypass.h"
#include "instrument/instrument.h"
#include "instrument/items.h"
#include "instrument/passed.h"
#include "instrument/registers.h"
#include "instrument/repeat.h"
#include "instrument/rewrite.h"
#include "instrument/uniform.h"

// What is not the same in the copy without hooks of a kernel that has two.
struct mark {
    struct item item;
    uint32_t site;   // of an instruction: its place
    bool is_hooked;  // has one in the other copy
    uint32_t passed; // who has come through it tells of so many places, of which this is the last
    bool is_dropped; // it stands in neither copy
    const char *instead; // what stands there in that copy alone; else NULL
};

struct pass {
    const char *text;
    size_t length;
    const struct instrument_options *options;
    struct instrumented *out;
    FILE *stream;
    size_t copied; // how much of the text has been written
    struct arena scratch;
    struct registers registers;
    struct addresses addresses; // of the function
    struct places places;
    size_t body; // where the function's began
    uint32_t depth;
    uint32_t labels;
    bool in_kernel;
    bool is_own;                        // a function of the hooks themselves
    bool is_uniform;                    // a kernel whose barriers need no hooks
    struct uniform_condition condition; // is_needed: a kernel of which that holds on a condition
    struct repeat repeat;               // of a kernel for which that is not shown
    bool has_copy;                      // for either reason it has a copy without hooks
    struct mark *mark;                  // stb_ds: of such a kernel
    uint32_t plain;                     // the label of its other copy
    struct bypassed *bypassed;          // stb_ds: of a kernel (bypass.h)
    uint64_t hears_nothing;             // BARLINT_RT_HEARS_NOTHING; 0: threads may (hears.h)
    struct awaited awaited;             // of a kernel that counts its groups
    bool by_rounds;                     // a kernel whose warps count rounds
    bool has_groups;                    // kernels count their groups of cp.async copies
    bool has_peers;                     // addresses of other CTAs' shared memory are made here
    bool has_givers;                    // warps may arrive at named barriers and go on
    bool entered;                       // rewrite_enter() was written
    struct passed passed;
    uint32_t row, last; // so many places, up to that one, have been passed and not been told of
};

// Writes the text up to there as it is.
void pass_copy(struct pass *pass, size_t end);

// What stands in the place of the instruction, which the caller owns. `is_uniform`: in a kernel, or
// a copy of one, whose barriers are left alone.
enum rewrite_result pass_rewrite(struct pass *pass, const struct item *item,
                                 const struct instruction *instruction, uint32_t site,
                                 bool is_uniform, char **out_block);

// Writes it, and behind it that so many places have been passed, of which `site` is the last.
void pass_write(struct pass *pass, const struct item *item, const struct instruction *instruction,
                const char *block, uint32_t site, uint32_t passed);

// Leaves the instruction out.
void pass_drop(struct pass *pass, const struct item *item, const char *mnemonic);

// ret and exit are rewritten too, but alone are no reason to instrument a module.
bool pass_is_end(const struct instruction *instruction);

#endif
