// The instance is made for blocks of half a warp, and is launched with two warps.
#include <cuda_runtime.h>

__device__ unsigned mask_of(unsigned threads)
{
    const unsigned rest = threads & 31;
    return 0xffffffffu >> (rest > 0 ? 32 - rest : 0);
}

template <unsigned threads> __global__ void sums(const int *in, int *out, int *total)
{
    const int own = in[blockIdx.x * blockDim.x + threadIdx.x];
    const int sum = __reduce_add_sync(mask_of(threads), own); // expect: warp-mask-self
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
    const int all = __reduce_add_sync(mask_of(blockDim.x), sum);
    if (threadIdx.x == 0)
        atomicAdd(total, all);
}

void run(const int *in, int *out, int *total, int blocks)
{
    sums<16><<<blocks, 64>>>(in, out, total);
}
