// kind: more warps come than the barrier counts
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ float line[128];
    line[threadIdx.x] = cell[threadIdx.x];
    named_sync(1, 64); // expect: named-participants
    cell[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
