// The fence of the mbarrier's initialisation does not cover the table beside it.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) lookup(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int table[64];
    __shared__ uint64_t ready;
    auto cluster = cg::this_cluster();
    table[threadIdx.x] = in[threadIdx.x] + cluster.block_rank();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&ready, 64);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    ptx::barrier_cluster_arrive(ptx::sem_relaxed); // expect: cluster-relaxed
    ptx::barrier_cluster_wait();
    const int *peer = cluster.map_shared_rank(table, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + threadIdx.x] = peer[63 - threadIdx.x];
    ptx::mbarrier_arrive(&ready);
    while (!ptx::mbarrier_try_wait_parity(&ready, 0)) {
    }
    cluster.sync();
}

void run(const int *in, int *out)
{
    lookup<<<16, 64>>>(in, out);
}
