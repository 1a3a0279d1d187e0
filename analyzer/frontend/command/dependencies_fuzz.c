// Any bytes as a dependency file and as ninja's log.
#include <stdint.h>

#include "base/vec.h"
#include "frontend/command/dependencies.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    arena_init(&arena);
    depfile_names((const char *)data, size, "/p/out", "/p/a.cuh");
    char **outputs = NULL;
    ninja_log_outputs(&arena, data, size, "/p/out", "/p/a.cuh", &outputs);
    arrfree(outputs);
    arena_release(&arena);
    return 0;
}
