// Shared by the files of the translation: what has been read from the command so far. Not for
// others. Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_TRANSLATE_INTERNAL_H
#define BARLINT_FRONTEND_COMMAND_TRANSLATE_INTERNAL_H

#include "frontend/command/option_table.h"
#include "frontend/command/translate.h"

// A command half read. The arrays are stb_ds, freed when the translation is made.
struct reading {
    struct arena *arena;
    const struct compile_command *command;
    const struct translate_options *options;
    enum compiler_kind kind;
    struct translation_step *step;
    char **argument;        // the user's options in clang's spelling
    char **wrapped;         // host options behind -Xcompiler, read after the command's own
    struct gpu_arch *named; // architectures, in order of the command
    bool all, all_major, native;
    char *standard;
    char *cuda_path;    // of --cuda-path
    char *nvcc;         // the compiler word, when it is nvcc
    char *cuda_include; // the first include folder that holds cuda_runtime.h
};

void reading_step(struct reading *reading, enum step_action action, const char *original,
                  const char *result, const char *reason);
void reading_warn(struct reading *reading, const char *original, const char *reason);

// Reads the words behind the program. Fills argument, named, standard and cuda_path.
void reading_options(struct reading *reading, const struct word_list *words);

// The arguments of barlint's own that stand before and behind the user's, with their steps.
// `out` has kind, file, arch and toolkit filled in.
bool base_arguments(struct reading *reading, struct translation *out, char ***before,
                    char ***behind, struct error *error);

#endif
