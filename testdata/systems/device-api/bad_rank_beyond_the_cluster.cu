// Ranks are below the number of blocks in the cluster.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(float *cell)
{
    __shared__ float mine[128];
    auto cluster = cg::this_cluster();
    mine[threadIdx.x] = cell[threadIdx.x];
    cluster.sync();
    cell[threadIdx.x] = *cluster.map_shared_rank(&mine[threadIdx.x], 2); // expect: launch-cluster
    cluster.sync();
}

void launch(float *cell)
{
    swap<<<2, 128>>>(cell);
}
