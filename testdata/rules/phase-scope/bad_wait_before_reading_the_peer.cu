// In each round a block reads what the other one of its pair has stored in its own memory. The
// other one's arrival is of cluster scope; the wait for it acquires from the own block alone.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) exchange(const int *in, int *out, int rounds)
{
    __shared__ uint64_t stored, taken;
    __shared__ int own[64];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned peer = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&stored, 64);
        ptx::mbarrier_init(&taken, 64);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        own[threadIdx.x] = in[(blockIdx.x * rounds + round) * 64 + threadIdx.x];
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                             cluster.map_shared_rank(&stored, peer));
        while (!ptx::mbarrier_try_wait_parity(&stored, round & 1)) { // expect: phase-scope
        }
        sum += cluster.map_shared_rank(own, peer)[63 - threadIdx.x];
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                             cluster.map_shared_rank(&taken, peer));
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &taken,
                                              round & 1)) {
        }
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
    cluster.sync();
}

void launch(const int *in, int *out, int rounds)
{
    exchange<<<8, 64>>>(in, out, rounds);
}
