// kind: re-initialisation without invalidation
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 128);
    __syncthreads();

    ptx::mbarrier_arrive(&full);
    wait_for(&full, 0);
    __syncthreads();
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 64); // expect: init-reinit-live
    __syncthreads();
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
