// Half the block synchronises with a count of the whole block.
#include "sp_sync.h"

__global__ void scale(float *cell)
{
    if (threadIdx.x < 64) {
        cell[threadIdx.x] += 1;
        sp::syncthreads(4, 4); // expect: named-participants
        cell[threadIdx.x ^ 32] *= 2;
    }
}

void launch(float *cell)
{
    scale<<<1, 128>>>(cell);
}
