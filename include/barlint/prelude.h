// Force-included before a CUDA source. Without a toolkit (BARLINT_BUILTIN_HEADERS) it stands for
// barlint's own declarations; with one, it brings in clang's CUDA wrapper itself (the command line
// says -nocudainc), so that it can prepare the ground before those headers and repair after them
// what nvcc accepts and clang does not.
#ifndef BARLINT_PRELUDE_H
#define BARLINT_PRELUDE_H

// What this brings in is a system's headers, although it is not found in a system's folder.
#pragma GCC system_header

#ifdef BARLINT_BUILTIN_HEADERS
#include "builtin/barlint_core.h"
#else

// ---- before the toolkit's headers ----

// nvcc's version macros. Libraries compile their sm_90 code out where these are missing.
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#endif

#include "arch_macros.h"

// cluster_group and this_cluster(): clang has the intrinsics they need, the header does not know.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#ifndef _CG_CLUSTER_INTRINSICS_AVAILABLE
#define _CG_CLUSTER_INTRINSICS_AVAILABLE
#endif
#ifndef _CG_HAS_CLUSTER_GROUP
#define _CG_HAS_CLUSTER_GROUP
#endif
#endif

// CUTLASS leaves its sm_100 and newer code out for clang.
#if defined(__CUDA_ARCH_FEAT_SM100_ALL)
#define CUTLASS_ARCH_MMA_SM100_SUPPORTED 1
#define CUTLASS_ARCH_MMA_SM100_ENABLED 1
#define CUTLASS_ARCH_MMA_SM100A_SUPPORTED 1
#define CUTLASS_ARCH_MMA_SM100A_ENABLED 1
#define CUTLASS_ARCH_MMA_SM100F_SUPPORTED 1
#define CUTLASS_ARCH_MMA_SM100F_ENABLED 1
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1000
#define CUTLASS_ARCH_MMA_SM100_SUPPORTED 1
#define CUTLASS_ARCH_MMA_SM100_ENABLED 1
#endif
#if defined(__CUDA_ARCH_FEAT_SM103_ALL)
#define CUTLASS_ARCH_MMA_SM103_SUPPORTED 1
#define CUTLASS_ARCH_MMA_SM103_ENABLED 1
#define CUTLASS_ARCH_MMA_SM103A_ENABLED 1
#define CUTLASS_ARCH_MMA_SM103F_ENABLED 1
#endif
#if defined(__CUDA_ARCH_FEAT_SM120_ALL)
#define CUTLASS_ARCH_MMA_SM120_SUPPORTED 1
#define CUTLASS_ARCH_MMA_SM120_ENABLED 1
#define CUTLASS_ARCH_MMA_SM120A_ENABLED 1
#define CUTLASS_ARCH_MMA_SM120F_ENABLED 1
#endif

// clang's wrapper declares the built-in variables as objects whose members are properties without
// names, in a header that this guard leaves out. It then defines conversions of their classes,
// which must exist; the variables themselves follow below with the types nvcc gives them.
#define __CUDA_BUILTIN_VARS_H
struct dim3;
struct uint3;
#define BARLINT_BUILTIN_CLASS(name)                                                                \
    struct name {                                                                                  \
        unsigned int x, y, z;                                                                      \
        __attribute__((device)) operator dim3() const;                                             \
        __attribute__((device)) operator uint3() const;                                            \
    };
BARLINT_BUILTIN_CLASS(__cuda_builtin_threadIdx_t)
BARLINT_BUILTIN_CLASS(__cuda_builtin_blockIdx_t)
BARLINT_BUILTIN_CLASS(__cuda_builtin_blockDim_t)
BARLINT_BUILTIN_CLASS(__cuda_builtin_gridDim_t)
#undef BARLINT_BUILTIN_CLASS
__attribute__((device)) const int warpSize = 32;

// The wrapper ends with a curand header that nothing needs unless the source asks for it.
#ifndef CURAND_MTGP32_KERNEL_H
#define CURAND_MTGP32_KERNEL_H
#define BARLINT_WITHOUT_MTGP32
#endif

#include <__clang_cuda_runtime_wrapper.h>

#ifdef BARLINT_WITHOUT_MTGP32
#undef CURAND_MTGP32_KERNEL_H
#undef BARLINT_WITHOUT_MTGP32
#endif

// ---- after the toolkit's headers ----

extern const __attribute__((device)) uint3 threadIdx;
extern const __attribute__((device)) uint3 blockIdx;
extern const __attribute__((device)) dim3 blockDim;
extern const __attribute__((device)) dim3 gridDim;

#include "attributes.h"

// Headers that nvcc brings along.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <functional>
#include <new>
#include <tuple>
#include <utility>

// clang declares memcpy and memset for device code, not this one.
static inline __attribute__((device)) int memcmp(const void *a, const void *b, size_t size)
{
    return __builtin_memcmp(a, b, size);
}

#include "toolkit_gaps.h"

#endif // BARLINT_BUILTIN_HEADERS

#endif
