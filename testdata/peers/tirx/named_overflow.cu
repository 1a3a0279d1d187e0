// kind: named: more threads than the count
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ float line[128];
    line[threadIdx.x] = cell[threadIdx.x];
    named_sync(2, 96); // expect: named-participants
    cell[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
