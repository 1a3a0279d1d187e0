// Cooperative groups: every group, maker and collective.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

template <typename Group> __device__ unsigned long long use(const Group &group)
{
    group.sync();
    cg::sync(group);
    return group.thread_rank() + group.size() + group.num_threads();
}

__device__ unsigned long long use_untyped(cg::thread_group group)
{
    group.sync();
    return group.thread_rank() + group.size();
}

__global__ void kernel(int *out, const int *in)
{
    extern __shared__ int tile_data[];
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    auto warp = cg::tiled_partition<32>(block);
    auto eighth = cg::tiled_partition<4>(warp);
    cg::thread_block_tile<16> sixteen = cg::tiled_partition<16>(block);
    cg::thread_block_tile<16, cg::thread_block> with_parent = cg::tiled_partition<16>(block);
    auto untyped = cg::tiled_partition(block, 8);
    cg::coalesced_group together = cg::coalesced_threads();
    auto halves = cg::binary_partition(warp, threadIdx.x & 1);
    auto labels = cg::labeled_partition(warp, threadIdx.x & 3);
    unsigned long long sum = use(block) + use(grid) + use(warp) + use(eighth) + use(sixteen) +
                             use(with_parent) + use(together) + use(halves) + use(labels) +
                             use_untyped(untyped) + use_untyped(block);
    sum += warp.meta_group_rank() + warp.meta_group_size() + block.group_index().x +
           block.thread_index().y + block.group_dim().z + grid.is_valid();
    int value = cg::reduce(warp, in[0], cg::plus<int>());
    value = cg::reduce(warp, value, [](int a, int b) { return a | b; });
    value += cg::inclusive_scan(warp, value) + cg::exclusive_scan(warp, value, cg::plus<int>());
    value += warp.shfl(value, 0) + warp.shfl_up(value, 1) + warp.shfl_down(value, 1) +
             warp.shfl_xor(value, 1) + warp.any(value) + warp.all(value) + warp.ballot(value) +
             warp.match_any(value);
    int all = 0;
    value += warp.match_all(value, all) + together.shfl(value, 0) + together.ballot(1);
    cg::memcpy_async(block, tile_data, in, sizeof(int) * 64);
    cg::wait_prior<1>(block);
    cg::wait(block);
    grid.sync();
    out[0] = value + int(sum);
}
