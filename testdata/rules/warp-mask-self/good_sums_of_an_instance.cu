// The caller has chosen the instance that is made for blocks as large as the one that it launches.
// Its mask names so many lanes; that of the helper is made of the block itself.
#include <cuda_runtime.h>

__device__ unsigned mask_of(unsigned threads)
{
    const unsigned rest = threads & 31;
    return 0xffffffffu >> (rest > 0 ? 32 - rest : 0);
}

template <unsigned threads> __global__ void sums(const int *in, int *out, int *total)
{
    const int own = in[blockIdx.x * blockDim.x + threadIdx.x];
    const int sum = __reduce_add_sync(mask_of(threads), own);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
    const int all = __reduce_add_sync(mask_of(blockDim.x), sum);
    if (threadIdx.x == 0)
        atomicAdd(total, all);
}

template <unsigned threads> void run(dim3 grid, dim3 block, const int *in, int *out, int *total)
{
    sums<threads><<<grid, block>>>(in, out, total);
}

template void run<1>(dim3, dim3, const int *, int *, int *);
template void run<8>(dim3, dim3, const int *, int *, int *);
template void run<16>(dim3, dim3, const int *, int *, int *);
template void run<32>(dim3, dim3, const int *, int *, int *);
