// Each warp copies a row of its own. Those that have nothing to do with theirs leave; the others wait
// for their own.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void by_warp(const int *in, int *out)
{
    __shared__ alignas(16) int tile[4][32];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int *mine = tile[warp.meta_group_rank()];
    cg::memcpy_async(warp, mine, in + warp.meta_group_rank() * 32, 32 * sizeof(int));
    if (warp.meta_group_rank() >= 2)
        return;
    cg::wait(warp);
    out[threadIdx.x] = mine[31 - warp.thread_rank()];
}

void launch(const int *in, int *out)
{
    by_warp<<<1, 128>>>(in, out);
}
