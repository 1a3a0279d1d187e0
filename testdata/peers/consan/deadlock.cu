// kind: deadlock: everybody waits at an mbarrier
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        wait_for(&empty, 0); // expect: phase-parity-initial
        ptx::mbarrier_arrive(&full);
    } else if (threadIdx.x == 32) {
        wait_for(&full, 0);
        ptx::mbarrier_arrive(&empty);
    }
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
