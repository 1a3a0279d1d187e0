// The number of warps that survive is one too many.
#include "sp_sync.h"

__global__ void scale(float *cell, int n)
{
    const int warps = (int)blockDim.x / 32, dead = 1;
    if (threadIdx.x < 32 * dead)
        return; // expect: named-exit
    cell[threadIdx.x] += 1;
    sp::syncthreads(1, warps);
    cell[threadIdx.x ^ 32] *= 2;
}

void launch(float *cell, int n)
{
    scale<<<1, 128>>>(cell, n);
}
