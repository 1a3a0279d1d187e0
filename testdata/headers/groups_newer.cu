// Cooperative groups since CUDA 12: clusters, split grid barrier, elections, large tiles.
// since: 12.0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <utility>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) kernel(int *out)
{
    __shared__ int word;
    auto cluster = cg::this_cluster();
    cg::cluster_group same = cluster;
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    cluster.sync();
    int *peer = cluster.map_shared_rank(&word, cluster.block_rank() ^ 1);
    *peer = cluster.query_shared_rank(peer) + cluster.num_blocks() + same.thread_rank() +
            cluster.dim_blocks().x + cluster.block_index().y;
    auto grid = cg::this_grid();
    auto grid_token = grid.barrier_arrive();
    grid.barrier_wait(std::move(grid_token));
    auto block = cg::this_thread_block();
    auto block_token = block.barrier_arrive();
    block.barrier_wait(std::move(block_token));
    auto warp = cg::tiled_partition<32>(block);
    cg::invoke_one(warp, [&] { out[0] = 1; });
    out[1] = cg::invoke_one_broadcast(warp, [&] { return 3; });
    auto large = cg::tiled_partition<128>(block);
    large.sync();
    out[2] = large.thread_rank() + large.any(1) + large.shfl(1, 0);
}
