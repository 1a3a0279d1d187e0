// The text of a PTX module as a sequence of items: directives, declarations, function headers,
// braces, labels and instructions, each with its place in the text. Nothing is changed and nothing
// has to be understood: what stands between items is blank or comment. (PTX ISA 9.1, 4.)
#ifndef BARLINT_INSTRUMENT_ITEMS_H
#define BARLINT_INSTRUMENT_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum item_kind {
    ITEM_END,
    ITEM_LINE,        // a directive that ends with its line: .version, .target, .file, .loc, @@...
    ITEM_DECLARATION, // any other directive, with its semicolon
    ITEM_FUNCTION,    // the header of a .func or .entry, up to its brace or with its semicolon
    ITEM_SECTION,     // a .section with its braces
    ITEM_LABEL,       // with its colon
    ITEM_OPEN,        // {
    ITEM_CLOSE,       // }
    ITEM_INSTRUCTION, // with its semicolon, where it has one
};

struct item {
    enum item_kind kind;
    size_t begin, end; // offsets in the text; begin is at a character that is no blank
};

// A reading of a text, which must outlive it and is ended by a NUL at `length`.
struct items {
    const char *text;
    size_t length;
    size_t at;
    uint32_t depth; // open braces
};

void items_init(struct items *items, const char *text, size_t length);

// Begins with the function whose header is at text[begin]. Returns whether it has a body: the next
// item is the first in it.
bool items_enter(struct items *items, const char *text, size_t length, size_t begin);

// The next item; ITEM_END, at the end of the text, when there is none.
struct item items_next(struct items *items);

// Whether the character may stand in a name: letters, digits, _, $ and %.
bool item_is_name(char c);

// The offset after blanks and comments at `at`.
size_t items_skip_blank(const char *text, size_t length, size_t at);

// Whether the text at `at` is the directive `name` (".reg") and not a longer one.
bool items_is_directive(const char *text, size_t at, const char *name);

#endif
