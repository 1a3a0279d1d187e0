// A warp counts as a whole, whichever of its threads come: the others must not be elsewhere.
#include "sp_sync.h"

__global__ void half_warps(float *data)
{
    __shared__ float line[128];
    line[threadIdx.x] = data[threadIdx.x];
    if (threadIdx.x % 32 < 16)
        sp::syncthreads(1, 4); // expect: named-divergent
    data[threadIdx.x] += line[threadIdx.x / 2];
}

void launch(float *data)
{
    half_warps<<<1, 128>>>(data);
}
