// The phase is told by its parity, which the thread toggles itself; in both low-level interfaces.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>
#include <cuda_awbarrier_primitives.h>

__global__ void rounds(float *cell, int count)
{
    __shared__ uint64_t step;
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0)
        cuda::ptx::mbarrier_init(&step, block.size());
    block.sync();
    int parity = 0;
    for (int i = 0; i < count; ++i) {
        cuda::ptx::mbarrier_arrive(&step);
        cell[block.thread_rank()] *= 2;
        while (!cuda::ptx::mbarrier_try_wait_parity(&step, parity)) {
        }
        parity ^= 1;
    }
}

__global__ void rounds_again(float *cell, int count)
{
    __shared__ __mbarrier_t step;
    if (threadIdx.x == 0)
        __mbarrier_init(&step, blockDim.x);
    __syncthreads();
    bool parity = false;
    for (int i = 0; i < count; ++i) {
        __mbarrier_arrive(&step);
        cell[threadIdx.x] *= 2;
        while (!__mbarrier_try_wait_parity(&step, parity, 1000)) {
        }
        parity = !parity;
    }
}

void launch(float *cell, int count)
{
    rounds<<<1, 128>>>(cell, count);
    rounds_again<<<1, 128>>>(cell, count);
}
