// nvcuda::wmma: fragments and the warp-wide functions over them.
#ifndef BARLINT_MMA_H
#define BARLINT_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
namespace precision {
struct tf32;
struct u4;
struct s4;
struct b1;
} // namespace precision
namespace experimental {
namespace precision = wmma::precision;
using wmma::bmmaAccumulateOp;
using wmma::bmmaAccumulateOpPOPC;
using wmma::bmmaBitOp;
using wmma::bmmaBitOpAND;
using wmma::bmmaBitOpXOR;
} // namespace experimental

template <typename T> struct barlint_stored { using type = T; };
template <> struct barlint_stored<precision::tf32> { using type = float; };
template <> struct barlint_stored<precision::u4> { using type = unsigned int; };
template <> struct barlint_stored<precision::s4> { using type = int; };
template <> struct barlint_stored<precision::b1> { using type = unsigned int; };
template <typename Use, int m, int n, int k, typename T, typename Layout = void> struct fragment {
    using element_type = T;
    using storage_element_type = typename barlint_stored<T>::type;
    static constexpr int num_elements = 16;
    static constexpr int num_storage_elements = 16;
    storage_element_type x[num_storage_elements];
};
template <typename Use, int m, int n, int k, typename T, typename L, typename V>
__device__ void fill_fragment(fragment<Use, m, n, k, T, L> &f, const V &value);
template <typename F, typename T>
__device__ void load_matrix_sync(F &f, const T *p, unsigned int stride);
template <typename F, typename T>
__device__ void load_matrix_sync(F &f, const T *p, unsigned int stride, layout_t layout);
template <typename F, typename T>
__device__ void store_matrix_sync(T *p, const F &f, unsigned int stride, layout_t layout);
template <typename D, typename A, typename B, typename C>
__device__ void mma_sync(D &d, const A &a, const B &b, const C &c, bool saturate = false);
template <typename D, typename A, typename B, typename C>
__device__ void bmma_sync(D &d, const A &a, const B &b, const C &c, bmmaBitOp op = bmmaBitOpXOR,
                          bmmaAccumulateOp accumulate = bmmaAccumulateOpPOPC);
__device__ float __float_to_tf32(float v);

} // namespace wmma
} // namespace nvcuda

#endif
