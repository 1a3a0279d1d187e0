// Joins the units of a program: who launches whose kernels, who defines whose device functions.
#ifndef BARLINT_DRIVER_PROGRAM_H
#define BARLINT_DRIVER_PROGRAM_H

#include "driver/unit/links.h"

struct program;
struct program *program_new(void);
void program_free(struct program *program);

// Adds a unit: a list of what links_of() says of each of its parses. The order in which units are
// added makes no difference.
void program_add(struct program *program, const json_t *links);

// What the others say about a unit that was so added; NULL where they say nothing. Belongs to the
// program. A name that several units define in different places says nothing: they are parts of
// different programs.
const struct foreign *program_for(struct program *program, const json_t *links);

#endif
