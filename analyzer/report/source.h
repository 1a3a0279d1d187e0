// Source files as the report needs them: their lines, and where the comments are.
#ifndef BARLINT_REPORT_SOURCE_H
#define BARLINT_REPORT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/arena.h"

// A comment, without its opening and closing marks.
struct source_comment {
    const char *text; // not terminated
    size_t length;
    uint32_t line; // where it begins
    uint32_t end_line;
    bool alone; // nothing but blanks stands before it on its first line
};

struct source {
    const char *path;
    const char *text; // NULL when the file cannot be read; terminated by a NUL byte
    size_t length;
    struct timespec changed;        // on the disk, when it was read
    size_t *line;                   // stb_ds array: where each line begins
    struct source_comment *comment; // stb_ds array, in order
};

// Files read so far, by path.
struct sources {
    struct arena arena;
    struct source **source; // stb_ds array, in the order of their first use
    struct {
        char *key;
        struct source *value;
    } * map; // stb_ds
};

void sources_init(struct sources *sources);
void sources_release(struct sources *sources);

// The file, read when it is asked for first. Never NULL; its text is NULL when it cannot be read.
const struct source *sources_get(struct sources *sources, const char *path);

// Gives a file that was not asked for yet another content than the disk's, which is copied.
void sources_put(struct sources *sources, const char *path, const char *text, size_t length);

// The text of a line (from 1) without its end; "" with length 0 when there is no such line.
const char *source_line(const struct source *source, uint32_t line, size_t *length);

// Byte offset of a place; the end of the line when the column lies behind it.
size_t source_offset(const struct source *source, uint32_t line, uint32_t column);

// Splits text into lines and comments; `source` must be zero but for text and length. Used by
// sources_get() and by the fuzz target. source_clear() frees the arrays.
void source_scan(struct source *source);
void source_clear(struct source *source);

#endif
