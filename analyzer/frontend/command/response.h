// Options that stand in files: nvcc's --options-file and -optf, and gcc's and clang's @file.
// Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_RESPONSE_H
#define BARLINT_FRONTEND_COMMAND_RESPONSE_H

#include "base/arena.h"
#include "frontend/command/compile_command.h"
#include "frontend/command/shlex.h"

// One file that was read, or could not be.
struct response_file {
    char *original; // "--options-file includes.rsp"
    char *path;     // absolute
    size_t words;   // options it held, nested files left out
    char *problem;  // why it could not be read, or NULL
};

// Returns `words` with every options file replaced by what it holds, nested ones too. A relative
// name starts at `directory`. A file that is missing, too deep or part of a circle is left out,
// and said so in `*out_files`, which is an stb_ds array the caller frees.
struct word_list response_expand(struct arena *arena, const struct word_list *words,
                                 const char *directory, enum compiler_kind kind,
                                 struct response_file **out_files);

#endif
