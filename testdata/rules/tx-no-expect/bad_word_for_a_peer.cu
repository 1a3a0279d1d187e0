// Each block sends its sum to the next one, whose barrier counts the arrival of its own thread and
// is told of no bytes: its phase is over before the sum has come.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__global__ void __cluster_dims__(4, 1, 1) shift_sums(const int *in, int *out, int n)
{
    __shared__ uint64_t came;
    __shared__ int before;
    auto cluster = cg::this_cluster();
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&came, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < n; ++i)
            sum += in[blockIdx.x * n + i];
        ptx::mbarrier_arrive(&came);
        ptx::st_async(cluster.map_shared_rank(&before, next), sum, // expect: tx-no-expect
                      cluster.map_shared_rank(&came, next));
    }
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &came, 0)) {
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = before;
    cluster.sync();
}

void run(const int *in, int *out, int n)
{
    shift_sums<<<8, 64>>>(in, out, n);
}
