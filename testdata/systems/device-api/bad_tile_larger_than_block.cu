// The parent must be larger than the tile.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sums(float *cell)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<128>(block); // expect: group-tile-shape
    cell[threadIdx.x] += 1;
    tile.sync();
    cell[63 - threadIdx.x] += 1;
}

void launch(float *cell)
{
    sums<<<1, 64>>>(cell);
}
