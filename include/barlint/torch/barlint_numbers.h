// The numbers of tensors: types of elements, half precision, what is accumulated in. As with
// __half, values are not followed.
#ifndef BARLINT_TORCH_NUMBERS_H
#define BARLINT_TORCH_NUMBERS_H

#include <cfloat>
#include <cstdint>
#include <limits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "barlint_macros.h"

#define BARLINT_TORCH_BOTH __host__ __device__
#define BARLINT_TORCH_MIXED(T, other, result, op)                                                  \
    BARLINT_TORCH_BOTH result operator op(T a, other b);                                           \
    BARLINT_TORCH_BOTH result operator op(other a, T b);
#define BARLINT_TORCH_ARITHMETIC(T, op)                                                            \
    BARLINT_TORCH_BOTH T operator op(T a, T b);                                                    \
    BARLINT_TORCH_BOTH inline T &operator op##=(T &a, T b) { return a = a op b; }                  \
    BARLINT_TORCH_BOTH inline float &operator op##=(float &a, T b) { return a = a op float(b); }   \
    BARLINT_TORCH_MIXED(T, float, float, op)                                                       \
    BARLINT_TORCH_MIXED(T, double, double, op)                                                     \
    BARLINT_TORCH_MIXED(T, int, T, op)                                                             \
    BARLINT_TORCH_MIXED(T, int64_t, T, op)
// `cuda` is the toolkit's type of the same bits.
#define BARLINT_TORCH_SMALL(T, cuda)                                                               \
    struct alignas(2) T {                                                                          \
        struct from_bits_t {};                                                                     \
        uint16_t x;                                                                                \
        T() = default;                                                                             \
        constexpr BARLINT_TORCH_BOTH T(unsigned short bits, from_bits_t) : x(bits) {}              \
        static constexpr BARLINT_TORCH_BOTH from_bits_t from_bits() { return from_bits_t(); }      \
        BARLINT_TORCH_BOTH T(float value);                                                         \
        BARLINT_TORCH_BOTH T(const cuda &value);                                                   \
        BARLINT_TORCH_BOTH operator float() const;                                                 \
        BARLINT_TORCH_BOTH operator cuda() const;                                                  \
    };                                                                                             \
    BARLINT_TORCH_ARITHMETIC(T, +)                                                                 \
    BARLINT_TORCH_ARITHMETIC(T, -)                                                                 \
    BARLINT_TORCH_ARITHMETIC(T, *)                                                                 \
    BARLINT_TORCH_ARITHMETIC(T, /)                                                                 \
    BARLINT_TORCH_BOTH T operator-(T a);                                                           \
    BARLINT_TORCH_BOTH bool operator<(T a, T b);                                                   \
    BARLINT_TORCH_BOTH bool operator>(T a, T b);                                                   \
    BARLINT_TORCH_BOTH bool operator<=(T a, T b);                                                  \
    BARLINT_TORCH_BOTH bool operator>=(T a, T b);                                                  \
    BARLINT_TORCH_BOTH bool operator==(T a, T b);                                                  \
    BARLINT_TORCH_BOTH bool operator!=(T a, T b);
#define BARLINT_TORCH_TINY(T)                                                                      \
    struct alignas(1) T {                                                                          \
        struct from_bits_t {};                                                                     \
        uint8_t x;                                                                                 \
        T() = default;                                                                             \
        constexpr BARLINT_TORCH_BOTH T(uint8_t bits, from_bits_t) : x(bits) {}                     \
        static constexpr BARLINT_TORCH_BOTH from_bits_t from_bits() { return from_bits_t(); }      \
        BARLINT_TORCH_BOTH T(float value);                                                         \
        BARLINT_TORCH_BOTH operator float() const;                                                 \
    };

