// Two groups take turns, and nobody gives the first one its first turn: each waits for the other. The
// warp that loads waits behind them, which is no mistake of its barriers.
#include <cstdint>
#include <cuda/ptx>
#include <cuda_runtime.h>

__device__ void take_turn(int group)
{
    asm volatile("bar.sync %0, 128;" ::"r"(1 + group) : "memory");
}

__device__ void give_turn(int group)
{
    asm volatile("bar.arrive %0, 128;" ::"r"(1 + (group ^ 1)) : "memory");
}

__global__ void __launch_bounds__(160) in_turns(const float *in, float *out, int rounds)
{
    __shared__ alignas(128) float buffer[2][128];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; ++i) {
            cuda::ptx::mbarrier_init(&full[i], 1);
            cuda::ptx::mbarrier_init(&empty[i], 128);
        }
    __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128)
            for (int r = 0; r < rounds; ++r) {
                while (!cuda::ptx::mbarrier_try_wait_parity(&empty[r & 1], (r >> 1 & 1) ^ 1)) {
                }
                cuda::ptx::mbarrier_arrive_expect_tx(cuda::ptx::sem_release, cuda::ptx::scope_cta, cuda::ptx::space_shared,
                                                     &full[r & 1], sizeof buffer[0]);
                cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, buffer[r & 1],
                                         in + (blockIdx.x * rounds + r) * 128, sizeof buffer[0], &full[r & 1]);
            }
    } else {
        const int group = threadIdx.x / 64;
        float sum = 0.0f;
        for (int r = 0; r < rounds; ++r) {
            while (!cuda::ptx::mbarrier_try_wait_parity(&full[r & 1], r >> 1 & 1)) {
            }
            take_turn(group); // expect: named-order-cycle
            sum += buffer[r & 1][threadIdx.x];
            give_turn(group);
            cuda::ptx::mbarrier_arrive(&empty[r & 1]);
        }
        out[blockIdx.x * 128 + threadIdx.x] = sum;
    }
}

void run(const float *in, float *out, int rounds)
{
    in_turns<<<132, 160>>>(in, out, rounds);
}
