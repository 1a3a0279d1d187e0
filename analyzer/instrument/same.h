// Which values are the same wherever a kernel is at the same point: in all blocks of a launch, or
// in the same block of all launches that are given the same.
#ifndef BARLINT_INSTRUMENT_SAME_H
#define BARLINT_INSTRUMENT_SAME_H

#include <stdbool.h>

#include "instrument/flow.h"

enum same_in {
    SAME_IN_BLOCKS,
    SAME_IN_LAUNCHES,
};

// How what a step writes depends on what it reads.
enum same_form {
    SAME_ANY,     // in any way
    SAME_UNKNOWN, // on other things, too
    SAME_COPY,
    SAME_SUM,
    SAME_SUM_OF_LAST, // the last operand and a product of the others
    SAME_DIFFERENCE,
    SAME_COMPARISON,
};

// A step that may store to the block's shared memory.
struct same_store {
    ptrdiff_t node, step;
    const char *variable; // "": any
    bool copies;          // data from memory, or may be
};

struct same {
    struct flow *flow;
    enum same_in in;
    struct same_store *store; // by number
    ptrdiff_t stores;
    bool by_turns; // what an atomic gives back of the block's memory counts as the same, too: time
                   // alone says who comes when
    const char **loaded;  // by step: the block's variable that it loads from, or NULL
    ptrdiff_t *base;      // by value: what it differs with (same.c)
    enum same_form *form; // by step
    bool *is_apart;       // by node: not all come here
    bool *is_once;        // by node: a block comes here at most once
    bool changed;
};

// Finds out for all values and nodes. What `same` points to is owned by the flow's arena.
void same_find(struct same *same, struct flow *flow, enum same_in in, bool by_turns);

bool same_value(const struct same *same, ptrdiff_t value);

// Do all come to the step, or none?
bool same_reaches(const struct same *same, const struct flow_node *node,
                  const struct flow_step *step);

#endif
