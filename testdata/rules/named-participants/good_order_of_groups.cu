// Two groups take turns: each waits at its own barrier and arrives at the other's; the first turn
// is given before the loop, in another function.
#include <cuda_runtime.h>

constexpr int kFirst = 4;

__device__ int warp_group()
{
    return __shfl_sync(0xffffffffu, threadIdx.x / 128, 0);
}

__device__ void give_first_turn()
{
    if (warp_group() == 1)
        asm volatile("bar.arrive %0, %1;" ::"r"(kFirst), "n"(256) : "memory");
}

__device__ void wait_turn()
{
    asm volatile("bar.sync %0, %1;" ::"r"(kFirst + warp_group()), "n"(256) : "memory");
}

__device__ void pass_turn()
{
    asm volatile("bar.arrive %0, %1;" ::"r"(kFirst + 1 - warp_group()), "n"(256) : "memory");
}

__global__ void __launch_bounds__(256) turns(float *data, int rounds)
{
    give_first_turn();
    for (int r = 0; r < rounds; ++r) {
        wait_turn();
        data[(r * 2 + warp_group()) * 128 + threadIdx.x % 128] += 1.0f;
        pass_turn();
    }
    if (warp_group() == 0)
        wait_turn();
}

void run(float *data, int rounds)
{
    turns<<<132, 256>>>(data, rounds);
}
