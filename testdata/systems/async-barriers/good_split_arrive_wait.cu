// Arrive, do something else, wait with the token of the arrival.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/std/utility>

__device__ float own_work(float x)
{
    return x * x + 1;
}

__global__ void rounds(float *cell, int count)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0)
        init(&step, block.size());
    block.sync();
    for (int i = 0; i < count; ++i) {
        auto token = step.arrive();
        cell[block.thread_rank()] = own_work(cell[block.thread_rank()]);
        step.wait(cuda::std::move(token));
    }
}

void launch(float *cell, int count)
{
    rounds<<<1, 128>>>(cell, count);
}
