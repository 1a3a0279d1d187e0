#include <cooperative_groups.h>
namespace cg = cooperative_groups;


__global__ void __cluster_dims__(2, 1, 1) halo(int *out)
{
    __shared__ int edge[2];
    auto cluster = cg::this_cluster();
    int *other = cluster.map_shared_rank(edge, cluster.block_rank() ^ 1);
    edge[threadIdx.x % 2] = 0;
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(static_cast<decltype(token) &&>(token));
    if (threadIdx.x < 2)
        other[threadIdx.x] = blockIdx.x;
    cluster.sync();
    out[threadIdx.x] = edge[threadIdx.x % 2];
}

void launch(int *out)
{
    halo<<<8, 64>>>(out);
}
