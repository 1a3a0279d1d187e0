// kind: the waiter's parity is not flipped
#include "../ptx.cuh"

__global__ void tried(float *cell, int rounds)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 128);
    __syncthreads();

    for (int i = 0; i < rounds; ++i) {
        ptx::mbarrier_arrive(&full);
        wait_for(&full, 0); // expect: phase-parity-flip
        cell[threadIdx.x] += i;
    }
}

void launch(float *cell, int rounds)
{
    tried<<<1, 128>>>(cell, rounds);
}
