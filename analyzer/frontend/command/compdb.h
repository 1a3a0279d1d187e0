// Compilation databases: finds compile_commands.json, reads it, and answers which command
// compiles a file. Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_COMPDB_H
#define BARLINT_FRONTEND_COMMAND_COMPDB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "frontend/command/compile_command.h"

struct compile_database {
    struct arena *arena;
    char *path;                    // the file that was read
    struct compile_command *entry; // in the order of the file
    size_t count;
    size_t skipped; // entries without a file or without a command
    char *damage;   // one line: what is wrong with the file as a whole or with the first skipped
                    // entry, or NULL. What stands before damage is used.
    // Which entries compile a file: first_of (an stb_ds map) gives the first, next the one after
    // it, by index + 1; 0 ends the chain.
    struct file_entry *first_of;
    size_t *next;
};

// Returns the path of the database to use, or NULL: `named` (a folder, or the file itself) when
// it is not NULL; else upwards from `start` (a file or folder; NULL for the current one), in each
// folder the file itself, then build*/, out/*, cmake-build-*/ and _build/ below it. The newest
// wins when a folder has several. Fails (NULL, and `error` filled) only for `named`.
char *compile_database_find(struct arena *arena, const char *named, const char *start,
                            struct error *error);

// Reads the file. Fails with ERROR_ENVIRONMENT when it cannot be read and with ERROR_USAGE when
// no entry can be made out of it. Free it with compile_database_release().
bool compile_database_read(struct arena *arena, const char *path,
                           struct compile_database *out_database, struct error *error);

// The same from text; `path` is for messages and for entries without a directory.
bool compile_database_parse(struct arena *arena, const char *path, const char *text, size_t size,
                            struct compile_database *out_database, struct error *error);

void compile_database_release(struct compile_database *database);

// The first entry for `file` (absolute, or relative to the current folder), then each next one;
// NULL after the last. Several entries are several configurations. Links are followed when the
// name as given is not there.
struct compile_command *compile_database_first(const struct compile_database *database,
                                               const char *file);
struct compile_command *compile_database_next(const struct compile_database *database,
                                              const struct compile_command *command);

// Fills an stb_ds array with the entries that compile CUDA, each distinct command once.
void compile_database_cuda(const struct compile_database *database,
                           struct compile_command ***out_commands);

#endif
