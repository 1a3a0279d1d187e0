// kind: re-initialisation while a phase is under way
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 128);
    __syncthreads();

    if (threadIdx.x < 64)
        ptx::mbarrier_arrive(&full);
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
