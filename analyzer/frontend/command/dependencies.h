// Which files a compiled unit read, as the build left it written: make-style dependency files and
// ninja's log. Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_DEPENDENCIES_H
#define BARLINT_FRONTEND_COMMAND_DEPENDENCIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

// True when the dependency file's text (`out.o: a.cu b.cuh \`) names `header`, an absolute
// normalised path. Relative names start at `directory`.
bool depfile_names(const char *text, size_t size, const char *directory, const char *header);

// Adds to the stb_ds array `*out_outputs` the outputs (as ninja writes them, usually relative to
// the build folder) whose recorded dependencies name `header`. `data` is the content of
// .ninja_deps, `directory` the folder it lies in. Returns false when it is no such log or is
// damaged; what stands before the damage is used.
bool ninja_log_outputs(struct arena *arena, const unsigned char *data, size_t size,
                       const char *directory, const char *header, char ***out_outputs);

#endif
