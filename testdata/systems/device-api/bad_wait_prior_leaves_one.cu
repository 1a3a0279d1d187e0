// wait_prior<1> leaves the newest copy under way.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void load(const int *in, int *out)
{
    __shared__ alignas(16) int tile[2][128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile[0], in, sizeof(tile[0]));
    cg::memcpy_async(block, tile[1], in + 128, sizeof(tile[1]));
    cg::wait_prior<1>(block); // expect: pipe-unbalanced
    out[threadIdx.x] = tile[0][threadIdx.x];
    out[128 + threadIdx.x] = tile[1][threadIdx.x];
    cg::wait(block);
}

void launch(const int *in, int *out)
{
    load<<<1, 128>>>(in, out);
}
