// The C library, where the machine has none: types of the system.
#ifndef BARLINT_STD_SYS_TYPES_H
#define BARLINT_STD_SYS_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef long off_t;
typedef int pid_t;

#endif
