#include "driver/unit/precompiled.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/vec.h"
#include "frontend/command/resource.h"
#include "frontend/frontend.h"

enum {
    MOST_KEPT = 24,       // about 30 MB each
    RETRY_AFTER = 600,    // seconds: what failed for want of memory or space may work then
    MARK_AGE = 7 * 86400, // seconds that marks, locks and what a killed process left are kept
};

const char *cache_folder(struct arena *arena)
{
    const char *own = getenv("BARLINT_CACHE_DIR");
    if (own && *own)
        return own;
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && *base == '/')
        return arena_printf(arena, "%s/barlint", base);
    return home && *home == '/' ? arena_printf(arena, "%s/.cache/barlint", home) : NULL;
}

bool folders_make(struct arena *arena, const char *path)
{
    char *partial = arena_strdup(arena, path);
    for (char *at = partial + 1; *at; ++at) {
        if (*at != '/')
            continue;
        *at = '\0';
        if (mkdir(partial, 0777) != 0 && errno != EEXIST)
            return false;
        *at = '/';
    }
    return mkdir(partial, 0777) == 0 || errno == EEXIST;
}

// Whether a folder of the user's could hold one of the headers that are precompiled. Most only hold
// the unit's own headers; units that differ in these share one precompiled header.
static bool may_shadow(const char *folder)
{
    static const char *const name[] = {"cuda",
                                       "cooperative_groups.h",
                                       "cooperative_groups",
                                       "cuda_runtime.h",
                                       "cuda_fp16.h",
                                       "cuda_bf16.h",
                                       "nv",
                                       "vector_types.h",
                                       "crt"};
    for (size_t i = 0; i < sizeof name / sizeof *name; ++i) {
        char path[4096];
        if (snprintf(path, sizeof path, "%s/%s", folder, name[i]) >= (int)sizeof path ||
            access(path, F_OK) == 0)
            return true;
    }
    return false;
}

// The arguments without the folders of the unit's own headers. The precompiled header is made with
// these alone: any name may hide one of the system's, as a features.h does.
static const char **shared_arguments(struct arena *arena, const struct translation *translation,
                                     size_t *count)
{
    const char **shared = arena_array(arena, const char *, translation->count + 1);
    *count = 0;
    for (size_t i = 0; i < translation->count; ++i) {
        const char *argument = translation->argument[i];
        bool folder = strncmp(argument, "-I", 2) == 0;
        const char *path = folder && argument[2]                  ? argument + 2
                           : folder && i + 1 < translation->count ? translation->argument[i + 1]
                                                                  : NULL;
        if (path && !may_shadow(path))
            i += !argument[2];
        else
            shared[(*count)++] = argument;
    }
    return shared;
}

// What the content depends on: the arguments, libclang, and the headers as they are on disk. The
// toolkit stands for its files; clang itself checks each file's size and time when it loads.
static uint64_t content_key(struct arena *arena, const struct translation *translation,
                            const char *header)
{
    XXH64_hash_t key = XXH64("barlint precompiled 2", 21, 0);
    const char *clang = frontend_clang_version();
    key = XXH64(clang, strlen(clang), key);
    size_t count;
    const char **argument = shared_arguments(arena, translation, &count);
    for (size_t i = 0; i < count; ++i)
        key = XXH64(argument[i], strlen(argument[i]) + 1, key);
    struct stat status;
    if (stat(header, &status) == 0)
        key = XXH64(&status.st_mtim, sizeof status.st_mtim, key);
    return key;
}

static double age_of(const struct stat *status)
{
    return difftime(time(NULL), status->st_mtime);
}

// Empty files beside the header say what happened to it.
static void set_mark(const char *path)
{
    int mark = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (mark < 0)
        return;
    futimens(mark, NULL);
    close(mark);
}

