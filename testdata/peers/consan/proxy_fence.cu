// kind: no fence between stores and a copy that reads them
#include "../ptx.cuh"

__global__ void tried(float *cell)
{
    __shared__ alignas(16) float tile[128];
    tile[threadIdx.x] = cell[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, cell, tile, sizeof(tile)); // expect: tx-proxy-fence
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    __syncthreads();
}

void launch(float *cell)
{
    tried<<<1, 128>>>(cell);
}
