// Each lane takes away what the other one has: the two have opposite signs, and part by them.
#include <cuda_runtime.h>

__global__ void normalise(const float *in, float *out)
{
    __shared__ float sums[32];
    __shared__ float line[128];
    const unsigned lane = threadIdx.x & 31;
    if (threadIdx.x < 32)
        sums[lane] = in[lane];
    __syncthreads();
    float sum = sums[lane];
    for (int step = 16; step > 0; step >>= 1)
        sum = sum - __shfl_xor_sync(0xffffffffu, sum, step);
    if (sum > 1.0f) {
        line[threadIdx.x] = sum;
        __syncthreads(); // expect: sync-divergent
        out[threadIdx.x] = line[127 - threadIdx.x];
    }
}

void launch(const float *in, float *out)
{
    normalise<<<1, 128>>>(in, out);
}
