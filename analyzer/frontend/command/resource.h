// Finds the headers that come with barlint itself and those of the clang that libclang is.
// Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_RESOURCE_H
#define BARLINT_FRONTEND_COMMAND_RESOURCE_H

#include "base/arena.h"
#include "base/error.h"

// Returns the folder that holds barlint/prelude.h: $BARLINT_RESOURCE_DIR when that is set, else
// seen from the running program: include/ of the source tree it was built in, <prefix>/share/
// barlint/include, <prefix>/share/barlint, <prefix>/include. Returns NULL and fills `error`
// (ERROR_ENVIRONMENT) when there is none.
char *resource_directory(struct arena *arena, struct error *error);

// Below it: barlint's own declarations of torch, read where torch's headers are not found.
#define RESOURCE_TORCH "barlint/torch"

// Returns clang's resource folder (with include/__clang_cuda_runtime_wrapper.h) of the clang
// version barlint is built for: $BARLINT_CLANG_RESOURCE_DIR, beside the program, or where a
// Linux distribution puts it. NULL when it is nowhere there; libclang then looks for itself.
char *resource_clang_directory(struct arena *arena);

#endif
