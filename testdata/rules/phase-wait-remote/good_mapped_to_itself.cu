// The mapped address is that of the block's own barrier.
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __cluster_dims__(2, 1, 1) reverse(const int *__restrict__ in,
                                                  int *__restrict__ out)
{
    __shared__ block_barrier stored;
    __shared__ int line[64];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        init(&stored, 64);
    cluster.sync();
    line[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    block_barrier *mine = cluster.map_shared_rank(&stored, cluster.block_rank());
    mine->arrive_and_wait();
    out[blockIdx.x * 64 + threadIdx.x] = line[63 - threadIdx.x];
}

void run(const int *in, int *out, int pairs)
{
    reverse<<<2 * pairs, 64>>>(in, out);
}
