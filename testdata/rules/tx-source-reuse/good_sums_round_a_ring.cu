// Four blocks add up their rows by two hops. The sum is stored over the row when the block that it
// was sent to has it, too.
#include <cooperative_groups.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr int ROW = 128;

__global__ void __cluster_dims__(4, 1, 1)
    sum_rows(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(128) float row[ROW], other[ROW];
    __shared__ uint64_t came[2];
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&came[0], 1);
        ptx::mbarrier_init(&came[1], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    row[threadIdx.x] = in[blockIdx.x * ROW + threadIdx.x];
    for (int hop = 0; hop < 2; ++hop) {
        ptx::fence_proxy_async(ptx::space_shared);
        if (threadIdx.x == 0)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &came[hop], sizeof row);
        cluster.sync();
        if (threadIdx.x == 0) {
            int to = (cluster.block_rank() + 1 + hop) % 4;
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                               cluster.map_shared_rank(other, to), row, sizeof row,
                               cluster.map_shared_rank(&came[hop], to));
        }
        while (!ptx::mbarrier_try_wait_parity(&came[hop], 0)) {
        }
        cluster.sync();
        row[threadIdx.x] += other[threadIdx.x];
        cluster.sync();
    }
    out[blockIdx.x * ROW + threadIdx.x] = row[threadIdx.x];
}

void run(const float *in, float *out)
{
    sum_rows<<<64, ROW>>>(in, out);
}
