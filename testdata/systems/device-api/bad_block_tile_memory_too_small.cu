// The memory for tiles is for as many threads as are named.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sums(float *cell)
{
    __shared__ cg::block_tile_memory<128> memory;
    auto block = cg::this_thread_block(memory); // expect: group-tile-shape
    auto tile = cg::tiled_partition<64>(block);
    cell[threadIdx.x] += tile.any(cell[threadIdx.x] > 0);
}

void launch(float *cell)
{
    sums<<<1, 256>>>(cell);
}
