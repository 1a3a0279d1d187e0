// 8-bit floating point: the storage types, their packs and conversions.
#ifndef BARLINT_CUDA_FP8_H
#define BARLINT_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#define BARLINT_FP8(T)                                                                             \
    struct T {                                                                                     \
        __nv_fp8_storage_t __x;                                                                    \
        T() = default;                                                                             \
        template <typename U> explicit __host__ __device__ T(U value);                             \
        template <typename U> explicit __host__ __device__ operator U() const;                     \
    };
#define BARLINT_FP8_PACK(T, S)                                                                     \
    struct T {                                                                                     \
        S __x;                                                                                     \
        T() = default;                                                                             \
        template <typename... U> explicit __host__ __device__ T(U... values);                      \
        template <typename U> explicit __host__ __device__ operator U() const;                     \
    };
BARLINT_FP8(__nv_fp8_e4m3)
BARLINT_FP8(__nv_fp8_e5m2)
BARLINT_FP8(__nv_fp8_e8m0)
BARLINT_FP8_PACK(__nv_fp8x2_e4m3, __nv_fp8x2_storage_t)
BARLINT_FP8_PACK(__nv_fp8x4_e4m3, __nv_fp8x4_storage_t)
BARLINT_FP8_PACK(__nv_fp8x2_e8m0, __nv_fp8x2_storage_t)
BARLINT_FP8_PACK(__nv_fp8x4_e8m0, __nv_fp8x4_storage_t)
BARLINT_FP8_PACK(__nv_fp8x2_e5m2, __nv_fp8x2_storage_t)
BARLINT_FP8_PACK(__nv_fp8x4_e5m2, __nv_fp8x4_storage_t)

#define BARLINT_FP8_CONVERT(name, R, A)                                                            \
    BARLINT_SF R name(A a, __nv_saturation_t s, __nv_fp8_interpretation_t i);
BARLINT_FP8_CONVERT(__nv_cvt_float_to_fp8, __nv_fp8_storage_t, float)
BARLINT_FP8_CONVERT(__nv_cvt_double_to_fp8, __nv_fp8_storage_t, double)
BARLINT_FP8_CONVERT(__nv_cvt_halfraw_to_fp8, __nv_fp8_storage_t, __half_raw)
BARLINT_FP8_CONVERT(__nv_cvt_bfloat16raw_to_fp8, __nv_fp8_storage_t, __nv_bfloat16_raw)
BARLINT_FP8_CONVERT(__nv_cvt_float2_to_fp8x2, __nv_fp8x2_storage_t, float2)
BARLINT_FP8_CONVERT(__nv_cvt_double2_to_fp8x2, __nv_fp8x2_storage_t, double2)
BARLINT_FP8_CONVERT(__nv_cvt_halfraw2_to_fp8x2, __nv_fp8x2_storage_t, __half2_raw)
BARLINT_FP8_CONVERT(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_fp8x2_storage_t, __nv_bfloat162_raw)
BARLINT_SF __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t a,
                                                  __nv_fp8_interpretation_t i);
BARLINT_SF __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float a, __nv_saturation_t s, cudaRoundMode r);
BARLINT_SF __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double a, __nv_saturation_t s,
                                                      cudaRoundMode r);
BARLINT_SF __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw a, __nv_saturation_t s,
                                                           cudaRoundMode r);
BARLINT_SF __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 a, __nv_saturation_t s,
                                                          cudaRoundMode r);
BARLINT_SF __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t a);
BARLINT_SF __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t a);
BARLINT_SF __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t a, __nv_fp8_interpretation_t i);

#endif
