// Virtual GPU architectures: the names builds use, their order, and what clang 22 knows of them.
// Layer: frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_GPU_ARCH_H
#define BARLINT_FRONTEND_COMMAND_GPU_ARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

// compute_90a is {.number = 90, .suffix = 'a'}. Suffix 'a' means features of exactly this
// architecture, 'f' of its family, 0 neither. __CUDA_ARCH__ is number * 10.
struct gpu_arch {
    int number;
    char suffix;
};

// Reads sm_90a, compute_90a, lto_90a or 90a. Returns false for anything else, also for AMD's
// gfx names and for the words native, all and all-major.
bool gpu_arch_parse(const char *text, struct gpu_arch *out_arch);

// Negative, zero or positive as `a` is older than, equal to or newer than `b`. A suffix makes an
// architecture newer: 100 < 100f < 100a < 103.
int gpu_arch_compare(struct gpu_arch a, struct gpu_arch b);

// "sm_90a"
char *gpu_arch_name(struct arena *arena, struct gpu_arch arch);

// The architecture clang 22 is given for `arch`: itself when clang knows it, else the same
// without the suffix, else the newest one that is older, which then has no suffix: its suffix
// would define macros of another architecture.
struct gpu_arch gpu_arch_for_clang(struct gpu_arch arch);

// What nvcc of toolkit `major`.`minor` takes `all` (or `all-major`) to mean, in ascending order;
// a major of 0 means the newest known toolkit. Returns how many were written to `out_arch`,
// which has room for GPU_ARCH_ALL_MAX.
enum { GPU_ARCH_ALL_MAX = 24 };
size_t gpu_arch_all(int major, int minor, bool only_major, struct gpu_arch *out_arch);

// The architecture nvcc compiles for when the command names none; major 0 as above.
struct gpu_arch gpu_arch_default(int major);

#endif
