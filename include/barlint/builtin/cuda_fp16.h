// Half precision.
#ifndef BARLINT_CUDA_FP16_H
#define BARLINT_CUDA_FP16_H

#include "barlint_core.h"
#include "barlint_small_float.h"

BARLINT_SMALL_FLOAT(__half, __half2)
BARLINT_SMALL_FLOAT_FUNCTIONS(__half, __half2)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFu)

BARLINT_SF __half __float2half(float a);
BARLINT_SF __half __float2half_rn(float a);
BARLINT_SF __half __float2half_rz(float a);
BARLINT_SF __half __float2half_ru(float a);
BARLINT_SF __half __float2half_rd(float a);
BARLINT_SF __half __double2half(double a);
BARLINT_SF float __half2float(__half a);
BARLINT_SF __half2 __float2half2_rn(float a);
BARLINT_SF __half2 __floats2half2_rn(float a, float b);
BARLINT_SF __half2 __float22half2_rn(float2 a);
BARLINT_SF float2 __half22float2(__half2 a);
BARLINT_SF float __low2float(__half2 a);
BARLINT_SF float __high2float(__half2 a);
BARLINT_SF __half __low2half(__half2 a);
BARLINT_SF __half __high2half(__half2 a);
BARLINT_SF __half2 __low2half2(__half2 a);
BARLINT_SF __half2 __high2half2(__half2 a);
BARLINT_SF __half2 __lows2half2(__half2 a, __half2 b);
BARLINT_SF __half2 __highs2half2(__half2 a, __half2 b);
BARLINT_SF __half2 __lowhigh2highlow(__half2 a);
BARLINT_SF __half2 __half2half2(__half a);
BARLINT_SF __half2 __halves2half2(__half a, __half b);
BARLINT_SF __half2 make_half2(__half a, __half b);
BARLINT_SF int __half2int_rn(__half a);
BARLINT_SF int __half2int_rz(__half a);
BARLINT_SF int __half2int_rd(__half a);
BARLINT_SF int __half2int_ru(__half a);
BARLINT_SF unsigned int __half2uint_rn(__half a);
BARLINT_SF unsigned int __half2uint_rz(__half a);
BARLINT_SF short __half2short_rn(__half a);
BARLINT_SF short __half2short_rz(__half a);
BARLINT_SF unsigned short __half2ushort_rn(__half a);
BARLINT_SF __half __int2half_rn(int a);
BARLINT_SF __half __int2half_rz(int a);
BARLINT_SF __half __uint2half_rn(unsigned int a);
BARLINT_SF __half __short2half_rn(short a);
BARLINT_SF __half __ushort2half_rn(unsigned short a);
BARLINT_SF __half __ll2half_rn(long long a);
BARLINT_SF __half __int2half_rd(int a);
BARLINT_SF __half __int2half_ru(int a);
BARLINT_SF __half __uint2half_rz(unsigned int a);
BARLINT_SF __half __ull2half_rn(unsigned long long a);
BARLINT_SF long long __half2ll_rn(__half a);
BARLINT_SF long long __half2ll_rz(__half a);
BARLINT_SF unsigned long long __half2ull_rn(__half a);
BARLINT_SF unsigned long long __half2ull_rz(__half a);
BARLINT_SF signed char __half2char_rz(__half a);
BARLINT_SF unsigned char __half2uchar_rz(__half a);
BARLINT_SF short __half_as_short(__half a);
BARLINT_SF unsigned short __half_as_ushort(__half a);
BARLINT_SF __half __short_as_half(short a);
BARLINT_SF __half __ushort_as_half(unsigned short a);
BARLINT_SF __half2 __hcmadd(__half2 a, __half2 b, __half2 c);

#endif
