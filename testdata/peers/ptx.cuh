// What the cases share: a wait, and named barriers.
#pragma once

#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ inline void wait_for(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__device__ inline void named_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ inline void named_arrive(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
