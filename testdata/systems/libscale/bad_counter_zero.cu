// __syncthreads() is the form on counter 0 for all warps: a group that uses 0 meets it.
#include "sp_sync.h"

__global__ void fold(float *data)
{
    __shared__ float line[128];
    line[threadIdx.x] = data[threadIdx.x];
    if (threadIdx.x < 64)
        sp::syncthreads(0, 2);
    __syncthreads(); // expect: named-id-conflict
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    fold<<<1, 128>>>(data);
}