namespace c10 {
BARLINT_TORCH_SMALL(Half, __half)
BARLINT_TORCH_SMALL(BFloat16, __nv_bfloat16)
BARLINT_TORCH_TINY(Float8_e4m3fn)
BARLINT_TORCH_TINY(Float8_e5m2)
BARLINT_TORCH_TINY(Float8_e4m3fnuz)
BARLINT_TORCH_TINY(Float8_e5m2fnuz)
BARLINT_TORCH_TINY(Float8_e8m0fnu)

template <typename T> struct alignas(2 * sizeof(T)) complex {
    using value_type = T;
    T real_, imag_;
    constexpr complex() = default;
    constexpr BARLINT_TORCH_BOTH complex(const T &re, const T &im = T()) : real_(re), imag_(im) {}
    template <typename U>
    constexpr explicit BARLINT_TORCH_BOTH complex(const complex<U> &z)
        : real_(z.real_), imag_(z.imag_) {}
    constexpr BARLINT_TORCH_BOTH T real() const { return real_; }
    constexpr BARLINT_TORCH_BOTH T imag() const { return imag_; }
    BARLINT_TORCH_BOTH complex &operator+=(const complex &z);
    BARLINT_TORCH_BOTH complex &operator-=(const complex &z);
    BARLINT_TORCH_BOTH complex &operator*=(const complex &z);
    BARLINT_TORCH_BOTH complex &operator/=(const complex &z);
};
#define BARLINT_TORCH_COMPLEX(op)                                                                  \
    template <typename T>                                                                          \
    BARLINT_TORCH_BOTH complex<T> operator op(const complex<T> &a, const complex<T> &b);           \
    template <typename T> BARLINT_TORCH_BOTH complex<T> operator op(const complex<T> &a, const T &b);\
    template <typename T> BARLINT_TORCH_BOTH complex<T> operator op(const T &a, const complex<T> &b);
BARLINT_TORCH_COMPLEX(+)
BARLINT_TORCH_COMPLEX(-)
BARLINT_TORCH_COMPLEX(*)
BARLINT_TORCH_COMPLEX(/)

enum class ScalarType : int8_t {
    Byte,
    Char,
    Short,
    Int,
    Long,
    Half,
    Float,
    Double,
    ComplexHalf,
    ComplexFloat,
    ComplexDouble,
    Bool,
    QInt8,
    QUInt8,
    QInt32,
    BFloat16,
    QUInt4x2,
    QUInt2x4,
    Bits1x8,
    Bits2x4,
    Bits4x2,
    Bits8,
    Bits16,
    Float8_e5m2,
    Float8_e4m3fn,
    Float8_e5m2fnuz,
    Float8_e4m3fnuz,
    UInt16,
    UInt32,
    UInt64,
    Float8_e8m0fnu = 44,
    Float4_e2m1fn_x2,
    Undefined,
    NumOptions
};

template <ScalarType> struct barlint_element;
template <typename T> struct CppTypeToScalarType;
#define BARLINT_TORCH_ELEMENT(T, name)                                                             \
    template <> struct barlint_element<ScalarType::name> {                                         \
        using type = T;                                                                            \
    };                                                                                             \
    template <> struct CppTypeToScalarType<T> {                                                    \
        static constexpr ScalarType value = ScalarType::name;                                      \
    };                                                                                             \
    constexpr ScalarType k##name = ScalarType::name;
BARLINT_TORCH_ELEMENT(uint8_t, Byte)
BARLINT_TORCH_ELEMENT(int8_t, Char)
BARLINT_TORCH_ELEMENT(int16_t, Short)
BARLINT_TORCH_ELEMENT(int, Int)
BARLINT_TORCH_ELEMENT(int64_t, Long)
BARLINT_TORCH_ELEMENT(c10::Half, Half)
BARLINT_TORCH_ELEMENT(float, Float)
BARLINT_TORCH_ELEMENT(double, Double)
BARLINT_TORCH_ELEMENT(c10::complex<c10::Half>, ComplexHalf)
BARLINT_TORCH_ELEMENT(c10::complex<float>, ComplexFloat)
BARLINT_TORCH_ELEMENT(c10::complex<double>, ComplexDouble)
BARLINT_TORCH_ELEMENT(bool, Bool)
BARLINT_TORCH_ELEMENT(c10::BFloat16, BFloat16)
BARLINT_TORCH_ELEMENT(c10::Float8_e5m2, Float8_e5m2)
BARLINT_TORCH_ELEMENT(c10::Float8_e4m3fn, Float8_e4m3fn)
BARLINT_TORCH_ELEMENT(c10::Float8_e5m2fnuz, Float8_e5m2fnuz)
BARLINT_TORCH_ELEMENT(c10::Float8_e4m3fnuz, Float8_e4m3fnuz)
BARLINT_TORCH_ELEMENT(c10::Float8_e8m0fnu, Float8_e8m0fnu)
BARLINT_TORCH_ELEMENT(uint16_t, UInt16)
BARLINT_TORCH_ELEMENT(uint32_t, UInt32)
BARLINT_TORCH_ELEMENT(uint64_t, UInt64)
namespace impl {
template <ScalarType kind> using ScalarTypeToCPPTypeT = typename barlint_element<kind>::type;
template <ScalarType kind> using ScalarTypeToCPPType = barlint_element<kind>;
} // namespace impl
const char *toString(ScalarType kind);
size_t elementSize(ScalarType kind);
bool isFloatingType(ScalarType kind);
bool isIntegralType(ScalarType kind, bool with_bool = false);
bool isReducedFloatingType(ScalarType kind);
bool isComplexType(ScalarType kind);
ScalarType promoteTypes(ScalarType a, ScalarType b);
} // namespace c10

// As bits, for constants are made of them.
#define BARLINT_TORCH_LIMIT(T, name, bits)                                                         \
    BARLINT_TORCH_BOTH static constexpr c10::T name()                                              \
    {                                                                                              \
        return c10::T(bits, c10::T::from_bits());                                                  \
    }
