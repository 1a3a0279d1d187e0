// kind: invalid state token
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 128);
    __syncthreads();

    uint64_t token = 0;
    if (threadIdx.x != 0)
        token = ptx::mbarrier_arrive(&full);
    else
        ptx::mbarrier_arrive(&full);
    while (!ptx::mbarrier_try_wait(&full, token)) { // expect: phase-token-invalid
    }
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
