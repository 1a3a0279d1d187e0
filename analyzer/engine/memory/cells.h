// The content of objects, by offset (cells.c).
#ifndef BARLINT_ENGINE_CELLS_H
#define BARLINT_ENGINE_CELLS_H

#include "engine/run.h"

enum { MAX_SCALAR = 16 }; // bytes of the largest value that is one

// The threads that see what threads of `mask` write: themselves for a local, their blocks for
// shared memory.
const struct mask *cell_audience(struct run *run, const struct object *object,
                                 const struct mask *mask);
// `peers`: the block whose copy is written to, where that is not the writers' own; else NULL.
void cell_store(struct run *run, struct object *object, const struct mask *mask,
                const struct mask *peers, int64_t offset, uint32_t size, const struct node *value,
                const struct arms *arms);
// The content of one cell for the threads of `mask`.
const struct node *cell_load(struct run *run, struct object *object, const struct mask *mask,
                             int64_t offset, uint32_t size);
// Bytes [low, high) are to be written anew for the threads of `seen`: nothing is left of them.
void object_clear(struct run *run, struct object *object, const struct mask *seen, int64_t low,
                  int64_t high);
// What lies in [low, high), or anywhere, becomes unknown; `copied`: an asynchronous copy brings it.
void object_overwrite(struct run *run, struct object *object, const struct mask *mask, int64_t low,
                      int64_t high, bool copied);
// The same, but for what was stored from `kept` on.
void object_fill(struct run *run, struct object *object, const struct mask *mask, int64_t low,
                 int64_t high, int64_t kept, bool copied);
// Whether the node is the content of a word that a copy brought, and nothing else has written.
bool cell_is_copied(const struct node *node);
void object_forget(struct run *run, struct object *object, const struct mask *mask);

#endif
