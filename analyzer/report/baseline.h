// The baseline: findings that a code base has had and that are not to be shown, as a text file that
// lives in git.
//
// It is one JSON list with an entry a line, sorted, and a last line that says what it is:
//
//   [
//   {"file":"src/a.cu","rule":"init-missing","function":"f","fingerprint":"0123456789abcdef","count":1},
//   {"barlint-baseline":1}
//   ]
//
// Every entry ends in a comma, so that two branches which add entries merge as text. Entries are
// matched by fingerprint, never by line: that of the first among like findings, of which there are
// `count`. `function` is there for people.
#ifndef BARLINT_REPORT_BASELINE_H
#define BARLINT_REPORT_BASELINE_H

#include <stdio.h>

#include "report/finding.h"

struct baseline_entry {
    const char *file; // absolute
    const char *rule, *function, *fingerprint;
    uint32_t count;
    uint32_t left; // what baseline_match() found nothing for
    bool gone;     // there is no such file any more
};

struct baseline {
    struct arena arena;
    const char *path;             // absolute
    const char *folder;           // that it lies in: file names in it are relative to this
    struct baseline_entry *entry; // stb_ds array, sorted by file, rule and fingerprint
};

// An empty baseline that is to be written to `path`, which must be absolute.
void baseline_init(struct baseline *baseline, const char *path);
void baseline_release(struct baseline *baseline);

// Reads the file into a baseline made by baseline_init(). Entries that come twice, as they do after
// a merge, count once with the larger number. Fails with ERROR_USAGE and says where it is wrong.
bool baseline_read(struct baseline *baseline, struct error *error);

// Marks the findings that the baseline knows as FINDING_BASELINED and takes them off `left`. An
// entry of a file that is gone serves its finding in another file: it was renamed.
void baseline_match(struct baseline *baseline, struct finding *findings);

// Adds a finding; like ones become one entry when they are written.
void baseline_add(struct baseline *baseline, const struct finding *finding);

// Writes it, sorted and without entries whose count is 0. Returns how many findings it lists.
size_t baseline_write(FILE *out, struct baseline *baseline);

#endif
