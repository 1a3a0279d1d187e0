// Patterns for files, in the manner of .gitignore.
#ifndef BARLINT_BASE_GLOB_H
#define BARLINT_BASE_GLOB_H

#include <stdbool.h>

// Whether the pattern names the file or a folder that it lies in; `path` is relative to where the
// pattern belongs. `*` and `?` stay within a part of the path, `**` goes across, [a-z] and [!a-z]
// name a set, a backslash takes the meaning from what follows. A pattern without a slash, other
// than one at its end, may match at any depth. Takes time in proportion to the product of the
// lengths.
bool glob_match(const char *pattern, const char *path);

#endif
