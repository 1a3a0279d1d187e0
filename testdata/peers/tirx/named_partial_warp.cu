// kind: named: part of a warp
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    if (threadIdx.x % 32 < 8)
        named_sync(1, 128); // expect: named-divergent
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
