// What the analysis of a unit read, and what it looked for in vain: with the command, the options
// and the tool, all that its result depends on.
//
// Not seen, and therefore not noticed when they change: a header that newly appears in a folder of
// the system or of a toolkit and hides another there, what headers of these ask for by
// __has_include, and what others ask for so by way of a macro.
#ifndef BARLINT_DRIVER_INPUTS_H
#define BARLINT_DRIVER_INPUTS_H

#include <jansson.h>

#include "driver/unit/analyse.h"

struct input_path {
    char *key;
    bool value; // something is there
};

struct inputs {
    struct arena arena;
    struct input_path *path;   // stb_ds map
    struct input_path *folder; // stb_ds map: parts of paths that were looked at
    bool unknown;              // not all of it can be told
};

void inputs_init(struct inputs *inputs);
void inputs_release(struct inputs *inputs);

// Adds what one parse depends on. Must be called while the files are as the parse found them, or
// changed so lately that their times show it.
void inputs_add(struct inputs *inputs, const struct parsed *parsed);

// Two lists, "read" of files that are there and "absent" of paths where nothing is, and "unknown".
json_t *inputs_to_json(const struct inputs *inputs);

#endif
