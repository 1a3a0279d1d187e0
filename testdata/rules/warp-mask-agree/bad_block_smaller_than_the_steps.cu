// Blocks of sixteen threads, and a sum over thirty-two: one finding for the steps of a function, as it
// is the block that is wrong, and one for the other function.
#include <cuda_runtime.h>

__device__ float highest(float value)
{
    value = fmaxf(value, __shfl_down_sync(0xffffffff, value, 16)); // expect: warp-mask-agree
    value = fmaxf(value, __shfl_down_sync(0xffffffff, value, 8));
    return value;
}

__global__ void sums(const float *in, float *out)
{
    float sum = in[blockIdx.x * 16 + threadIdx.x];
    const float high = highest(sum);
    sum += __shfl_down_sync(0xffffffff, sum, 16); // expect: warp-mask-agree
    sum += __shfl_down_sync(0xffffffff, sum, 8);
    sum += __shfl_down_sync(0xffffffff, sum, 4);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum / high;
}

void launch(const float *in, float *out)
{
    sums<<<64, 16>>>(in, out);
}
