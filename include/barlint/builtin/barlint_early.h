// Names that nvcc gives to every source through headers it includes by itself. The standard ones are
// found by qualified lookup through a using-directive, which finds them only while std has none of
// its own: where <utility> comes later, they give way.
#ifndef BARLINT_EARLY_H
#define BARLINT_EARLY_H

namespace barlint_early {
template <typename T>
__host__ __device__ constexpr __remove_reference_t(T) && move(T &&v) noexcept {
    return static_cast<__remove_reference_t(T) &&>(v);
}
template <typename T>
__host__ __device__ constexpr T &&forward(__remove_reference_t(T) & v) noexcept {
    return static_cast<T &&>(v);
}
template <typename T>
__host__ __device__ constexpr T &&forward(__remove_reference_t(T) && v) noexcept {
    return static_cast<T &&>(v);
}
} // namespace barlint_early
namespace std {
using namespace barlint_early;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
} // namespace std

typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#endif
