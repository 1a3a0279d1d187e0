// Warps without a row return; the group's barrier counts all four.
#include <cuda_runtime.h>

namespace lanes
{
__device__ inline void sync(int id, int warps)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(warps * 32) : "memory");
}
} // namespace lanes

__global__ void rows(const float *__restrict__ in, float *__restrict__ out, int count)
{
    __shared__ float sum[4];
    const int row = threadIdx.x / 32;
    if (row >= count)
        return; // expect: named-exit
    sum[row] = in[row * 32 + threadIdx.x % 32];
    lanes::sync(1, 4);
    out[threadIdx.x] = sum[(row + 1) % count];
}

void run(const float *in, float *out)
{
    rows<<<1, 128>>>(in, out, 3);
}
