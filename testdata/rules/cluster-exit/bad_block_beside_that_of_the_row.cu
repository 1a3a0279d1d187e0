// The blocks of a cluster gather what they find in the shared memory of one of them, which takes
// turns by rows; another one writes it out, and nothing keeps that memory until it has read it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int BLOCKS>
__global__ void __launch_bounds__(256) gather(const float *in, int *out, int columns)
{
    __shared__ int flags[256];
    auto cluster = cg::this_cluster();
    const unsigned writer = blockIdx.x % BLOCKS, rank = cluster.block_rank();
    int *to = cluster.map_shared_rank(flags, writer);
    cluster.sync();
    const int share = 256 / BLOCKS;
    if (threadIdx.x < share)
        to[rank * share + threadIdx.x] =
            in[blockIdx.x * columns + rank * share + threadIdx.x] > 0.0f;
    cluster.sync();
    if (blockIdx.y != writer)
        out[blockIdx.x * 256 + threadIdx.x] = to[threadIdx.x]; // expect: cluster-exit
}

void gather_rows(const float *in, int *out, int rows, int columns)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(rows, 2);
    config.blockDim = 256;
    cudaLaunchAttribute cluster[1];
    cluster[0].id = cudaLaunchAttributeClusterDimension;
    cluster[0].val.clusterDim.x = 1;
    cluster[0].val.clusterDim.y = 2;
    cluster[0].val.clusterDim.z = 1;
    config.attrs = cluster;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, gather<2>, in, out, columns);
}
