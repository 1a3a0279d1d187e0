// The C library, where the machine has none: errno.
#ifndef BARLINT_STD_ERRNO_H
#define BARLINT_STD_ERRNO_H

extern "C" int *__errno_location();
#define errno (*__errno_location())
#define ENOENT 2
#define ENOMEM 12
#define EINVAL 22
#define ERANGE 34

#endif
