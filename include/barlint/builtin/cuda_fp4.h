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

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;
#define BARLINT_FP4_CONVERT(name, R, A)                                                            \
    BARLINT_SF R name(A a, __nv_fp4_interpretation_t i, cudaRoundMode r);
BARLINT_FP4_CONVERT(__nv_cvt_float_to_fp4, __nv_fp4_storage_t, float)
BARLINT_FP4_CONVERT(__nv_cvt_double_to_fp4, __nv_fp4_storage_t, double)
BARLINT_FP4_CONVERT(__nv_cvt_halfraw_to_fp4, __nv_fp4_storage_t, __half_raw)
BARLINT_FP4_CONVERT(__nv_cvt_bfloat16raw_to_fp4, __nv_fp4_storage_t, __nv_bfloat16_raw)
BARLINT_FP4_CONVERT(__nv_cvt_float2_to_fp4x2, __nv_fp4x2_storage_t, float2)
BARLINT_FP4_CONVERT(__nv_cvt_double2_to_fp4x2, __nv_fp4x2_storage_t, double2)
BARLINT_FP4_CONVERT(__nv_cvt_halfraw2_to_fp4x2, __nv_fp4x2_storage_t, __half2_raw)
BARLINT_FP4_CONVERT(__nv_cvt_bfloat16raw2_to_fp4x2, __nv_fp4x2_storage_t, __nv_bfloat162_raw)
BARLINT_SF __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t a, __nv_fp4_interpretation_t i);
BARLINT_SF __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t a,
                                                  __nv_fp4_interpretation_t i);

#endif
