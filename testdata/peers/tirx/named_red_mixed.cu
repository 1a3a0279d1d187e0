// kind: named: with and without a reduction
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    int count = 0;
    if (threadIdx.x < 64)
        __syncthreads();
    else
        count = __syncthreads_count(threadIdx.x & 1); // expect: named-red-mix
    cell[threadIdx.x] += count;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
