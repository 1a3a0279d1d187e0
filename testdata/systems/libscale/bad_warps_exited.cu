// The count still names the warps that have left: it has to be the number of those that survive.
#include "sp_sync.h"

__global__ void first_half(float *data)
{
    __shared__ float line[64];
    if (threadIdx.x >= 64)
        return; // expect: named-exit
    line[threadIdx.x] = data[threadIdx.x];
    sp::syncthreads(1, 4);
    data[threadIdx.x] = line[63 - threadIdx.x];
}

void launch(float *data)
{
    first_half<<<1, 128>>>(data);
}
