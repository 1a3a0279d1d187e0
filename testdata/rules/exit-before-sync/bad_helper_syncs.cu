// pedantic: the barrier is in a helper, the return in its caller
#include <cuda_runtime.h>

__device__ float block_max(float value, float *part)
{
    part[threadIdx.x] = value;
    __syncthreads(); // expect: exit-before-sync
    float best = part[0];
    for (int i = 1; i < 64; ++i)
        best = fmaxf(best, part[i]);
    return best;
}

__global__ void scale(float *data, int n)
{
    __shared__ float part[64];
    part[threadIdx.x] = 0.0f;
    if (threadIdx.x >= n)
        return;
    data[threadIdx.x] /= block_max(data[threadIdx.x], part);
}

void run(float *data)
{
    scale<<<1, 64>>>(data, 50);
}
