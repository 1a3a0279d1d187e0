#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;


__device__ int neighbour(const cg::thread_block_tile<8> &tile, int value)
{
    return tile.shfl_down(value, 1);
}

__global__ void differences(const int *in, int *out)
{
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int value = in[threadIdx.x];
    if (tile.thread_rank() + 1 < tile.size())
        value = neighbour(tile, value) - value; // expect: group-collective-divergent
    out[threadIdx.x] = value;
}

void launch(const int *in, int *out)
{
    differences<<<16, 128>>>(in, out);
}
