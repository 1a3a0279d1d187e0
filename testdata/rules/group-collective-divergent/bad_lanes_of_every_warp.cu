// Half of each warp passes the collective by, however many warps a block has.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void halves(const float *in, float *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (tile.thread_rank() < 16)
        sum = cg::reduce(tile, sum, cg::plus<float>()); // expect: group-collective-divergent
    tile.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void launch(const float *in, float *out, int blocks, int threads)
{
    halves<<<blocks, threads>>>(in, out);
}
