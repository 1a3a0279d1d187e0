// kind: a noComplete arrival that completes
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 2);
        ptx::mbarrier_arrive_no_complete(&full, 2); // expect: arrive-nocomplete
    }
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
