// The mask of the multicast is that of four blocks; the cluster has two.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) spread(const float *__restrict__ in,
                                                 float *__restrict__ out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ uint64_t full;
    const uint16_t everybody = 0xf;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       512);
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
    if (threadIdx.x == 0 && blockIdx.x % 2 == 0)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 512, &full, // expect: launch-cluster
                           everybody);
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
}

void run(const float *in, float *out)
{
    spread<<<8, 128>>>(in, out);
}
