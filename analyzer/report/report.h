// The report of a run: its findings after merging, suppression and sorting, what became of each
// file, and the formats it is printed in. Only this layer prints findings.
#ifndef BARLINT_REPORT_REPORT_H
#define BARLINT_REPORT_REPORT_H

#include <stdio.h>

#include "report/finding.h"
#include "report/source.h"

// In the order of what they mean for the run: the worst of a file's units is the file's.
enum report_status { REPORT_OK, REPORT_PARTIAL, REPORT_FAILED };

const char *report_status_name(enum report_status status); // "partial"
bool report_status_parse(const char *word, enum report_status *out);

// A file that was asked for.
struct report_file {
    const char *path; // absolute
    enum report_status status;
    const char *reason; // "" where there is nothing to say
};

// Counts that do not depend on the machine or on time.
struct report_counts {
    uint64_t kernels, shapes, runs, steps;
    uint64_t cut_short; // shapes whose walk ended at a budget
    uint64_t unknown_operations, unknown_objects;
};

struct report {
    struct findings findings;
    struct finding *silenced; // stb_ds array: findings that are not shown, in the same order
    struct report_file *file; // stb_ds array
    struct {
        char *key;
        ptrdiff_t value;
    } * file_index; // stb_ds: by path
    struct report_counts counts;
    struct sources sources;
    double parse_seconds, lower_seconds, analysis_seconds; // processor time of all workers
    uint32_t from_store;                                   // units that an earlier run analysed
    uint32_t known_kernels;                                // of the others: kernels that one did
    json_t *shard; // what JSON tells a merge beside the findings, or NULL; see driver/run/shard.h
    // By report_finish():
    const struct rule *const *rules;
    const char *folder; // where the user stands: files below it are shown relative to it
    const char *root;   // of the repository, for formats that are read by its host
    bool tells_silenced;
    uint32_t pedantic_hidden, suppressed, baselined;
    uint32_t unchanged; // left out because no step of them touches the change
};

// What the configuration says; NULL functions: every rule is on and no reason is needed.
struct report_settings {
    void *context;
    // Whether a rule is on for a file, and the level of what it reports there, which is not changed
    // where nothing is said of it.
    bool (*rule)(void *context, const char *file, const char *rule, enum rule_level *level);
    // Whether suppressions in the file count only with a reason.
    bool (*needs_reason)(void *context, const char *file);
};

struct report_options {
    const struct rule *const *rules; // every rule there is, ended by NULL
    const char *folder;              // where the user stands, absolute
    const char *root;                // of the repository; NULL: the folder
    struct report_settings settings;
    struct baseline *baseline;     // NULL: none
    const struct changes *changes; // NULL: everything counts as changed
    bool pedantic;
    bool tells_silenced; // formats that have a place for findings that are not shown tell of them
};

void report_init(struct report *report);
void report_release(struct report *report);

// Adds a file, or makes the status of a file that is there already worse. Returns it; the pointer
// is good until the next call. Text is copied.
struct report_file *report_add_file(struct report *report, const char *path,
                                    enum report_status status, const char *reason);

// Merges and sorts, applies suppressions, adds a finding for each suppression that suppressed
// nothing, computes fingerprints, and drops what is not to be shown and fixes of files that are not
// the user's. `options->folder` must outlive the report.
void report_finish(struct report *report, const struct report_options *options);

// How many findings are at the level or above it.
uint32_t report_count(const struct report *report, enum rule_level level);
uint32_t report_files_with(const struct report *report, enum report_status status);

// --- Formats ---------------------------------------------------------------------------------

struct report_format {
    const char *name; // "sarif"
    const char *help; // who reads it
    bool for_people;  // the summary line on standard error goes with it
    bool draws;       // it shows the schedules of findings
    void (*print)(FILE *out, struct report *report, bool color);
};

extern const struct report_format
    report_formats[]; // ended by a NULL name; the first is the default

// The format of that name, or NULL.
const struct report_format *report_format_find(const char *name);

// "3 errors, 1 warning in 2 of 41 files": one line for people.
void report_print_summary(FILE *out, const struct report *report);
// What was analysed and what could not be followed.
void report_print_statistics(FILE *out, const struct report *report);
// The findings as a table in Markdown, for the page that GitHub shows of a step.
void report_print_step_summary(FILE *out, struct report *report);

#endif
