// What the fixes of a report make of the files: a set of edits without conflicts.
#ifndef BARLINT_REPORT_PATCH_H
#define BARLINT_REPORT_PATCH_H

#include "report/report.h"

struct patch_file {
    const char *path;            // absolute
    const struct source *source; // as it is now
    struct finding_edit *edit;   // stb_ds array, by place
};

struct patch {
    struct patch_file *file; // stb_ds array, by path
    uint32_t fixes;          // applied, of that many findings
    uint32_t overlapping;    // left out: they overlap one that comes before
    const char **stale;      // stb_ds array: files that changed since they were read
};

// Takes the first fix of each finding, in the order of the findings: the safe ones, or the
// suggested ones too. One that overlaps an earlier one is left out; an edit that two of them share
// is made once. The report must outlive the patch.
void patch_init(struct patch *patch, struct report *report, bool with_suggested);
void patch_release(struct patch *patch);

// The text of the file with its edits made: an stb_ds array without a NUL byte at its end.
char *patch_text(const struct patch_file *file);

#endif
