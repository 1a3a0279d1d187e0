// Ranks from the size of the cluster; without one it is 1 and the only rank 0.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void shift(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int value;
    auto cluster = cg::this_cluster();
    value = in[blockIdx.x];
    cluster.sync();
    out[blockIdx.x] =
        *cluster.map_shared_rank(&value, (cluster.block_rank() + 1) % cluster.num_blocks());
    cluster.sync();
}

void run(const int *in, int *out)
{
    shift<<<16, 32>>>(in, out);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 4;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(16);
    config.blockDim = dim3(32);
    config.attrs = attribute;
    config.numAttrs = 1;
    (void)cudaLaunchKernelEx(&config, shift, in, out);
}
