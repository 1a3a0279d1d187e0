// A region of memory that dies as a whole: everything belonging to one translation unit, one
// kernel walk or one report is allocated from one arena and freed with it. Layer: base (calls
// nothing above it).
#ifndef BARLINT_BASE_ARENA_H
#define BARLINT_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunk; // newest chunk, or NULL; older ones are linked behind it
    struct arena_chunk *spare; // chunks that arena_clear() keeps for what comes
    struct arena_chunk *large; // the same of objects that have one to themselves
    size_t used;               // bytes handed out of the newest chunk
    size_t total;              // bytes handed out since init, for statistics
};

// Starts an empty arena. Allocates nothing.
void arena_init(struct arena *arena);

// Frees everything allocated from the arena and leaves it empty and usable.
void arena_release(struct arena *arena);

// The same, but what memory there is is kept for what is allocated next.
void arena_clear(struct arena *arena);

// Returns `size` zeroed bytes aligned for any object type. Never returns NULL: when memory is
// exhausted the process ends with a message (a worker process costs one file, not the run).
void *arena_alloc(struct arena *arena, size_t size);

// Copies of text owned by the arena.
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args);

// For the arrays and maps of vec.h, which are freed one by one: realloc() that ends the process in
// the same way.
void *arena_vec_realloc(void *memory, size_t size);

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (count)))

#endif
