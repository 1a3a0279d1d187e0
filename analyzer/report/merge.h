// Findings of one rule at one place are one finding, whatever the number of kernels, template
// instances, launch shapes and architectures that show it.
#ifndef BARLINT_REPORT_MERGE_H
#define BARLINT_REPORT_MERGE_H

#include "report/finding.h"

// Order of findings: place, rule, then the better evidence, then text. Total, so that output does
// not depend on the order in which workers end.
int finding_compare(const void *a, const void *b);

// Sorts the findings and merges those of one rule and place: the first in order, which has the
// better evidence, keeps its message and notes and gains the other's kernels and launches.
void findings_merge(struct findings *findings);

#endif
