// Lanes that keep their value count them together, under a condition on data. The count is read
// with no barrier behind it.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void keep_large(const float *in, float *out, int *length)
{
    __shared__ int count;
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    if (block.thread_rank() == 0)
        count = 0;
    block.sync();
    float value = in[blockIdx.x * blockDim.x + threadIdx.x];
    float most = cg::reduce(tile, value, cg::greater<float>());
    if (value > 0.5f * most) {
        auto kept = cg::coalesced_threads();
        int at = 0;
        if (kept.thread_rank() == 0)
            at = atomicAdd(&count, static_cast<int>(kept.size()));
        at = kept.shfl(at, 0) + kept.thread_rank();
        out[blockIdx.x * blockDim.x + at] = value;
    }
    const int last = block.size();
    for (int i = count + block.thread_rank(); i < last; i += last) // expect: sync-missing
        out[blockIdx.x * blockDim.x + i] = 0;
    if (block.thread_rank() == 0)
        length[blockIdx.x] = 1;
}

void launch(const float *in, float *out, int *length, int blocks)
{
    keep_large<<<blocks, 256>>>(in, out, length);
}
