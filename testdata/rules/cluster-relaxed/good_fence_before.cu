#include <cooperative_groups.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) swap(const float *__restrict__ in,
                                               float *__restrict__ out)
{
    __shared__ float half[128];
    auto cluster = cg::this_cluster();
    half[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait();
    const float *peer = cluster.map_shared_rank(half, cluster.block_rank() ^ 1);
    out[blockIdx.x * 128 + threadIdx.x] = peer[127 - threadIdx.x];
    cluster.sync();
}

void run(const float *in, float *out)
{
    swap<<<16, 128>>>(in, out);
}
