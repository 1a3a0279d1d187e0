// kind: invalid phase
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 128);
    __syncthreads();

    for (int i = 0; i < 3; ++i) {
        ptx::mbarrier_arrive(&full);
        wait_for(&full, i); // expect: phase-parity-range
        cell[threadIdx.x] += i;
    }
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
