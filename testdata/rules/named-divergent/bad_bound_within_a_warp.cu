// 80 threads have work, and the barrier counts the 96 of the warps they are in; the last warp is
// split.
#include <cuda_runtime.h>

namespace lanes
{
__device__ inline void sync(int id, int warps)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(warps * 32) : "memory");
}
} // namespace lanes

template <int Items>
__global__ void fold(float *data)
{
    __shared__ float line[Items];
    if (threadIdx.x < Items) {
        line[threadIdx.x] = data[threadIdx.x];
        lanes::sync(1, (Items + 31) / 32); // expect: named-divergent
        data[threadIdx.x] += line[Items - 1 - threadIdx.x];
    }
    data[threadIdx.x] *= 0.5f;
}

void run(float *data)
{
    fold<80><<<1, 128>>>(data);
}
