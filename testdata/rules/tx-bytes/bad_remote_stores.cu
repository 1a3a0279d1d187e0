// Each thread sends a word to the next block, which awaits as many bytes as there are threads.
#include <cooperative_groups.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) swapped(const int *in, int *out)
{
    __shared__ alignas(16) int inbox[64];
    __shared__ uint64_t full;
    auto cluster = cg::this_cluster();
    const unsigned peer = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    if (threadIdx.x == 0)
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 64); // expect: tx-bytes
    ptx::st_async(cluster.map_shared_rank(&inbox[threadIdx.x], peer), in[blockIdx.x * 64 + threadIdx.x],
                  cluster.map_shared_rank(&full, peer));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) {
    }
    out[blockIdx.x * 64 + threadIdx.x] = inbox[threadIdx.x];
    cluster.sync();
}

void launch(const int *in, int *out)
{
    swapped<<<16, 64>>>(in, out);
}
