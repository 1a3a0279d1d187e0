// Names of files: made absolute, tidied and shown. Works on text only, so that the same command
// gives the same names on every machine; nothing here follows symbolic links.
#ifndef BARLINT_BASE_PATH_H
#define BARLINT_BASE_PATH_H

#include <stdbool.h>

#include "base/arena.h"

// `path` as an absolute path without "." and ".." parts and without doubled slashes; a relative one
// is taken to lie in `folder`, which must be absolute. The result belongs to the arena.
char *path_absolute(struct arena *arena, const char *folder, const char *path);

// How to show an absolute path to a user who stands in `folder`: relative when it lies below,
// unchanged otherwise. Returns `path` or a place inside it.
const char *path_shown(const char *folder, const char *path);

// An absolute path as seen from an absolute folder, with ".." where it does not lie below.
char *path_relative(struct arena *arena, const char *folder, const char *path);

// The folder a path lies in ("/" for the root, "." for a bare name).
char *path_folder(struct arena *arena, const char *path);

// The part after the last slash.
const char *path_name(const char *path);

// Whether the name ends in `ending` (".cu"), which must not be the whole name.
bool path_has_ending(const char *path, const char *ending);

#endif
