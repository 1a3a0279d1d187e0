// The launch asks for pairs of blocks and prefers four at a time. A block that finds itself among four
// takes the last rank for one more than it is.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void last_of_each(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int word;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        word = in[blockIdx.x];
    cluster.sync();
    if (cluster.num_blocks() == 4)
        out[blockIdx.x * 64 + threadIdx.x] = *cluster.map_shared_rank(&word, 4); // expect: launch-cluster
    else
        out[blockIdx.x * 64 + threadIdx.x] = *cluster.map_shared_rank(&word, 1);
    cluster.sync();
}

void run(const int *in, int *out)
{
    cudaLaunchAttribute attribute[2] = {};
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 2;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    attribute[1].id = cudaLaunchAttributePreferredClusterDimension;
    attribute[1].val.preferredClusterDim.x = 4;
    attribute[1].val.preferredClusterDim.y = attribute[1].val.preferredClusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(32);
    config.blockDim = dim3(64);
    config.attrs = attribute;
    config.numAttrs = 2;
    cudaLaunchKernelEx(&config, last_of_each, in, out);
}
