// The sum of the cluster is gathered in block 0, which adds its own part by the same operation.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(4, 1, 1) gather(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ alignas(8) int sum;
    __shared__ uint64_t full;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        sum = 0;
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        if (cluster.block_rank() == 0)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full, 16);
    }
    cluster.sync();
    if (threadIdx.x == 0)
        ptx::red_async(ptx::op_add, cluster.map_shared_rank(&sum, 0), in[blockIdx.x], // expect: tx-target-cta
                       cluster.map_shared_rank(&full, 0));
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {
        }
        out[blockIdx.x / 4] = sum;
    }
    cluster.sync();
}

void run(const int *in, int *out)
{
    gather<<<16, 32>>>(in, out);
}
