// One number with a count and without one.
#include "sp_sync.h"

__global__ void scale(float *cell)
{
    if (threadIdx.x < 64) {
        cell[threadIdx.x] += 1;
        sp::syncthreads(5, 2);
    } else {
        cell[threadIdx.x] -= 1;
        sp::syncthreads(5); // expect: named-id-conflict, sync-divergent
    }
    cell[threadIdx.x ^ 32] *= 2;
}

void launch(float *cell)
{
    scale<<<1, 128>>>(cell);
}
