#include "frontend/command/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool path_is_absolute(const char *path)
{
    return path[0] == '/';
}

// Removes '.', '..' and doubled slashes in place. '..' at the front of a relative path stays.
static void normalize(char *path)
{
    bool absolute = path[0] == '/';
    char *floor = path + (absolute ? 1 : 0); // nothing before this can be removed
    char *out = floor;
    const char *in = path;
    while (*in) {
        while (*in == '/') {
            in++;
        }
        size_t length = strcspn(in, "/");
        if (length == 0) {
            break;
        }
        bool up = length == 2 && in[0] == '.' && in[1] == '.';
        if (length == 1 && in[0] == '.') {
            in += length;
            continue;
        }
        if (up && (out > floor || absolute)) {
            while (out > floor && out[-1] != '/') {
                out--;
            }
            if (out > floor) {
                out--; // the slash before the removed component
            }
            in += length;
            continue;
        }
        if (out > floor) {
            *out++ = '/';
        }
        memmove(out, in, length);
        out += length;
        in += length;
        if (up) {
            floor = out; // a leading '..' of a relative path cannot be taken back
        }
    }
    if (out == path) {
        *out++ = '.';
    }
    *out = '\0';
}

char *path_join(struct arena *arena, const char *directory, const char *name)
{
    char *joined;
    if (path_is_absolute(name) || !directory || !*directory) {
        // One byte more than the text: an empty name becomes ".".
        joined = arena_printf(arena, "%s ", name);
        joined[strlen(joined) - 1] = '\0';
    } else {
        joined = arena_printf(arena, "%s/%s", directory, name);
    }
    normalize(joined);
    return joined;
}

const char *path_extension(const char *path)
{
    const char *base = path_name(path);
    const char *dot = strrchr(base, '.');
    return dot && dot != base ? dot : base + strlen(base);
}

bool path_is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool path_is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool path_is_executable(const char *path)
{
    return path_is_file(path) && access(path, X_OK) == 0;
}

char *path_current(struct arena *arena)
{
    char *directory = getcwd(NULL, 0);
    char *copy = arena_strdup(arena, directory ? directory : "/");
    free(directory);
    return copy;
}

char *path_resolve(struct arena *arena, const char *path)
{
    char *resolved = realpath(path, NULL);
    if (!resolved) {
        return NULL;
    }
    char *copy = arena_strdup(arena, resolved);
    free(resolved);
    return copy;
}

bool path_read(struct arena *arena, const char *path, size_t limit, char **out_text,
               size_t *out_size, struct error *error)
{
    // A FIFO or a device would block or never end.
    if (!path_is_file(path)) {
        return error_set(error, ERROR_ENVIRONMENT, "cannot read '%s': %s", path,
                         path_is_directory(path) ? "it is a folder" : "no such file");
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        return error_set(error, ERROR_ENVIRONMENT, "cannot read '%s': %s", path, strerror(errno));
    }
    struct stat status;
    bool known = fstat(fileno(file), &status) == 0;
    if (!known || (size_t)status.st_size > limit) {
        fclose(file);
        return error_set(error, ERROR_ENVIRONMENT, "cannot read '%s': larger than %zu bytes", path,
                         limit);
    }
    size_t size = (size_t)status.st_size;
    char *text = arena_alloc(arena, size + 1);
    size_t got = fread(text, 1, size, file);
    bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) {
        return error_set(error, ERROR_ENVIRONMENT, "cannot read '%s': input error", path);
    }
    text[got] = '\0';
    *out_text = text;
    *out_size = got;
    return true;
}
