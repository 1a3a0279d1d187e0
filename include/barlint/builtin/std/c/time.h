// The C library, where the machine has none: time.
#ifndef BARLINT_STD_TIME_H
#define BARLINT_STD_TIME_H

#include <stddef.h>

typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
#define CLOCKS_PER_SEC 1000000l
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};
extern "C" {
time_t time(time_t *t);
clock_t clock();
double difftime(time_t a, time_t b);
struct tm *localtime(const time_t *t);
size_t strftime(char *out, size_t size, const char *format, const struct tm *t);
int clock_gettime(clockid_t clock, struct timespec *t);
int nanosleep(const struct timespec *request, struct timespec *rest);
}

#endif
