// kind: an arrival takes the count below zero
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();

    ptx::mbarrier_arrive(&full); // expect: arrive-over
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
