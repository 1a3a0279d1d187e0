// The barrier that the copies of a warp are to complete on is a variable of each thread, which
// nobody gives a count.
#include <cooperative_groups.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void gather(const char *const *rows, const int *size, char *out, int count)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cuda::barrier<cuda::thread_scope_block> copied;
    for (int row = blockIdx.x * 8 + warp.meta_group_rank(); row < count; row += gridDim.x * 8)
        cuda::memcpy_async(warp, out + row * 256, rows[row], size[row], // expect: init-missing
                           copied);
}

void launch(const char *const *rows, const int *size, char *out, int count)
{
    gather<<<64, 256>>>(rows, size, out, count);
}
