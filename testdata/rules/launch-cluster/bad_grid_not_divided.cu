// Fifteen blocks in clusters of two, given with the launch.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void swap(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float half[128];
    auto cluster = cg::this_cluster();
    half[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    cluster.sync();
    const float *peer = cluster.map_shared_rank(half, cluster.block_rank() ^ 1);
    out[blockIdx.x * 128 + threadIdx.x] = peer[127 - threadIdx.x];
    cluster.sync();
}

void run(const float *in, float *out)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 2;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(15);
    config.blockDim = dim3(128);
    config.attrs = attribute;
    config.numAttrs = 1;
    (void)cudaLaunchKernelEx(&config, swap, in, out); // expect: launch-cluster
}
