// The git repository that a run belongs to. What git knows is asked of git itself, which is started
// without a shell.
#ifndef BARLINT_DRIVER_REPOSITORY_H
#define BARLINT_DRIVER_REPOSITORY_H

#include "base/arena.h"
#include "base/error.h"
#include "frontend/frontend.h"
#include "report/changes.h"

// The nearest folder from `folder` upwards that holds .git, or `folder` itself when none does.
const char *repository_root(struct arena *arena, const char *folder);

// The functions below fail with ERROR_USAGE when git is not installed, when `folder` is in no
// repository, when a name means nothing there, and with what git says for everything else.

// What the work tree changes against the common ancestor of `reference` and HEAD, and every file
// that git does not know and does not ignore.
bool repository_changes(struct changes *changes, const char *folder, const char *reference,
                        struct error *error);

// What the next commit would change, and the content that it would have.
struct staged {
    struct arena arena;
    const char **path; // stb_ds array: absolute names of the files it would add or change
    // stb_ds array: source files of the index that the work tree has otherwise or not at all
    struct frontend_unsaved *content;
};

bool repository_staged(struct staged *staged, struct changes *changes, const char *folder,
                       struct error *error);
void staged_release(struct staged *staged);

#endif
