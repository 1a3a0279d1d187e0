// One PTX instruction taken apart: guard, the parts of its mnemonic, and the text of each operand.
// (PTX ISA 9.1, 4.3.2 and 8.)
#ifndef BARLINT_INSTRUMENT_INSTRUCTION_H
#define BARLINT_INSTRUMENT_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

enum { INSTRUCTION_PARTS = 32, INSTRUCTION_OPERANDS = 32 };

struct instruction {
    const char *guard; // the predicate's name; NULL when there is none
    bool guard_negated;
    const char *mnemonic;                // "mbarrier.try_wait.parity.b64"
    const char *part[INSTRUCTION_PARTS]; // "mbarrier", "try_wait", "parity", "b64"
    uint32_t part_count;
    const char *operand[INSTRUCTION_OPERANDS]; // without blanks at the ends
    uint32_t operand_count;
};

// Whether the instruction that begins at `text` belongs to a family that hooks exist for. A cheap
// look at its first letters: true may be wrong, false is not.
bool instruction_may_concern(const char *text);

// Takes apart the instruction in text[0, length). Everything in `out` is owned by the arena.
// Returns false for what has more parts or operands than any instruction, or no mnemonic.
bool instruction_parse(struct arena *arena, const char *text, size_t length,
                       struct instruction *out);

// Writes the instruction to `out` as a line, without its guard.
void instruction_write(const struct instruction *instruction, FILE *out);

// Whether the part stands in the mnemonic, after the first.
bool instruction_has(const struct instruction *instruction, const char *part);

// Whether the mnemonic's parts begin with those of `prefix` ("cp.async.bulk").
bool instruction_is(const struct instruction *instruction, const char *prefix);

// Whether a function of the name is the system's: such functions have no barriers.
bool function_is_system(const char *name);

// Whether the text is an address in brackets.
bool operand_is_address(const char *operand);

// Whether it is a number.
bool operand_is_number(const char *operand);

// Is the word one of the list?
bool word_is_any(const char *word, const char *const *list, size_t count);
#define IS_ANY(word, list) word_is_any(word, list, sizeof(list) / sizeof *(list))

#endif
