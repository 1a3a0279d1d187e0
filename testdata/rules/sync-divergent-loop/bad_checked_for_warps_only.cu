// The host sees to whole warps, but the block has two: of 96 elements the second one's round has
// one warp only.
#include <cuda_runtime.h>

#include <stdlib.h>

__global__ void mirror(unsigned *data, size_t n)
{
    __shared__ unsigned held[64];
    for (size_t at = blockIdx.x * blockDim.x + threadIdx.x; at < n; at += blockDim.x * gridDim.x) {
        held[threadIdx.x] = data[at];
        __syncthreads(); // expect: sync-divergent-loop
        data[at] = held[threadIdx.x ^ 32];
        __syncthreads();
    }
}

void run(unsigned *data, size_t n)
{
    if (n % 32)
        abort();
    mirror<<<(n + 63) / 64, 64>>>(data, n);
}
