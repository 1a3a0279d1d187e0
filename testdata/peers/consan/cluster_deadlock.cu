// kind: deadlock: at the barrier of the cluster
#include "../ptx.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) tried(float *cell)
{
    auto cluster = cg::this_cluster();
    if (cluster.block_rank() == 0)
        cluster.sync(); // expect: cluster-divergent
    cell[threadIdx.x] += 1;
    if (threadIdx.x == 0)
        cluster.sync(); // expect: cluster-divergent
}

void launch(float *cell)
{
    tried<<<2, 128>>>(cell);
}
