// pedantic: threads that return early leave a later barrier of the whole block without them.
#include "sp_sync.h"

__global__ void scale(float *cell, int n)
{
    if (threadIdx.x % 32 >= n)
        return;
    cell[threadIdx.x] += 1;
    __syncthreads(); // expect: exit-before-sync
    cell[threadIdx.x] *= 2;
}

void launch(float *cell)
{
    scale<<<1, 128>>>(cell, 20);
}
