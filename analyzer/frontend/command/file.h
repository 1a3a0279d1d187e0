// The few questions about files that reading a build asks. What is only text is in base/path.h,
// which this header includes. Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_FILE_H
#define BARLINT_FRONTEND_COMMAND_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/path.h"

// Joins `name` to `directory` and removes '.', '..' and doubled slashes. An absolute `name`
// stands alone; a NULL or empty `directory` leaves a relative name relative.
char *path_join(struct arena *arena, const char *directory, const char *name);

// The extension with its dot (".cu"), or "" when the last component has none.
const char *path_extension(const char *path);

bool path_is_absolute(const char *path);

// These look at the disk.
bool path_is_file(const char *path);
bool path_is_directory(const char *path);
bool path_is_executable(const char *path);

// The current working directory, "/" when it cannot be told.
char *path_current(struct arena *arena);

// Follows every symbolic link. Returns NULL when the file does not exist.
char *path_resolve(struct arena *arena, const char *path);

// Reads a regular file of at most `limit` bytes into the arena, with a zero byte behind it that
// `*out_size` does not count. Fails with ERROR_ENVIRONMENT, also for a larger file.
bool path_read(struct arena *arena, const char *path, size_t limit, char **out_text,
               size_t *out_size, struct error *error);

#endif
