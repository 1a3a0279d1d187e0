// How a copy of CUB within a program launches its kernels.
#pragma once
#include "../../../../barlint_thrust.h"
namespace thrust {
namespace cuda_cub {
namespace launcher {
struct triple_chevron {
    dim3 grid, block;
    size_t shared_mem;
    cudaStream_t stream;
    __host__ __device__ triple_chevron(dim3 g, dim3 b, size_t bytes = 0, cudaStream_t s = 0)
        : grid(g), block(b), shared_mem(bytes), stream(s) {}
    template <typename K, typename... A> cudaError_t doit(K kernel, const A &...arguments) const {
        kernel<<<grid, block, shared_mem, stream>>>(arguments...);
        return cudaPeekAtLastError();
    }
};
} // namespace launcher
} // namespace cuda_cub
} // namespace thrust
