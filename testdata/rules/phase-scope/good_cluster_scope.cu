#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

template <int Threads>
__global__ void __cluster_dims__(2, 1, 1) mirror(const float *__restrict__ in,
                                                 float *__restrict__ out)
{
    __shared__ uint64_t filled;
    __shared__ float line[Threads];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned peer = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&filled, Threads);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    cluster.map_shared_rank(line, peer)[threadIdx.x] = in[blockIdx.x * Threads + threadIdx.x];
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(&filled, peer));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &filled, 0)) {
    }
    out[blockIdx.x * Threads + threadIdx.x] = line[Threads - 1 - threadIdx.x];
    cluster.sync();
}

void run(const float *in, float *out, int pairs)
{
    mirror<64><<<2 * pairs, 64>>>(in, out);
}
