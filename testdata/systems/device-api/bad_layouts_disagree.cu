// The two layouts promise different alignments.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void load(const char *in, char *out, int room)
{
    __shared__ alignas(16) char tile[256];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, cuda::aligned_size_t<16>(sizeof(tile)), // expect: tx-size-align
                     in, cuda::aligned_size_t<4>(room));
    cg::wait(block);
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(const char *in, char *out, int room)
{
    load<<<1, 256>>>(in, out, room);
}
