// A helper that meets in each of its rounds does more than to spell a barrier: told within it.
#include <cuda_runtime.h>

__device__ void halve(float *value, int lane)
{
    for (int step = 16; step > 0; step /= 2) {
        if (lane < step) {
            value[0] += value[step];
            __syncthreads(); // expect: sync-divergent
        }
    }
}

__global__ void row_sums(const float *in, float *out)
{
    __shared__ float value[256];
    value[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    halve(value + threadIdx.x, threadIdx.x % 32);
    if (threadIdx.x % 32 == 0)
        out[blockIdx.x * 8 + threadIdx.x / 32] = value[threadIdx.x];
}

void launch(const float *in, float *out, int blocks)
{
    row_sums<<<blocks, 256>>>(in, out);
}
