// Stores into the peer's memory are behind a fence or an arrival that releases; what is read behind
// the relaxed one is something else.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ __forceinline__ void cluster_arrive_relaxed()
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_wait()
{
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

template <bool Fenced>
__global__ void __cluster_dims__(2, 1, 1)
    exchange(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float own[128];
    __shared__ float from_peer[128];
    auto cluster = cg::this_cluster();
    cluster_arrive_relaxed();
    own[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    cluster_wait();
    float *peer = cluster.map_shared_rank(from_peer, cluster.block_rank() ^ 1);
    peer[threadIdx.x] = own[threadIdx.x] * 0.5f;
    if (Fenced)
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
    cluster_arrive_relaxed();
    cluster_wait();
    float sum = own[threadIdx.x];
    if (!Fenced)
        cluster.sync();
    out[blockIdx.x * 128 + threadIdx.x] = sum + from_peer[127 - threadIdx.x];
}

void run(const float *in, float *out)
{
    exchange<true><<<8, 128>>>(in, out);
    exchange<false><<<8, 128>>>(in, out);
}
