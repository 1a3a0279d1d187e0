#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *error, enum error_kind kind, const char *format, ...)
{
    if (!error)
        return false;
    va_list args;
    va_start(args, format);
    error->kind = kind;
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}
