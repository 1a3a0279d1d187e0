// The C library, where the machine has none: the system.
#ifndef BARLINT_STD_UNISTD_H
#define BARLINT_STD_UNISTD_H

#include <sys/types.h>

extern "C" {
int close(int file);
ssize_t read(int file, void *out, size_t size);
ssize_t write(int file, const void *data, size_t size);
unsigned int sleep(unsigned int seconds);
int usleep(unsigned int microseconds);
pid_t getpid();
int getopt(int count, char *const *arguments, const char *options);
extern char *optarg;
extern int optind;
}

#endif
