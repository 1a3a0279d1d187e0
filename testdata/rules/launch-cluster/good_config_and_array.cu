// A configuration of a wrapper, and the arguments as an array: the cluster has four blocks.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void last(int *out, int value)
{
    __shared__ int word;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        word = value + cluster.block_rank();
    cluster.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = *cluster.map_shared_rank(&word, 3);
    cluster.sync();
}

struct launcher {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute[2] = {};

    launcher(dim3 grid, dim3 block, dim3 cluster, bool early)
    {
        attribute[0].id = cudaLaunchAttributeClusterDimension;
        attribute[0].val.clusterDim = {cluster.x, cluster.y, cluster.z};
        config.gridDim = grid;
        config.blockDim = block;
        config.attrs = attribute;
        config.numAttrs = 1;
        if (early) {
            attribute[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
            attribute[1].val.programmaticStreamSerializationAllowed = 1;
            ++config.numAttrs;
        }
    }
    template <typename... T> void operator()(const void *kernel, T... argument)
    {
        void *arguments[] = {&argument...};
        cudaLaunchKernelExC(&config, kernel, arguments);
    }
};

void run(int *out)
{
    launcher start(dim3(8), dim3(64), dim3(4), false);
    start((const void *)&last, out, 5);
}
