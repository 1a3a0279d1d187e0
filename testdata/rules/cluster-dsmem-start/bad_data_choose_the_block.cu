// Keys say which block of the cluster counts them, and the host how many blocks it has.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void count_keys(const int *keys, int n, int *counts, int per_block)
{
    extern __shared__ int slice[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < per_block; i += blockDim.x)
        slice[i] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int key = keys[i];
        int *owner = cluster.map_shared_rank(slice, key / per_block);
        atomicAdd(owner + key % per_block, 1); // expect: cluster-dsmem-start
    }
    cluster.sync();

    for (int i = threadIdx.x; i < per_block; i += blockDim.x)
        counts[cluster.block_rank() * per_block + i] = slice[i];
}

cudaError_t run(const int *keys, int n, int *counts, int bins, int cluster_size)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = cluster_size;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(cluster_size * 16);
    config.blockDim = dim3(192);
    config.dynamicSmemBytes = bins / cluster_size * sizeof(int);
    config.attrs = attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, count_keys, keys, n, counts, bins / cluster_size);
}