#define BARLINT_TORCH_LIMITS(T, smallest, largest, negative, step, infinite, none)                 \
    template <> class numeric_limits<c10::T> {                                                     \
      public:                                                                                      \
        static constexpr bool is_specialized = true, is_signed = true, is_integer = false;         \
        static constexpr bool has_infinity = true, has_quiet_NaN = true;                           \
        BARLINT_TORCH_LIMIT(T, min, smallest)                                                      \
        BARLINT_TORCH_LIMIT(T, max, largest)                                                       \
        BARLINT_TORCH_LIMIT(T, lowest, negative)                                                   \
        BARLINT_TORCH_LIMIT(T, epsilon, step)                                                      \
        BARLINT_TORCH_LIMIT(T, infinity, infinite)                                                 \
        BARLINT_TORCH_LIMIT(T, quiet_NaN, none)                                                    \
    };
// barlint's own C++ library has the template of CUDA's.
#ifdef BARLINT_STD_LIMITS
namespace cuda {
#endif
namespace std {
BARLINT_TORCH_LIMITS(Half, 0x0400, 0x7bff, 0xfbff, 0x1400, 0x7c00, 0x7e00)
BARLINT_TORCH_LIMITS(BFloat16, 0x0080, 0x7f7f, 0xff7f, 0x3c00, 0x7f80, 0x7fc0)
BARLINT_TORCH_LIMITS(Float8_e4m3fn, 0x08, 0x7e, 0xfe, 0x20, 0x7f, 0x7f)
BARLINT_TORCH_LIMITS(Float8_e5m2, 0x04, 0x7b, 0xfb, 0x34, 0x7c, 0x7f)
BARLINT_TORCH_LIMITS(Float8_e4m3fnuz, 0x08, 0x7f, 0xff, 0x28, 0x80, 0x80)
BARLINT_TORCH_LIMITS(Float8_e5m2fnuz, 0x04, 0x7f, 0xff, 0x34, 0x80, 0x80)
} // namespace std
#ifdef BARLINT_STD_LIMITS
} // namespace cuda
#endif
namespace std {
template <typename T> BARLINT_TORCH_BOTH T real(const c10::complex<T> &z) { return z.real_; }
template <typename T> BARLINT_TORCH_BOTH T imag(const c10::complex<T> &z) { return z.imag_; }
template <typename T> BARLINT_TORCH_BOTH c10::complex<T> conj(const c10::complex<T> &z)
{
    return {z.real_, -z.imag_};
}
} // namespace std

namespace at {
using namespace c10;
namespace detail {
template <typename T> struct barlint_wide {
    using type = T;
};
template <> struct barlint_wide<c10::Half> {
    using type = float;
};
template <> struct barlint_wide<c10::BFloat16> {
    using type = float;
};
template <> struct barlint_wide<__half> {
    using type = float;
};
template <> struct barlint_wide<__nv_bfloat16> {
    using type = float;
};
template <> struct barlint_wide<c10::Float8_e4m3fn> {
    using type = float;
};
template <> struct barlint_wide<c10::Float8_e5m2> {
    using type = float;
};
// Whole numbers are added up in 64 bits.
template <typename T> struct barlint_sum : barlint_wide<T> {};
template <> struct barlint_sum<bool> {
    using type = bool;
};
template <> struct barlint_sum<uint8_t> {
    using type = int64_t;
};
template <> struct barlint_sum<int8_t> {
    using type = int64_t;
};
template <> struct barlint_sum<int16_t> {
    using type = int64_t;
};
template <> struct barlint_sum<int> {
    using type = int64_t;
};
} // namespace detail
template <typename T> using opmath_type = typename detail::barlint_wide<T>::type;
template <typename T, bool is_cuda> using acc_type = typename detail::barlint_sum<T>::type;
template <typename T, bool is_cuda> struct AccumulateType {
    using type = acc_type<T, is_cuda>;
};
template <typename T> struct numeric_limits {
    BARLINT_TORCH_BOTH static T lowest() { return std::numeric_limits<T>::lowest(); }
    BARLINT_TORCH_BOTH static T max() { return std::numeric_limits<T>::max(); }
    BARLINT_TORCH_BOTH static T lower_bound();
    BARLINT_TORCH_BOTH static T upper_bound();
};
template <typename T> BARLINT_TORCH_BOTH bool _isnan(T value);
template <typename T> BARLINT_TORCH_BOTH bool _isinf(T value);
template <typename T, typename U> constexpr BARLINT_TORCH_BOTH T ceil_div(T a, U b)
{
    return (a + b - 1) / b;
}
template <typename T, typename U> constexpr BARLINT_TORCH_BOTH T round_up(T a, U b)
{
    return ceil_div(a, b) * b;
}
} // namespace at

#endif
