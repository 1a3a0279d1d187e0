// Each round has a barrier of its own, made behind the cluster barrier; that it is there the other
// block learns by a phase of one that was made before.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) rounds(int *out)
{
    __shared__ uint64_t made, met[4];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned peer = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&made, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    for (int round = 0; round < 4; ++round) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_init(&met[round], 1);
            ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
            ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                                 cluster.map_shared_rank(&made, peer));
        }
        __syncthreads();
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &made,
                                              round & 1)) {
        }
        if (threadIdx.x == 0)
            ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                                 cluster.map_shared_rank(&met[round], peer));
        while (
            !ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &met[round], 0)) {
        }
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    cluster.sync();
}

void run(int *out, int pairs)
{
    rounds<<<2 * pairs, 64>>>(out);
}
