// How the host's launches are read (launch.c, attributes.c, given.c, guessed.c, made_for.c).
#ifndef BARLINT_ENGINE_LAUNCH_H
#define BARLINT_ENGINE_LAUNCH_H

#include "engine/run.h"

// The number that an operand of the launch is: `missing` where the launch has none, -1 where it is
// not known.
int64_t launch_operand(struct run *run, struct group *group, const struct ir_op *op,
                       enum ir_launch_operand which, int64_t missing);
// The cluster size among the attributes of cudaLaunchKernelEx, and whether the launch is
// cooperative or may begin early. `preferred`: what clusters are where there is room for them; left
// as it is where the launch does not say so.
void launch_attributes(struct run *run, struct group *group, const struct ir_op *op,
                       struct engine_shape *shape, int64_t preferred[3]);
// launch.c: adds the shape. Launches that differ in their place and arguments only are one.
void launch_shape_add(struct engine_shapes *out, struct engine_shape shape);

// guessed.c: takes over the extents of a cluster that the kernel's attributes give, 1 for others.
void launch_fill(struct engine_shape *shape, const struct ir_function *kernel);
// Adds shapes for a kernel of which no launch says the whole block: `model` is what one does say,
// or NULL.
void launch_guess(struct engine_shapes *out, const struct ir_unit *unit,
                  const struct ir_function *kernel, const struct engine_shape *model);

// given.c: the numbers that all who call the function in the unit pass it: whoever it is that comes
// to it, it is given these. `reaching`: a launch may come of a call of the function.
void launch_given_by_all(const struct ir_unit *unit, ir_function_id id, const bool *reaching,
                         struct engine_shape *out);

// made_for.c: how many threads of a block the kernel's code is made for; 0 where it does not say.
int64_t launch_made_for(const struct ir_unit *unit, const struct ir_function *kernel);

#endif
