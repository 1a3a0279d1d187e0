// How a layer tells its caller what went wrong. Functions that can fail return false and fill
// a struct error; only the driver prints. Messages start in lower case, carry no full stop and
// put the subject in single quotes.
#ifndef BARLINT_BASE_ERROR_H
#define BARLINT_BASE_ERROR_H

#include <stdbool.h>

enum error_kind {
    ERROR_NONE,
    ERROR_USAGE,       // the user's words or configuration are wrong: exit status 2
    ERROR_ENVIRONMENT, // a file, a toolkit or the system failed us: exit status 3
    ERROR_INTERNAL,    // our own fault: exit status 4
};

struct error {
    enum error_kind kind;
    char text[1024]; // one line, truncated when longer
};

// Fills `error` (which may be NULL) and returns false, so that a caller can
// `return error_set(...)`.
bool error_set(struct error *error, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
