// kind: a buffer is read while a copy into it is under way
#include "../ptx.cuh"

__global__ void tried(float *cell, const float *in)
{
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();

    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof(tile));
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof(tile), &full);
    }
    cell[threadIdx.x] = tile[127 - threadIdx.x]; // expect: tx-read-early
    wait_for(&full, 0);
}

void launch(float *cell, const float *in)
{
    tried<<<1, 128>>>(cell, in);
}
