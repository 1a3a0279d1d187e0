#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/vec.h"
#include "driver/nvcc/nvcc.h"
#include "driver/unit/precompiled.h"
#include "frontend/command/file.h"
#include "frontend/command/shlex.h"

enum { LARGEST_LIBRARY = 64 << 20 };

struct nvcc_library {
    const char *target;
    const char *text; // NULL: it cannot be made
    size_t length;
};

static uint64_t hash_file(struct arena *arena, const char *path, uint64_t key)
{
    char *text;
    size_t length;
    if (!path_read(arena, path, LARGEST_LIBRARY, &text, &length, NULL))
        return key;
    return XXH64(text, length, XXH64(path, strlen(path), key));
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static uint64_t hash_folder(struct arena *arena, const char *folder, uint64_t key)
{
    DIR *list = opendir(folder);
    char **name = NULL; // stb_ds
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (entry->d_name[0] != '.')
            arrput(name, path_join(arena, folder, entry->d_name));
    if (list)
        closedir(list);
    if (name)
        qsort(name, arrlenu(name), sizeof *name, by_name);
    for (ptrdiff_t i = 0; i < arrlen(name); ++i)
        key = hash_file(arena, name[i], key);
    arrfree(name);
    return key;
}

// What the library depends on: its sources, nvcc, the host compiler and the target.
static uint64_t content_key(const struct nvcc_hooks *hooks, const char *source, const char *target)
{
    struct arena *arena = hooks->arena;
    uint64_t key = hash_file(arena, source, XXH64("barlint hooks 1", 15, 0));
    key = hash_folder(arena, path_join(arena, hooks->resource, "barlint/runtime_check"), key);
    key = hash_folder(arena, path_join(arena, hooks->resource, "barlint/semantics"), key);
    key = XXH64(&hooks->global_shadow, sizeof hooks->global_shadow, key);
    key = XXH64(hooks->nvcc, strlen(hooks->nvcc), key);
    key = XXH64(hooks->compiler, strlen(hooks->compiler), key);
    struct stat status;
    if (stat(hooks->nvcc, &status) == 0)
        key = XXH64(&status.st_mtim, sizeof status.st_mtim, key);
    return XXH64(target, strlen(target), key);
}

// Compiles the hooks into `path`. The program's own arguments are none of theirs.
static bool compile(const struct nvcc_hooks *hooks, const char *source, const char *target,
                    const char *path, struct error *error)
{
    struct arena *arena = hooks->arena;
    char *errors = path_join(arena, hooks->folder, "hooks.errors");
    const char *virtual_target =
        arena_printf(arena, "compute_%s", strncmp(target, "sm_", 3) == 0 ? target + 3 : target);
    const char *command = arena_printf(
        arena,
        "unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS; exec %s -rdc=true -ptx -w -O3 -std=c++17 "
        "-allow-unsupported-compiler -ccbin %s -arch=%s%s -I %s -o %s %s >&2",
        shlex_quote(arena, hooks->nvcc), shlex_quote(arena, hooks->compiler),
        shlex_quote(arena, virtual_target), hooks->global_shadow ? " " GLOBAL_SHADOW : "",
        shlex_quote(arena, hooks->resource), shlex_quote(arena, path), shlex_quote(arena, source));
    if (process_shell(command, errors) == 0)
        return true;
    char *text;
    size_t length;
    if (!path_read(arena, errors, LARGEST_LIBRARY, &text, &length, NULL))
        text = arena_strdup(arena, "");
    return error_set(error, ERROR_ENVIRONMENT, "the checks cannot be compiled for %s: %.*s", target,
                     (int)strcspn(text, "\n"), text);
}

static bool make(const struct nvcc_hooks *hooks, struct nvcc_library *library, struct error *error)
{
    struct arena *arena = hooks->arena;
    char *source = path_join(arena, hooks->resource, "../runtime_check/hooks.cu");
    if (!path_is_file(source))
        return error_set(error, ERROR_ENVIRONMENT, "there is no '%s'", source);
    uint64_t key = content_key(hooks, source, library->target);
    char *name = arena_printf(arena, "hooks-%016llx.ptx", (unsigned long long)key);
    const char *cache = cache_folder(arena);
    if (cache && !folders_make(arena, cache = path_join(arena, cache, "hooks")))
        cache = NULL;
    char *kept = cache ? path_join(arena, cache, name) : NULL;
    char *text;
    if (!kept || !path_read(arena, kept, LARGEST_LIBRARY, &text, &library->length, NULL)) {
        // Made beside its place, so that it appears there as a whole.
        char *fresh = kept ? arena_printf(arena, "%s.%ld.ptx", kept, (long)getpid())
                           : path_join(arena, hooks->folder, name);
        bool made = compile(hooks, source, library->target, fresh, error) &&
                    path_read(arena, fresh, LARGEST_LIBRARY, &text, &library->length, error);
        if (!kept || !made || rename(fresh, kept) != 0)
            unlink(fresh);
        if (!made)
            return false;
    }
    library->text = text;
    return true;
}

const char *nvcc_hooks_ptx(struct nvcc_hooks *hooks, const char *target, size_t *out_length,
                           struct error *error)
{
    error->kind = ERROR_NONE;
    for (ptrdiff_t i = 0; i < arrlen(hooks->library); ++i) {
        *out_length = hooks->library[i].length;
        if (strcmp(hooks->library[i].target, target) == 0)
            return hooks->library[i].text;
    }
    struct nvcc_library library = {.target = arena_strdup(hooks->arena, target)};
    make(hooks, &library, error);
    arrput(hooks->library, library);
    *out_length = library.length;
    return library.text;
}

void nvcc_hooks_release(struct nvcc_hooks *hooks)
{
    arrfree(hooks->library);
}
