// kind: named: a wait for arrivals that nobody makes
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    if (threadIdx.x < 32)
        named_sync(4, 128); // expect: named-participants
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
