// Mathematics in device code. clang lets a __device__ function stand beside the host function of
// the same signature, so these may come before <cmath>; they must, or a constexpr std:: overload
// would be taken for a device function of its own.
#ifndef BARLINT_MATH_FUNCTIONS_H
#define BARLINT_MATH_FUNCTIONS_H

#define BARLINT_M static __device__

#define BARLINT_MATH1(name)                                                                        \
    BARLINT_M double name(double x);                                                               \
    BARLINT_M float name(float x);                                                                 \
    BARLINT_M float name##f(float x);
#define BARLINT_MATH2(name)                                                                        \
    BARLINT_M double name(double x, double y);                                                     \
    BARLINT_M float name(float x, float y);                                                        \
    BARLINT_M float name##f(float x, float y);
#define BARLINT_MATH1_BODY(name, builtin)                                                          \
    BARLINT_M inline double name(double x) { return builtin(x); }                                  \
    BARLINT_M inline float name(float x) { return builtin##f(x); }                                 \
    BARLINT_M inline float name##f(float x) { return builtin##f(x); }
#define BARLINT_MATH2_BODY(name, builtin)                                                          \
    BARLINT_M inline double name(double x, double y) { return builtin(x, y); }                     \
    BARLINT_M inline float name(float x, float y) { return builtin##f(x, y); }                     \
    BARLINT_M inline float name##f(float x, float y) { return builtin##f(x, y); }

#define BARLINT_EACH_STD_MATH1(M)                                                                  \
    M(acos)                                                                                        \
    M(acosh) M(asin) M(asinh) M(atan) M(atanh) M(cbrt) M(cos) M(cosh) M(erf) M(erfc) M(exp)        \
        M(exp2) M(expm1) M(lgamma) M(log) M(log10) M(log1p) M(log2) M(logb) M(nearbyint) M(rint)   \
            M(sin) M(sinh) M(sqrt) M(tan) M(tanh) M(tgamma)
#define BARLINT_EACH_STD_MATH2(M) M(atan2) M(fdim) M(fmod) M(hypot) M(nextafter) M(pow) M(remainder)
#define BARLINT_EACH_CUDA_MATH1(M)                                                                 \
    M(cospi)                                                                                       \
    M(cyl_bessel_i0) M(cyl_bessel_i1) M(erfcinv) M(erfcx) M(erfinv) M(exp10) M(j0) M(j1)           \
        M(normcdf) M(normcdfinv) M(rcbrt) M(rsqrt) M(sinpi) M(tanpi) M(y0) M(y1)

BARLINT_EACH_STD_MATH1(BARLINT_MATH1)
BARLINT_EACH_STD_MATH2(BARLINT_MATH2)
BARLINT_EACH_CUDA_MATH1(BARLINT_MATH1)
BARLINT_MATH1_BODY(ceil, __builtin_ceil)
BARLINT_MATH1_BODY(fabs, __builtin_fabs)
BARLINT_MATH1_BODY(floor, __builtin_floor)
BARLINT_MATH1_BODY(round, __builtin_round)
BARLINT_MATH1_BODY(trunc, __builtin_trunc)
BARLINT_MATH2_BODY(copysign, __builtin_copysign)
BARLINT_MATH2_BODY(fmax, __builtin_fmax)
BARLINT_MATH2_BODY(fmin, __builtin_fmin)
BARLINT_M float pow(float x, int y);
BARLINT_M double pow(double x, int y);
BARLINT_M double fma(double x, double y, double z);
BARLINT_M float fma(float x, float y, float z);
BARLINT_M float fmaf(float x, float y, float z);
BARLINT_M float fdividef(float x, float y);
BARLINT_M double frexp(double x, int *e);
BARLINT_M float frexp(float x, int *e);
BARLINT_M float frexpf(float x, int *e);
BARLINT_M double ldexp(double x, int e);
BARLINT_M float ldexp(float x, int e);
BARLINT_M float ldexpf(float x, int e);
BARLINT_M double scalbn(double x, int e);
BARLINT_M float scalbn(float x, int e);
BARLINT_M float scalbnf(float x, int e);
BARLINT_M double modf(double x, double *whole);
BARLINT_M float modf(float x, float *whole);
BARLINT_M float modff(float x, float *whole);
BARLINT_M int ilogb(double x);
BARLINT_M int ilogb(float x);
BARLINT_M int ilogbf(float x);
BARLINT_M long lrint(double x);
BARLINT_M long lrint(float x);
BARLINT_M long lrintf(float x);
BARLINT_M long lround(double x);
BARLINT_M long lround(float x);
BARLINT_M long lroundf(float x);
BARLINT_M long long llrint(double x);
BARLINT_M long long llrintf(float x);
BARLINT_M long long llround(double x);
BARLINT_M long long llroundf(float x);
BARLINT_M double nan(const char *tag);
BARLINT_M float nanf(const char *tag);
BARLINT_M double jn(int n, double x);
BARLINT_M float jnf(int n, float x);
BARLINT_M double yn(int n, double x);
BARLINT_M float ynf(int n, float x);
BARLINT_M double remquo(double x, double y, int *quotient);
BARLINT_M float remquof(float x, float y, int *quotient);
BARLINT_M void sincos(double x, double *s, double *c);
BARLINT_M void sincos(float x, float *s, float *c);
BARLINT_M void sincosf(float x, float *s, float *c);
BARLINT_M void sincospi(double x, double *s, double *c);
BARLINT_M void sincospif(float x, float *s, float *c);
BARLINT_M double norm(int n, const double *p);
BARLINT_M float normf(int n, const float *p);
BARLINT_M double rnorm(int n, const double *p);
BARLINT_M float rnormf(int n, const float *p);
BARLINT_M double norm3d(double a, double b, double c);
BARLINT_M float norm3df(float a, float b, float c);
BARLINT_M double rnorm3d(double a, double b, double c);
BARLINT_M float rnorm3df(float a, float b, float c);
BARLINT_M double norm4d(double a, double b, double c, double d);
BARLINT_M float norm4df(float a, float b, float c, float d);
BARLINT_M float rnorm4df(float a, float b, float c, float d);
BARLINT_M double rhypot(double x, double y);
BARLINT_M float rhypotf(float x, float y);

BARLINT_M inline bool isnan(double x) { return __builtin_isnan(x); }
BARLINT_M inline bool isnan(float x) { return __builtin_isnan(x); }
BARLINT_M inline bool isinf(double x) { return __builtin_isinf(x); }
BARLINT_M inline bool isinf(float x) { return __builtin_isinf(x); }
BARLINT_M inline bool isfinite(double x) { return __builtin_isfinite(x); }
BARLINT_M inline bool isfinite(float x) { return __builtin_isfinite(x); }
BARLINT_M inline bool signbit(double x) { return __builtin_signbit(x); }
BARLINT_M inline bool signbit(float x) { return __builtin_signbit(x); }

BARLINT_M inline int abs(int x) { return x < 0 ? -x : x; }
BARLINT_M inline long abs(long x) { return x < 0 ? -x : x; }
BARLINT_M inline long long abs(long long x) { return x < 0 ? -x : x; }
BARLINT_M inline double abs(double x) { return __builtin_fabs(x); }
BARLINT_M inline float abs(float x) { return __builtin_fabsf(x); }
BARLINT_M inline long labs(long x) { return x < 0 ? -x : x; }
BARLINT_M inline long long llabs(long long x) { return x < 0 ? -x : x; }

// Fast forms and forms with a rounding mode.
#define BARLINT_FAST1(name) BARLINT_M float name(float x);
BARLINT_FAST1(__cosf)
BARLINT_FAST1(__exp10f)
BARLINT_FAST1(__expf)
BARLINT_FAST1(__log10f)
BARLINT_FAST1(__log2f)
BARLINT_FAST1(__logf)
BARLINT_FAST1(__sinf)
BARLINT_FAST1(__tanf)
BARLINT_FAST1(__tanhf)
BARLINT_FAST1(__saturatef)
BARLINT_FAST1(__frsqrt_rn)
BARLINT_M float __powf(float x, float y);
BARLINT_M float __fdividef(float x, float y);
BARLINT_M void __sincosf(float x, float *s, float *c);
// The rounding mode does not matter to what is followed here: one function stands for all four.
BARLINT_M float __fadd_rn(float x, float y);
BARLINT_M float __fsub_rn(float x, float y);
BARLINT_M float __fmul_rn(float x, float y);
BARLINT_M float __fdiv_rn(float x, float y);
BARLINT_M float __fmaf_rn(float x, float y, float z);
BARLINT_M float __frcp_rn(float x);
BARLINT_M float __fsqrt_rn(float x);
BARLINT_M float2 __fadd2_rn(float2 x, float2 y);
BARLINT_M float2 __fmul2_rn(float2 x, float2 y);
BARLINT_M float2 __ffma2_rn(float2 x, float2 y, float2 z);
BARLINT_M double __dadd_rn(double x, double y);
BARLINT_M double __dsub_rn(double x, double y);
BARLINT_M double __dmul_rn(double x, double y);
BARLINT_M double __ddiv_rn(double x, double y);
BARLINT_M double __fma_rn(double x, double y, double z);
BARLINT_M double __drcp_rn(double x);
BARLINT_M double __dsqrt_rn(double x);
BARLINT_M int __float2int_rn(float x);
BARLINT_M unsigned int __float2uint_rn(float x);
BARLINT_M long long __float2ll_rn(float x);
BARLINT_M unsigned long long __float2ull_rn(float x);
BARLINT_M int __double2int_rn(double x);
BARLINT_M unsigned int __double2uint_rn(double x);
BARLINT_M long long __double2ll_rn(double x);
BARLINT_M unsigned long long __double2ull_rn(double x);
BARLINT_M float __double2float_rn(double x);
BARLINT_M float __int2float_rn(int x);
BARLINT_M float __uint2float_rn(unsigned int x);
BARLINT_M float __ll2float_rn(long long x);
BARLINT_M float __ull2float_rn(unsigned long long x);
BARLINT_M double __ll2double_rn(long long x);
BARLINT_M double __ull2double_rn(unsigned long long x);
#define __fadd_rz __fadd_rn
#define __fadd_ru __fadd_rn
#define __fadd_rd __fadd_rn
#define __fsub_rz __fsub_rn
#define __fsub_ru __fsub_rn
#define __fsub_rd __fsub_rn
#define __fmul_rz __fmul_rn
#define __fmul_ru __fmul_rn
#define __fmul_rd __fmul_rn
#define __fdiv_rz __fdiv_rn
#define __fdiv_ru __fdiv_rn
#define __fdiv_rd __fdiv_rn
#define __fmaf_rz __fmaf_rn
#define __fmaf_ru __fmaf_rn
#define __fmaf_rd __fmaf_rn
#define __frcp_rz __frcp_rn
#define __frcp_ru __frcp_rn
#define __frcp_rd __frcp_rn
#define __fsqrt_rz __fsqrt_rn
#define __fsqrt_ru __fsqrt_rn
#define __fsqrt_rd __fsqrt_rn
#define __fadd2_rz __fadd2_rn
#define __fadd2_ru __fadd2_rn
#define __fadd2_rd __fadd2_rn
#define __fmul2_rz __fmul2_rn
#define __fmul2_ru __fmul2_rn
#define __fmul2_rd __fmul2_rn
#define __ffma2_rz __ffma2_rn
#define __ffma2_ru __ffma2_rn
#define __ffma2_rd __ffma2_rn
#define __dadd_rz __dadd_rn
#define __dadd_ru __dadd_rn
#define __dadd_rd __dadd_rn
#define __dsub_rz __dsub_rn
#define __dsub_ru __dsub_rn
#define __dsub_rd __dsub_rn
#define __dmul_rz __dmul_rn
#define __dmul_ru __dmul_rn
#define __dmul_rd __dmul_rn
#define __ddiv_rz __ddiv_rn
#define __ddiv_ru __ddiv_rn
#define __ddiv_rd __ddiv_rn
#define __fma_rz __fma_rn
#define __fma_ru __fma_rn
#define __fma_rd __fma_rn
#define __drcp_rz __drcp_rn
#define __drcp_ru __drcp_rn
#define __drcp_rd __drcp_rn
#define __dsqrt_rz __dsqrt_rn
#define __dsqrt_ru __dsqrt_rn
#define __dsqrt_rd __dsqrt_rn
#define __float2int_rz __float2int_rn
#define __float2int_ru __float2int_rn
#define __float2int_rd __float2int_rn
#define __float2uint_rz __float2uint_rn
#define __float2uint_ru __float2uint_rn
#define __float2uint_rd __float2uint_rn
#define __float2ll_rz __float2ll_rn
#define __float2ll_ru __float2ll_rn
#define __float2ll_rd __float2ll_rn
#define __float2ull_rz __float2ull_rn
#define __float2ull_ru __float2ull_rn
#define __float2ull_rd __float2ull_rn
#define __double2int_rz __double2int_rn
#define __double2int_ru __double2int_rn
#define __double2int_rd __double2int_rn
#define __double2uint_rz __double2uint_rn
#define __double2uint_ru __double2uint_rn
#define __double2uint_rd __double2uint_rn
#define __double2ll_rz __double2ll_rn
#define __double2ll_ru __double2ll_rn
#define __double2ll_rd __double2ll_rn
#define __double2ull_rz __double2ull_rn
#define __double2ull_ru __double2ull_rn
#define __double2ull_rd __double2ull_rn
#define __double2float_rz __double2float_rn
#define __double2float_ru __double2float_rn
#define __double2float_rd __double2float_rn
#define __int2float_rz __int2float_rn
#define __int2float_ru __int2float_rn
#define __int2float_rd __int2float_rn
#define __uint2float_rz __uint2float_rn
#define __uint2float_ru __uint2float_rn
#define __uint2float_rd __uint2float_rn
#define __ll2float_rz __ll2float_rn
#define __ll2float_ru __ll2float_rn
#define __ll2float_rd __ll2float_rn
#define __ull2float_rz __ull2float_rn
#define __ull2float_ru __ull2float_rn
#define __ull2float_rd __ull2float_rn
#define __ll2double_rz __ll2double_rn
#define __ll2double_ru __ll2double_rn
#define __ll2double_rd __ll2double_rn
#define __ull2double_rz __ull2double_rn
#define __ull2double_ru __ull2double_rn
#define __ull2double_rd __ull2double_rn
BARLINT_M double __int2double_rn(int x);
BARLINT_M double __uint2double_rn(unsigned int x);
BARLINT_M int __float_as_int(float x);
BARLINT_M unsigned int __float_as_uint(float x);
BARLINT_M float __int_as_float(int x);
BARLINT_M float __uint_as_float(unsigned int x);
BARLINT_M long long __double_as_longlong(double x);
BARLINT_M double __longlong_as_double(long long x);
BARLINT_M int __double2hiint(double x);
BARLINT_M int __double2loint(double x);
BARLINT_M double __hiloint2double(int hi, int lo);

// min and max as nvcc gives them to both sides: same types, and the mixtures it resolves.
#define BARLINT_HD_MINMAX(R, A, B)                                                                 \
    static inline __host__ __device__ constexpr R min(A a, B b) {                                  \
        return (R)a < (R)b ? (R)a : (R)b;                                                          \
    }                                                                                              \
    static inline __host__ __device__ constexpr R max(A a, B b) {                                  \
        return (R)a < (R)b ? (R)b : (R)a;                                                          \
    }
#include "../minmax.h"
static inline __host__ __device__ unsigned int umin(unsigned int a, unsigned int b) {
    return a < b ? a : b;
}
static inline __host__ __device__ unsigned int umax(unsigned int a, unsigned int b) {
    return a < b ? b : a;
}

// <math.h> or <cmath> may come later and bring std:: names into play: they find these first.
namespace std {
#define BARLINT_USE_MATH(name) using ::name;
BARLINT_EACH_STD_MATH1(BARLINT_USE_MATH)
BARLINT_EACH_STD_MATH2(BARLINT_USE_MATH)
BARLINT_USE_MATH(abs)
BARLINT_USE_MATH(ceil)
BARLINT_USE_MATH(copysign)
BARLINT_USE_MATH(fabs)
BARLINT_USE_MATH(floor)
BARLINT_USE_MATH(fma)
BARLINT_USE_MATH(fmax)
BARLINT_USE_MATH(fmin)
BARLINT_USE_MATH(frexp)
BARLINT_USE_MATH(ilogb)
BARLINT_USE_MATH(labs)
BARLINT_USE_MATH(ldexp)
BARLINT_USE_MATH(llabs)
BARLINT_USE_MATH(llrint)
BARLINT_USE_MATH(lrint)
BARLINT_USE_MATH(lround)
BARLINT_USE_MATH(llround)
BARLINT_USE_MATH(modf)
BARLINT_USE_MATH(round)
BARLINT_USE_MATH(trunc)
} // namespace std

#endif
