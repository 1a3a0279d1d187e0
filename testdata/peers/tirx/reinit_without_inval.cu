// kind: re-initialisation without invalidation
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    for (int i = 0; i < 2; ++i) {
        if (threadIdx.x == 0)
            ptx::mbarrier_init(&full, 128); // expect: init-reinit-live
        __syncthreads();
        ptx::mbarrier_arrive(&full);
        wait_for(&full, 0);
        cell[threadIdx.x] += i;
        __syncthreads();
    }
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