static bool has_mark(const char *path, double seconds)
{
    struct stat status;
    return stat(path, &status) == 0 && age_of(&status) < seconds;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

// The list of the headers that it is made of, a line each, ended by an empty one.
static char *files_beside(struct arena *arena, const char *path)
{
    return arena_printf(arena, "%s.files", path);
}

// Keeps the folder from growing: of more than MOST_KEPT headers the ones unused for longest go, and
// everything else that is old.
static void prune(struct arena *arena, const char *folder)
{
    for (;;) {
        DIR *list = opendir(folder);
        if (!list)
            return;
        size_t count = 0;
        char *oldest = NULL;
        time_t used = 0;
        for (struct dirent *entry; (entry = readdir(list));) {
            struct stat status;
            char *path = arena_printf(arena, "%s/%s", folder, entry->d_name);
            if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
                continue;
            if (ends_with(entry->d_name, ".files") &&
                access(arena_strndup(arena, path, strlen(path) - strlen(".files")), F_OK) == 0)
                continue; // goes with its header
            if (!ends_with(entry->d_name, ".pch")) {
                if (age_of(&status) > MARK_AGE)
                    unlink(path);
                continue;
            }
            ++count;
            if (!oldest || status.st_mtime < used) {
                oldest = path;
                used = status.st_mtime;
            }
        }
        closedir(list);
        if (count <= MOST_KEPT || unlink(oldest) != 0)
            return;
        unlink(files_beside(arena, oldest));
    }
}

static bool write_files(const char *path, const struct frontend_file *file, size_t count)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    for (size_t i = 0; i < count; ++i)
        fprintf(out, "%s\n", file[i].path);
    fputc('\n', out);
    bool good = !ferror(out);
    return fclose(out) == 0 && good;
}

const char **precompiled_files(struct arena *arena, const char *path)
{
    const char **file = NULL; // stb_ds array
    bool whole = false;
    FILE *in = fopen(files_beside(arena, path), "r");
    char *line = NULL;
    size_t size = 0;
    for (ssize_t length; in && !whole && (length = getline(&line, &size, in)) > 0;) {
        whole = length == 1;
        if (!whole && line[length - 1] == '\n')
            arrput(file, arena_strndup(arena, line, (size_t)length - 1));
    }
    free(line);
    if (in)
        fclose(in);
    if (!whole)
        arrfree(file);
    return file;
}

static bool is_made(struct arena *arena, const char *path)
{
    return access(path, R_OK) == 0 && access(files_beside(arena, path), R_OK) == 0;
}

static bool write_precompiled(struct arena *arena, const struct translation *translation,
                              const char *header, const char *path, const char *fresh)
{
    struct error error = {0};
    struct frontend_file *file = NULL; // stb_ds array
    size_t count;
    const char **argument = shared_arguments(arena, translation, &count);
    return frontend_precompile(argument, count, header, fresh, arena, &file, &error) &&
           write_files(files_beside(arena, path), file, arrlenu(file)) && rename(fresh, path) == 0;
}

// In a process of its own, because libclang ends the one that cannot write it: on a full disk, say.
static bool precompile(struct arena *arena, const struct translation *translation,
                       const char *header, const char *path)
{
    char *fresh = arena_printf(arena, "%s.%ld", path, (long)getpid());
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        bool made =
            getppid() == parent && write_precompiled(arena, translation, header, path, fresh);
        _exit(!made);
    }
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status != 0)
        unlink(fresh);
    return child > 0 && status == 0;
}

const char *precompiled_header(struct arena *arena, const struct translation *translation)
{
    const char *cache = cache_folder(arena);
    const char *resource = resource_directory(arena, NULL);
    if (!cache || !resource)
        return NULL;
    const char *header = arena_printf(arena, "%s/barlint/precompiled.h", resource);
    const char *folder = arena_printf(arena, "%s/pch", cache);
    if (access(header, R_OK) != 0 || !folders_make(arena, folder))
        return NULL;
    uint64_t key = content_key(arena, translation, header);
    char *path = arena_printf(arena, "%s/%016llx.pch", folder, (unsigned long long)key);
    char *failed = arena_printf(arena, "%s.none", path);
    if (is_made(arena, path)) {
        utimensat(AT_FDCWD, path, NULL, 0); // it was used: the last to go
        return path;
    }
    if (has_mark(failed, RETRY_AFTER))
        return NULL;
    // One process makes it; the others wait here and find it made.
    int lock = open(arena_printf(arena, "%s.lock", path), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) {
        if (lock >= 0)
            close(lock);
        return NULL;
    }
    prune(arena, folder);
    bool made = is_made(arena, path) || precompile(arena, translation, header, path);
    if (!made)
        set_mark(failed); // not to be tried again with every file
    close(lock);
    return made ? path : NULL;
}

void precompiled_discard(const char *path)
{
    unlink(path);
}
