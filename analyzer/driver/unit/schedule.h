// `barlint dump --schedule=KERNEL`: what one run of a kernel does, role by role.
#ifndef BARLINT_DRIVER_SCHEDULE_H
#define BARLINT_DRIVER_SCHEDULE_H

#include "driver/unit/analyse.h"

// What was found over all units of a command.
struct schedule_search {
    struct arena arena;
    bool found;
    const char **kernel; // stb_ds array: the names of all kernels seen, each once
};

void schedule_search_init(struct schedule_search *search);
void schedule_search_release(struct schedule_search *search);

// Draws the kernel that options->schedule names when the unit has it and none before had, to
// stdout and to options->svg. Returns the exit status.
int schedule_dump(struct schedule_search *search, const struct options *options,
                  const struct parsed *parsed, const struct unit *unit);
// Draws a run of the kernel under that shape that breaks the rule where one does, as a part of a
// page in SVG. `options` bounds the walk. NULL when there is nothing to draw.
const char *schedule_part(struct arena *arena, const struct parsed *parsed, ir_function_id kernel,
                          const struct engine_shape *shape, const char *rule,
                          const struct engine_options *options);

// Says that nothing had the kernel, and which kernels there are. Returns the exit status.
int schedule_complain(struct schedule_search *search, const struct options *options);

#endif
