// Blocks that end within a warp: the mask names the lanes that there are; the lanes that are summed
// up are there; parts of a warp that the block holds.
#include <cuda_runtime.h>

__global__ void of_those_there(const float *in, float *out)
{
    float value = in[blockIdx.x * blockDim.x + threadIdx.x];
    const int lane = threadIdx.x % 32;
    const int count = min(32, int(blockDim.x) - int(threadIdx.x) / 32 * 32);
    const unsigned there = count == 32 ? 0xffffffff : (1u << count) - 1;
    for (int step = 16; step > 0; step /= 2) {
        const float other = __shfl_down_sync(there, value, step);
        if (lane + step < count)
            value += other;
    }
    if (lane == 0)
        atomicAdd(out, value);
}

__global__ void of_sixteen(const float *in, float *out)
{
    float value = in[blockIdx.x * 16 + threadIdx.x];
    for (int step = 8; step > 0; step /= 2)
        value += __shfl_down_sync(0xffffffff, value, step);
    if (threadIdx.x == 0)
        out[blockIdx.x] = value;
}

__global__ void in_quarters(const float *in, float *out)
{
    float value = in[blockIdx.x * 40 + threadIdx.x];
    for (int step = 4; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffff, value, step, 8);
    out[blockIdx.x * 40 + threadIdx.x] = value - __shfl_sync(0xffffffff, value, 0);
}

void launch(const float *in, float *out)
{
    of_those_there<<<25, 40>>>(in, out);
    of_sixteen<<<4, 16>>>(in, out);
    in_quarters<<<4, 40>>>(in, out);
}
