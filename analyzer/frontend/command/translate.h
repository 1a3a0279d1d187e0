// From a build's compile command to the arguments libclang parses the unit with, every argument
// with its reason. Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_TRANSLATE_H
#define BARLINT_FRONTEND_COMMAND_TRANSLATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "frontend/command/compile_command.h"
#include "frontend/command/gpu_arch.h"
#include "frontend/command/toolkit.h"

// Which CUDA headers the unit sees.
enum header_mode {
    HEADERS_AUTOMATIC, // a toolkit when one is found, else barlint's own declarations
    HEADERS_TOOLKIT,   // a toolkit, or translate_command() fails
    HEADERS_BUILTIN,   // barlint's own declarations
};

struct translate_options {
    enum header_mode headers;
    const char *cuda_path;         // the user's toolkit; NULL to look for one
    const char *arch;              // NULL: the newest the command names; "all": each; or "sm_90a"
    const char *resource;          // folder with barlint/prelude.h; NULL to look for it
    const char *clang_resource;    // clang\'s resource folder; NULL to look for it
    const struct toolkit *toolkit; // when known already; no search then
    struct toolkit_memo *memo;     // what an earlier search found, or NULL
    char *const *extra;            // arguments of the user's for every unit, after the command's
    size_t extra_count;
    bool define_nvcc; // also define __NVCC__ (many headers then leave the paths clang can read)
};

enum step_action {
    STEP_KEPT,      // passed on as it is
    STEP_CHANGED,   // passed on in clang's spelling, split or made absolute
    STEP_DROPPED,   // left out
    STEP_DEFINED,   // left out, and a macro stands for it
    STEP_EXPANDED,  // replaced by the options in a file
    STEP_UNWRAPPED, // an option for the host compiler, passed on
    STEP_CHOSEN,    // decided the architecture, the standard, the language or the toolkit
    STEP_ADDED,     // barlint's own
};

// What became of one option of the command, or why barlint added one.
struct translation_step {
    enum step_action action;
    char *original; // as the command has it, "" for STEP_ADDED
    char *result;   // the clang arguments it turned into, joined by spaces; "" when none
    char *reason;
    bool warning; // the user may want to know without asking: an unknown option, a missing file
};

struct translation {
    char **argument; // for clang_parseTranslationUnit2(): neither program nor source file
    size_t count;    // a NULL stands behind the last
    struct translation_step *step;
    size_t step_count;
    enum compiler_kind kind;
    char *directory;            // absolute
    char *file;                 // absolute; the source to parse
    char *language_standard;    // "c++17"
    struct gpu_arch arch;       // what the build compiles for: __CUDA_ARCH__ is arch.number * 10
    struct gpu_arch clang_arch; // what clang is told, older than `arch` when clang is too old
    struct gpu_arch *named;     // every architecture the command names, in ascending order
    size_t named_count;
    enum header_mode headers; // HEADERS_TOOLKIT or HEADERS_BUILTIN
    struct toolkit toolkit;   // when headers is HEADERS_TOOLKIT
    const char *borrowed;     // as in struct compile_command
    bool assumed;             // as in struct compile_command
};

struct translation_list {
    struct translation *item;
    size_t count; // 1, or one for each architecture with arch "all"
};

// Translates `command`. Unknown options never fail: they are dropped, with a step that is a
// warning. Fails with ERROR_USAGE for an `arch` that is no architecture, with
// ERROR_ENVIRONMENT when barlint's own headers or a wanted toolkit are missing. Everything in
// `*out_list` lives in `arena`.
bool translate_command(struct arena *arena, struct compile_command *command,
                       const struct translate_options *options, struct translation_list *out_list,
                       struct error *error);

// A line that says that NVCC_PREPEND_FLAGS or NVCC_APPEND_FLAGS is set, which adds options to a
// build that no compile database records; NULL when neither is.
char *translate_environment_note(struct arena *arena);

// For `barlint translate FILE`: a table of steps and the command line, and the same as JSON (a
// new reference).
void translation_print(const struct translation *translation, FILE *out);
json_t *translation_to_json(const struct translation *translation);

#endif
