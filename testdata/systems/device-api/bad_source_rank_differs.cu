// In tiles of more than a warp all threads name the same source.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sums(int *cell)
{
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    cell[threadIdx.x] = tile.shfl(cell[threadIdx.x], threadIdx.x % 2); // expect: group-tile-shape
}

void launch(int *cell)
{
    sums<<<1, 128>>>(cell);
}
