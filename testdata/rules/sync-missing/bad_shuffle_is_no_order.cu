// The lanes of a warp exchange something in registers between a store and what others read of it:
// that waits for lanes, and orders no memory.
#include <cuda_runtime.h>

__global__ void turned(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float row[32];
    row[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    const float first = __shfl_sync(0xffffffffu, in[blockIdx.x * 32 + threadIdx.x], 0);
    const float other = row[31 - threadIdx.x]; // expect: sync-missing
    out[blockIdx.x * 32 + threadIdx.x] = other - first;
}

void run(const float *in, float *out, int rows)
{
    turned<<<rows, 32>>>(in, out);
}
