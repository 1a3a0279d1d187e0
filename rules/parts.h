// What a value is made of, through variables, calls and the arguments of callers: asked by rules
// about words that blocks wait for.
#ifndef BARLINT_RULES_PARTS_H
#define BARLINT_RULES_PARTS_H

#include "base/arena.h"
#include "engine/engine.h"

enum { PARTS_MOST_DEPTH = 10, PARTS_MOST_LOOKS = 4096 };

// What a value is made of.
struct parts {
    uint32_t looks;  // at operations so far; a value made of more is none of this rule's
    bool polls;      // a word of memory that others may change
    bool takes;      // it is changed by an atomic operation, as a lock is
    bool blocks;     // the number of blocks of the grid
    bool own;        // the number of the thread or of its block
    bool own_block;  // that of the block
    bool own_thread; // that of the thread
};

// A function as it is entered at one place of the call tree.
struct place {
    ir_function_id id;
    uint32_t chain;             // of the caller, for one without barriers, which has none
    const struct place *caller; // of such a function, else NULL
    ir_value call;              // in the caller
};

enum asking { NOT_KNOWN, ASKS, ASKS_NOT };

// What is known of the functions as far as somebody wanted to know.
struct reading {
    const struct engine_result *result;
    struct arena *arena;
    struct writers *writers; // by function, see parts.c
    enum asking *blocks;     // by function: for the number of blocks
};

struct reading parts_reading(const struct engine_result *result, struct arena *arena);
const struct ir_function *parts_function(const struct reading *reading, struct place place);
// The address that a load reads from; NULL of another operation.
const struct ir_op *parts_source(const struct ir_function *function, const struct ir_op *op);
// The first operation, counted from 1, that may put something into the variable which the load
// reads; and the one after that, 0 where there is none.
uint32_t parts_writer(struct reading *reading, ir_function_id id, const struct ir_op *load_from);
uint32_t parts_next_writer(const struct reading *reading, ir_function_id id, uint32_t writer);
// Adds what the value is made of at the place, up to PARTS_MOST_DEPTH operations behind each other
// (`depth` of them so far) and PARTS_MOST_LOOKS in all.
void parts_of(struct reading *reading, struct place place, ir_value value, int depth,
              struct parts *out);
// Whether the function asks for the number of blocks at all, which most do not.
bool parts_asks_for_blocks(struct reading *reading, ir_function_id id);

#endif
