// Block 1 sends a line a round into block 0, which gives it credit for the next one. Block 0 does
// not wait for the line, and its credits run ahead of block 1.
#include <cooperative_groups.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ void wait_for(uint64_t *barrier, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, barrier, parity)) {
    }
}

__global__ void __cluster_dims__(2, 1, 1) relay(const int *in, int *out, int rounds)
{
    __shared__ alignas(16) int line[64];
    __shared__ uint64_t come, credit;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned own = cluster.block_rank();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&come, 1);
        ptx::mbarrier_init(&credit, 64);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    if (own == 1) {
        for (int i = 0; i < rounds; ++i) {
            wait_for(&credit, i & 1); // expect: phase-parity-lag
            ptx::st_async(cluster.map_shared_rank(&line[threadIdx.x], 0), in[i * 64 + threadIdx.x],
                          cluster.map_shared_rank(&come, 0));
        }
    } else {
        int sum = 0;
        for (int i = 0; i < rounds; ++i) {
            if (threadIdx.x == 0)
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &come, sizeof line);
            __syncthreads();
            ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                                 cluster.map_shared_rank(&credit, 1));
        }
        out[threadIdx.x] = sum;
    }
    cluster.sync();
}

void launch(const int *in, int *out, int rounds)
{
    relay<<<2, 64>>>(in, out, rounds);
}
