// Every block of the cluster sends to block 0, block 0 included: st.async may go to the own block.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(4, 1, 1) gather(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ alignas(8) int part[4];
    __shared__ uint64_t full;
    auto cluster = cg::this_cluster();
    const unsigned own = cluster.block_rank();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        if (own == 0)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full, 16);
    }
    cluster.sync();
    if (threadIdx.x == 0)
        ptx::st_async(cluster.map_shared_rank(&part[own], 0), in[blockIdx.x],
                      cluster.map_shared_rank(&full, 0));
    if (own == 0) {
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {
        }
        out[blockIdx.x + threadIdx.x % 4] = part[threadIdx.x % 4];
    }
    cluster.sync();
}

void run(const int *in, int *out)
{
    gather<<<16, 32>>>(in, out);
}
