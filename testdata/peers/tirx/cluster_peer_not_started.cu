// kind: cluster: a peer's memory before it has started
#include "../ptx.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) tried(float *cell)
{
    __shared__ int value;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1) = 1; // expect: cluster-dsmem-start
    cluster.sync();
    cell[threadIdx.x] += value;
    cluster.sync();
}

void launch(float *cell)
{
    tried<<<2, 128>>>(cell);
}
