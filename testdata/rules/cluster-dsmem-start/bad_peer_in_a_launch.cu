#include <cooperative_groups.h>
namespace cg = cooperative_groups;


__device__ void hand_over(cg::cluster_group cluster, int *slot, int value)
{
    *cluster.map_shared_rank(slot, 0) = value; // expect: cluster-dsmem-start
}

__global__ void gather(int *out)
{
    __shared__ int slot[2];
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        hand_over(cluster, &slot[cluster.block_rank()], blockIdx.x);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < 2)
        out[blockIdx.x + threadIdx.x] = slot[threadIdx.x];
}

void launch(int *out)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim = {2, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = 64;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, gather, out);
}
