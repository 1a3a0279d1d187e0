// 6-bit floating point: opaque storage types.
#ifndef BARLINT_CUDA_FP6_H
#define BARLINT_CUDA_FP6_H

#include "cuda_fp8.h"

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned char __nv_fp6x2_storage_t;
typedef unsigned short __nv_fp6x4_storage_t;
BARLINT_FP8(__nv_fp6_e2m3)
BARLINT_FP8(__nv_fp6_e3m2)
BARLINT_FP8_PACK(__nv_fp6x2_e2m3, __nv_fp6x2_storage_t)
BARLINT_FP8_PACK(__nv_fp6x2_e3m2, __nv_fp6x2_storage_t)

#endif
