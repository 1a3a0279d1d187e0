// The git repository that a run belongs to. What git knows is asked of git itself, which is started
// without a shell.
#ifndef BARLINT_DRIVER_REPOSITORY_H
#define BARLINT_DRIVER_REPOSITORY_H

#include "base/arena.h"
#include "base/error.h"

// The nearest folder from `folder` upwards that holds .git, or `folder` itself when none does.
const char *repository_root(struct arena *arena, const char *folder);

#endif
