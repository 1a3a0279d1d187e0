// Each block of a pair keeps its row, tells the other one that it is there, and reads the other's
// row in place. The arrival at the other block's barrier has the default scope, that of one block.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ inline uint32_t of_rank(const void *p, uint32_t rank)
{
    uint32_t there, here = static_cast<uint32_t>(__cvta_generic_to_shared(p));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
    return there;
}

__global__ void __cluster_dims__(2, 1, 1) rows(const float *in, float *out)
{
    __shared__ uint64_t there;
    __shared__ float row[128];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned peer = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&there, 128);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    row[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(of_rank(&there, peer)) // expect: phase-scope
                 : "memory");
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &there, 0)) {
    }
    out[blockIdx.x * 128 + threadIdx.x] = cluster.map_shared_rank(row, peer)[127 - threadIdx.x];
    cluster.sync();
}

void launch(const float *in, float *out)
{
    rows<<<16, 128>>>(in, out);
}
