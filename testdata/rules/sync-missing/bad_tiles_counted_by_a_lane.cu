// pedantic: a fence was enough before sm_70
// Warps store parts of tiles and count them for blocks that wait for whole ones. All lanes fence,
// and nothing makes the lane that counts wait for the others.
#include <cuda_runtime.h>

__device__ inline float sum_of_warp(float value)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, step);
    return value;
}

__global__ void produce(const float *__restrict__ in, float *parts, unsigned *done)
{
    const int part = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    const float value = in[part * 32 + lane];
    parts[part * 32 + lane] = value / sum_of_warp(value);
    __threadfence();
    if (lane == 0)
        atomicAdd(&done[part / 16], 1); // expect: sync-missing
}

void run(const float *in, float *parts, unsigned *done)
{
    produce<<<32, 256>>>(in, parts, done);
}
