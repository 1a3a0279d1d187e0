// Finds the CUDA toolkit whose headers a unit is parsed with, whatever way it was installed: an
// NVIDIA installer's folder, a distribution's package, conda, or PyPI wheels. Nothing is run.
// Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_TOOLKIT_H
#define BARLINT_FRONTEND_COMMAND_TOOLKIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct toolkit {
    char *path;        // the folder that was recognised
    int version_major; // 13 of 13.0.88; 0 when no file tells
    int version_minor;
    int version_build;      // of nvcc; 0 when no file tells
    char **include;         // folders for -isystem, in order
    size_t include_count;   // 0 when the headers are in /usr/include, which is searched anyway
    bool has_random_kernel; // curand_mtgp32_kernel.h is there, which clang's CUDA wrapper reads
    char *origin;           // how it was found: "CUDA_PATH", "nvcc on PATH", ...
};

// Where to look. All may be NULL.
struct toolkit_search {
    const char *option;          // what the user says: only this is looked at, and it must be one
    const char *command_path;    // --cuda-path of the command
    const char *command_nvcc;    // the compiler word of the command, when it is nvcc
    const char *command_include; // an include folder of the command that holds cuda_runtime.h
    const char *root; // put before the conventional places ("/usr/local/cuda"); for tests
};

// Reads the folder `path` (or the nvcc or the include folder in it) as a toolkit. Fails with
// ERROR_ENVIRONMENT and a message that says what is missing.
bool toolkit_probe(struct arena *arena, const char *path, struct toolkit *out_toolkit,
                   struct error *error);

// Looks in order: search->option; the command; the variables CUDA_PATH, CUDA_HOME and CUDACXX;
// nvcc on PATH; /usr/local/cuda, the newest /usr/local/cuda-*, /opt/cuda; $CONDA_PREFIX; the
// wheels of $VIRTUAL_ENV; Debian's package in /usr. `*out_note` says in one line which place
// that somebody named turned out to be no toolkit, or is NULL. Fails with ERROR_ENVIRONMENT when
// there is none, or when search->option is none.
bool toolkit_find(struct arena *arena, const struct toolkit_search *search,
                  struct toolkit *out_toolkit, char **out_note, struct error *error);

// What toolkit_find() gave last: for the many units that search for the same, during which nobody
// installs toolkits.
struct toolkit_memo {
    struct arena arena;
    char *search; // what was searched for, as text; NULL: nothing yet
    bool found;
    struct toolkit toolkit;
    char *note;
    struct error error;
};

void toolkit_memo_init(struct toolkit_memo *memo);
void toolkit_memo_release(struct toolkit_memo *memo);

// toolkit_find() by way of what is remembered. The result belongs to the memo.
bool toolkit_find_again(struct toolkit_memo *memo, const struct toolkit_search *search,
                        struct toolkit *out_toolkit, char **out_note, struct error *error);

#endif
