// A reduction is for all threads of its tile.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sums(int *cell)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (tile.thread_rank() < 16)
        cell[threadIdx.x] = cg::reduce(tile, cell[threadIdx.x], cg::plus<int>()); // expect: group-collective-divergent
}

void launch(int *cell)
{
    sums<<<1, 128>>>(cell);
}
