// Precompiled CUDA headers, kept between runs: reading the toolkit's headers is nearly all of the
// cost of a file, and it is the same for all files with the same arguments.
#ifndef BARLINT_DRIVER_PRECOMPILED_H
#define BARLINT_DRIVER_PRECOMPILED_H

#include "base/arena.h"
#include "frontend/command/translate.h"

// The folder where barlint keeps what it can make again: $BARLINT_CACHE_DIR, else a folder of the
// user's cache ($XDG_CACHE_HOME, ~/.cache). NULL when there is none.
const char *cache_folder(struct arena *arena);

// Makes a folder and those it lies in, as far as they are missing. Returns whether it is there.
bool folders_make(struct arena *arena, const char *path);

// The path of a precompiled header that fits the translation, made when it does not exist yet; NULL
// when there is none to be had (a read-only cache, a full disk or headers that do not compile cost
// time only). Processes that want the same one wait for the first to make it. It declares more than
// a unit includes, which may lack some of that: units are to see the same from the first time on,
// so that it is made for a unit that is alone, too.
const char *precompiled_header(struct arena *arena, const struct translation *translation);

// The headers that a precompiled header is made of: an stb_ds array with text in the arena, NULL
// when that is not known any more.
const char **precompiled_files(struct arena *arena, const char *path);

// Removes a precompiled header that clang would not load, so that it is made afresh.
void precompiled_discard(const char *path);

#endif
