// What __half and __nv_bfloat16 have in common: BARLINT_SMALL_FLOAT defines the type, its pair and
// their operators; BARLINT_SMALL_FLOAT_FUNCTIONS the named functions. Values are not followed.
#ifndef BARLINT_SMALL_FLOAT_H
#define BARLINT_SMALL_FLOAT_H

#include "nv/target"

#define BARLINT_SF static inline __host__ __device__
__host__ __device__ float barlint_widen(unsigned short bits);
// Operands are taken by value, as that reads them where they lie.
#define BARLINT_SF_BINARY(T, op)                                                                   \
    BARLINT_SF T operator op(T a, T b);                                                            \
    BARLINT_SF T &operator op##=(T &a, T b) { return a = a op b; }
#define BARLINT_SF_COMPARE(T, op) BARLINT_SF bool operator op(T a, T b);
#define BARLINT_SF_OPERATORS(T)                                                                    \
    BARLINT_SF_BINARY(T, +)                                                                        \
    BARLINT_SF_BINARY(T, -)                                                                        \
    BARLINT_SF_BINARY(T, *)                                                                        \
    BARLINT_SF_BINARY(T, /)                                                                        \
    BARLINT_SF_COMPARE(T, ==)                                                                      \
    BARLINT_SF_COMPARE(T, !=)                                                                      \
    BARLINT_SF_COMPARE(T, <)                                                                       \
    BARLINT_SF_COMPARE(T, >)                                                                       \
    BARLINT_SF_COMPARE(T, <=)                                                                      \
    BARLINT_SF_COMPARE(T, >=)                                                                      \
    BARLINT_SF T operator-(T a);                                                                   \
    BARLINT_SF T operator+(T a);                                                                   \
    BARLINT_SF T &operator++(T &a) { return a = +a; }                                              \
    BARLINT_SF T &operator--(T &a) { return a = -a; }
