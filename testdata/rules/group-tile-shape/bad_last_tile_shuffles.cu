// A block of 72 threads in tiles of 16: the last tile has 8, and reads from the 8 that are missing.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block()); // expect: group-tile-shape
    int sum = in[blockIdx.x * 72 + threadIdx.x];
    for (int step = tile.size() / 2; step > 0; step /= 2)
        sum += tile.shfl_xor(sum, step);
    if (tile.thread_rank() == 0)
        atomicAdd(out, sum);
}

void launch(const int *in, int *out)
{
    sums<<<10, 72>>>(in, out);
}
