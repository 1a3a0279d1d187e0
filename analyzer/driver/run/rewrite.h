// Putting fixed text in the place of a file.
#ifndef BARLINT_DRIVER_REWRITE_H
#define BARLINT_DRIVER_REWRITE_H

#include "report/patch.h"

// Writes each file of the patch: beside it first, then in its place, so that whoever looks sees the
// old text or the new one. Keeps the permissions; behind a link, the file it leads to is changed. A
// file that nobody may write, or that changed since it was read, is left as it is and named on
// standard error. Returns how many were written.
size_t rewrite_files(const struct patch *patch, const struct report *report);

#endif
