#include "base/path.h"

#include <string.h>

char *path_absolute(struct arena *arena, const char *folder, const char *path)
{
    char *text =
        path[0] == '/' ? arena_strdup(arena, path) : arena_printf(arena, "%s/%s", folder, path);
    // Parts are moved down in place: the result is never longer than what was read.
    char *out = text;
    const char *part = text;
    while (*part) {
        while (*part == '/')
            ++part;
        size_t length = strcspn(part, "/");
        if (length == 0)
            break;
        if (length == 1 && part[0] == '.') {
            // Nothing to keep.
        } else if (length == 2 && part[0] == '.' && part[1] == '.') {
            while (out > text && *--out != '/') {
            }
        } else {
            *out++ = '/';
            memmove(out, part, length);
            out += length;
        }
        part += length;
    }
    if (out == text)
        *out++ = '/';
    *out = '\0';
    return text;
}

const char *path_shown(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    if (length <= 1 || strncmp(folder, path, length) != 0 || path[length] != '/')
        return path;
    return path + length + 1;
}

char *path_folder(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return arena_strdup(arena, ".");
    if (slash == path)
        return arena_strdup(arena, "/");
    return arena_strndup(arena, path, (size_t)(slash - path));
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool path_has_ending(const char *path, const char *ending)
{
    const char *name = path_name(path);
    size_t length = strlen(name), wanted = strlen(ending);
    return length > wanted && strcmp(name + length - wanted, ending) == 0;
}

char *path_relative(struct arena *arena, const char *folder, const char *path)
{
    const char *up = "";
    for (const char *at = folder;; at = path_folder(arena, at)) {
        const char *shown = path_shown(at, path);
        if (shown != path)
            return arena_printf(arena, "%s%s", up, shown);
        if (strcmp(at, "/") == 0)
            return arena_printf(arena, "%s%s", up, path + 1);
        up = arena_printf(arena, "../%s", up);
    }
}
