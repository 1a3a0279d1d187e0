// The other blocks of the cluster must be running before their memory is touched.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) neighbours(int *out)
{
    __shared__ int value;
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1) = 1; // expect: cluster-dsmem-start
    cluster.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
    cluster.sync();
}

void launch(int *out)
{
    neighbours<<<2, 128>>>(out);
}
