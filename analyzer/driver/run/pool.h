// Worker processes: each unit is analysed in a process of its own, so that a crash, an endless loop
// or a lack of memory costs one unit and not the run.
#ifndef BARLINT_DRIVER_POOL_H
#define BARLINT_DRIVER_POOL_H

#include "driver/run/worker.h"

struct pool {
    struct worker_task task; // of each unit
    unsigned jobs;           // processes at once, at least 1
    // Runs in the parent, in the order in which workers end. `result` is borrowed, and NULL when
    // the worker did not end well; `reason` then says why, in words for the user.
    void (*done)(void *context, size_t index, const json_t *result, const char *reason);
    // Called in the parent now and then; may be NULL.
    void (*progress)(void *context, size_t ended, size_t count);
};

// Works on units 0 to count - 1. Returns false when the user interrupted it (SIGINT, SIGTERM or
// SIGHUP): all workers are gone then, and `out_signal` is the signal.
bool pool_run(const struct pool *pool, size_t count, int *out_signal);

// As many workers at once as the machine has processors and memory for.
unsigned pool_processors(void);

#endif
