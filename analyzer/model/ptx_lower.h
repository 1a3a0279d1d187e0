// Lowers an inline asm statement into operations of the IR, so that a wait loop written in PTX is
// a loop like any other.
#ifndef BARLINT_MODEL_PTX_LOWER_H
#define BARLINT_MODEL_PTX_LOWER_H

#include <stdbool.h>
#include <stddef.h>

#include "ir/ir.h"

// One operand of an asm statement.
struct ptx_asm_operand {
    const char *constraint; // "=r", "+l", "r", "n", "0"
    const char *name;       // of `[name] "r"(x)`; NULL or "" without
    ir_value value;         // inputs: the value; "+" outputs: the value before; else IR_NONE
    ir_value address;       // outputs: where the result goes; else IR_NONE
    ir_type_id type;        // of the expression
};

struct ptx_asm {
    const char *template_text;
    const struct ptx_asm_operand *operand; // outputs first, then inputs
    size_t output_count, input_count;
    bool is_volatile;
    bool has_memory_clobber;
};

// Emits the statement at the builder's position and leaves the builder after it. Registers become
// locals; arithmetic, moves, loads and stores become operations of the IR; branches and guards
// become blocks; what is left becomes one IR_PTX operation an instruction. An IR_PTX operation has
// the addresses of its destinations first (imm says how many: locals that stand for registers,
// outputs of the statement themselves, and for a sink a local named "_"), then its sources: an
// address operand is the base plus its offset, a vector or a tensor coordinate list is one value an
// element.
//
// Returns false when the template could not be parsed; the statement is then one IR_OPAQUE
// operation that may write every output.
bool ptx_lower_asm(struct ir_builder *builder, const struct ptx_asm *statement);

#endif
