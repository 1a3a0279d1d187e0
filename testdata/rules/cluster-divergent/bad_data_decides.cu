#include <cooperative_groups.h>
namespace cg = cooperative_groups;


__global__ void publish(int *data, const int *wanted)
{
    auto cluster = cg::this_cluster();
    if (wanted[threadIdx.x] != 0)
        cluster.sync(); // expect: cluster-divergent
    data[blockIdx.x * 128 + threadIdx.x] = 1;
}

void launch(int *data, const int *wanted)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim = {2, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = 128;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, publish, data, wanted);
}
