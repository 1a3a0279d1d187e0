#include <cooperative_groups.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int stages = 3, words = 32;

__device__ void await(uint64_t *barrier, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, barrier, parity)) {
    }
}

__device__ void tell(uint64_t *barrier, unsigned rank)
{
    uint64_t *there = cg::this_cluster().map_shared_rank(barrier, rank);
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, there);
}

// Each block of the pair loads its half of a tile, and the first one computes when both say that
// theirs has come. The second one is let run ahead by the stages of its ring, and they meet at a
// barrier of each stage.
__global__ void __cluster_dims__(2) __launch_bounds__(64)
    product(const float *from, float *to, int count)
{
    __shared__ alignas(128) float part[stages][words];
    __shared__ uint64_t full[stages], empty[stages], both_here[stages];
    cg::cluster_group pair = cg::this_cluster();
    unsigned rank = pair.block_rank();
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], 1);
            ptx::mbarrier_init(&both_here[i], 2);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    pair.sync();
    if (threadIdx.x == 0) {
        for (int k = 0; k < count; ++k) {
            int s = k % stages;
            await(&empty[s], (k / stages + 1) & 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[s], words * 4);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part[s],
                               from + (2 * k + rank) * words, words * 4, &full[s]);
        }
    } else if (threadIdx.x == 32) {
        float sum = 0;
        for (int k = 0; k < count; ++k) {
            int s = k % stages;
            await(&full[s], k / stages & 1);
            tell(&both_here[s], 0);
            if (rank == 1)
                continue;
            await(&both_here[s], k / stages & 1);
            for (int i = 0; i < words; ++i)
                sum += part[s][i] * *pair.map_shared_rank(&part[s][i], 1);
            tell(&empty[s], 0);
            tell(&empty[s], 1);
        }
        if (rank == 0)
            to[blockIdx.x / 2] = sum;
    }
    pair.sync();
}

void launch(const float *from, float *to, int count, int pairs)
{
    product<<<2 * pairs, 64>>>(from, to, count);
}
