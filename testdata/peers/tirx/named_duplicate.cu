// kind: named: a warp that contributes twice
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    if (threadIdx.x < 32) {
        named_arrive(1, 128);
        named_arrive(1, 128); // expect: named-double-arrive
    } else {
        named_sync(1, 128);
    }
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
