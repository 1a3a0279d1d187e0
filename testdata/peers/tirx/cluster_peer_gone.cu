// kind: cluster: a peer's memory when it may have ended
#include "../ptx.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) tried(float *cell)
{
    __shared__ int value;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        value = 1;
    cluster.sync();
    cell[threadIdx.x] += *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1); // expect: cluster-exit
}

void launch(float *cell)
{
    tried<<<2, 128>>>(cell);
}
