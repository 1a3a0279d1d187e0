// kind: a buffer is written while a copy out of it is under way
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ alignas(16) float tile[128];
    tile[threadIdx.x] = cell[threadIdx.x];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, cell, tile, sizeof(tile));
        ptx::cp_async_bulk_commit_group();
    }
    tile[threadIdx.x] = 0; // expect: tx-source-reuse
    if (threadIdx.x == 0)
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
