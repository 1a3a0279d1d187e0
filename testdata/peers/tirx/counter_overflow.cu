// kind: the transaction count leaves its range
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();

    if (threadIdx.x == 0) {
        ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full, 600000);
        ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full, 600000); // expect: tx-bytes
    }
    cell[threadIdx.x] += 1;
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
