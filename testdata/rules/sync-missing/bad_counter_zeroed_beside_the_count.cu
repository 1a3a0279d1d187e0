// The counter is set to zero by one thread while the other warps may have begun to count.
#include <cuda_runtime.h>

__global__ void positive(const int *__restrict__ in, int *__restrict__ counts, int n)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0)
        atomicAdd(&count, 1); // expect: sync-missing
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}

void run(const int *in, int *counts, int n)
{
    positive<<<(n + 255) / 256, 256>>>(in, counts, n);
}
