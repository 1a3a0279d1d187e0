// What another block stores asynchronously is read behind the barrier that tells of it.
#include <cooperative_groups.h>
#include <cuda/ptx>
#include <cuda/std/cstdint>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) swap(const int *in, int *out)
{
    __shared__ alignas(16) int line[128];
    __shared__ cuda::std::uint64_t arrived;
    auto cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), other = rank ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &arrived, sizeof(line));
    }
    out[rank * 128 + threadIdx.x] = line[127 - threadIdx.x];
    cluster.sync();
    int *there = cluster.map_shared_rank(&line[threadIdx.x], other);
    auto *barrier = cluster.map_shared_rank(&arrived, other);
    ptx::st_async(there, in[rank * 128 + threadIdx.x], barrier);
    while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
    }
    out[rank * 128 + threadIdx.x] = line[127 - threadIdx.x];
    cluster.sync();
}

void launch(const int *in, int *out)
{
    swap<<<2, 128>>>(in, out);
}
