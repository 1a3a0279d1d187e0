// What rewriting writes again and again: calls of hooks, and operands brought into registers.
#ifndef BARLINT_INSTRUMENT_EMIT_H
#define BARLINT_INSTRUMENT_EMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "instrument/rewrite.h"

struct argument {
    uint32_t bits;
    const char *text; // a register or a number; NULL: `number`
    uint64_t number;
};

#define WORD(value)                                                                                \
    {                                                                                              \
        32, NULL, (value)                                                                          \
    }
#define WORD_IN(name)                                                                              \
    {                                                                                              \
        32, (name), 0                                                                              \
    }
#define WIDE(value)                                                                                \
    {                                                                                              \
        64, NULL, (value)                                                                          \
    }
#define WIDE_IN(name)                                                                              \
    {                                                                                              \
        64, (name), 0                                                                              \
    }

// Calls `hook` with the arguments; its result of `bits` bits, where it has one, goes to `result`.
void emit_call(FILE *out, const char *hook, const char *result, uint32_t bits,
               const struct argument *argument, uint32_t count);

// The same for an instruction, with its site as the last argument.
#define CALL(rewrite, hook, ...) CALL_FOR(rewrite, hook, NULL, 0, __VA_ARGS__)
#define CALL_FOR(rewrite, hook, result, bits, ...)                                                 \
    do {                                                                                           \
        const struct argument arguments_[] = {__VA_ARGS__, WIDE((rewrite)->site)};                 \
        emit_call((rewrite)->out, hook, result, bits, arguments_,                                  \
                  (uint32_t)(sizeof arguments_ / sizeof arguments_[0]));                           \
    } while (0)

// The thread and the lanes that are here, for the hooks that take `who`, go to %bl_d1. In a kernel
// %bl_self is set at the beginning.
void emit_who(const struct rewrite *rewrite);

// Puts an operand into a 32-bit register. Numbers, registers of 32 and 64 bits, special registers.
bool emit_word(const struct rewrite *rewrite, const char *name, const char *operand);

// The same for a 64-bit register; a narrower value is widened with zeros.
bool emit_wide(const struct rewrite *rewrite, const char *name, const char *operand);

// Puts the address of a barrier into %bl_a. `*out_space` is where it points to: what the mnemonic
// says, or shared memory for a variable that is named where the mnemonic says nothing.
bool emit_address(const struct rewrite *rewrite, const struct instruction *instruction,
                  const char *operand, uint32_t *out_space);

#endif