#define BARLINT_SMALL_FLOAT(T, T2)                                                                 \
    struct T##_raw {                                                                               \
        unsigned short x;                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(2))) T {                                                         \
        unsigned short __x;                                                                        \
        T() = default;                                                                             \
        constexpr __host__ __device__ T(const T##_raw &r) : __x(r.x) {}                            \
        __host__ __device__ T(float v);                                                            \
        __host__ __device__ T(double v);                                                           \
        __host__ __device__ T(int v);                                                              \
        __host__ __device__ T(unsigned int v);                                                     \
        __host__ __device__ T(short v);                                                            \
        __host__ __device__ T(unsigned short v);                                                   \
        __host__ __device__ T(long v);                                                             \
        __host__ __device__ T(unsigned long v);                                                    \
        __host__ __device__ T(long long v);                                                        \
        __host__ __device__ T(unsigned long long v);                                               \
        __host__ __device__ operator float() const { return barlint_widen(__x); }                  \
        __host__ __device__ operator T##_raw() const { return T##_raw{__x}; }                      \
        template <typename U, typename = decltype(U(0.0f))>                                        \
        explicit __host__ __device__ operator U() const {                                          \
            return U(barlint_widen(__x));                                                          \
        }                                                                                          \
    };                                                                                             \
    struct T2##_raw {                                                                              \
        unsigned short x, y;                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(4))) T2 {                                                        \
        T x, y;                                                                                    \
        T2() = default;                                                                            \
        __host__ __device__ T2(const T2##_raw &r) : x(T##_raw{r.x}), y(T##_raw{r.y}) {}            \
        __host__ __device__ operator T2##_raw() const { return T2##_raw{x.__x, y.__x}; }           \
        __host__ __device__ T2(const T &a, const T &b) : x(a), y(b) {}                             \
    };                                                                                             \
    BARLINT_SF_OPERATORS(T)                                                                        \
    BARLINT_SF_OPERATORS(T2)

#define BARLINT_SF1(T, name) BARLINT_SF T name(T a);
#define BARLINT_SF2(T, name) BARLINT_SF T name(T a, T b);
#define BARLINT_SF_ARITHMETIC(T, suffix)                                                           \
    BARLINT_SF2(T, __hadd##suffix)                                                                 \
    BARLINT_SF2(T, __hsub##suffix)                                                                 \
    BARLINT_SF2(T, __hmul##suffix)                                                                 \
    BARLINT_SF2(T, __hadd##suffix##_rn)                                                            \
    BARLINT_SF2(T, __hsub##suffix##_rn)                                                            \
    BARLINT_SF2(T, __hmul##suffix##_rn)                                                            \
    BARLINT_SF2(T, __hadd##suffix##_sat)                                                           \
    BARLINT_SF2(T, __hsub##suffix##_sat)                                                           \
    BARLINT_SF2(T, __hmul##suffix##_sat)                                                           \
    BARLINT_SF2(T, __hmax##suffix)                                                                 \
    BARLINT_SF2(T, __hmin##suffix)                                                                 \
    BARLINT_SF2(T, __hmax##suffix##_nan)                                                           \
    BARLINT_SF2(T, __hmin##suffix##_nan)                                                           \
    BARLINT_SF1(T, __hneg##suffix)                                                                 \
    BARLINT_SF1(T, __habs##suffix)                                                                 \
    BARLINT_SF T __hfma##suffix(T a, T b, T c);                                                    \
    BARLINT_SF T __hfma##suffix##_relu(T a, T b, T c);                                             \
    BARLINT_SF T __hfma##suffix##_sat(T a, T b, T c);
#define BARLINT_SF_MATH(T, h)                                                                      \
    BARLINT_SF1(T, h##ceil)                                                                        \
    BARLINT_SF1(T, h##cos)                                                                         \
    BARLINT_SF1(T, h##exp)                                                                         \
    BARLINT_SF1(T, h##exp10)                                                                       \
    BARLINT_SF1(T, h##exp2)                                                                        \
    BARLINT_SF1(T, h##floor)                                                                       \
    BARLINT_SF1(T, h##log)                                                                         \
    BARLINT_SF1(T, h##log10)                                                                       \
    BARLINT_SF1(T, h##log2)                                                                        \
    BARLINT_SF1(T, h##rcp)                                                                         \
    BARLINT_SF1(T, h##rint)                                                                        \
    BARLINT_SF1(T, h##rsqrt)                                                                       \
    BARLINT_SF1(T, h##sin)                                                                         \
    BARLINT_SF1(T, h##sqrt)                                                                        \
    BARLINT_SF1(T, h##tanh)                                                                        \
    BARLINT_SF1(T, h##trunc)
#define BARLINT_SF_COMPARISONS(T, T2)                                                              \
    BARLINT_SF bool __heq(T a, T b);                                                               \
    BARLINT_SF bool __hne(T a, T b);                                                               \
    BARLINT_SF bool __hlt(T a, T b);                                                               \
    BARLINT_SF bool __hle(T a, T b);                                                               \
    BARLINT_SF bool __hgt(T a, T b);                                                               \
    BARLINT_SF bool __hge(T a, T b);                                                               \
    BARLINT_SF bool __hisnan(T a);                                                                 \
    BARLINT_SF int __hisinf(T a);                                                                  \
    BARLINT_SF T2 __heq2(T2 a, T2 b);                                                              \
    BARLINT_SF T2 __hne2(T2 a, T2 b);                                                              \
    BARLINT_SF T2 __hlt2(T2 a, T2 b);                                                              \
    BARLINT_SF T2 __hle2(T2 a, T2 b);                                                              \
    BARLINT_SF T2 __hgt2(T2 a, T2 b);                                                              \
    BARLINT_SF T2 __hge2(T2 a, T2 b);                                                              \
    BARLINT_SF unsigned int __heq2_mask(T2 a, T2 b);                                               \
    BARLINT_SF unsigned int __hne2_mask(T2 a, T2 b);                                               \
    BARLINT_SF unsigned int __hlt2_mask(T2 a, T2 b);                                               \
    BARLINT_SF unsigned int __hle2_mask(T2 a, T2 b);                                               \
    BARLINT_SF unsigned int __hgt2_mask(T2 a, T2 b);                                               \
    BARLINT_SF unsigned int __hge2_mask(T2 a, T2 b);                                               \
    BARLINT_SF T2 __hisnan2(T2 a);                                                                 \
    BARLINT_SF bool __hbeq2(T2 a, T2 b);                                                           \
    BARLINT_SF bool __hblt2(T2 a, T2 b);
#define BARLINT_SMALL_FLOAT_FUNCTIONS(T, T2)                                                       \
    BARLINT_SF_ARITHMETIC(T, )                                                                     \
    BARLINT_SF_ARITHMETIC(T2, 2)                                                                   \
    BARLINT_SF T __hdiv(T a, T b);                                                                 \
    BARLINT_SF T2 __h2div(T2 a, T2 b);                                                             \
    BARLINT_SF_MATH(T, h)                                                                          \
    BARLINT_SF_MATH(T2, h2)                                                                        \
    BARLINT_SF_COMPARISONS(T, T2)

#endif
