// A header has no compile command: it borrows that of a unit that includes it. Layer:
// frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_HEADER_COMMAND_H
#define BARLINT_FRONTEND_COMMAND_HEADER_COMMAND_H

#include <stdbool.h>

#include "frontend/command/compdb.h"

// Fills `*out_command` with the command of a CUDA unit for the header `file` (absolute or
// relative to the current folder), and its `borrowed` with whose it is and why. Looked for in
// this order: a unit whose dependency file or ninja log names the header; one whose source
// includes it, through other headers too; the nearest by name and folder. Among several the
// nearest is taken. Returns false when the database has no CUDA unit. Text is allocated in the
// database's arena.
bool compile_database_borrow(const struct compile_database *database, const char *file,
                             struct compile_command *out_command);

#endif
