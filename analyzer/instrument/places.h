// Where in the source an instruction comes from, by the .loc directives before it, inlined frames
// included; and the module's table of places, in which each has a number. (PTX ISA 9.1, 11.5.)
#ifndef BARLINT_INSTRUMENT_PLACES_H
#define BARLINT_INSTRUMENT_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

// One place. `inlined_at` is the number in the table, plus 1, of the place of the call that this
// one was inlined at; 0: not inlined.
struct instrument_site {
    const char *file; // "" when the module has no line information
    uint32_t line, column;
    const char *function;    // as shown_name() gives it
    const char *instruction; // its mnemonic; "" for a place that is only a caller's
    uint32_t inlined_at;
    uint32_t bypassed; // BARLINT_RT_BYPASSED, BARLINT_RT_PERHAPS_BYPASSED; else 0
};

struct place_position {
    uint32_t file, line, column;
};

// One .loc directive.
struct place {
    struct place_position at;
    struct place_position caller; // where it is inlined; line 0 with file 0: not inlined
    const char *label;            // of the function's name in .debug_str; NULL: the function itself
    uint32_t label_offset;
};

struct place_entry {
    struct place_position key;
    struct place value;
};

struct place_file {
    uint32_t key;
    const char *value;
};

struct place_text {
    char *key;
    const char *value;
};

// A place in the table whose names are not resolved yet: both come at the end of a module.
struct place_site {
    struct place place;
    const char *function; // the PTX function it stands in
    const char *instruction;
    uint32_t inlined_at; // 1 + the index among the callers; 0: not inlined
    uint32_t bypassed;
};

struct places {
    struct arena *arena;
    const char *function;
    struct place current;
    struct place_entry *seen;  // stb_ds: the latest .loc of each position of this function
    struct place_file *files;  // stb_ds
    struct place_text *names;  // stb_ds: texts of .debug_str by label
    struct place_site *site;   // stb_ds
    struct place_site *caller; // stb_ds: where those are inlined; they follow in the table
    uint32_t first;            // number of site[0]
    // Sites of the function's beginning, before its first .loc: how many, from which index.
    uint32_t waiting, waiting_from;
};

void places_init(struct places *places, struct arena *arena, uint32_t first);
void places_release(struct places *places);

// A function begins.
void places_enter(struct places *places, const char *function);

// Reads a line of the module: .loc and .file are noted, anything else is not. NUL-terminated text
// of which the first `length` bytes are the line.
void places_line(struct places *places, const char *text, size_t length);

// Reads a .section.
void places_section(struct places *places, const char *text, size_t length);

// The number of a new place for an instruction that stands here. A place at the beginning of a
// function, before any .loc, gets the position of the first. `bypassed`: as in struct
// instrument_site.
uint32_t places_add(struct places *places, const char *instruction, uint32_t bypassed);

// The table, an array of the arena with the places from `first` on. Ends the reading.
struct instrument_site *places_table(struct places *places, uint32_t *out_count);

#endif
