// A constant number of rounds, each ended by an arrival that nobody waits for.
#include <cstdint>
#include <cuda/ptx>

__global__ void accumulate(float *cell)
{
    __shared__ uint64_t round_over;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&round_over, 128);
    __syncthreads();
    for (int round = 0; round < 4; ++round) {
        cell[threadIdx.x] += round;
        cuda::ptx::mbarrier_arrive(&round_over); // expect: phase-unobserved
    }
}

void launch(float *cell)
{
    accumulate<<<1, 128>>>(cell);
}
