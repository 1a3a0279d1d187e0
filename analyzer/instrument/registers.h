// The registers that are declared where an instruction stands, by name. (PTX ISA 9.1, 5.2 and
// 7.1: a block in braces has its own.)
#ifndef BARLINT_INSTRUMENT_REGISTERS_H
#define BARLINT_INSTRUMENT_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

struct register_declaration {
    const char *name; // in the module's text
    size_t length;
    uint32_t family; // of `%r<5>`: 5; 0 for a plain name
    uint32_t bits;   // 1 for a predicate; 0 for a type that no hook takes
    uint32_t depth;
};

struct registers {
    struct register_declaration *declaration; // stb_ds, a stack
    uint32_t depth;
};

void registers_release(struct registers *registers);

// A brace opens or closes.
void registers_open(struct registers *registers);
void registers_close(struct registers *registers);

// Reads a declaration text[0, length) that begins with ".reg"; the text must outlive it. What
// cannot be read is not declared.
void registers_declare(struct registers *registers, const char *text, size_t length);

// The bits of a register (1, 16, 32, 64); 0 for a name that is no register with such bits.
uint32_t registers_bits(const struct registers *registers, const char *name);

#endif
