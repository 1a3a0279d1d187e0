// The two halves of a warp meet each for itself, and then read each other's values.
#include <cuda_runtime.h>

__global__ void swap_halves(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int value[128];
    const unsigned lower = 0x0000ffffu;
    const unsigned mine = threadIdx.x % 32 < 16 ? lower : ~lower;
    const int at = blockIdx.x * 128 + threadIdx.x;
    value[threadIdx.x] = in[at];
    __syncwarp(mine);
    const int near = value[threadIdx.x ^ 1];
    out[at] = near + value[threadIdx.x ^ 16]; // expect: sync-missing
}

void launch(const int *in, int *out, int blocks)
{
    swap_halves<<<blocks, 128>>>(in, out);
}
