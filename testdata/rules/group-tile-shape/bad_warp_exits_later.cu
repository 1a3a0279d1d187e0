// The second warp of each tile is done after the first collective.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void halves(const float *__restrict__ in, float *__restrict__ out)
{
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    out[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    if (tile.thread_rank() >= 32)
        return;
    out[threadIdx.x + 128] = out[threadIdx.x + 32];
    tile.sync(); // expect: group-tile-shape
    out[threadIdx.x + 256] = out[threadIdx.x + 129];
}

void run(const float *in, float *out)
{
    halves<<<1, 128>>>(in, out);
}
