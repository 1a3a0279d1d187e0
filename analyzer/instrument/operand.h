// What a register holds, as far as one instruction alone writes it: numbers of threads, places in
// shared memory, and parameters.
#ifndef BARLINT_INSTRUMENT_OPERAND_H
#define BARLINT_INSTRUMENT_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#include "instrument/flow.h"

enum number_kind {
    NUMBER_UNKNOWN,
    NUMBER_KNOWN,  // `value`
    NUMBER_THREAD, // %tid.x
    NUMBER_MINUS_THREAD,
    NUMBER_THREADS, // %ntid.x
    NUMBER_PART,    // (%tid.x >> shift) + value
};

struct number {
    enum number_kind kind;
    int64_t value;
    uint32_t shift;
};

// The value of an operand in a block of one dimension, where %ntid.y and .z are 1.
struct number operand_number(struct flow *flow, const char *operand);

struct place {
    const char *variable; // of the kernel's own in shared memory, or a parameter; owned by the flow
    int64_t offset;       // bytes
};

// Where an operand in brackets points to in shared memory. Returns false where that is not known.
bool operand_place(struct flow *flow, const char *operand, struct place *out);

// The same of what ld.param reads: the kernel's parameter.
bool operand_parameter(struct flow *flow, const char *operand, struct place *out);

// The step that alone writes the register, whatever the way to it; FLOW_NOWHERE for none such.
ptrdiff_t operand_step(const struct flow *flow, const char *name);

// The register that it is a copy of, at last.
const char *operand_origin(struct flow *flow, const char *name);

#endif
