// The baseline of a run of `barlint check`; report/baseline.h is the file itself.
#ifndef BARLINT_DRIVER_BASELINE_H
#define BARLINT_DRIVER_BASELINE_H

#include "driver/run/check.h"

// Reads the baseline that the command line or the configuration names, if one does.
bool baseline_open(struct check *check, struct error *error);

// Lists the entries for which nothing is found any more; returns how many they are. An entry is
// judged only where the run could have found it: its file is gone, was analysed in full as a unit,
// or is a CUDA header that was read by a run over everything.
size_t baseline_print_stale(struct check *check);

#endif
