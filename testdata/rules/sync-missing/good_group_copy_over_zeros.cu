// All words have been set to zero when the group copies over them; or the zeros lie behind what it
// copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void count_set(const unsigned *mask, int words, unsigned *count)
{
    extern __shared__ unsigned kept[];
    auto block = cg::this_thread_block();
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        kept[i] = 0;
    block.sync();
    cg::memcpy_async(block, kept, mask + blockIdx.x * words, words * sizeof(unsigned));
    cg::wait(block);
    unsigned set = 0;
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        set += __popc(kept[words - 1 - i]);
    atomicAdd(&count[blockIdx.x], set);
}

__global__ void pad_rows(const float *in, float *out, int width)
{
    __shared__ alignas(16) float row[256];
    auto block = cg::this_thread_block();
    for (int i = width + threadIdx.x; i < 256; i += 128)
        row[i] = 0;
    cg::memcpy_async(block, row, in + blockIdx.x * width, width * sizeof(float));
    cg::wait(block);
    for (int i = threadIdx.x; i < 256; i += 128)
        out[blockIdx.x * 256 + i] = row[255 - i];
}

void launch(const unsigned *mask, int words, unsigned *count, int masks, const float *in,
            float *out, int width)
{
    count_set<<<masks, 256, words * sizeof(unsigned)>>>(mask, words, count);
    pad_rows<<<masks, 128>>>(in, out, width);
}
