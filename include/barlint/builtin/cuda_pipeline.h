// nvcuda::experimental::pipeline and memcpy_async, before cuda::pipeline.
#ifndef BARLINT_CUDA_PIPELINE_H
#define BARLINT_CUDA_PIPELINE_H

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

namespace nvcuda {
namespace experimental {

class pipeline {
    size_t current_batch;

  public:
    __device__ pipeline();
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;
    __device__ size_t commit();
    __device__ void commit_and_wait() { __pipeline_wait_prior(current_batch - commit()); }
    __device__ void wait(size_t batch) { __pipeline_wait_prior(current_batch - batch); }
    template <unsigned int n> __device__ void wait_prior() { __pipeline_wait_prior(n); }
    __device__ void arrive_on(awbarrier &barrier);
    __device__ void close();
};

// In pieces of the type's alignment; what is aligned to less than 4 bytes is copied at once.
template <typename T> __device__ void memcpy_async(T &dst, const T &src, pipeline &pipe)
{
    constexpr size_t piece = alignof(T) < 16 ? alignof(T) : 16;
    if constexpr (piece < 4) {
        dst = src;
    } else {
        for (size_t at = 0; at < sizeof(T); at += piece)
            __pipeline_memcpy_async((char *)&dst + at, (const char *)&src + at, piece);
    }
}
template <typename T, size_t to, size_t from>
__device__ void memcpy_async(T (*dst)[to], const T (*src)[from], pipeline &pipe)
{
    __pipeline_memcpy_async(dst, src, sizeof(*dst), sizeof(*dst) - sizeof(*src));
}

} // namespace experimental
} // namespace nvcuda

#endif
