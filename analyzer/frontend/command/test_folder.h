// A temporary folder for unit tests, with everything in it removed at the end.
#ifndef BARLINT_FRONTEND_COMMAND_TEST_FOLDER_H
#define BARLINT_FRONTEND_COMMAND_TEST_FOLDER_H

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "frontend/command/file.h"

struct test_folder {
    struct arena arena;
    char *path;
};

static inline void test_folder_init(struct test_folder *folder)
{
    arena_init(&folder->arena);
    char name[] = "/tmp/barlint-test-XXXXXX";
    char *made = mkdtemp(name);
    if (!made) {
        perror("mkdtemp");
        abort();
    }
    // The links of /tmp are followed once here, so that tests may compare paths.
    folder->path = path_resolve(&folder->arena, made);
}

static inline char *test_folder_path(struct test_folder *folder, const char *name)
{
    return path_join(&folder->arena, folder->path, name);
}

// Writes a file and the folders above it; returns its path.
static inline char *test_folder_write(struct test_folder *folder, const char *name,
                                      const char *text)
{
    char *path = test_folder_path(folder, name);
    for (char *slash = path + strlen(folder->path) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        abort();
    }
    return path;
}

static inline void test_folder_release(struct test_folder *folder)
{
    char *const roots[] = {folder->path, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; walk && (entry = fts_read(walk)) != NULL;) {
        if (entry->fts_info != FTS_D) {
            remove(entry->fts_accpath);
        }
    }
    if (walk) {
        fts_close(walk);
    }
    arena_release(&folder->arena);
}

#endif
