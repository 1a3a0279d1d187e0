// The size of the cluster is not known, nor is the number of blocks.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void share(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int value;
    auto cluster = cg::this_cluster();
    value = in[blockIdx.x];
    cluster.sync();
    out[blockIdx.x] = *cluster.map_shared_rank(&value, 1);
    cluster.sync();
}

void run(const int *in, int *out, int size, int blocks)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = size;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(32);
    config.attrs = attribute;
    config.numAttrs = 1;
    (void)cudaLaunchKernelEx(&config, share, in, out);
}
