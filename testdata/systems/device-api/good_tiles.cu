// Tiles of tiles, with what they can do; and one of several warps, with memory set aside for it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void tiles(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto quarter = cg::tiled_partition<4>(warp);
    int value = in[block.thread_rank()];
    value += warp.shfl_xor(value, 16);
    quarter.sync();
    value += quarter.shfl_down(value, 1);
    if (warp.any(value > 0))
        value = quarter.thread_rank() + warp.meta_group_rank();
    out[block.thread_rank()] = value;
}

__global__ void large_tiles(int *out)
{
    __shared__ cg::block_tile_memory<256> memory;
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<128>(block);
    out[block.thread_rank()] = tile.thread_rank();
    tile.sync();
    out[block.thread_rank()] += out[block.thread_rank() ^ 64];
}

void launch(const int *in, int *out)
{
    tiles<<<1, 128>>>(in, out);
    large_tiles<<<1, 256>>>(out);
}
