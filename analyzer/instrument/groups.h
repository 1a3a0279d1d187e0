// Groups of copies (cp.async) and of bulk stores: a thread's own, counted in registers of the
// kernel, as nobody else waits for them.
#ifndef BARLINT_INSTRUMENT_GROUPS_H
#define BARLINT_INSTRUMENT_GROUPS_H

#include <stdio.h>

#include "instrument/rewrite.h"

// Writes, for a function's beginning, the registers that they are counted in.
void groups_declare(FILE *out);

// Writes what replaces cp.async, its commit_group, wait_group and wait_all.
enum rewrite_result groups_rewrite(const struct rewrite *rewrite,
                                   const struct instruction *instruction);

// The same of bulk stores and their groups; REWRITE_NONE for other instructions.
enum rewrite_result groups_stored(const struct rewrite *rewrite,
                                  const struct instruction *instruction);

// Writes, for where a thread ends, the look whether it has waited for all of them.
void groups_end(const struct rewrite *rewrite);

#endif
