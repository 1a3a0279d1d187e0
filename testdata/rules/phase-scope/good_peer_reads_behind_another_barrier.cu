// A block keeps a row that the other one of its pair reads. What that one waits for first says only
// that it may go on, with the default scope; the row it reads behind a barrier of cluster scope on
// both sides, and later one behind the cluster's barrier.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ inline void go_on(const void *barrier, uint32_t rank)
{
    uint32_t there, here = static_cast<uint32_t>(__cvta_generic_to_shared(barrier));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(there) : "memory");
}

__global__ void __cluster_dims__(2, 1, 1) rows(const float *in, float *out)
{
    __shared__ uint64_t there, free_again;
    __shared__ float row[128], last[128];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned peer = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&there, 128);
        ptx::mbarrier_init(&free_again, 128);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    row[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(&there, peer));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &there, 0)) {
    }
    float sum = cluster.map_shared_rank(row, peer)[127 - threadIdx.x];
    last[threadIdx.x] = sum;
    go_on(&free_again, peer);
    while (!ptx::mbarrier_try_wait_parity(&free_again, 0)) {
    }
    row[threadIdx.x] = sum;
    cluster.sync();
    sum += cluster.map_shared_rank(last, peer)[threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = sum + row[127 - threadIdx.x];
    cluster.sync();
}

void launch(const float *in, float *out)
{
    rows<<<16, 128>>>(in, out);
}
