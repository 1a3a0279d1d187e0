// kind: deadlock: after a role has returned
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 2);
    __syncthreads();

    if (threadIdx.x == 32)
        return;
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive(&full);
        wait_for(&full, 0); // expect: init-count-mismatch
    }
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 64>>>(cell);
}
