// A parser of inline PTX: the text of one asm statement becomes instructions with their guards,
// modifiers and operands. Register and label names are resolved by scope, so that two templates, or
// two `{ }` blocks of one, never share a name.
//
// Accepted are both spellings of an operand: `%0`, `%[name]`, `%%reg`, `%=` as written in the
// source, and `$0`, `${0:x}`, `%reg`, `$$name`, `${:uid}` as clang renders a template.
#ifndef BARLINT_MODEL_PTX_PARSE_H
#define BARLINT_MODEL_PTX_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum ptx_operand_kind {
    PTX_ARGUMENT, // operand of the asm statement: value is its number, name the name of `%[name]`
    PTX_REGISTER, // value is the number of a register of the program
    PTX_SPECIAL,  // name without the percent sign: "tid.x"
    PTX_INTEGER,  // value
    PTX_FLOAT,    // value holds the bits of the double
    PTX_SYMBOL,   // a name that is no register: a variable, a label, a rounding constant
    PTX_SINK,     // _
    PTX_ADDRESS,  // [base + value, element...]: element 0 is the base
    PTX_VECTOR,   // { element, ... }
    PTX_PAIR,     // element 0 | element 1
    PTX_SUM,      // the elements (subtracted where negated) plus value
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated; // !p, or -r
    int64_t value;
    const char *name;
    uint32_t component;          // PTX_REGISTER, PTX_ARGUMENT: 0, or 1..4 for .x .y .z .w
    struct ptx_operand *element; // owned by the arena
    uint32_t element_count;
};

enum { PTX_NO_TARGET = -1 };

struct ptx_instruction {
    const char *text;  // the whole mnemonic without blanks: "mbarrier.try_wait.parity.b64"
    const char **part; // its parts: "mbarrier", "try_wait", "parity", "b64"
    uint32_t part_count;
    bool guarded;             // @p or @!p (guard.negated)
    struct ptx_operand guard; // PTX_REGISTER or PTX_ARGUMENT; an unknown name otherwise
    struct ptx_operand *operand;
    uint32_t operand_count;
    int32_t target;  // bra: number of the instruction it goes to, instruction_count for the end of
                     // the template; PTX_NO_TARGET for anything else
    uint32_t offset; // bytes from the start of the template
};

struct ptx_register {
    const char *name; // with its percent sign, if any
    const char *type; // "pred", "b32", "f64"
    uint32_t width;   // elements: 1, 2 or 4
};

struct ptx_program {
    struct ptx_instruction *instruction; // owned by the arena
    uint32_t instruction_count;
    struct ptx_register *reg;
    uint32_t register_count;
};

// Parses a template. Everything returned is owned by the arena. Fails with what was expected and
// the offset in the template; `out` is then empty.
bool ptx_parse(struct arena *arena, const char *text, struct ptx_program *out, struct error *error);

// Whether the instruction has the part (without its dot), not counting the first.
bool ptx_has(const struct ptx_instruction *instruction, const char *part);

// Whether the text, taken as a sequence of tokens, contains an instruction that acts on a barrier.
// True also when it cannot be split into tokens. For templates that do not parse.
bool ptx_may_barrier(const char *text);

#endif
