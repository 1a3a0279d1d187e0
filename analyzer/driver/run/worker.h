// A worker process: what it works out comes back as JSON, and its crash, endless loop or lack of
// memory costs its result and nothing else.
#ifndef BARLINT_DRIVER_WORKER_H
#define BARLINT_DRIVER_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

enum { WORKER_REASON = 4096 }; // bytes of the words that say why there is no result

struct worker_task {
    double timeout;        // seconds; 0: no limit
    uint64_t memory_limit; // bytes of address space; 0: no limit
    // Runs in the worker; its result (never NULL) is what worker_end() gives.
    json_t *(*work)(void *context, size_t index);
    void *context;
};

struct worker {
    const struct worker_task *task;
    size_t index;
    pid_t pid;
    int result;      // the reading end of its pipe: what to poll
    int words;       // what it wrote to stderr: an unnamed file
    double deadline; // by clock_seconds(); 0: none
    bool late, too_much;
    char *text; // stb_ds array: its result so far
};

// Starts a process that works on `index`. The task must outlive the worker. False, and errno, when
// the system gives no process; otherwise worker_end() or worker_kill() must follow.
bool worker_start(struct worker *worker, const struct worker_task *task, size_t index);

// Reads what there is of the result. False at its end, or when it is too large.
bool worker_read(struct worker *worker);

// Whether its time is over; worker_end() then says so.
bool worker_is_late(struct worker *worker, double now);

// Takes the end of a worker that worker_read() or worker_is_late() told of. Returns its result,
// which the caller owns; NULL, and why in words for the user, when it did not end well.
json_t *worker_end(struct worker *worker, char reason[WORKER_REASON]);

// Ends a worker whose result nobody wants any more.
void worker_kill(struct worker *worker);

#endif
