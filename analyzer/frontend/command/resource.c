#define _GNU_SOURCE
#include "frontend/command/resource.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/command/file.h"

// The clang whose headers and command line this folder is written for.
#define CLANG_MAJOR "22"

// The file that this code lies in: the program, or the shared library.
static char *own_file(struct arena *arena)
{
    Dl_info info;
    struct link_map *map = NULL;
    bool known = dladdr1((const void *)resource_directory, &info, (void **)&map, RTLD_DL_LINKMAP);
    bool is_library = known && map && map->l_name[0]; // the program's name is empty
    return path_resolve(arena, is_library ? map->l_name : "/proc/self/exe");
}

// Resolved once: it is asked for with every unit.
static char *program_folder(struct arena *arena)
{
    static char folder[4096];
    if (!folder[0]) {
        char *program = own_file(arena);
        char *found = program ? path_folder(arena, program) : NULL;
        if (!found || strlen(found) >= sizeof folder) {
            return found;
        }
        strcpy(folder, found);
    }
    return arena_strdup(arena, folder);
}

static bool holds(struct arena *arena, const char *folder, const char *file)
{
    return path_is_file(path_join(arena, folder, file));
}

char *resource_directory(struct arena *arena, struct error *error)
{
    static const char prelude[] = "barlint/prelude.h";
    const char *named = getenv("BARLINT_RESOURCE_DIR");
    if (named && *named) {
        if (holds(arena, named, prelude)) {
            return path_join(arena, path_current(arena), named);
        }
        error_set(error, ERROR_ENVIRONMENT, "BARLINT_RESOURCE_DIR: no %s in '%s'", prelude, named);
        return NULL;
    }
    // The program lies in <prefix>/bin, in <source>/build*, or deeper in a build folder; the
    // library in <prefix>/lib or <prefix>/lib/<machine>.
    static const char *const places[] = {
        "../share/barlint/include", "../share/barlint", "../../share/barlint/include",
        "share/barlint/include",    "../include",       "../../include",
        "../../../include",         "include",
    };
    char *folder = program_folder(arena);
    for (size_t i = 0; folder && i < sizeof places / sizeof *places; i++) {
        char *candidate = path_join(arena, folder, places[i]);
        if (holds(arena, candidate, prelude)) {
            return candidate;
        }
    }
#ifdef BARLINT_SOURCE_INCLUDE
    // A build folder outside the source tree.
    if (holds(arena, BARLINT_SOURCE_INCLUDE, prelude)) {
        return arena_strdup(arena, BARLINT_SOURCE_INCLUDE);
    }
#endif
    error_set(error, ERROR_ENVIRONMENT,
              "barlint's own headers are missing: no %s beside the program; "
              "BARLINT_RESOURCE_DIR can name the folder",
              prelude);
    return NULL;
}

char *resource_clang_directory(struct arena *arena)
{
    static const char wrapper[] = "include/__clang_cuda_runtime_wrapper.h";
    const char *named = getenv("BARLINT_CLANG_RESOURCE_DIR");
    if (named && *named && holds(arena, named, wrapper)) {
        return path_join(arena, path_current(arena), named);
    }
    static const char *const beside[] = {
        "../lib/clang/" CLANG_MAJOR,
        "../lib/barlint/clang/" CLANG_MAJOR,
        "lib/clang/" CLANG_MAJOR,
    };
    char *folder = program_folder(arena);
    for (size_t i = 0; folder && i < sizeof beside / sizeof *beside; i++) {
        char *candidate = path_join(arena, folder, beside[i]);
        if (holds(arena, candidate, wrapper)) {
            return candidate;
        }
    }
    static const char *const usual[] = {
        "/usr/lib/llvm-" CLANG_MAJOR "/lib/clang/" CLANG_MAJOR,
        "/usr/lib/clang/" CLANG_MAJOR,
        "/usr/lib64/clang/" CLANG_MAJOR,
        "/usr/local/lib/clang/" CLANG_MAJOR,
    };
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (holds(arena, usual[i], wrapper)) {
            return arena_strdup(arena, usual[i]);
        }
    }
    return NULL;
}
