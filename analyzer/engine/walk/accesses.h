// What the operations that go to memory do to a run. See accesses.c.
#ifndef BARLINT_ENGINE_ACCESSES_H
#define BARLINT_ENGINE_ACCESSES_H

#include "engine/walk/slice.h"

// LOAD, STORE, COPY and ZERO, with what they read and write followed.
void access_execute(struct run *run, struct group *group, const struct ir_op *op, ir_value value);
// The same of one whose data nobody follows.
void access_note(struct run *run, struct group *group, const struct ir_op *op, ir_value value,
                 enum op_mode mode);
// The register that the operation works on, or 0 (registers.c).
uint32_t access_register(const struct run *run, const struct group *group, ir_value value);

#endif
