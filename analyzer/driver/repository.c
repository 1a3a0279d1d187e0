#include "driver/repository.h"

#include <string.h>
#include <unistd.h>

#include "base/path.h"

const char *repository_root(struct arena *arena, const char *folder)
{
    for (const char *at = folder;; at = path_folder(arena, at)) {
        if (access(arena_printf(arena, "%s/.git", at), F_OK) == 0)
            return at;
        if (strcmp(at, "/") == 0)
            return folder;
    }
}
