// A wrapper that is told how many warps take part and multiplies by the wrong number.
#include <cuda_runtime.h>

namespace sp
{
__device__ inline void sync_warps(int id, int warps)
{
    constexpr int warp_size = 30;
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(warps * warp_size) : "memory");
}
} // namespace sp

__global__ void blur(float *row)
{
    row[threadIdx.x] *= 0.25f;
    if (threadIdx.x < 64)
        sp::sync_warps(1, 2); // expect: named-count-multiple
    row[threadIdx.x] += row[threadIdx.x ^ 1];
}

void run(float *row)
{
    blur<<<1, 128>>>(row);
}
