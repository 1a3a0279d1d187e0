// The launch asks for pairs of blocks and prefers four at a time: the kernel asks how many there are. A
// grid that four do not divide has pairs left over.
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
    out[blockIdx.x * 64 + threadIdx.x] = *cluster.map_shared_rank(&word, cluster.num_blocks() - 1);
    cluster.sync();
}

static void launch_with(const int *in, int *out, int blocks)
{
    cudaLaunchAttribute attribute[2] = {};
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 2;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    attribute[1].id = cudaLaunchAttributePreferredClusterDimension;
    attribute[1].val.preferredClusterDim.x = 4;
    attribute[1].val.preferredClusterDim.y = attribute[1].val.preferredClusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(64);
    config.attrs = attribute;
    config.numAttrs = 2;
    cudaLaunchKernelEx(&config, last_of_each, in, out);
}

void run(const int *in, int *out)
{
    launch_with(in, out, 32);
    launch_with(in, out, 30);
}
