#define _GNU_SOURCE
#include "driver/run/rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/vec.h"

// Whether the disk still holds what the patch was made for.
static bool is_unchanged(const char *path, const struct source *source)
{
    FILE *file = fopen(path, "rbe");
    if (!file)
        return false;
    char *text = malloc(source->length + 1);
    bool same = text && fread(text, 1, source->length + 1, file) == source->length &&
                memcmp(text, source->text, source->length) == 0;
    free(text);
    fclose(file);
    return same;
}

static bool write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

static bool write_beside(const char *name, const struct stat *status, int file, const char *text)
{
    // The owner stays where we may give files away.
    if (fchown(file, status->st_uid, status->st_gid) != 0)
        errno = 0;
    bool good = write_all(file, text, arrlenu(text)) &&
                fchmod(file, status->st_mode & 07777) == 0 && fsync(file) == 0;
    good = close(file) == 0 && good;
    if (!good)
        unlink(name);
    return good;
}

static const char *put_in_place(const struct patch_file *file, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return strerror(errno);
    // Who may do everything still asked for a file that nobody writes.
    if (!(status.st_mode & 0222) || access(path, W_OK) != 0)
        return "it is write-protected";
    char *name = NULL;
    if (asprintf(&name, "%s.XXXXXX", path) < 0)
        return strerror(errno);
    char *text = patch_text(file);
    const char *problem = NULL;
    int beside = mkostemp(name, O_CLOEXEC);
    if (beside < 0 || !write_beside(name, &status, beside, text)) {
        problem = strerror(errno);
    } else if (!is_unchanged(path, file->source)) {
        problem = "it changed since it was read";
        unlink(name);
    } else if (rename(name, path) != 0) {
        problem = strerror(errno);
        unlink(name);
    }
    arrfree(text);
    free(name);
    return problem;
}

size_t rewrite_files(const struct patch *patch, const struct report *report)
{
    size_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(patch->file); ++i) {
        const struct patch_file *file = &patch->file[i];
        char *path = realpath(file->path, NULL);
        const char *problem = path ? put_in_place(file, path) : strerror(errno);
        if (problem)
            fprintf(stderr, "barlint: %s is not fixed: %s\n",
                    path_shown(report->folder, file->path), problem);
        else
            ++count;
        free(path);
    }
    return count;
}
