// The host says how large a block is, and the kernel that it has no threads beyond the first warp.
#include <cuda_runtime.h>

__global__ void scale(float *row, float factor)
{
    __builtin_assume(threadIdx.x < 32);
    row[threadIdx.x] *= factor;
    if (threadIdx.x < 32)
        __syncthreads();
    row[threadIdx.x ^ 1] += factor;
}

void run(float *row, int threads)
{
    scale<<<1, threads>>>(row, 2.0f);
}
