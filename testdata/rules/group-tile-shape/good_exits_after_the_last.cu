#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void halves(const float *__restrict__ in, float *__restrict__ out)
{
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    out[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    if (tile.meta_group_rank() == 1)
        return;
    out[threadIdx.x + 128] = out[threadIdx.x ^ 32];
    tile.sync();
    if (tile.thread_rank() >= 32)
        return;
    out[threadIdx.x + 256] = out[threadIdx.x + 160];
}

void run(const float *in, float *out)
{
    halves<<<1, 128>>>(in, out);
}
