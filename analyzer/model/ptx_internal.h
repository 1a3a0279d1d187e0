// What the files of the lowering share: ptx_lower.c walks the program, ptx_value.c reads and writes
// operands, ptx_arith.c turns arithmetic, moves and memory accesses into operations of the IR.
#ifndef BARLINT_MODEL_PTX_INTERNAL_H
#define BARLINT_MODEL_PTX_INTERNAL_H

#include "ir/ir.h"
#include "model/ptx_lower.h"
#include "model/ptx_parse.h"

// One statement on its way into the IR.
struct ptx_lowering {
    struct ir_builder *builder;
    const struct ptx_asm *statement;
    const struct ptx_program *program;
    ir_value *reg_address;    // by register; IR_NONE where the program does not use it
    ir_value *output_address; // by output
    ir_block_id *block;       // by instruction, and one for the end; IR_NONE where no branch goes
    bool *decides_loop;       // by instruction: the guarded branch leaves or repeats a loop
};

// The type a modifier names ("u32", "pred", "f16"); IR_NONE when it names none, or one whose
// elements are packed ("f16x2").
ir_type_id ptx_type(struct ir_unit *unit, const char *name);

// The type of a register, of one element for a vector.
ir_type_id ptx_register_type(struct ptx_lowering *lowering, const struct ptx_register *reg);

// Whether `read` and `write` can take the operand as the type: an integer is not read as a floating
// number, nor the other way round, for that would be a conversion where PTX only moves bits.
bool ptx_fits(const struct ptx_lowering *lowering, const struct ptx_operand *operand,
              ir_type_id type);
bool ptx_is_float(const struct ptx_lowering *lowering, ir_type_id type);

// The operand's value as the type; with IR_NONE as the type it has by itself.
ir_value ptx_read(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                  ir_type_id type);
// The address a PTX_ADDRESS operand means, without its further elements.
ir_value ptx_read_address(struct ptx_lowering *lowering, const struct ptx_operand *operand);
// Where an assignment to the operand goes: the address of a register's local, of an output, of a
// sink for anything else.
ir_value ptx_destination(struct ptx_lowering *lowering, const struct ptx_operand *operand);
// Assigns to a register or an output.
void ptx_write(struct ptx_lowering *lowering, const struct ptx_operand *operand, ir_value value);

// Lowers the instruction to operations other than IR_PTX. False when it has no such meaning here;
// nothing was emitted then.
bool ptx_lower_value(struct ptx_lowering *lowering, const struct ptx_instruction *instruction);

// How many of the instruction's operands are destinations: 0 or 1.
uint32_t ptx_destination_count(const struct ptx_instruction *instruction);

#endif
