// The C library, where the machine has none: time of day.
#ifndef BARLINT_STD_SYS_TIME_H
#define BARLINT_STD_SYS_TIME_H

#include <time.h>

struct timeval {
    time_t tv_sec;
    long tv_usec;
};
struct timezone;
extern "C" int gettimeofday(struct timeval *t, struct timezone *zone);

#endif
