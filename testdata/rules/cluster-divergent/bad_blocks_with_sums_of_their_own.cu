// The warps of a block all add up the same words, but each block of the cluster has words of its own.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) exchange(const int *in, int *out)
{
    __shared__ int own[32];
    const unsigned lane = threadIdx.x & 31;
    if (threadIdx.x < 32)
        own[lane] = in[blockIdx.x * 32 + lane];
    __syncthreads();
    int sum = own[lane];
    for (int step = 16; step > 0; step >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    cg::cluster_group cluster = cg::this_cluster();
    if (sum > 0) {
        cluster.sync(); // expect: cluster-divergent
        out[blockIdx.x * 128 + threadIdx.x] = cluster.map_shared_rank(own, 0)[lane];
    }
}

void launch(const int *in, int *out)
{
    exchange<<<8, 128>>>(in, out);
}
