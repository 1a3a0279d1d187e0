// Worker processes: each unit is analysed in a process of its own, so that a crash, an endless loop
// or a lack of memory costs one unit and not the run.
#ifndef BARLINT_DRIVER_POOL_H
#define BARLINT_DRIVER_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct pool {
    unsigned jobs;         // processes at once, at least 1
    double timeout;        // seconds a unit; 0: no limit
    uint64_t memory_limit; // bytes of address space a worker; 0: no limit
    // Runs in the worker; its result (never NULL) is what `done` is given in the parent.
    json_t *(*work)(void *context, size_t index);
    // Runs in the parent, in the order in which workers end. `result` is borrowed, and NULL when
    // the worker did not end well; `reason` then says why, in words for the user.
    void (*done)(void *context, size_t index, const json_t *result, const char *reason);
    // Called in the parent now and then; may be NULL.
    void (*progress)(void *context, size_t ended, size_t count);
    void *context;
};

// Works on units 0 to count - 1. Returns false when the user interrupted it (SIGINT, SIGTERM or
// SIGHUP): all workers are gone then, and `out_signal` is the signal.
bool pool_run(const struct pool *pool, size_t count, int *out_signal);

#endif
