// One compile command: a folder, a file and the words that compile it, from a compilation
// database, from the user's own arguments, or made up. Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_COMPILE_COMMAND_H
#define BARLINT_FRONTEND_COMMAND_COMPILE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "frontend/command/shlex.h"

struct compile_command {
    const char *directory; // absolute, normalised: relative names in the command start here
    const char *file;      // absolute, normalised
    const char *output;    // the object file as the database says it, or NULL
    const char *text;      // the `command` member; NULL when `argument` came as a list
    char **argument;       // the words, program first; read them with compile_command_words()
    size_t argument_count;
    bool assumed;         // no build said so: made up from defaults
    bool options_only;    // the user wrote options and no compiler: what is not said is unknown
    const char *borrowed; // why this command of another file is used for a header, or NULL
};

enum compiler_kind {
    COMPILER_NVCC,
    COMPILER_CLANG, // clang or clang++, CUDA or not
    COMPILER_HIPCC,
    COMPILER_HOST, // g++, icpx, c++ and anything unknown
};

const char *compiler_kind_name(enum compiler_kind kind);

// The words of the command, split on the first call. Splitting uses `arena`, which must live as
// long as the command.
struct word_list compile_command_words(struct arena *arena, struct compile_command *command);

// How many leading words are no compiler but start one: ccache, sccache, distcc, env VAR=x,
// cmake -E time, and so on. Less than words.count when that is not 0.
size_t compile_command_launchers(const struct word_list *words);

// What kind of compiler the program `word` is, by its name.
enum compiler_kind compiler_kind_of(const char *word);

// True when the command compiles CUDA: a .cu file, nvcc or clang told so by -x, hipcc, or
// clang's --cuda options. Splits the words only when the file name does not tell.
bool compile_command_is_cuda(struct arena *arena, struct compile_command *command);

// True for names of CUDA sources (.cu, .hip) and for headers a CUDA unit may include (.cuh, .h,
// .hpp, .hh, .hxx, .inl, .ipp, .inc).
bool path_is_cuda_source(const char *path);
bool path_is_header(const char *path);

// A command from the words the user wrote behind `--`. When the first word is no compiler,
// `nvcc` is assumed to stand before them.
struct compile_command compile_command_from_words(struct arena *arena, const char *directory,
                                                  const char *file, char *const *word,
                                                  size_t count);

// The command for a file of which nothing is known: nvcc for sm_90a and C++17, with the file's
// own folder and those include folders that lie beside it or beside a folder above it, up to the
// root of the repository.
struct compile_command compile_command_assume(struct arena *arena, const char *file);

#endif
