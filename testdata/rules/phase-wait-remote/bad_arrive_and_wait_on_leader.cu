// All blocks meet at the barrier of the first one.
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <int Blocks>
__global__ void __cluster_dims__(Blocks, 1, 1) collect(const int *__restrict__ in,
                                                       int *__restrict__ out)
{
    __shared__ block_barrier all;
    __shared__ int parts[Blocks];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        init(&all, Blocks);
    cluster.sync();
    const int sum = __reduce_add_sync(0xffffffffu, in[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x == 0) {
        cluster.map_shared_rank(parts, 0)[cluster.block_rank()] = sum;
        block_barrier *meeting = cluster.map_shared_rank(&all, 0);
        meeting->arrive_and_wait(); // expect: phase-wait-remote
        if (cluster.block_rank() == 0)
            out[blockIdx.x / Blocks] = parts[0] + parts[1];
    }
    cluster.sync();
}

void run(const int *in, int *out, int pairs)
{
    collect<2><<<2 * pairs, 32>>>(in, out);
}
