// What became of a text, line by line.
#ifndef BARLINT_REPORT_DIFF_H
#define BARLINT_REPORT_DIFF_H

#include <stddef.h>
#include <stdio.h>

// Prints the change of a file as a unified diff, under the name `path`; nothing where the texts are
// equal.
void diff_print(FILE *out, const char *path, const char *before, size_t before_length,
                const char *after, size_t after_length);

#endif
