// The asynchronous reductions of cooperative groups.
// since: 12.0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

__global__ void kernel(cuda::atomic<int, cuda::thread_scope_device> *total, int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::reduce_update_async(warp, *total, int(threadIdx.x), cg::plus<int>());
    cg::reduce_store_async(warp, *total, int(threadIdx.x), cg::plus<int>());
    out[0] = *total;
}
