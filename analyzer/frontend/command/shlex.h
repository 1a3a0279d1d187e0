// How a command line, an options file and a comma list fall into words. Three sets of rules:
// the POSIX shell's, for the `command` member of a compilation database; nvcc's for the content
// of `--options-file`; gcc's and clang's for `@file`. Nothing is ever run or expanded: `$`,
// backquotes and globs are ordinary characters. Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_SHLEX_H
#define BARLINT_FRONTEND_COMMAND_SHLEX_H

#include <stddef.h>

#include "base/arena.h"

// Words in an arena. `word` has a NULL behind its last element.
struct word_list {
    char **word;
    size_t count;
};

enum quoting {
    QUOTING_SHELL, // POSIX 2.2: backslash, single quotes, double quotes
    QUOTING_NVCC,  // options files of nvcc 13.0 as measured: single quotes are ordinary, and
                   // quotes and backslashes are taken off twice
    QUOTING_GNU,   // response files of gcc and clang: backslash works inside single quotes too
};

// Splits `text` into words. Never fails: an open quote ends with the text, a backslash at the
// end stands for itself. `#` starts no comment (no build system writes one).
struct word_list shlex_split(struct arena *arena, const char *text, enum quoting quoting);

// Splits the value of an nvcc list option (`-I a,b`, `-Xcompiler=-Wall,-O2`) at its commas. A
// double-quoted part and a comma behind a backslash do not split. Quotes stay in the items (a
// macro's value needs them).
struct word_list shlex_split_list(struct arena *arena, const char *text);

// Returns `text` without its double quotes.
char *shlex_unquote(struct arena *arena, const char *text);

// Returns `text` so quoted that a POSIX shell reads it as one word.
char *shlex_quote(struct arena *arena, const char *text);

#endif
