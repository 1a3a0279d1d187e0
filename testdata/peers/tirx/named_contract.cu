// kind: named: participants that disagree on the count
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    if (threadIdx.x < 32)
        named_arrive(3, 128);
    else
        named_sync(3, 64); // expect: named-count-mismatch
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
