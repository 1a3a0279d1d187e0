// The shared side of a copy is promised to be aligned to 16 bytes and is not.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float tile[132];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile + 1, in, cuda::aligned_size_t<16>(128 * sizeof(float))); // expect: tx-size-align
    cg::wait(block);
    out[threadIdx.x] = tile[1 + threadIdx.x];
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
