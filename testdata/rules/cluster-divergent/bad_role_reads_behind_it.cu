// The first warp meets the other block to read what that has stored; the other warps leave at once,
// and nothing says that those of the other block have stored by then.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128) totals(const int *in, int *out)
{
    __shared__ int sums[4];
    auto pair = cg::this_cluster();
    const int sum = __reduce_add_sync(0xffffffff, in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    if (threadIdx.x < 32) {
        pair.sync(); // expect: cluster-divergent
        if (threadIdx.x < 4)
            out[blockIdx.x * 4 + threadIdx.x] =
                sums[threadIdx.x] +
                *pair.map_shared_rank(&sums[threadIdx.x], pair.block_rank() ^ 1);
    }
}

void run(const int *in, int *out)
{
    totals<<<8, 128>>>(in, out);
}
