// The words of the text form, shared by the printer and the reader.
//
// A file is a list of declarations, one a line; `#` starts a comment.
//
//   unit "sm_90a" cccl 3000001
//   file 1 "kernel.cu"
//   file 2 system "cuda/barrier"
//   type %pair = record "pair" size 8 align 4 {
//     +0 u32 "first"
//     +4 u32 "flag" bits 3 1
//   }
//   type %texture = opaque "texture" size 8 align 8
//   global @bar : [2 x u64] shared align 8 owner @k at 1:3:5
//   func @k "ns::k<4>" lookup "ns::k" key "_Z1k" kernel device template(int 4 "4")
//        bounds(128 2) (%n : i32, %self : this ptr %pair) -> i32 at 1:2:1-20:2 {
//     local %i : i32 at 1:4:7
//   b0:
//     v0 = special tid.x : u32 at 1:5:9-16
//     v1 = const 0 : u32
//     v2 = eq v0 v1 : bool
//     condbr v2 b1 b2 !loop
//   b1:
//     ...
//
// (The head of a function stands on one line; `this`, `result` and `record` mark parameters.) Types
// are written out: void, bool, u8 to u128, i8 to i128, f8 to f128, `ptr T`, `[N x T]`, `fn`, and
// `%label` for a record or an opaque type. Labels, block names and value names are any run of
// letters, digits, `_`, `.` and `$`; a declaration without a quoted name is named as its label, and
// lookup and key are the name where not given. A value that has no operand there is `_`. An
// operation has a name before it where and only where it has a type behind it. After the operands
// come the number that goes with the operation
// (`offset v1 + 8`, `index v1 v2 * 4`, `copy v1 v2 bytes 16`, `ptx "..." v1 outputs 1`), the
// targets, the type, flags, and the place: `at file:line:column-line:column`, where the end, or
// the line of the end, is left out when it says nothing new.
//
// What the printer writes is canonical: labels come from names, blocks are b0, b1, ..., and values
// are numbered over the blocks in order.
//
// Layer: ir, private to it.
#ifndef BARLINT_IR_TEXT_H
#define BARLINT_IR_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/ir.h"

struct ir_word {
    uint32_t bit;
    const char *word;
};

// Each ends with a NULL word.
extern const struct ir_word ir_op_flag_words[];
extern const struct ir_word ir_function_flag_words[]; // all but IR_FN_BODY
extern const struct ir_word ir_space_words[];         // bit is the enum ir_space

// The word before the number of an operation: "+", "*", "bytes", "outputs" or "imm".
const char *ir_imm_word(enum ir_op_code code);
// Whether imm is written by what it stands for (a label, a count of cases) and not as a number.
bool ir_imm_is_special(enum ir_op_code code);
bool ir_is_label_char(char c);

#endif
