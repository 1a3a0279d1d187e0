// Behind the exchange a relaxed barrier keeps the memory alive until the peers have read it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(const float *__restrict__ in,
                                               float *__restrict__ out)
{
    __shared__ float half[128];
    auto cluster = cg::this_cluster();
    half[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    cluster.sync();
    const float *peer = cluster.map_shared_rank(half, cluster.block_rank() ^ 1);
    out[blockIdx.x * 128 + threadIdx.x] = peer[127 - threadIdx.x];
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
}

void run(const float *in, float *out)
{
    swap<<<16, 128>>>(in, out);
}
