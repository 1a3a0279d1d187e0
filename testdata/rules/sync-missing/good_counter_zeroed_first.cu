// All threads see the zero before they count, and the counts before one of them reads.
#include <cuda_runtime.h>

__global__ void positive(const int *__restrict__ in, int *__restrict__ counts, int n)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0)
        atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}

void run(const int *in, int *counts, int n)
{
    positive<<<(n + 255) / 256, 256>>>(in, counts, n);
}
