// Who has nothing to do leaves, and the rest is counted anew; or the form without a count is used,
// which takes whoever has not exited.
#include "sp_sync.h"

__global__ void first_half(float *data)
{
    __shared__ float line[64];
    if (threadIdx.x >= 64)
        return;
    line[threadIdx.x] = data[threadIdx.x];
    sp::syncthreads(1, 2);
    data[threadIdx.x] = line[63 - threadIdx.x];
    sp::syncthreads(2);
    line[threadIdx.x] = data[threadIdx.x] / 2;
}

void launch(float *data)
{
    first_half<<<1, 128>>>(data);
}
