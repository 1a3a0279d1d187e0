// Named barriers for groups of warps.
#pragma once

namespace example
{
// All `threads` threads of a group meet at barrier `id`.
__device__ inline void group_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
} // namespace example
