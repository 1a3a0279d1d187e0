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
    __device__ void commit_and_wait();
    __device__ void wait(size_t batch);
    template <unsigned int n> __device__ void wait_prior();
    __device__ void arrive_on(awbarrier &barrier);
    __device__ void close();
};
template <typename T> __device__ void memcpy_async(T &dst, const T &src, pipeline &pipe);
template <typename T, size_t n>
__device__ void memcpy_async(T (&dst)[n], const T (&src)[n], pipeline &pipe);
template <typename T, size_t n>
__device__ void memcpy_async(T *dst, const T *src, size_t count, pipeline &pipe);

} // namespace experimental
} // namespace nvcuda

#endif
