// A collective of a tile is for all its threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int sum = 0;
    if (warp.thread_rank() < 20)
        sum = cg::reduce(warp, in[threadIdx.x], cg::plus<int>()); // expect: group-collective-divergent
    out[threadIdx.x] = sum;
}

void launch(const int *in, int *out)
{
    sums<<<1, 128>>>(in, out);
}
