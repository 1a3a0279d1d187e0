// The last of the tiles has both of its warps, the second with half of its lanes.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <unsigned SIZE> __global__ void halves(const int *in, int *out)
{
    __shared__ int half[1024 / SIZE];
    __shared__ cg::block_tile_memory<1024> memory;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<SIZE>(block);
    if (tile.thread_rank() == 0)
        half[tile.meta_group_rank()] = in[threadIdx.x];
    tile.sync();
    out[threadIdx.x] = half[tile.meta_group_rank()];
}

void run(int *in, int *out)
{
    void *arguments[] = {&in, &out};
    cudaLaunchKernel((const void *)halves<64>, dim3(8), dim3(112), arguments, 0, nullptr);
}
