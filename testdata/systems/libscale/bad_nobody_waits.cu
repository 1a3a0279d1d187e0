// The wake-up of an arrival is for somebody who waits.
#include "sp_sync.h"

__global__ void hand_over(float *cell)
{
    __shared__ float line[32];
    if (threadIdx.x < 32) {
        line[threadIdx.x] = cell[threadIdx.x];
        sp::syncthreads_arrive(1, 2);
    } else {
        sp::syncthreads_arrive(1, 2);
        cell[threadIdx.x] = line[threadIdx.x - 32]; // expect: sync-missing
    }
}

void launch(float *cell)
{
    hand_over<<<1, 64>>>(cell);
}
