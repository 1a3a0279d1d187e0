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
    const char *reason;    // "" where there is nothing to say
    const char **disabled; // stb_ds array: rules that did not run over it
};

// Counts that do not depend on the machine or on time.
struct report_counts {
    uint64_t kernels, shapes, runs, steps;
    uint64_t cut_short; // shapes whose walk ended at a budget
    uint64_t unknown_operations, unknown_objects;
};

struct report {
    struct findings findings;
    struct report_file *file; // stb_ds array
    struct report_counts counts;
    struct sources sources;
    const char *folder; // where the user stands: files below it are shown relative to it
    double parse_seconds, lower_seconds, analysis_seconds; // processor time of all workers
    uint32_t from_store;                                   // units that an earlier run analysed
    uint32_t pedantic_hidden, suppressed;                  // by report_finish()
};

struct report_options {
    const struct rule *const *rules; // every rule there is, ended by NULL
    const char *folder;              // where the user stands, absolute
    bool pedantic;
};

void report_init(struct report *report);
void report_release(struct report *report);

// Adds a file, or makes the status of a file that is there already worse. Returns it; the pointer
// is good until the next call. Text is copied.
struct report_file *report_add_file(struct report *report, const char *path,
                                    enum report_status status, const char *reason);

// Merges and sorts, applies suppressions, adds a finding for each suppression that suppressed
// nothing, computes fingerprints and the byte offsets of fixes, and drops what is not to be shown.
// `options->folder` must outlive the report.
void report_finish(struct report *report, const struct report_options *options);

// How many findings are at the level or above it.
uint32_t report_count(const struct report *report, enum rule_level level);
uint32_t report_files_with(const struct report *report, enum report_status status);

// --- Formats ---------------------------------------------------------------------------------

// Source line, caret and notes of each finding.
void report_print_text(FILE *out, struct report *report, bool color);
// file:line:column: level: message [rule]
void report_print_concise(FILE *out, const struct report *report);
// One JSON document, schema 1.
void report_print_json(FILE *out, struct report *report);
// "3 errors, 1 warning in 2 of 41 files": one line for people.
void report_print_summary(FILE *out, const struct report *report);
// What was analysed and what could not be followed.
void report_print_statistics(FILE *out, const struct report *report);

#endif
