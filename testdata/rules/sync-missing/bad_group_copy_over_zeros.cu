// The group's threads copy over words that others may set to zero only then: whoever zeroes a word
// need not be the one who copies it.
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
    cg::memcpy_async(block, kept, mask + blockIdx.x * words, // expect: sync-missing
                     words * sizeof(unsigned));
    cg::wait(block);
    unsigned set = 0;
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        set += __popc(kept[words - 1 - i]);
    atomicAdd(&count[blockIdx.x], set);
}

void launch(const unsigned *mask, int words, unsigned *count, int masks)
{
    count_set<<<masks, 256, words * sizeof(unsigned)>>>(mask, words, count);
}
