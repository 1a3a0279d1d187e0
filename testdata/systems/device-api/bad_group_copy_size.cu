// What is promised to be a multiple of 16 bytes is none.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float tile[130];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(130 * sizeof(float))); // expect: tx-size-align
    cg::wait(block);
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
