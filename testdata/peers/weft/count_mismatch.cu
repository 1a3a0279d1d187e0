// kind: roles name different counts for one barrier
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    if (threadIdx.x < 64)
        named_arrive(1, 128);
    else
        named_sync(1, 96); // expect: named-count-mismatch
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
