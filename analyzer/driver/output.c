// What the commands write, and how they complain.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/driver.h"

int driver_fail(const struct error *error)
{
    fprintf(stderr, "barlint: %s\n", error->text);
    switch (error->kind) {
    case ERROR_USAGE:
        return EXIT_USAGE;
    case ERROR_ENVIRONMENT:
        return EXIT_INCOMPLETE;
    default:
        return EXIT_INTERNAL;
    }
}

void driver_warn(const char *text)
{
    fprintf(stderr, "barlint: warning: %s\n", text);
}

// A pipe or a terminal is written to as it is; only a plain file can be put in place at the end.
static bool is_plain(const char *path)
{
    struct stat status;
    return path && (lstat(path, &status) != 0 || S_ISREG(status.st_mode));
}

static char *name_beside(const char *path)
{
    char *name = NULL;
    return asprintf(&name, "%s.barlint-part", path) < 0 ? NULL : name;
}

FILE *driver_open(const char *path, struct error *error)
{
    if (!path)
        return stdout;
    char *name = is_plain(path) ? name_beside(path) : strdup(path);
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file)
        error_set(error, ERROR_USAGE, "cannot write '%s': %s", path, strerror(errno));
    free(name);
    return file;
}

bool driver_close(FILE *file, const char *path, struct error *error)
{
    if (!path) {
        // Before anything is said on standard error; the end of main() looks at how it went.
        fflush(file);
        return true;
    }
    bool plain = is_plain(path);
    bool good = fflush(file) == 0 && !ferror(file);
    good = fclose(file) == 0 && good;
    char *name = plain ? name_beside(path) : NULL;
    if (good && name)
        good = rename(name, path) == 0;
    if (!good) {
        error_set(error, ERROR_INTERNAL, "cannot write '%s': %s", path, strerror(errno));
        if (name)
            unlink(name);
    }
    free(name);
    return good;
}

void driver_abandon(FILE *file, const char *path)
{
    if (!path)
        return;
    char *name = is_plain(path) ? name_beside(path) : NULL;
    fclose(file);
    if (name)
        unlink(name);
    free(name);
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0];
}

bool driver_wants_color(const struct options *options, FILE *file)
{
    if (options->color != COLOR_AUTO)
        return options->color == COLOR_ALWAYS;
    if (is_set("NO_COLOR"))
        return false;
    const char *force = getenv("CLICOLOR_FORCE"), *terminal = getenv("TERM");
    if ((force && force[0] && strcmp(force, "0") != 0) || is_set("FORCE_COLOR"))
        return true;
    return isatty(fileno(file)) && terminal && strcmp(terminal, "dumb") != 0;
}
