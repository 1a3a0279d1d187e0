// How many blocks share a row is an argument; of rows in one block each, the launch needs no cluster.
// The other kernel may be run in larger clusters than it asks for.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void gather(const int *__restrict__ in, int *__restrict__ out, int shares)
{
    __shared__ int line[128];
    auto cluster = cg::this_cluster();
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    cluster.sync();
    const int *from = cluster.map_shared_rank(line, in[threadIdx.x] % shares);
    out[blockIdx.x * 128 + threadIdx.x] = from[127 - threadIdx.x];
    cluster.sync();
}

__global__ void fourth(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int word;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        word = in[blockIdx.x];
    cluster.sync();
    out[blockIdx.x * 128 + threadIdx.x] = cluster.num_blocks() > 3 ? *cluster.map_shared_rank(&word, 3) : word;
    cluster.sync();
}

void run(const int *in, int *out, int rows)
{
    gather<<<rows, 128>>>(in, out, 1);
    cudaLaunchAttribute attribute[2] = {};
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 2;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    attribute[1].id = cudaLaunchAttributePreferredClusterDimension;
    attribute[1].val.preferredClusterDim.x = 4;
    attribute[1].val.preferredClusterDim.y = attribute[1].val.preferredClusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8);
    config.blockDim = dim3(128);
    config.attrs = attribute;
    config.numAttrs = 2;
    cudaLaunchKernelEx(&config, fourth, in, out);
}
