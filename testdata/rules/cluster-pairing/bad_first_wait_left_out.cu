// Without its wait the first meeting protects nothing: neither the peer's memory nor its barrier.
#include <cooperative_groups.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) trade(const float *in, float *out)
{
    __shared__ uint64_t got;
    __shared__ float theirs[64];
    auto cluster = cooperative_groups::this_cluster();
    unsigned peer = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&got, 64);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    ptx::barrier_cluster_arrive();
    cluster.map_shared_rank(theirs, peer)[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(&got, peer));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &got, 0)) {
    }
    out[blockIdx.x * 64 + threadIdx.x] = theirs[63 - threadIdx.x];
    ptx::barrier_cluster_arrive(); // expect: cluster-pairing
    ptx::barrier_cluster_wait();
}

void launch(const float *in, float *out)
{
    trade<<<8, 64>>>(in, out);
}
