// 4-bit floating point: opaque storage types.
#ifndef BARLINT_CUDA_FP4_H
#define BARLINT_CUDA_FP4_H

#include "cuda_fp8.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
BARLINT_FP8(__nv_fp4_e2m1)
BARLINT_FP8_PACK(__nv_fp4x2_e2m1, __nv_fp4x2_storage_t)
BARLINT_FP8_PACK(__nv_fp4x4_e2m1, __nv_fp4x4_storage_t)

#endif
