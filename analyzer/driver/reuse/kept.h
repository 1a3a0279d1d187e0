// Results of earlier runs: what the store has of the units of this one, and what it is given to
// keep.
#ifndef BARLINT_DRIVER_KEPT_H
#define BARLINT_DRIVER_KEPT_H

#include "driver/run/units.h"
#include "store/store.h"

enum {
    KEPT_DAYS = 60, // of results that no run uses
    KEPT_MEGABYTES = 512,
};

struct kept {
    const struct options *options;
    struct digest run;   // see key.h
    struct store *store; // NULL: nothing is found and nothing kept
    char *path;          // of the store
    // For workers: each looks into the store for itself, when it first has a kernel to ask for.
    struct kernel_memory memory;
    struct store_lookup *lookup;
};

// What is known of one unit.
struct kept_unit {
    struct store_query found;
    struct digest command;
    bool has_key;
};

// The file of the project that the user stands in: the nearest folder upwards that holds .git, else
// the folder itself. Each project has a file of its own, so that their runs do not wait for each
// other and damage to one costs one. NULL when there is no place for it.
char *kept_path(struct arena *arena, const char *folder);

void kept_open(struct kept *kept, const struct options *options, const char *folder);
// Saves results, and says on standard error why they are not kept when they should be.
void kept_save(struct kept *kept);
void kept_close(struct kept *kept);

// Looks up the results of units. `out` has as many elements; results belong to the store.
void kept_find(struct kept *kept, struct unit *unit, size_t count, struct kept_unit *out);

// Keeps what a worker says of kernels, the "kernels" of unit_analyse(). Returns how many were
// known.
uint32_t kept_add_kernels(struct kept *kept, const json_t *kernels);

// Keeps what unit_analyse() gave for a unit that kept_find() looked for, unless it would not last.
void kept_add(struct kept *kept, const struct unit *unit, const struct kept_unit *known,
              const json_t *links, const json_t *analysis);

#endif
