// The C library, where the machine has none: options.
#ifndef BARLINT_STD_GETOPT_H
#define BARLINT_STD_GETOPT_H

#include <unistd.h>

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};
#define no_argument 0
#define required_argument 1
#define optional_argument 2
extern "C" int getopt_long(int count, char *const *arguments, const char *options,
                           const struct option *list, int *index);

#endif
