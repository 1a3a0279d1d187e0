// kind: a token that no arrival on this barrier gave
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 128);
        ptx::mbarrier_init(&empty, 128);
    }
    __syncthreads();
    uint64_t token = ptx::mbarrier_arrive(&full);
    while (!ptx::mbarrier_try_wait(&empty, token)) { // expect: phase-foreign-token
    }
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
