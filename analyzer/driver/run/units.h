// Which files a run analyses, and how each is compiled.
#ifndef BARLINT_DRIVER_UNITS_H
#define BARLINT_DRIVER_UNITS_H

#include "driver/settings/config.h"
#include "driver/settings/options.h"
#include "driver/unit/analyse.h"
#include "frontend/command/compdb.h"

struct units {
    struct arena arena;
    const char *folder; // where the user stands
    // stb_ds array of the caller's, set before units_find(): files to read from memory
    const struct frontend_unsaved *content;
    struct configs configs;
    struct unit *unit;   // stb_ds array, by file; several for a file that is compiled several times
    const char **header; // stb_ds array: CUDA headers of named folders
    struct compile_database **database; // stb_ds array of those that were opened
    struct {
        char *key;
        struct compile_database *value;
    } * by_folder; // stb_ds; NULL: none there
    struct {
        char *key;
        bool value;
    } * seen;               // stb_ds: files that are taken already
    const char **complaint; // stb_ds array: for stderr, without stopping the run
    bool incomplete;        // something that was asked for cannot be analysed: exit status 3
    size_t assumed;         // files whose command nobody told
    size_t without_entry;   // of these, how many a database does not list
};

// Finds the units of the paths of the command line; without a path, every CUDA entry of the
// compile database. What is excluded is left out. Fails with ERROR_USAGE when there is nothing to
// go by or when a configuration is wrong. units_release() must follow in either case.
bool units_find(struct units *units, const struct options *options, struct error *error);
void units_release(struct units *units);

// Only finds out where the user stands, for what looks at configurations alone: no unit is found.
bool units_init(struct units *units, struct error *error);

// The configuration of a file (absolute): --config or the nearest one. NULL and an error when that
// is wrong.
const struct config *units_config(struct units *units, const struct options *options,
                                  const char *file, struct error *error);

// Adds the units of a header that was found in a folder. A header that some unit includes is
// analysed there, as it is used; the others get a unit of their own after these.
bool units_take_header(struct units *units, const struct options *options, const char *file,
                       struct error *error);

// The database for a file or folder (absolute), or NULL where there is none.
struct compile_database *units_database(struct units *units, const struct options *options,
                                        const char *path, struct error *error);

#endif
