// kind: one buffer, and nothing that holds its producer back
#include "../ptx.cuh"

__global__ void tried(float *cell, int rounds)
{
    __shared__ float buffer;
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();

    if (threadIdx.x == 0) {
        for (int i = 0; i < rounds; ++i) {
            buffer = cell[i];
            ptx::mbarrier_arrive(&full);
        }
    } else if (threadIdx.x == 32) {
        for (int i = 0; i < rounds; ++i) {
            wait_for(&full, i & 1); // expect: phase-parity-lag
            cell[i] = 2 * buffer;
        }
    }
}

void launch(float *cell, int rounds)
{
    tried<<<1, 64>>>(cell, rounds);
}
