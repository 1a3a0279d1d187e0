// Each block publishes its mbarrier to its own threads only; the peer may arrive before it exists.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(2, 1, 1) swap_sums(const int *__restrict__ in,
                                                    int *__restrict__ out)
{
    __shared__ uint64_t arrived;
    __shared__ int inbox;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned peer = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&arrived, 1);
    __syncthreads();
    const int sum = __reduce_add_sync(0xffffffffu, in[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x == 0) {
        *cluster.map_shared_rank(&inbox, peer) = sum; // expect: cluster-dsmem-start
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, // expect: init-cluster-fence
                             ptx::space_cluster,
                             cluster.map_shared_rank(&arrived, peer));
    }
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &arrived, 0)) {
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum - inbox;
    cluster.sync();
}

void run(const int *in, int *out, int pairs)
{
    swap_sums<<<2 * pairs, 32>>>(in, out);
}
