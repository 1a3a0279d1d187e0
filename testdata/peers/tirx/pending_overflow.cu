// kind: arrivals after the pending count is zero
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 64);
    __syncthreads();

    ptx::mbarrier_arrive(&full); // expect: init-count-mismatch
    wait_for(&full, 0);
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
