// Every thread fences what it has added, and the first one counts the block without waiting for the others'
// sums. What the count is kept in nobody reads but by counting.
#include <cuda_runtime.h>

__global__ void spread(const int *__restrict__ key, int n, int *bin, unsigned *blocks, int *most)
{
    __shared__ bool is_last;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicMax(&bin[key[i] & 63], i);
    __threadfence();
    if (threadIdx.x == 0)
        is_last = atomicInc(blocks, gridDim.x - 1) == gridDim.x - 1; // expect: sync-missing
    __syncthreads();
    if (is_last && threadIdx.x < 64)
        most[threadIdx.x] = bin[threadIdx.x];
}

void run(const int *key, int n, int *bin, unsigned *blocks, int *most)
{
    spread<<<64, 256>>>(key, n, bin, blocks, most);
}
