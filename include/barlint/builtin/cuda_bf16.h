// bfloat16.
#ifndef BARLINT_CUDA_BF16_H
#define BARLINT_CUDA_BF16_H

#include "barlint_core.h"
#include "barlint_small_float.h"

BARLINT_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162)
BARLINT_SMALL_FLOAT_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80u)

BARLINT_SF __nv_bfloat16 __float2bfloat16(float a);
BARLINT_SF __nv_bfloat16 __float2bfloat16_rn(float a);
BARLINT_SF __nv_bfloat16 __float2bfloat16_rz(float a);
BARLINT_SF __nv_bfloat16 __double2bfloat16(double a);
BARLINT_SF float __bfloat162float(__nv_bfloat16 a);
BARLINT_SF __nv_bfloat162 __float2bfloat162_rn(float a);
BARLINT_SF __nv_bfloat162 __floats2bfloat162_rn(float a, float b);
BARLINT_SF __nv_bfloat162 __float22bfloat162_rn(float2 a);
BARLINT_SF float2 __bfloat1622float2(__nv_bfloat162 a);
BARLINT_SF float __low2float(__nv_bfloat162 a);
BARLINT_SF float __high2float(__nv_bfloat162 a);
BARLINT_SF __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a);
BARLINT_SF __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a);
BARLINT_SF __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a);
BARLINT_SF __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a);
BARLINT_SF __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a);
BARLINT_SF __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b);
BARLINT_SF __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b);
BARLINT_SF int __bfloat162int_rn(__nv_bfloat16 a);
BARLINT_SF int __bfloat162int_rz(__nv_bfloat16 a);
BARLINT_SF unsigned int __bfloat162uint_rn(__nv_bfloat16 a);
BARLINT_SF __nv_bfloat16 __int2bfloat16_rn(int a);
BARLINT_SF __nv_bfloat16 __uint2bfloat16_rn(unsigned int a);
BARLINT_SF __nv_bfloat16 __short2bfloat16_rn(short a);
BARLINT_SF __nv_bfloat16 __ushort2bfloat16_rn(unsigned short a);
BARLINT_SF __nv_bfloat16 __ll2bfloat16_rn(long long a);
BARLINT_SF __nv_bfloat16 __ull2bfloat16_rn(unsigned long long a);
BARLINT_SF short __bfloat162short_rn(__nv_bfloat16 a);
BARLINT_SF long long __bfloat162ll_rn(__nv_bfloat16 a);
BARLINT_SF unsigned long long __bfloat162ull_rn(__nv_bfloat16 a);
BARLINT_SF short __bfloat16_as_short(__nv_bfloat16 a);
BARLINT_SF unsigned short __bfloat16_as_ushort(__nv_bfloat16 a);
BARLINT_SF __nv_bfloat16 __short_as_bfloat16(short a);
BARLINT_SF __nv_bfloat16 __ushort_as_bfloat16(unsigned short a);

#endif
