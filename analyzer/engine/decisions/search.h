// A search for numbers that make a set of bounds true. Where it finds none there may be some. It
// begins with what was found last: what it finds rests on what the kernel's runs have asked before,
// and in which order, and on nothing else.
#ifndef BARLINT_ENGINE_SEARCH_H
#define BARLINT_ENGINE_SEARCH_H

#include "engine/decisions/decide_internal.h"

enum {
    SEARCH_SYMBOLS = 16, // of which numbers are moved
    SEARCH_BOUNDS = 96,
    SEARCH_OWN = 64,
    SEARCH_MARKS = 32,
    SEARCH_GRAINS = 16,
    SEARCH_WORTHS = 1024, // expressions whose worth is remembered
    SEARCH_TRIES = 64,    // numbers of one symbol that are remembered while it is moved
};

// When something was worked out, and of what.
struct search_made {
    uint32_t round;       // 0: never
    uint32_t of;          // symbols, a bit for each
    bool divides_by_none; // no kernel goes on with that
};

// To be all 0 but `run` and `call`. A search is made anew for each question.
struct search {
    struct run *run;
    const struct launched_call *call; // of the launch whose numbers are asked for, or NULL

    // What is asked.
    const struct bound *bound[SEARCH_BOUNDS];
    uint32_t asker[SEARCH_BOUNDS]; // the thread that a bound is about and one more; 0: all of them
    uint32_t bounds;
    // Bounds that leave all open, which ask no more than that nothing is divided by 0.
    const struct bound *open[SEARCH_BOUNDS];
    uint32_t opens;
    struct bound own[SEARCH_OWN]; // made for the search
    uint32_t owns;
    // Numbers at which something changes for a symbol, as conditions compare it with them.
    struct {
        const struct node *symbol;
        int64_t number;
    } mark[SEARCH_MARKS];
    uint32_t marks;
    // Numbers that conditions ask a symbol to be a multiple of, or not to be.
    struct {
        const struct node *symbol;
        int64_t number;
    } grain[SEARCH_GRAINS];
    uint32_t grains;

    // What is tried. Of nodes that bounds take to be alike all are the symbol of one of them.
    struct {
        const struct node *node;
        uint32_t symbol;
    } name[SEARCH_SYMBOLS];
    uint32_t symbols;
    int64_t value[SEARCH_SYMBOLS], low[SEARCH_SYMBOLS], high[SEARCH_SYMBOLS];
    int64_t step[SEARCH_SYMBOLS];   // values are multiples of it
    uint32_t round;                 // values were moved so many times
    uint32_t moved[SEARCH_SYMBOLS]; // the round in which each was last
    int64_t tried[SEARCH_TRIES];    // of the symbol that is being moved
    uint32_t tries;
    const struct node *blocks[3]; // the kernel's symbols for the extents of the grid

    // What expressions are worth: parts of one come again in others, and one symbol is moved at a
    // time.
    struct {
        const struct node *node;
        uint32_t thread;
        struct search_made made;
        bool known;
        int64_t value;
    } worth[SEARCH_WORTHS];
    uint32_t thread;         // of what is being worked out, as in `asker`
    struct search_made made; // of what is being worked out
    // By how much each bound was off, their sum, and which bounds rest on each symbol.
    struct {
        int64_t by;
        bool divides_by_none;
    } off[SEARCH_BOUNDS];
    int64_t cost;
    uint32_t divisions_by_none;
    uint64_t rests[SEARCH_SYMBOLS][(SEARCH_BOUNDS + 63) / 64];
    uint64_t stale[(SEARCH_BOUNDS + 63) / 64]; // bounds whose numbers were moved since
};

// Adds a bound, which is kept; nothing where there is no room.
void search_add(struct search *search, const struct bound *bound);
// The same of a bound that is copied; `thread` asks it, or all do (UINT32_MAX).
void search_add_own(struct search *search, const struct bound *bound, uint32_t thread);
// Notes the numbers that conditions in the expression compare one symbol with, or divide it by.
void search_mark(struct search *search, const struct node *node);
// From one start after another, until numbers are found that make all bounds true.
bool search_find(struct search *search);

// refute.c: whether some bound is true of no numbers that the symbols may be. The search would go
// through all its starts and find none.
bool search_is_refuted(const struct search *search);
// asked_before.c: a key of all that the search rests on, 0 where that is much; and whether one of
// that key has found nothing, as far as it is remembered.
uint64_t search_key(struct search *search);
bool search_failed_before(const struct engine *engine, uint64_t key);
void search_has_failed(struct engine *engine, uint64_t key);
// What a symbol may be, a number that it is a multiple of, and the number that it begins with.
struct search_range {
    int64_t low, high, step, first;
};
struct search_range search_range_of(struct search *search, const struct node *node);
// The symbol that the node has been made, SEARCH_SYMBOLS where it is none so far; and what the
// launch makes of a symbol of the kernel, NULL where it says nothing.
uint32_t search_symbol(const struct search *search, const struct node *node);
const struct node *search_launched(const struct search *search, const struct node *node);

#endif
