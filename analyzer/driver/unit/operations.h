// `barlint dump --operations`: every barrier operation in the functions of a unit, found in the IR
// without running the engine.
#ifndef BARLINT_DRIVER_OPERATIONS_H
#define BARLINT_DRIVER_OPERATIONS_H

#include <jansson.h>

#include "driver/unit/analyse.h"

// One line an operation on stdout, by function.
void operations_print(const struct parsed *parsed);

// The same with what a comparison with the sources needs: how the parse went, the calls that lead
// to operations and those that do not, what an operation may hide in, what became of every function
// the user's files define (where the parse wanted the outline), the lines the preprocessor left
// out, and what the model does not know. New reference.
json_t *operations_to_json(const struct parsed *parsed);

#endif
