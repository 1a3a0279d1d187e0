// kind: a wait for a phase that is two behind
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 128);
    __syncthreads();

    uint64_t first = ptx::mbarrier_arrive(&full);
    wait_for(&full, 0);
    ptx::mbarrier_arrive(&full);
    wait_for(&full, 1);
    while (!ptx::mbarrier_try_wait(&full, first)) { // expect: phase-stale-token
    }
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
