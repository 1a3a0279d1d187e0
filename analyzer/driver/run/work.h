// Analyses units: takes what the store has of them, has workers do the others, and tells each what
// the others say about it.
#ifndef BARLINT_DRIVER_WORK_H
#define BARLINT_DRIVER_WORK_H

#include "driver/reuse/kept.h"
#include "driver/run/program.h"

struct work_unit {
    struct unit unit;
    struct kept_unit known;
    json_t *result; // for analysis_add(); NULL when the analysis failed
    json_t *links;  // of the unit by itself
    char *reason;   // why it failed, or NULL
    bool from_store;
    uint32_t known_kernels; // where it is not: kernels that the store had
};

struct work {
    const struct options *options;
    struct units *units;
    struct kept kept;
    struct program *program;        // of all units worked on so far
    double started;                 // monotonic seconds
    double told;                    // when it was last told how far the run is
    struct timespec begun;          // the same by the clock
    uint64_t worked_on, from_store; // units
    double seconds[3];              // of processor time: parsing, lowering, analysing
    bool shows_progress;
    struct work_unit **round; // stb_ds array: what the workers are at
};

void work_init(struct work *work, const struct options *options, struct units *units);
void work_release(struct work *work);

// Fills in what becomes of each of the units. False when the user interrupted it; `out_signal` is
// the signal then.
bool work_run(struct work *work, struct work_unit *unit, size_t count, int *out_signal);
// Adds the run to the history that the store keeps.
void work_remember(struct work *work, uint64_t failed, uint64_t findings, int status);
void work_unit_release(struct work_unit *unit);

#endif
