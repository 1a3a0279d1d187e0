// What identifies a result before its unit is read.
#ifndef BARLINT_DRIVER_KEY_H
#define BARLINT_DRIVER_KEY_H

#include "base/digest.h"
#include "driver/unit/analyse.h"

// What is the same for all units of a run: this build of barlint and of every library it runs with,
// the environment that clang reads, the compilers that are installed. False where the build cannot
// be told; results cannot be kept then.
bool key_of_run(struct digest *out);

// The key of a unit's result: the run, the arguments of every parse, the rules, the configuration,
// and what other units say about it.
struct digest key_of_unit(const struct digest *run, const struct options *options,
                          const struct unit *unit, const struct translation_list *list);

// Which of a file's compilations the unit is, whatever barlint's options are.
struct digest key_of_command(const struct compile_command *command);

#endif
