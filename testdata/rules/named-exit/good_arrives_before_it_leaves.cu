// The loader arrives for the last time and returns; what it leaves behind is complete.
#include <cuda_runtime.h>

namespace lanes
{
__device__ inline void sync(int id, int warps)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(warps * 32) : "memory");
}
__device__ inline void arrive(int id, int warps)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(warps * 32) : "memory");
}
} // namespace lanes

__global__ void load_and_scale(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[96];
    if (threadIdx.x >= 96) {
        for (int i = threadIdx.x - 96; i < 96; i += 32)
            tile[i] = in[blockIdx.x * 96 + i];
        lanes::arrive(1, 4);
        return;
    }
    lanes::sync(1, 4);
    out[blockIdx.x * 96 + threadIdx.x] = 2.0f * tile[threadIdx.x];
}

void run(const float *in, float *out, int blocks)
{
    load_and_scale<<<blocks, 128>>>(in, out);
}
