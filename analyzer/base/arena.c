#include "base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_BYTES = 64 * 1024,
    LARGE_BYTES = CHUNK_BYTES / 4, // above that an object has a chunk of its own
};

struct arena_chunk {
    struct arena_chunk *next;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

void arena_init(struct arena *arena)
{
    *arena = (struct arena){0};
}

static void chunks_free(struct arena_chunk *chunk)
{
    while (chunk) {
        struct arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

void arena_release(struct arena *arena)
{
    chunks_free(arena->chunk);
    chunks_free(arena->spare);
    chunks_free(arena->large);
    arena_init(arena);
}

// Of the large objects' chunks those are kept that were in use: the next round mostly wants the same.
void arena_clear(struct arena *arena)
{
    struct arena_chunk *spare = arena->spare, *large = NULL;
    chunks_free(arena->large);
    for (struct arena_chunk *chunk = arena->chunk, *next; chunk; chunk = next) {
        next = chunk->next;
        struct arena_chunk **list = chunk->size == CHUNK_BYTES ? &spare : &large;
        chunk->next = *list;
        *list = chunk;
    }
    arena_init(arena);
    arena->spare = spare;
    arena->large = large;
}

static void end_without_memory(size_t size)
{
    fprintf(stderr, "barlint: out of memory (%zu bytes wanted)\n", size);
    exit(4);
}

// A large object's chunk comes zeroed; of the others what is handed out is.
static struct arena_chunk *chunk_new(size_t size, bool zeroed)
{
    size_t bytes = sizeof(struct arena_chunk) + size;
    struct arena_chunk *chunk = zeroed ? calloc(1, bytes) : malloc(bytes);
    if (!chunk)
        end_without_memory(size);
    chunk->size = size;
    chunk->next = NULL;
    return chunk;
}

// A chunk for a large object, zeroed as far as that reaches.
static struct arena_chunk *large_chunk(struct arena *arena, size_t size)
{
    for (struct arena_chunk **at = &arena->large; *at; at = &(*at)->next) {
        struct arena_chunk *kept = *at;
        if (kept->size < size || kept->size / 2 > size)
            continue;
        *at = kept->next;
        memset(kept->bytes, 0, size);
        return kept;
    }
    return chunk_new(size, true);
}

void *arena_vec_realloc(void *memory, size_t size)
{
    void *moved = realloc(memory, size);
    if (!moved)
        end_without_memory(size);
    return moved;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX - align - sizeof(struct arena_chunk)) {
        fprintf(stderr, "barlint: out of memory (%zu bytes wanted)\n", size);
        exit(4);
    }
    size = (size + align - 1) & ~(align - 1);
    arena->total += size;
    if (size > LARGE_BYTES) {
        // A large object gets a chunk of its own, linked behind the newest one so that the
        // room left there stays in use.
        struct arena_chunk *own = large_chunk(arena, size);
        if (arena->chunk) {
            own->next = arena->chunk->next;
            arena->chunk->next = own;
        } else {
            own->next = NULL;
            arena->chunk = own;
            arena->used = own->size;
        }
        return own->bytes;
    }
    if (!arena->chunk || arena->chunk->size - arena->used < size) {
        struct arena_chunk *chunk = arena->spare;
        if (chunk)
            arena->spare = chunk->next;
        else
            chunk = chunk_new(CHUNK_BYTES, false);
        chunk->next = arena->chunk;
        arena->chunk = chunk;
        arena->used = 0;
    }
    void *result = arena->chunk->bytes + arena->used;
    arena->used += size;
    return memset(result, 0, size);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1);
    if (length > 0)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}
