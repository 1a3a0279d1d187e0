// stb_ds itself does not look whether memory was there.
#include <stdlib.h>

#include "base/arena.h"

#define STBDS_REALLOC(context, memory, size) arena_vec_realloc(memory, size)
#define STBDS_FREE(context, memory) free(memory)
#define STB_DS_IMPLEMENTATION
#include "base/vec.h"
