// The last warp of the block has 8 lanes, and sums of whole warps are made there too.
#include <cuda_runtime.h>

__device__ float warp_sum(float value)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(0xffffffff, value, step); // expect: warp-mask-agree
    return value;
}

__global__ void totals(const float *in, float *out)
{
    const float sum = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

// The last lane of the warp tells the others: in a block of 40 it is not there.
__global__ void last_value(const float *in, float *out)
{
    const float value = in[blockIdx.x * blockDim.x + threadIdx.x];
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        value - __shfl_sync(0xffffffff, value, 31); // expect: warp-mask-agree
}

void launch(const float *in, float *out)
{
    totals<<<25, 40>>>(in, out);
    last_value<<<25, 40>>>(in, out);
}
