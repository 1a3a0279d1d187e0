// kind: an arrival before the last phase was waited for
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 128);
    __syncthreads();

    for (int i = 0; i < 4; ++i) {
        cell[threadIdx.x] += i;
        ptx::mbarrier_arrive(&full); // expect: phase-unobserved
    }
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
