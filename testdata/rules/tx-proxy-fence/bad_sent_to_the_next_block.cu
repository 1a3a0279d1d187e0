// Blocks of a cluster hand their sums to the next one. What is copied was stored by ordinary code,
// and only a barrier stands in between.
#include <cooperative_groups.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr int ROW = 256;

__global__ void __cluster_dims__(2, 1, 1)
    pairs(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(128) float own[ROW], peers[ROW];
    __shared__ uint64_t arrived;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &arrived, sizeof own);
    }
    own[threadIdx.x] = in[blockIdx.x * ROW + threadIdx.x];
    cluster.sync();
    if (threadIdx.x == 0) {
        int peer = cluster.block_rank() ^ 1;
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, // expect: tx-proxy-fence
                           cluster.map_shared_rank(peers, peer), own, sizeof own,
                           cluster.map_shared_rank(&arrived, peer));
    }
    while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
    }
    out[blockIdx.x * ROW + threadIdx.x] = own[threadIdx.x] + peers[threadIdx.x];
    cluster.sync();
}

void run(const float *in, float *out)
{
    pairs<<<64, ROW>>>(in, out);
}
