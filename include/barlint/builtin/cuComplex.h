// Complex numbers on float2 and double2.
#ifndef BARLINT_CUCOMPLEX_H
#define BARLINT_CUCOMPLEX_H

#include "barlint_core.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define BARLINT_COMPLEX(T, C, suffix, pre)                                                         \
    static inline __host__ __device__ C make_##pre##Complex(T r, T i) { return {r, i}; }           \
    static inline __host__ __device__ T cuCreal##suffix(C a) { return a.x; }                       \
    static inline __host__ __device__ T cuCimag##suffix(C a) { return a.y; }                       \
    static inline __host__ __device__ C cuConj##suffix(C a) { return {a.x, -a.y}; }                \
    static inline __host__ __device__ C cuCadd##suffix(C a, C b) {                                 \
        return {a.x + b.x, a.y + b.y};                                                             \
    }                                                                                              \
    static inline __host__ __device__ C cuCsub##suffix(C a, C b) {                                 \
        return {a.x - b.x, a.y - b.y};                                                             \
    }                                                                                              \
    static inline __host__ __device__ C cuCmul##suffix(C a, C b) {                                 \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                     \
    }                                                                                              \
    static inline __host__ __device__ C cuCdiv##suffix(C a, C b);                                  \
    static inline __host__ __device__ T cuCabs##suffix(C a);                                       \
    static inline __host__ __device__ C cuCfma##suffix(C a, C b, C c);
BARLINT_COMPLEX(float, cuFloatComplex, f, cuFloat)
BARLINT_COMPLEX(double, cuDoubleComplex, , cuDouble)
static inline __host__ __device__ cuComplex make_cuComplex(float r, float i) { return {r, i}; }

#endif
