// Making a partition by labels is collective.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sums(int *cell)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (tile.thread_rank() & 1) {
        auto part = cg::labeled_partition(tile, cell[threadIdx.x]); // expect: group-collective-divergent
        cell[threadIdx.x] += part.size();
    }
}

void launch(int *cell)
{
    sums<<<1, 128>>>(cell);
}
