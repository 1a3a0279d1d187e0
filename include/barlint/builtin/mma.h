// nvcuda::wmma: fragments and the warp-wide functions over them.
#ifndef BARLINT_MMA_H
#define BARLINT_MMA_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

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
// A matrix in memory: lines of so many elements, a stride apart.
template <typename Use, int m, int n, int k, typename Layout> struct barlint_lines;
template <int m, int n, int k> struct barlint_lines<matrix_a, m, n, k, row_major> {
    static constexpr int count = m, length = k;
};
template <int m, int n, int k> struct barlint_lines<matrix_a, m, n, k, col_major> {
    static constexpr int count = k, length = m;
};
template <int m, int n, int k> struct barlint_lines<matrix_b, m, n, k, row_major> {
    static constexpr int count = k, length = n;
};
template <int m, int n, int k> struct barlint_lines<matrix_b, m, n, k, col_major> {
    static constexpr int count = n, length = k;
};
template <int m, int n, int k> struct barlint_lines<accumulator, m, n, k, row_major> {
    static constexpr int count = m, length = n;
};
template <int m, int n, int k> struct barlint_lines<accumulator, m, n, k, col_major> {
    static constexpr int count = n, length = m;
};
template <typename T, int length> struct barlint_line { T element[length]; };
static __device__ inline unsigned int barlint_lane() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32;
}
// Each lane stands for one line. Elements that are smaller than a byte are not followed.
template <typename Lines, typename T> __device__ void barlint_load(T &to, const T *p, unsigned s) {
    using line = barlint_line<T, Lines::length>;
    asm volatile("wmma.load.sync.aligned;" ::: "memory");
    line read = *reinterpret_cast<const line *>(p + barlint_lane() % Lines::count * s);
    to = read.element[0];
}
template <typename Lines, typename T> __device__ void barlint_store(T *p, T from, unsigned s) {
    using line = barlint_line<T, Lines::length>;
    asm volatile("wmma.store.sync.aligned;" ::: "memory");
    line written;
    written.element[0] = from;
    *reinterpret_cast<line *>(p + barlint_lane() % Lines::count * s) = written;
}

template <typename Use, int m, int n, int k, typename T, typename L, typename V>
__device__ void fill_fragment(fragment<Use, m, n, k, T, L> &f, const V &value);
template <typename Use, int m, int n, int k, typename T, typename L>
__device__ void load_matrix_sync(fragment<Use, m, n, k, T, L> &f,
                                 const typename fragment<Use, m, n, k, T, L>::element_type *p,
                                 unsigned int stride) {
    barlint_load<barlint_lines<Use, m, n, k, L>>(f.x[0], p, stride);
}
template <typename Use, int m, int n, int k, typename L>
__device__ void load_matrix_sync(fragment<Use, m, n, k, precision::tf32, L> &f, const float *p,
                                 unsigned int stride) {
    barlint_load<barlint_lines<Use, m, n, k, L>>(f.x[0], p, stride);
}
template <typename F> __device__ void load_matrix_sync(F &f, const void *p, unsigned int stride);
template <int m, int n, int k, typename T>
__device__ void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p,
                                 unsigned int stride, layout_t layout) {
    if (layout == mem_row_major) {
        barlint_load<barlint_lines<accumulator, m, n, k, row_major>>(f.x[0], p, stride);
    } else {
        barlint_load<barlint_lines<accumulator, m, n, k, col_major>>(f.x[0], p, stride);
    }
}
template <int m, int n, int k, typename T>
__device__ void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f,
                                  unsigned int stride, layout_t layout) {
    if (layout == mem_row_major) {
        barlint_store<barlint_lines<accumulator, m, n, k, row_major>>(p, f.x[0], stride);
    } else {
        barlint_store<barlint_lines<accumulator, m, n, k, col_major>>(p, f.x[0], stride);
    }
}
template <typename D, typename A, typename B, typename C>
__device__ void mma_sync(D &d, const A &a, const B &b, const C &c, bool saturate = false);
template <typename D, typename A, typename B, typename C>
__device__ void bmma_sync(D &d, const A &a, const B &b, const C &c, bmmaBitOp op = bmmaBitOpXOR,
                          bmmaAccumulateOp accumulate = bmmaAccumulateOpPOPC);
__device__ float __float_to_tf32(float v);

} // namespace wmma
} // namespace nvcuda

#endif
