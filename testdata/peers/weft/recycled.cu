// kind: a barrier is used again before its last use is over
#include "../ptx.cuh"

__global__ void tried(float *cell, int tiles)
{
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x < 64)
            named_arrive(1, 128); // expect: named-double-arrive
        else
            named_sync(1, 128);
        cell[threadIdx.x] += t;
    }
}

void launch(float *cell, int tiles)
{
    tried<<<1, 128>>>(cell, tiles);
}
