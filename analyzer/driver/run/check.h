// One analysis of what the command line names, for the commands that need its report.
#ifndef BARLINT_DRIVER_CHECK_H
#define BARLINT_DRIVER_CHECK_H

#include "driver/run/outputs.h"
#include "driver/run/repository.h"
#include "driver/run/work.h"
#include "report/baseline.h"

struct check {
    const struct options *options;
    struct units units;
    struct report report;
    struct analysis_extra extra;
    struct work work;
    struct output *output; // stb_ds array
    struct staged staged;
    struct changes changes;
    bool has_changes; // only they count
    bool takes_paths; // the command line names files or folders
    struct baseline baseline;
    bool has_baseline;
    struct error error; // the first internal one
    unsigned round;     // of --fix and --diff
    struct arena *kept; // what outlives a round
    // stb_ds arrays, of --diff: files with the fixes of the rounds so far, and as they were.
    struct frontend_unsaved *fixed_file, *old_file;
    uint32_t fixed;                 // findings, in all rounds
    uint32_t units_begun, analysed; // by the passes so far
};

// Analyses, finishes the report and calls `conclude`, whose result is the exit status; a run that
// fails before that has a status of its own.
int check_run(struct options *options, int (*conclude)(struct check *check));

// EXIT_INCOMPLETE when something could not be analysed, else EXIT_CLEAN.
int check_completeness(const struct check *check);

// Says on standard error what could not be analysed and which headers are missing.
void check_print_problems(struct check *check);

#endif
