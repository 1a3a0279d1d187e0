// The C library, where the machine has none: files.
#ifndef BARLINT_STD_SYS_STAT_H
#define BARLINT_STD_SYS_STAT_H

struct stat {
    long st_size;
};
extern "C" int stat(const char *path, struct stat *out);

#endif
