// The fingerprints that GitHub computes for alerts whose SARIF has none.
#ifndef BARLINT_REPORT_GITHUB_HASH_H
#define BARLINT_REPORT_GITHUB_HASH_H

#include <stddef.h>
#include <stdint.h>

struct github_hash {
    uint64_t hash;
    uint32_t ordinal; // among the lines of the file that have the same hash, from 1
};

// The hash of each line, in order, as github/codeql-action computes them for
// `partialFingerprints.primaryLocationLineHash`, which prints them as "%x:%u": a rolling hash over
// the 100 UTF-16 code units from the line's beginning on that are neither blanks nor tabs, with
// each of CR, LF and CR LF as LF and 65535 for the file's end. Returns an stb_ds array.
struct github_hash *github_hash_lines(const char *text, size_t length);

#endif
