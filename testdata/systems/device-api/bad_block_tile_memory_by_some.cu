// Making the group of the block with memory for its tiles is collective.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sums(float *cell)
{
    __shared__ cg::block_tile_memory<128> memory;
    if (threadIdx.x < 64) {
        auto block = cg::this_thread_block(memory); // expect: group-collective-divergent
        cell[threadIdx.x] += block.thread_rank();
    }
}

void launch(float *cell)
{
    sums<<<1, 128>>>(cell);
}
